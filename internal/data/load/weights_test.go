package load

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
)

func TestWeights(t *testing.T) {
	s, err := readText(t, "a,w,b\n1,1,2\n3,3,4\n", Options{Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Weights, []float64{.25, .75}) || !slices.Equal(s.Values, []float64{1, 2, 3, 4}) || !slices.Equal(s.Names, []string{"a", "b"}) {
		t.Errorf("got %+v", s)
	}
	// By number, from rows; a selection that covers the weights leaves them out.
	r, err := FromRows([][]float64{{1, 1, 2}, {3, 3, 4}}, Options{Weights: "2", Columns: []string{"1-3"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fingerprint() != s.Fingerprint() {
		t.Errorf("from rows: %+v, from CSV %+v", r, s)
	}
	// A missing weight goes with its row.
	d, err := FromRows([][]float64{{1, 1, 2}, {9, nan, 9}, {3, 3, 4}}, Options{Weights: "2", Missing: MissingDrop})
	if err != nil {
		t.Fatal(err)
	}
	if d.Fingerprint() != s.Fingerprint() || d.Dropped != 1 {
		t.Errorf("from rows with a missing weight: %+v", d)
	}
	d, err = readText(t, "a,w,b\n1,1,2\n9,,9\n3,3,4\n", Options{Weights: "w", Missing: MissingDrop})
	if err != nil {
		t.Fatal(err)
	}
	if d.Fingerprint() != s.Fingerprint() || d.Dropped != 1 {
		t.Errorf("from CSV with a missing weight: %+v", d)
	}
	for w, want := range map[float64]string{
		-1:          `rows: row 2, column 1 (weights): got "-1", want a positive, finite weight`,
		0:           `rows: row 2, column 1 (weights): got "0", want a positive weight; leave the row out instead of giving it no weight`,
		math.Inf(1): `rows: row 2, column 1 (weights): got "+Inf", want a positive, finite weight`,
	} {
		_, err := FromRows([][]float64{{1, 2}, {w, 2}}, Options{Weights: "1"})
		checkError(t, err, want)
	}
	_, err = FromRows([][]float64{{1, 2}, {nan, 2}}, Options{Weights: "1"})
	checkError(t, err, `rows: row 2, column 1 (weights): got "NaN", want a positive weight for each row; fill it in, or drop the row`)
}

func TestWithWeights(t *testing.T) {
	s, err := FromRows([][]float64{{1}, {2}, {3}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{1, 2, 1}
	c, err := s.WithWeights(w)
	if err != nil {
		t.Fatal(err)
	}
	if s.Weights != nil || !slices.Equal(w, []float64{1, 2, 1}) || !slices.Equal(c.Weights, []float64{.25, .5, .25}) {
		t.Errorf("got %v; the old ones %v, %v", c.Weights, s.Weights, w)
	}
	tests := []struct {
		w    []float64
		want string
	}{
		{nil, "rows: 0 weights for 3 observations; want one for each"},
		{[]float64{1, 2}, "rows: 2 weights for 3 observations; want one for each"},
		{[]float64{1, -2, 3}, "rows: weight 2 is -2, want a positive, finite weight"},
		{[]float64{1, 2, 0},
			"rows: weight 3 is 0, want a positive weight; leave the row out instead of giving it no weight"},
		{[]float64{nan, 2, 0},
			"rows: weight 1 is NaN, want a positive weight for each row; fill it in, or drop the row"},
		{[]float64{1, 2, math.Inf(1)}, "rows: weight 3 is +Inf, want a positive, finite weight"},
		{[]float64{1e300, 1e-300, 1},
			"rows: weight 2 (1e-300) vanishes beside the largest (1e+300); leave the row out"},
	}
	for _, test := range tests {
		_, err := s.WithWeights(test.w)
		checkError(t, err, test.want)
	}
	if _, err := s.WithWeights([]float64{math.MaxFloat64, math.MaxFloat64, 1e300}); err != nil {
		t.Errorf("large weights: %v", err)
	}
}

// TestNormaliseProperty: sum 1, all positive, proportions and scale kept.
func TestNormaliseProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		w := make([]float64, 1+rng.IntN(500))
		scale := math.Exp(rng.NormFloat64() * 100)
		for i := range w {
			w[i] = (rng.ExpFloat64() + 1e-6) * scale
		}
		nu, err := normalizeWeights("x", w)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, v := range nu {
			sum += v
			// Two divisions each: four roundings.
			if !(math.Abs(v/nu[0]*(w[0]/w[i])-1) <= 8*0x1p-53) {
				t.Fatalf("proportion of weight %d is off", i)
			}
		}
		// Recursive summation of n positive terms errs by at most n units each time.
		if !(math.Abs(sum-1) <= 2*float64(len(w))*0x1p-53) {
			t.Fatalf("sum %v", sum)
		}
	}
}

func TestLoadWeights(t *testing.T) {
	dir := t.TempDir()
	want := []float64{1, 2, 4}
	files := map[string]string{"column.csv": "1\n2\n4\n", "row.csv": "1,2,4\n", "header.csv": "w\n1\n2\n4\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, m := range map[string]mat.Matrix{"column.npy": mat.NewDense(3, 1, want), "row.npy": mat.NewDense(1, 3, want)} {
		files[name] = ""
		if err := export.WriteNPY(filepath.Join(dir, name), m); err != nil {
			t.Fatal(err)
		}
	}
	for name := range files {
		got, err := LoadWeights(t.Context(), filepath.Join(dir, name))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	bad := filepath.Join(dir, "bad.csv")
	for text, want := range map[string]string{
		"1,2\n3,4\n": ": has 2 rows and 2 columns, want a vector of weights: one column, one number for each observation",
		"1\nNA\n3\n": ": some weights are missing, want a positive weight for each row; fill it in, or drop the row",
		"1\n-3\n":    ": weight 2 is -3, want a positive, finite weight",
	} {
		if err := os.WriteFile(bad, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := LoadWeights(t.Context(), bad)
		checkError(t, err, bad+want)
	}
	if _, err := LoadWeights(t.Context(), filepath.Join(dir, "none")); err == nil {
		t.Error("no error for a missing file")
	}
}
