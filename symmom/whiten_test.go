package symmom

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/test/slow"
)

// zeros draws p observations of n variables of which few are not 0: no direction stands out.
func zeros(p, n int) *mat.Dense {
	rng := draw.Source(3)
	x := mat.NewDense(p, n, nil)
	x.Apply(func(int, int, float64) float64 {
		if rng.Float64() < .05 {
			return rng.ExpFloat64()
		}
		return 0
	}, x)
	return x
}

// stored returns observations in memory, without their zeros, and on disk.
func stored(t *testing.T, x *mat.Dense) map[string]*Session {
	t.Helper()
	s := FromMatrix(x)
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	return map[string]*Session{"memory": s, "sparse": s.Sparse(), "stream": Stream(path)}
}

// Whitened coordinates and estimated noise are those of the singular value decomposition,
// wherever the observations are, and a model found in one storage is evaluated in another.
func TestWhitenEverywhere(t *testing.T) {
	slow.Test(t)
	for _, n := range []int{300, 420, 900} { // the whole covariance, or a part of it
		const p, k = 400, 5
		x := zeros(p, n)
		var centered mat.Dense
		centered.CloneFrom(x)
		for j := range n {
			column := mat.Col(nil, j, x)
			mean := mat.Sum(mat.NewVecDense(p, column)) / p
			for l := range p {
				centered.Set(l, j, column[l]-mean)
			}
		}
		var svd mat.SVD
		if !svd.Factorize(&centered, mat.SVDThin) {
			t.Fatal("no decomposition")
		}
		var u mat.Dense
		svd.UTo(&u)
		values, left := svd.Values(nil), 0.
		for _, v := range values[k-1:] {
			left += v * v / (p - k) // the mean and k-1 directions are fitted
		}
		sigma := math.Sqrt(left / float64(n-k+1))
		var first *Model
		for _, name := range []string{"memory", "sparse", "stream"} {
			s := stored(t, x)[name]
			w := s.Whiten(k)
			z := w.Matrix()
			for j := range k {
				// sqrt(p) u_j, except for the sign. An accuracy of 1e-8 and gaps of 1e-3 and more
				// leave 1e-5.
				dot := math.Sqrt(p) * mat.Dot(z.ColView(j), u.ColView(j)) / p
				if !(math.Abs(math.Abs(dot)-1) <= 1e-9) {
					t.Errorf("n = %d, %s: coordinate %d has a correlation of %.12g with that of the SVD", n, name, j, dot)
				}
			}
			f := mustFit(t, s.Moment(3).Debias(Noise{}).With(Options{Starts: 1, MaxIterations: 1}).Implicit().Decompose(k))
			if !(math.Abs(f.Sigma-sigma) <= 1e-12*sigma) {
				t.Errorf("n = %d, %s: sigma %.15g, want %.15g", n, name, f.Sigma, sigma)
			}
			if first == nil {
				first = mustFit(t, w.Moment(3).With(Options{Starts: 1}).Decompose(2)).Model
			}
			if e := w.Moment(3).Evaluate(first); e.Err() != nil {
				t.Errorf("n = %d, found in memory, evaluated in %s: %v", n, name, e.Err())
			}
		}
	}
}

// The coordinates of some variables in any order are the same, by name; other data have
// others.
func TestWhitenedModelsAreMatchedByName(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv")
	f := mustFit(t, s.Whiten(2).Moment(3).Decompose(2))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	model, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	e := s.Select("mass", "age", "height").Whiten(2).Moment(3).Evaluate(model)
	if e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) {
		t.Errorf("%v, want relative error %g", e, f.RelativeError)
	}
	for what, other := range map[string]*Session{
		"other whitened coordinates":  Read(strings.NewReader(strings.Replace(kindTable, "44,177,85\n", "", 1)), "csv"),
		"of 3 variables, want":        s.Select("age", "mass"),
		"the variables age, height, ": Read(strings.NewReader(strings.Replace(kindTable, "age", "years", 1)), "csv"),
	} {
		if err := other.Whiten(2).Moment(3).Evaluate(model).Err(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

// A variable in a small unit is no reason to take fewer coordinates.
func TestWhitenUnits(t *testing.T) {
	x, rng := mat.NewDense(500, 2, nil), draw.Source(6)
	for l := range 500 {
		x.SetRow(l, []float64{1e3 * rng.NormFloat64(), 1e-3 * rng.NormFloat64()})
	}
	s := FromMatrix(x)
	if err := s.ICA(2).Err(); err == nil || !strings.Contains(err.Error(), "standardize the columns") {
		t.Error(err)
	}
	if err := s.Standardize().ICA(2).Err(); err != nil {
		t.Error(err)
	}
}

// Coordinates have variance 1 as far as rounding leaves them, and are refused beyond.
func TestWhitenSmallVariances(t *testing.T) {
	const p, n = 4000, 4
	rng := draw.Source(5)
	for _, c := range []struct {
		ratio   float64
		refused bool
	}{{1e-4, false}, {1e-9, false}, {1e-11, true}} {
		x := mat.NewDense(p, n, nil)
		for l := range p {
			z := [n]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), math.Sqrt(c.ratio) * rng.NormFloat64()}
			for i := range n { // in directions that no variable has
				for j := range n {
					x.Set(l, i, x.At(l, i)+z[j]*[2]float64{.5, -.5}[(i&j&1)^(i&j>>1&1)])
				}
			}
		}
		w := FromMatrix(x).Whiten(n)
		if c.refused {
			if w.Err() == nil || !strings.Contains(w.Err().Error(), "at most 3: the covariance has no more directions with more than 1e-10") {
				t.Errorf("ratio %g: %v", c.ratio, w.Err())
			}
			continue
		}
		z := w.Matrix()
		var s mat.Dense
		s.Mul(z.T(), z)
		for i := range n {
			// The sums of a mean square have the rounding of p terms.
			if v := s.At(i, i) / p; !(math.Abs(v-1) <= 1e-12) {
				t.Errorf("ratio %g: coordinate %d has the variance %.15g", c.ratio, i, v)
			}
		}
		back, err := w.Unwhiten(z.T())
		if err != nil {
			t.Fatal(err)
		}
		for l := range p { // the observations minus their mean
			for i := range n {
				if want := x.At(l, i) - mat.Sum(x.ColView(i))/p; l < 10 && !(math.Abs(back.At(i, l)-want) <= 1e-9) {
					t.Fatalf("ratio %g: observation %d is %g in the data's coordinates, want %g", c.ratio, l, back.At(i, l), want)
				}
			}
		}
	}
}

// Observations that are appended in whitened coordinates need not be white: the cumulant
// takes out their own mean and covariance.
func TestCumulantOfAppended(t *testing.T) {
	s, _ := sources(60, 4, 3, 2)
	w := s.Whiten(3)
	grown := w.Append(mat.NewDense(2, 3, []float64{5, 5, 5, 4, -4, 4}))
	for d := 3; d <= 5; d++ {
		got, err := grown.Cumulant(d).NormSquared()
		want, err2 := FromMatrix(grown.Matrix()).Cumulant(d).NormSquared()
		if err != nil || err2 != nil || !(math.Abs(got.Value-want.Value) <= 1e-10*want.Value) {
			t.Errorf("order %d: %v, want %v (%v, %v)", d, got, want, err, err2)
		}
	}
	// They are in the same coordinates.
	one := mat.NewDense(3, 1, []float64{1, 2, 3})
	a, err := w.Unwhiten(one)
	b, err2 := grown.Unwhiten(one)
	if err != nil || err2 != nil || !mat.Equal(a, b) {
		t.Errorf("directions of the appended session are %v, want %v (%v, %v)", fmt.Sprint(b), fmt.Sprint(a), err, err2)
	}
}

// Coordinates do not depend on where the data are: what rounding leaves of a mean far from the
// origin is not in them.
func TestWhitenFarFromTheOrigin(t *testing.T) {
	const p, n, offset = 200, 3, 1 << 40
	rng := draw.Source(6)
	near, far := mat.NewDense(p, n, nil), mat.NewDense(p, n, nil)
	weights := make([]float64, p)
	for l := range p {
		weights[l] = 1 + rng.Float64()
		for i := range n {
			v := math.Round(rng.ExpFloat64()*0x1p10) / 0x1p10
			near.Set(l, i, v)
			far.Set(l, i, offset+v)
		}
	}
	for _, w := range [][]float64{nil, weights} {
		for name, s := range stored(t, far) {
			want := FromMatrix(near)
			if w != nil && name != "stream" {
				s, want = s.WithWeights(w), want.WithWeights(w)
			}
			x, z := want.Whiten(n).Matrix(), s.Whiten(n).Matrix()
			for i := range n {
				sign := math.Copysign(1, x.At(0, i)*z.At(0, i))
				for l := range p {
					if d := x.At(l, i) - sign*z.At(l, i); !(math.Abs(d) <= 1e-9) {
						t.Fatalf("%s: coordinate %d of observation %d is off by %.3g", name, i, l, d)
					}
				}
			}
		}
	}
}

// The choice among several directions of the same variance is arbitrary, and reported.
func TestWhitenOfSameVariances(t *testing.T) {
	x, _ := nearAndFar(60, 5)
	s := FromMatrix(x)
	white := s.Whiten(3)
	for name, c := range map[string]struct {
		of   *Session
		want string
	}{"some": {white.Whiten(1), "same variance as the last of 1 coordinate is arbitrary; 3 contain all of them"}, "all": {white.Whiten(3), ""}, "leading": {s.Whiten(2), ""}} {
		var warning string
		for _, w := range c.of.Warnings() {
			if w.Code == WarnFlatSpectrum {
				warning = w.Text
			}
		}
		if c.of.Err() != nil || (warning == "") != (c.want == "") || !strings.Contains(warning, c.want) {
			t.Errorf("%s: warning %q, want %q (%v)", name, warning, c.want, c.of.Err())
		}
	}
}
