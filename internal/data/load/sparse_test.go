package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// TestSparse reads files of entries as dense tables.
func TestSparseFiles(t *testing.T) {
	for _, test := range []struct {
		format, text string
		n            int
		want         []float64
	}{
		{"mtx",
			"%%MatrixMarket matrix coordinate real general\n% by hand\n\n2 3 3\n1 1 2.5\n2 3 -1e3\n1 1 1\n", 3,
			[]float64{3.5, 0, 0, 0, 0, -1000}},
		{"mtx", "%%MatrixMarket MATRIX Coordinate Pattern General\n2 2 1\n2 1\n", 2, []float64{0, 0, 1, 0}},
		{"mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n", 2, []float64{5, 7, 7, 0}},
		{"mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 7\n", 2, []float64{0, -7, 7, 0}},
		{"mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 2, []float64{1, 3, 2, 4}},
		{"mtx", "%%MatrixMarket matrix array real symmetric\r\n2 2\r\n1\r\n2\r\n3", 2, []float64{1, 2, 2, 3}},
		{"svmlight", "1 1:2 3:4 # one\n-1,2 qid:7 2:.5\n# none\n\n0\n", 3, []float64{2, 0, 4, 0, .5, 0, 0, 0, 0}},
		{"svmlight", "1 0:2\n1 2:4", 3, []float64{2, 0, 0, 0, 0, 4}},
	} {
		s, err := Read(t.Context(), strings.NewReader(test.text), "x", test.format, Options{})
		if err != nil || s.N != test.n || !slices.Equal(s.Values, test.want) {
			t.Errorf("%q: %v, %v", test.text, s, err)
		}
	}
	s, err := Load(t.Context(), writeFile(t, "x.libsvm.gz", compressed("1 1:2 2:3\n2 2:7\n")), Options{Columns: []string{"2"}})
	if err != nil || !slices.Equal(s.Values, []float64{3, 7}) || !slices.ContainsFunc(s.Warnings, func(w diag.Warning) bool { return w.Code == diag.LeftOut }) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSparseErrors(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, test := range []struct{ format, text, want string }{
		{"mtx", "1 2\n",
			`x: is not a file of Matrix Market: it begins with "1 2\n", want "%%MatrixMarket"; write it with scipy.io.mmwrite`},
		{"mtx", "%%MatrixMarket vector\n",
			`x: line 1: got "%%MatrixMarket vector", want a banner such as %%MatrixMarket matrix coordinate real general`},
		{"mtx", strings.Replace(head, "real", "complex", 1) + "1 1 1\n1 1 1 1\n",
			"x: line 1: the numbers are complex, want real ones; write the real part or the absolute values"},
		{"mtx", head, "x: line 2: the file ends, want the size of the matrix; copy or write it again"},
		{"mtx", head + "2 2 2\n1 1 1\n",
			"x: line 4: the file ends, want as many entries as it announces; copy or write it again"},
		{"mtx", head + "2 2 1\n3 1 1\n", "x: line 3: row 3 and column 1 are outside of the 2 x 2 matrix"},
		{"mtx", head + "2 2 1\n0 1 1\n", `x: line 3: got "0", want a row, from 1 on`},
		{"mtx", head + "2 2 1\n1 1 x\n", `x: line 3: got "x", want a number`},
		{"mtx", head + "2 2 1\n1 1 -1e400\n", `x: line 3: got "-1e400", want a number that a float64 can hold (up to 1.8e308)`},
		{"mtx", head + "2147483648 2 1\n1 1 1\n", `x: line 2: got "2147483648", want the number of rows, at most 2147483647`},
		{"mtx", head + "2 99999999999999999999 1\n1 1 1\n", `x: line 2: got "99999999999999999999", want the number of columns, at most 2147483647`},
		{"mtx", head + "-99999999999999999999 2 1\n1 1 1\n", `x: line 2: got "-99999999999999999999", want the number of rows, from 0 on`},
		{"mtx", head + "2 2 1\n1 1 0x1p4\n", `x: line 3: got "0x1p4", want a number`},
		{"mtx", head + "2 2 1\n1 1 inf\n", `x: line 3: got "inf", want a finite number`},
		{"mtx", head + "2 2 1\n1 1 1\n2 2 1\n", "x: line 4: there are more entries than the 1 that the file announces"},
		{"mtx", head + "99999 99999 0\n",
			"x: its 99,999 x 99,999 values take 80 GB as a dense table, and the file has only 60 bytes; choose a smaller table, or allow more memory"},
		{"mtx", head + "0 5 0\n", "x: has no observations; want at least one row"},
		{"svmlight", "1 2:1 2:3\n", "x: line 1: index 2 comes after index 2, want them in ascending order"},
		{"svmlight", "1:2 2:3\n", `x: line 1: got "1:2", want a label before the index:value pairs`},
		{"svmlight", "1 2:3\n1 x\n", `x: line 2: got "x", want index:value`},
		{"svmlight", "1 -2:3\n", `x: line 1: got "-2", want an index, from 0 on`},
		{"svmlight", "1\n", "x: has no columns; want at least one variable"},
	} {
		_, err := Read(t.Context(), strings.NewReader(test.text), "x", test.format, Options{})
		checkError(t, err, test.want)
	}
}

// TestSparseOptions reads random sparse matrices with and without their zeros, under
// the same options: the same numbers, weights, columns and errors.
func TestSparseOptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	kept := 0
	for seed := range 300 {
		p, n := 1+rng.IntN(9), 250+rng.IntN(30)
		entries := rng.IntN(1 + p*n/8)
		var b strings.Builder
		fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", p, n, entries+p)
		for i := range p { // weights, twice in some rows
			fmt.Fprintf(&b, "%d 1 %g\n", i+1, 1+rng.Float64())
		}
		for range entries { // some places come twice, some cancel
			fmt.Fprintf(&b, "%d %d %d\n", 1+rng.IntN(p), 1+rng.IntN(n), rng.IntN(7)-3)
		}
		o := Options{Float32: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			o.Weights = "1"
		}
		if rng.IntN(2) == 0 {
			for _, j := range rng.Perm(n)[:1+rng.IntN(20)] {
				o.Columns = append(o.Columns, strconv.Itoa(j+1))
			}
		}
		dense, wrong := Read(t.Context(), strings.NewReader(b.String()), "x", "mtx", o)
		o.Sparse = true
		sparse, err := Read(t.Context(), strings.NewReader(b.String()), "x", "mtx", o)
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("seed %d: %v, want %v", seed, err, wrong)
		}
		if err != nil || sparse.Sparse == nil {
			continue
		}
		kept++
		x := &block.SparseRows{P: sparse.P, N: sparse.N, Values: sparse.Sparse, Nu: sparse.Weights}
		all, err := block.Gather(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		whole := &Set{Info: sparse.Info, Values: all.V, Values32: all.V32, Weights: all.Nu}
		if whole.Fingerprint() != dense.Fingerprint() || fmt.Sprint(sparse.Warnings) != fmt.Sprint(dense.Warnings) {
			t.Fatalf("seed %d: %v %v, want %v %v\n%s", seed, whole.Float64(), sparse.Warnings, dense.Float64(), dense.Warnings, &b)
		}
		again, err := dense.Sparsely(t.Context())
		if err != nil || again.Fingerprint() != sparse.Fingerprint() {
			t.Fatalf("seed %d: the table without its zeros differs from the matrix", seed)
		}
	}
	if kept < 50 {
		t.Errorf("only %d of 300 were stored without zeros", kept)
	}
}

// Entries of one place whose sum no float64 holds are refused with their place.
func TestSparseOverflow(t *testing.T) {
	text := "%%MatrixMarket matrix coordinate real general\n2 300 2\n2 7 1e308\n2 7 1e308\n"
	_, err := Read(t.Context(), strings.NewReader(text), "x", "mtx", Options{Sparse: true, Columns: []string{"5-9"}})
	checkError(t, err, "x: row 2: index 6 is +Inf: want finite values; entries of one place are added up")
}
