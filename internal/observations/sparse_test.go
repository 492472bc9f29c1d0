package observations

import (
	"slices"
	"strings"
	"testing"

	"symmom/internal/notice"
)

// TestSparse reads files of entries as dense tables.
func TestSparseFiles(t *testing.T) {
	for _, test := range []struct {
		format, text string
		n            int
		want         []float64
	}{
		{"mtx", "%%MatrixMarket matrix coordinate real general\n% by hand\n\n2 3 3\n1 1 2.5\n2 3 -1e3\n1 1 1\n", 3, []float64{3.5, 0, 0, 0, 0, -1000}},
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
	if err != nil || !slices.Equal(s.Values, []float64{3, 7}) || !slices.ContainsFunc(s.Warnings, func(w notice.Warning) bool { return w.Code == notice.LeftOut }) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSparseErrors(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, test := range []struct{ format, text, want string }{
		{"mtx", "1 2\n", `x: is not a file of Matrix Market: it begins with "1 2\n", want "%%MatrixMarket"; write it with scipy.io.mmwrite`},
		{"mtx", "%%MatrixMarket vector\n", `x: line 1: got "%%MatrixMarket vector", want a banner such as %%MatrixMarket matrix coordinate real general`},
		{"mtx", strings.Replace(head, "real", "complex", 1) + "1 1 1\n1 1 1 1\n", "x: line 1: the numbers are complex, want real ones; write the real part or the absolute values"},
		{"mtx", head, "x: line 2: the file ends, want the size of the matrix; copy or write it again"},
		{"mtx", head + "2 2 2\n1 1 1\n", "x: line 4: the file ends, want as many entries as it announces; copy or write it again"},
		{"mtx", head + "2 2 1\n3 1 1\n", "x: line 3: row 3 and column 1 are outside of the 2 x 2 matrix"},
		{"mtx", head + "2 2 1\n0 1 1\n", `x: line 3: got "0", want a row, from 1 on`},
		{"mtx", head + "2 2 1\n1 1 x\n", `x: line 3: got "x", want a number`},
		{"mtx", head + "2 2 1\n1 1 inf\n", `x: line 3: got "inf", want a finite number`},
		{"mtx", head + "2 2 1\n1 1 1\n2 2 1\n", "x: line 4: there are more entries than the 1 that the file announces"},
		{"mtx", head + "99999 99999 0\n", "x: its 99,999 x 99,999 values take 80 GB as a dense table, and the file has only 60 bytes; choose a smaller table, or allow more memory"},
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
	_, err := OpenStream(t.Context(), writeFile(t, "x.mtx", head+"1 1 1\n1 1 1\n"), Options{}, nil)
	checkErrorHas(t, err, "a file of entries cannot be streamed; write it as Parquet with symmom convert")
}
