package symmom

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// A stream that is centered or standardized gives what the data in memory give: the numbers
// that fits see have the same bits, except for the means of sums of weights made in two parts.
func TestStreamMoved(t *testing.T) {
	slow.Test(t)
	x, _ := offsetClusters(40) // with a column of another unit and a constant one
	p, n := x.Dims()
	all := mat.NewDense(p, n+2, nil)
	for l := range p {
		for i := range n {
			all.Set(l, i, x.At(l, i))
		}
		all.Set(l, 0, 1e4*x.At(l, 0))
		all.Set(l, n, .1)
		all.Set(l, n+1, 1+float64(l%5))
	}
	dir := t.TempDir()
	npy, csv := filepath.Join(dir, "x.npy"), filepath.Join(dir, "x.csv")
	for _, path := range []string{npy, csv} {
		if err := FromMatrix(all).Save(path); err != nil {
			t.Fatal(err)
		}
	}
	moves := map[string]func(*Session) *Session{
		"centered":     (*Session).Center,
		"standardized": (*Session).Standardize,
		"twice":        func(s *Session) *Session { return s.Center().Standardize() },
		"appended":     func(s *Session) *Session { return s.Standardize().Append(x10(s)) },
		"moved after":  func(s *Session) *Session { return s.Append(x10(s)).Center() },
	}
	for _, path := range []string{npy, csv} {
		for _, weights := range []string{"", "last"} {
			o := LoadOptions{Columns: []string{fmt.Sprintf("1-%d", n+1)}}
			if weights != "" {
				o.Weights = fmt.Sprint(n + 2)
			}
			for name, move := range moves {
				t.Run(filepath.Base(path)+" "+weights+" "+name, func(t *testing.T) {
					memory, disk := move(Load(path, o)), move(Stream(path, o))
					if memory.Err() != nil || disk.Err() != nil {
						t.Fatal(memory.Err(), disk.Err())
					}
					if a, b := fmt.Sprint(memory.Warnings()), fmt.Sprint(disk.Warnings()); a != b {
						t.Errorf("warnings %s, in memory %s", b, a)
					}
					if !strings.Contains(name, "after") && memory.Fingerprint() != disk.Fingerprint() {
						t.Error("the numbers differ")
					}
					a, b := memory.Summary(), disk.Summary()
					if a.Coordinates != b.Coordinates {
						t.Errorf("coordinates %q and %q", a.Coordinates, b.Coordinates)
					}
					for j, v := range a.Variables {
						// 2,000 roundings of numbers up to 1 times the column's unit
						if w := b.Variables[j]; !(math.Abs(v.Mean-w.Mean) <= 1e-12*math.Abs(v.Max)) || !(math.Abs(v.Std-w.Std) <= 1e-12*v.Std) {
							t.Errorf("variable %d: %+v, in memory %+v", j, w, v)
						}
					}
					tight := Options{Tolerance: 1e-8} // f is within its square of the least
					f, g := mustFit(t, memory.Moment(3).With(tight).Decompose(1)), mustFit(t, disk.Moment(3).With(tight).Decompose(1))
					if !(math.Abs(f.RelativeError-g.RelativeError) <= 1e-9) || !(math.Abs(f.NormSquared.Value-g.NormSquared.Value) <= 1e-9*f.NormSquared.Value) {
						t.Errorf("relative error %.12g of %s, in memory %.12g of %s", g.RelativeError, g.NormSquared, f.RelativeError, f.NormSquared)
					}
					if !floatsNear(f.Model.Center, g.Model.Center, 1e-9) || !floatsNear(f.Model.Scale, g.Model.Scale, 1e-9) {
						t.Errorf("center %v, scale %v; in memory %v, %v", g.Model.Center, g.Model.Scale, f.Model.Center, f.Model.Scale)
					}
					if e := disk.Moment(3).Evaluate(f.Model); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) {
						t.Errorf("%v of the model from memory, want %.12g", e, f.RelativeError)
					}
				})
			}
		}
	}
}

// x10 are ten more observations for a session.
func x10(s *Session) mat.Matrix {
	x, _ := offsetClusters(50)
	more := mat.NewDense(10, s.N(), nil)
	for l := range 10 {
		for i := range s.N() - 1 {
			more.Set(l, i, 2*x.At(l, i))
		}
		more.Set(l, s.N()-1, .1)
	}
	return more
}

// Mixtures, independent components and saved tables are of the moved data; what cannot be
// moved is refused, and the file stays protected.
func TestStreamMovedUses(t *testing.T) {
	x, _ := offsetClusters(60)
	path := storedNPY(t, FromMatrix(x))
	memory, disk := FromMatrix(x).Standardize(), Stream(path).Standardize()
	a, b := memory.Mixture(2), disk.Mixture(2)
	if a.Err() != nil || b.Err() != nil || !(math.Abs(a.LogLikelihood-b.LogLikelihood) <= 1e-6*math.Abs(a.LogLikelihood)) {
		t.Errorf("mixtures: %v and %v (%v, %v)", a.LogLikelihood, b.LogLikelihood, a.Err(), b.Err())
	}
	out := filepath.Join(t.TempDir(), "moved.npy")
	if err := disk.Save(out); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(Load(out).Matrix(), memory.Matrix(), 1e-12) {
		t.Error("other numbers were saved")
	}
	before, _ := os.ReadFile(path)
	if err := disk.Save(path); err == nil {
		t.Error("the file that is read was written over")
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the file that is read was changed")
	}
	constant := filepath.Join(t.TempDir(), "constant.npy")
	far := filepath.Join(t.TempDir(), "far.csv")
	if err := FromRows([][]float64{{1, 2}, {1, 2}}).Save(constant); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(far, []byte("a,b\n1.7e308,1\n-1.7e308,2\n-1.7e308,3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(string, ...LoadOptions) *Session{Stream, Load} {
		if err := open(constant).Standardize().Err(); err == nil || !strings.Contains(err.Error(), "every column is constant, so nothing can be standardized") {
			t.Errorf("constant data: %v", err)
		}
		if c := open(constant).Center(); c.Err() != nil || c.Summary().Variables[0].Max != 0 {
			t.Errorf("constant data: %v, %+v", c.Err(), c.Summary())
		}
		if err := open(far).Center().Err(); err == nil || !strings.Contains(err.Error(), "a: its values are too large to be shifted") {
			t.Errorf("differences out of range: %v", err)
		}
		if s := open(far).Standardize(); s.Err() != nil || !(math.Abs(s.Summary().Variables[0].Max-math.Sqrt2) <= 1e-12) {
			t.Errorf("far apart: %v, %+v", s.Err(), s.Summary())
		}
	}
}

// Root mean squares in warnings are weighted where centering knows the weights, wherever the
// data are, and elsewhere labelled as unweighted.
func TestScalesOfWeightedColumnsEverywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("a,b,w\n-2e6,-.01,1\n3e6,.02,1\n1e6,.04,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := LoadOptions{Weights: "w"}
	for name, s := range map[string]*Session{"memory": Load(path, o), "sparse": Load(path, o).Sparse(), "stream": Stream(path, o)} {
		for _, c := range []struct {
			s    *Session
			want string
		}{
			{s, "a has root mean square 2.16e+06, b only 0.0265, so the first dominates every moment; standardize the columns (the root mean squares leave the weights aside)"},
			// a is -2.9e6, 2.1e6 and 1e5 about its mean, b -.043, -.013 and .007.
			{s.Center(), "a has root mean square 1.14e+06, b only 0.0155, so the first dominates"},
		} {
			if w := fmt.Sprint(c.s.Warnings()); c.s.Err() != nil || !strings.Contains(w, c.want) {
				t.Errorf("%s: %s, want %s", name, w, c.want)
			}
		}
	}
}
