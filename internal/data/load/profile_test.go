package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "a,b\n1,2\n3,5\n", nil},
		{"one observation", "a,b\n1,2\n",
			[]string{"there is only one observation: its moment has rank one and says nothing about a distribution"}},
		{"all zero", "a,b\n0,0\n0,-0\n", []string{"every value is 0: there is nothing to decompose"}},
		{"constant", "a,b,c\n1,2,3\n1,3,3\n", []string{"2 columns are constant: a, c"}},
		{"one constant without a name", "1,.2\n1,.3\n", []string{"one column is constant: column 1"}},
		{"scale", "income,rate,age\n50000,.01,30\n-50000,.02,40\n", []string{
			"the columns are of very different scale: income has root mean square 5e+04, rate only 0.0158, so the first dominates every moment; standardize the columns"}},
		{"zero columns do not count for the scale", "a,b\n1,0\n2,0\n", []string{"one column is constant: b"}},
		{"just within", "a,b\n49.9,1\n-49.9,-1\n", nil},
		{"just beyond", "a,b\n50,1\n-50,-1\n", []string{
			"the columns are of very different scale: a has root mean square 50, b only 1, so the first dominates every moment; standardize the columns"}},
		{"mostly zero is no scale", "a,b\n9,0\n" + strings.Repeat("9,0\n10,0\n", 5000) + "7,3\n", nil},
		{"one of many", many(21, 1e-3), nil},
		{"one of many, but lost", many(21, 1e-5), []string{
			"the columns are of very different scale: column 1 has root mean square 1, column 21 only 1e-05, so the first dominates every moment; standardize the columns"}},
		{"one of few", many(9, 1e-3), []string{
			"the columns are of very different scale: column 1 has root mean square 1, column 9 only 0.001, so the first dominates every moment; standardize the columns"}},
		{"one large of many", many(21, 60), []string{
			"the columns are of very different scale: column 21 has root mean square 60, column 3 only 1, so the first dominates every moment; standardize the columns"}},
		{"squares overflow", "a,b\n1e200,1e200\n-1e200,3e200\n", nil},
		{"squares underflow", "a,b\n1e-200,1e-200\n-1e-200,3e-200\n", nil},
		{"both", "a,b\n1e-200,1e200\n-1e-200,3e200\n", []string{
			"the columns are of very different scale: b has root mean square 2.24e+200, a only 1e-200, so the first dominates every moment; standardize the columns"}},
		{"scale of one observation", "a,b\n1e9,2\n", []string{
			"there is only one observation: its moment has rank one and says nothing about a distribution",
			"the columns are of very different scale: a has root mean square 1e+09, b only 2, so the first dominates every moment; standardize the columns"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := readText(t, test.text, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(texts(s.Warnings), test.want) {
				t.Errorf("got  %q\nwant %q", s.Warnings, test.want)
			}
		})
	}
}

// many returns two rows of n columns of 1 and -1, the last of which is scaled.
func many(n int, last float64) string {
	row := strings.Repeat("%[1]d,", n-1) + "%[2]g\n"
	return fmt.Sprintf(row, 1, last) + fmt.Sprintf(row, -1, -last)
}

// TestWarningsAfterMissing: dropped and filled values are reported, and no longer count.
func TestWarningsAfterMissing(t *testing.T) {
	s, err := FromRows([][]float64{{1, 1}, {2, 1}, {nan, 7}}, Options{Missing: MissingDrop})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"one column is constant: column 2", "1 of 3 rows is left out because values are missing"}; !slices.Equal(texts(s.Warnings), want) {
		t.Errorf("got %q, want %q", s.Warnings, want)
	}
	s, err = FromRows([][]float64{{1, 1}, {2, nan}, {nan, 7}, {4, 2}}, Options{Missing: MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"2 missing values are replaced by the mean of their column, which makes the columns vary less"}; !slices.Equal(texts(s.Warnings), want) {
		t.Errorf("got %q, want %q", s.Warnings, want)
	}
}

func TestWarningNamesColumnOfSource(t *testing.T) {
	s, err := FromRows([][]float64{{1, 5, 2}, {2, 5, 4}}, Options{Columns: []string{"2-3"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"one column is constant: column 2"}; !slices.Equal(texts(s.Warnings), want) {
		t.Errorf("got %q, want %q", s.Warnings, want)
	}
	if s.Label(0) != "column 2" || s.Label(1) != "column 3" {
		t.Errorf("labels %q, %q", s.Label(0), s.Label(1))
	}
}

// TestRootMeanSquareProperty: scaling a column by a power of two scales the root
// mean square by exactly that, however large or small.
func TestRootMeanSquareProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		p := 1 + rng.IntN(50)
		v, w := make([]float64, p), make([]float64, p)
		shift := rng.IntN(1800) - 900
		for i := range v {
			v[i] = rng.NormFloat64()
			w[i] = math.Ldexp(v[i], shift)
		}
		rms := func(v []float64) float64 {
			pr, err := (&Set{Info: Info{P: p, N: 1}, Values: v}).sweep(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return pr.RootMeanSquare((&Set{Info: Info{P: p, N: 1}, Values: v}).profiled(), 0)
		}
		// The detour over the largest value rounds each term and the product anew.
		if got, want := rms(w), math.Ldexp(rms(v), shift); !(math.Abs(got/want-1) <= float64(p+4)*0x1p-53) {
			t.Fatalf("2^%d: got %v, want %v", shift, got, want)
		}
	}
}

func TestStandardize(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for trial := range 100 {
		p, n := 2+rng.IntN(100), 1+rng.IntN(5)
		rows := make([][]float64, p)
		scale, shift := make([]float64, n), make([]float64, n)
		for j := range n {
			scale[j] = math.Ldexp(1, rng.IntN(1900)-950)
			shift[j] = rng.NormFloat64()
		}
		w := make([]float64, p)
		for i := range rows {
			rows[i] = make([]float64, n)
			for j := range rows[i] {
				rows[i][j] = scale[j] * (shift[j] + rng.NormFloat64())
			}
			w[i] = rng.ExpFloat64() + .01
		}
		s, err := FromRows(rows, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if trial%2 == 0 {
			if s, err = s.WithWeights(w); err != nil {
				t.Fatal(err)
			}
		}
		before := s.Fingerprint()
		z, _, err := s.Standardize(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if s.Fingerprint() != before {
			t.Fatal("the old set was changed")
		}
		if len(z.Warnings) != 0 {
			t.Errorf("warnings %q", z.Warnings)
		}
		for j := range n {
			mean, square := 0.0, 0.0
			for i := range p {
				mean += z.weight(i) * z.Values[i*n+j]
				square += z.weight(i) * z.Values[i*n+j] * z.Values[i*n+j]
			}
			// p additions, amplified by (shift+sigma)/sigma, which is below 100 here.
			if tol := 200 * float64(p) * 0x1p-53; !(math.Abs(mean) <= tol) || !(math.Abs(square-1) <= tol) {
				t.Fatalf("trial %d, column %d (scale %g): mean %g, variance-1 %g", trial, j, scale[j], mean, square-1)
			}
		}
	}
}

func TestStandardizeConstant(t *testing.T) {
	s, err := readText(t, "a,b,c\n7,1,0\n7,2,0\n", Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, _, err := s.Standardize(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(z.Values, []float64{0, -1, 0, 0, 1, 0}) {
		t.Errorf("got %v", z.Values)
	}
	if want := []string{"2 columns are constant and were set to 0: a, c"}; !slices.Equal(texts(z.Warnings), want) {
		t.Errorf("warnings %q, want %q", z.Warnings, want)
	}
	if s, err = readText(t, "a,b\n7,1\n7,2\n", Options{}); err != nil {
		t.Fatal(err)
	}
	if z, _, err = s.Standardize(t.Context(), false); err != nil || !slices.Equal(texts(z.Warnings), []string{"one column is constant and was set to 0: a"}) {
		t.Errorf("warnings %q, %v", z.Warnings, err)
	}
	for _, text := range []string{"1,2\n1,2\n", "1,2\n", "0\n0\n"} {
		if s, err = readText(t, text, Options{}); err != nil {
			t.Fatal(err)
		}
		_, _, err = s.Standardize(t.Context(), false)
		checkError(t, err, "x.csv: every column is constant, so nothing can be standardized")
	}
	// What a scale warning asked for is done: the warning goes.
	if s, err = readText(t, "a,b\n1e9,1\n-1e9,2\n", Options{}); err != nil {
		t.Fatal(err)
	}
	if z, _, err = s.Standardize(t.Context(), false); err != nil || len(s.Warnings) != 1 || len(z.Warnings) != 0 {
		t.Errorf("before %q, after %q, %v", s.Warnings, z.Warnings, err)
	}
}

func TestFingerprint(t *testing.T) {
	read := func(text string, o Options) *Set {
		s, err := readText(t, text, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := read("a,b\n1,2\n3,4\n", Options{})
	if !strings.HasPrefix(s.Fingerprint(), "xxh3:") || len(s.Fingerprint()) != 5+32 {
		t.Errorf("form: %q", s.Fingerprint())
	}
	// Of the bytes by hand (the four numbers, "symmom observations 2", 2 and 2,
	// little-endian) by the xxhash of Python, xxh3_128_hexdigest.
	if want := "xxh3:ea4372c8888e5a062ad5110f8b55d988"; s.Fingerprint() != want {
		t.Errorf("got %s, want %s", s.Fingerprint(), want)
	}
	rows, err := FromRows([][]float64{{1, 2}, {3, 4}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal, err := rows.WithWeights([]float64{5, 5})
	if err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]*Set{"without names": rows, "equal weights": equal} {
		if same.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s: another fingerprint", name)
		}
	}
	weighted, err := s.WithWeights([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	weighted2, err := s.WithWeights([]float64{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{s.Fingerprint(): "the plain one"}
	for name, other := range map[string]*Set{
		"another value": read("1,2\n3,5\n", Options{}), "another shape": read("1,2,3,4\n", Options{}),
		"another order": read("3,4\n1,2\n", Options{}), "weights": weighted, "other weights": weighted2,
	} {
		if before, ok := seen[other.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", name, before)
		}
		seen[other.Fingerprint()] = name
	}
}

// What the warnings say of the values is the same for their negatives, and where zeros are not
// stored; and the root mean squares in them are those of the values that they say.
func TestWarningsOfNegativesAndZeros(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 13))
	count := 0
	for trial := range 300 {
		p, n := 2+rng.IntN(60), 2+rng.IntN(25)
		rows, negatives := make([][]float64, p), make([][]float64, p)
		var start, index []int
		var values []float64
		scale, share := make([]float64, n), make([]float64, n)
		for j := range n {
			scale[j], share[j] = 1, 1
			switch rng.IntN(8) {
			case 0:
				scale[j] = math.Exp(6 * rng.NormFloat64())
			case 1:
				share[j] = .2
			case 2:
				scale[j] = 0
			}
		}
		start = []int{0}
		for i := range rows {
			rows[i], negatives[i] = make([]float64, n), make([]float64, n)
			for j := range n {
				v := scale[j]
				if trial%2 == 0 {
					v *= -math.Abs(rng.NormFloat64())
				}
				if rng.Float64() >= share[j] {
					v = 0
				}
				rows[i][j], negatives[i][j] = v, -v
				if v != 0 {
					index, values = append(index, j), append(values, v)
				}
			}
			start = append(start, len(index))
		}
		of := func(s *Set, err error) []string {
			if err != nil {
				t.Fatal(err)
			}
			return texts(s.Warnings)
		}
		want := of(FromRows(rows, Options{}))
		count += len(want)
		// Sums of squares in another order: the texts have three digits.
		if got := of(FromRows(negatives, Options{})); !slices.Equal(got, want) {
			t.Errorf("negatives: %q, want %q", got, want)
		}
		if got := of(FromCSR(n, start, index, values)); !slices.Equal(got, want) {
			t.Errorf("sparse: %q, want %q", got, want)
		}
		for _, text := range want {
			large, found := strings.CutPrefix(text, "the columns are of very different scale: ")
			if !found {
				continue
			}
			var a, b int
			var first, second float64
			if _, err := fmt.Sscanf(large, "column %d has root mean square %g, column %d only %g", &a, &first, &b, &second); err != nil {
				t.Fatal(text, err)
			}
			for j, got := range map[int]float64{a - 1: first, b - 1: second} {
				var square, nonzero float64
				for _, row := range rows {
					if square += row[j] * row[j]; row[j] != 0 {
						nonzero++
					}
				}
				all, some := math.Sqrt(square/float64(p)), math.Sqrt(square/nonzero)
				want := all
				if strings.Contains(text, "where they are not 0") {
					want = some
				}
				if !(math.Abs(got/want-1) <= 6e-3) {
					t.Errorf("%s: of column %d it is %g, %g where it is not zero", text, j+1, all, some)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d warnings", count)
	}
}

// Root mean squares are those with weights where these are in the numbers that a moment is made
// of, else the warning says that they are not.
func TestScalesOfWeightedColumns(t *testing.T) {
	rows := [][]float64{{-2e6, -.01}, {3e6, .02}, {1e6, .04}}
	w := []float64{1, 1, 8} // means 9e5 and .033, deviations of 1.22e6 and .0162
	s, err := FromRows(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if equal, err := s.WithWeights([]float64{2, 2, 2}); err != nil || !slices.Equal(texts(equal.Warnings), texts(s.Warnings)) {
		t.Errorf("equal weights: %q, %v", texts(equal.Warnings), err)
	}
	if s, err = s.WithWeights(w); err != nil {
		t.Fatal(err)
	}
	const aside = "column 1 has root mean square 2.16e+06, column 2 only 0.0265, so the first dominates every moment; standardize the columns (the root mean squares leave the weights aside)"
	if got := texts(s.Warnings); len(got) != 1 || !strings.Contains(got[0], aside) {
		t.Errorf("%q, want %q", got, aside)
	}
	zeros, err := FromCSR(2, []int{0, 2, 4, 6}, []int{0, 1, 0, 1, 0, 1}, slices.Concat(rows...))
	if err != nil {
		t.Fatal(err)
	}
	if zeros, err = zeros.WithWeights(w); err != nil || !slices.Equal(texts(zeros.Warnings), texts(s.Warnings)) {
		t.Errorf("%q, %v", texts(zeros.Warnings), err)
	}
	if s, _, err = s.Standardize(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	var square [2]float64
	for i := range 3 {
		for j := range square {
			square[j] += s.Weights[i] * s.Values[2*i+j] * s.Values[2*i+j]
		}
	}
	want := fmt.Sprintf("column 1 has root mean square %.3g, column 2 only %.3g, so the first dominates every moment", math.Sqrt(square[0]), math.Sqrt(square[1]))
	if got := texts(s.Warnings); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%q, want %q", got, want)
	}
	// The first deviation is 700 times larger without weights.
	s, err = FromRows([][]float64{{-1e6, 1}, {0, -1}, {0, 1}, {1, -1}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.WithWeights([]float64{1e-13, 1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if s, _, err = s.Standardize(t.Context(), false); err != nil || len(s.Warnings) > 0 {
		t.Errorf("%q, %v", texts(s.Warnings), err)
	}
}
