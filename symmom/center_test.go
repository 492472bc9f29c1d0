package symmom

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Centered data have the weighted mean 0, the session they came from is as it
// was, and the model says what was subtracted: in a file, too.
func TestCenter(t *testing.T) {
	x, _ := offsetClusters(10)
	p, n := x.Dims()
	before := mat.DenseCopyOf(x)
	for name, s := range map[string]*Session{"uniform": FromMatrix(x), "weights": FromMatrix(x).WithWeights(ramp(p)),
		"float32": Load(storedNPY(t, FromMatrix(x)), LoadOptions{Float32: true})} {
		c := s.Center()
		weights := c.Weights()
		if weights == nil {
			weights = slices.Repeat([]float64{1 / float64(p)}, p)
		}
		var mean mat.VecDense
		mean.MulVec(c.Matrix().T(), mat.NewVecDense(p, weights))
		if off := mat.Norm(&mean, math.Inf(1)); off > 1e-7 || name != "float32" && off > 1e-14 {
			t.Errorf("%s: mean %g", name, off)
		}
		f := mustFit(t, c.Moment(3).With(Options{Starts: 3}).Decompose(3))
		path := filepath.Join(t.TempDir(), "model.json")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		m, err := LoadModel(path)
		if err != nil || !slices.Equal(m.Center, f.Model.Center) {
			t.Fatalf("%s: center %v, read as %v (%v)", name, f.Model.Center, m.Center, err)
		}
		got, was := c.Matrix(), s.Matrix()
		for l := range p {
			for i := range n {
				if d := got.At(l, i) + m.Center[i] - was.At(l, i); !(math.Abs(d) <= 1e-5) || name != "float32" && !(math.Abs(d) <= 1e-13) {
					t.Fatalf("%s: observation %d, %d is off by %g", name, l, i, d)
				}
			}
		}
		if err := s.Moment(3).Evaluate(m).Err(); err == nil || !strings.Contains(err.Error(), "center the data first") {
			t.Errorf("%s: a model of centered data evaluated on others: %v", name, err)
		}
		if e := c.Moment(3).Evaluate(m); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) {
			t.Errorf("%s: %v, want relative error %g", name, e, f.RelativeError)
		}
		if again := mustFit(t, c.Center().Moment(3).With(Options{Starts: 1}).Decompose(2)).Model.Center; !floatsNear(again, m.Center, 1e-6) {
			t.Errorf("%s: centered twice, center %v, want %v", name, again, m.Center)
		}
	}
	if !mat.Equal(x, before) {
		t.Error("the matrix was changed")
	}
	// Appended observations are shifted alike.
	half := FromMatrix(x.Slice(0, p/2, 0, n)).Center()
	rest := half.Append(x.Slice(p/2, p, 0, n)).Matrix()
	center := mustFit(t, half.Moment(2).With(Options{Starts: 1}).Decompose(1)).Model.Center
	if got, want := rest.At(p-1, 0), x.At(p-1, 0)-center[0]; !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("appended as %g, want %g", got, want)
	}
}

func floatsNear(a, b []float64, tol float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= tol })
}

// An offset that dominates the data is reported, once: not for centered data, nor for
// means that are merely correlated.
func TestCoordinates(t *testing.T) {
	s := drawUniform(3, 50, 1)
	for want, of := range map[string]*Session{"": s.Select("1", "2"), "centered": s.Center(), "standardized": s.Center().Standardize(), "whitened": s.Whiten(2)} {
		if got := of.Coordinates(); of.Err() != nil || got != want {
			t.Errorf("%q, want %q (%v)", got, want, of.Err())
		}
	}
	// Whatever is shown of such data says so.
	m := s.Standardize().Moment(3).With(Options{Starts: 1})
	for _, shown := range []fmt.Stringer{m.Decompose(1), m.Decompose(1).Model, m.Sweep(1, 2), m.SuggestRank(1)} {
		if title, _, _ := strings.Cut(shown.String(), "\n"); !strings.Contains(title, "3rd moment of standardized data") {
			t.Errorf("shows %q", title)
		}
	}
}

func TestOffsetIsTold(t *testing.T) {
	x, _ := offsetClusters(10)
	p, _ := x.Dims()
	wide := mixture(t, 20, 3, .05)
	for name, c := range map[string]struct {
		s    *Session
		r    int
		want bool
	}{
		"offset":         {FromMatrix(x), 4, true},
		"in other units": {FromMatrix(scaledBy(1e-100, x)), 4, true},
		"weights":        {FromMatrix(x).WithWeights(ramp(p)), 4, true},
		"stream":         {Stream(storedNPY(t, FromMatrix(x))), 4, true},
		"one component":  {FromMatrix(x), 1, false},
		"centered":       {FromMatrix(x).Center(), 4, false},
		"mixture":        {wide.Session, 3, false},
	} {
		f := mustFit(t, c.s.Moment(2).With(Options{Starts: 1}).Decompose(c.r))
		if got := strings.Contains(joined(f.Warnings, " "), "center the data"); got != c.want {
			t.Errorf("%s: warnings %q", name, f.Warnings)
		}
	}
}

func scaledBy(c float64, x mat.Matrix) *mat.Dense {
	var y mat.Dense
	y.Scale(c, x)
	return &y
}

// The time of centering is a phase of later fits, repeated centering together.
func TestCenterIsAPhase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("a,b,w\n1,2,1\n3,5,2\n4,-6,3\n7,1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of   *Session
		want string
	}{
		{Load(path).Center(), "load 1 center 3"},
		{Load(path).Center().Standardize(), "load 1 center 6"},
		{Stream(path).Standardize(), "load 1 center 3"},
		{Stream(path, LoadOptions{Weights: "w"}).Center(), "load 1 center 4"},
		{FromRows([][]float64{{1, 2}, {3, 5}, {4, -6}}).Center(), "load 1 center 3"},
		{FromRows([][]float64{{1, 2}, {3, 5}, {4, -6}}), "load 1"},
	} {
		f := c.of.Moment(3).Decompose(1)
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		var got []string
		for _, p := range f.Phases {
			if p.Phase == PhaseLoad || p.Phase == PhaseCenter {
				got = append(got, fmt.Sprint(p.Phase, " ", p.Passes))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", c.of, text, c.want)
		}
	}
}
