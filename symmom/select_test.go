package symmom

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// Selected variables are those that were asked for, in memory of either kind, and
// what is found in them stands where it was taken from.
func TestSelect(t *testing.T) {
	slow.Test(t)
	x, _ := offsetClusters(10)
	p, n := x.Dims()
	path := storedNPY(t, FromMatrix(x))
	for name, s := range map[string]*Session{"float64": FromMatrix(x).WithWeights(ramp(p)), "float32": Load(path, LoadOptions{Float32: true})} {
		c := s.Select("4", "1-2")
		if c.Err() != nil {
			t.Fatal(c.Err())
		}
		for l := range p {
			for i, j := range []int{3, 0, 1} {
				if c.Matrix().At(l, i) != s.Matrix().At(l, j) {
					t.Fatalf("%s: observation %d, variable %d is not variable %d", name, l, i, j)
				}
			}
		}
		if !slices.Equal(c.Weights(), s.Weights()) || !slices.Equal(c.Columns(), []string{"column 4", "column 1", "column 2"}) {
			t.Errorf("%s: weights or names differ: %q", name, c.Columns())
		}
		// As if no others had been there.
		f := mustFit(t, c.Moment(3).With(Options{Starts: 3}).Decompose(2))
		own := mat.NewDense(p, 3, nil)
		for l := range p {
			own.SetRow(l, []float64{s.Matrix().At(l, 3), s.Matrix().At(l, 0), s.Matrix().At(l, 1)})
		}
		want := FromMatrix(own)
		if w := s.Weights(); w != nil {
			want = want.WithWeights(w)
		}
		if g := mustFit(t, want.Moment(3).With(Options{Starts: 3}).Decompose(2)); !(math.Abs(f.RelativeError-g.RelativeError) <= 1e-9) {
			t.Errorf("%s: relative error %g, want %g", name, f.RelativeError, g.RelativeError)
		}
		back, err := c.Unselect(f.Model.Factors)
		if err != nil {
			t.Fatal(err)
		}
		rows, r := back.Dims()
		if rows != n || r != 2 {
			t.Fatalf("%s: %d x %d", name, rows, r)
		}
		for k := range r {
			if back.At(3, k) != f.Model.Factors.At(0, k) || back.At(0, k) != f.Model.Factors.At(1, k) || back.At(1, k) != f.Model.Factors.At(2, k) || back.At(2, k) != 0 {
				t.Errorf("%s: factor %d is %v", name, k, mat.Col(nil, k, back))
			}
		}
	}
	// The mean that was subtracted goes along; selected again, columns keep the
	// numbers of the source.
	s := FromMatrix(x)
	a, b := s.Center().Select("3", "2"), s.Select("3", "2").Center()
	if !floatsNear(a.move.Center, b.move.Center, 1e-12) || len(a.move.Center) != 2 {
		t.Errorf("centers %v and %v", a.move.Center, b.move.Center)
	}
	if again := s.Select("2-4").Select("3"); !slices.Equal(again.Columns(), []string{"column 4"}) || again.Matrix().At(5, 0) != x.At(5, 3) {
		t.Errorf("selected twice: %q", again.Columns())
	}
	// Whitened coordinates have a way back through both.
	sel := s.Select("1-3")
	w := sel.Whiten(2)
	in, err := w.Unwhiten(mat.NewDense(2, 1, []float64{1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := sel.Unselect(in); err != nil || out.At(0, 0) != in.At(0, 0) || out.At(n-1, 0) != 0 {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := w.Unselect(in); err == nil {
		t.Error("coordinates are no variables, yet they were taken back")
	}
	named := filepath.Join(t.TempDir(), "named.csv")
	if err := os.WriteFile(named, []byte("a,b,c\n1,2,4\n2,1,5\n0,1,7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c := Load(named).Select("c", "a"); !slices.Equal(c.Columns(), []string{"c", "a"}) || c.Matrix().At(1, 0) != 5 {
		t.Errorf("%q, %v", c.Columns(), c.Err())
	}
	for want, err := range map[string]error{
		"names, numbers":      s.Select().Err(),
		"out of range":        s.Select("99").Err(),
		"selected twice":      s.Select("1", "1-2").Err(),
		"unknown; the":        Load(named).Select("d").Err(),
		"LoadOptions.Columns": Stream(path).Select("1").Err(),
		"no observations":     FromRows(nil).Select("1").Err(),
		"Select returned":     func() error { _, err := s.Unselect(x); return err }(),
		"one a variable":      func() error { _, err := sel.Unselect(x); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Cumulant(3) is the central third moment, the co-skewness: by hand.
func TestCoSkewness(t *testing.T) {
	x, _ := offsetClusters(10)
	p, n := x.Dims()
	c := FromMatrix(x).Cumulant(3)
	f := mustFit(t, c.Explicit().With(Options{Starts: 1}).Decompose(1))
	mean := make([]float64, n)
	for l := range p {
		for i := range n {
			mean[i] += x.At(l, i) / float64(p)
		}
	}
	var square, along float64
	lambda, a := f.Model.Lambda[0], mat.Col(nil, 0, f.Model.Factors)
	for i := range n {
		for j := range n {
			for k := range n {
				var v float64
				for l := range p {
					v += (x.At(l, i) - mean[i]) * (x.At(l, j) - mean[j]) * (x.At(l, k) - mean[k]) / float64(p)
				}
				square += v * v
				along += v * a[i] * a[j] * a[k]
			}
		}
	}
	// 1000 sums of p terms, each right to 1e-16 of the largest.
	if want := 1 + (lambda*lambda-2*lambda*along)/square; !(math.Abs(f.RelativeError-want) <= 1e-9) {
		t.Errorf("relative error %.12g, by hand %.12g", f.RelativeError, want)
	}
	if got := f.NormSquared.Value; !(math.Abs(got-square) <= 1e-9*square) {
		t.Errorf("||X||^2 %.12g, by hand %.12g", got, square)
	}
}
