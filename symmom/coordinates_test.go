package symmom

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// drawSources draws mixtures of three sources of different tails, far from the origin.
func drawSources(offset float64) *Session {
	rng := rand.New(rand.NewPCG(97, 1))
	mixing := mat.NewDense(3, 3, []float64{1, .5, -.3, .2, 1, .4, -.6, .1, 1})
	x := mat.NewDense(3000, 3, nil)
	for l := range 3000 {
		s := mat.NewVecDense(3, []float64{rng.Float64()*3.4 - 1.7, rng.ExpFloat64() - 1, rng.ExpFloat64() * float64(2*rng.IntN(2)-1)})
		var v mat.VecDense
		v.MulVec(mixing, s)
		for i := range 3 {
			x.Set(l, i, v.AtVec(i)+offset)
		}
	}
	return FromMatrix(x)
}

// Results about the mean do not depend on the mean. At an offset of 1e9
// the observations themselves have lost all but 7 digits.
func TestFarFromOrigin(t *testing.T) {
	slow.Test(t)
	near := drawSources(0)
	want := near.ICA(3)
	mixture := near.Mixture(2, MixtureOptions{Covariance: "full"})
	if want.Err() != nil || mixture.Err() != nil {
		t.Fatal(want.Err(), mixture.Err())
	}
	for _, offset := range []float64{1e5, 1e7, -1e9} {
		far := drawSources(offset)
		got := far.ICA(3)
		if got.Err() != nil {
			t.Fatal(got.Err())
		}
		for j, v := range want.Kurtosis {
			if !(math.Abs(got.Kurtosis[j]-v) < 1e-4) {
				t.Errorf("offset %g: kurtosis %v, want %v", offset, got.Kurtosis, want.Kurtosis)
				break
			}
		}
		sources, err := got.Sources(far)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 3 {
			c := mat.NewVecDense(3000, mat.Col(nil, j, sources))
			if v := mat.Dot(c, c) / 3000; !(math.Abs(v-1) < 1e-6) {
				t.Errorf("offset %g: source %d has variance %g", offset, j+1, v)
			}
		}
		f := far.Mixture(2, MixtureOptions{Covariance: "full"})
		if f.Err() != nil || !(math.Abs(f.LogLikelihood-mixture.LogLikelihood) < 1e-5*math.Abs(mixture.LogLikelihood)) {
			t.Errorf("offset %g: log-likelihood %.9g, %v, want %.9g", offset, f.LogLikelihood, f.Err(), mixture.LogLikelihood)
		}
	}
}

// Values whose squares no float64 holds are refused for what they are.
func TestMixtureOutOfRange(t *testing.T) {
	for scale, want := range map[float64]string{1e-200: "too small to be squared", 1e200: "too large to be squared"} {
		x := drawSources(0).Matrix()
		x.Dense.Scale(scale, x.Dense)
		if err := FromMatrix(x).Mixture(2).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if err := FromMatrix(x).ICA(2).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A mixture and a separation know the coordinates that they were found in, also from a file:
// other data are moved to these from their own, not by means and deviations of their own.
func TestMixtureCoordinates(t *testing.T) {
	slow.Test(t)
	s := drawSources(5)
	other := FromMatrix(s.Matrix().Dense.Slice(0, 1000, 0, 3))
	path := filepath.Join(t.TempDir(), "m.json")
	for name, in := range map[string]func(*Session) *Session{"": func(s *Session) *Session { return s }, "centered": (*Session).Center, "standardized": (*Session).Standardize} {
		of := in(s)
		f, sources := of.Mixture(2), of.ICA(2)
		if f.Err() != nil || f.Coordinates != name {
			t.Fatalf("%q, %v, want %q", f.Coordinates, f.Err(), name)
		}
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		g, err := LoadMixture(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := g.LogLikelihoodOf(of)
		if err != nil || !(math.Abs(want-f.LogLikelihood) <= 1e-9*math.Abs(want)) {
			t.Errorf("%s: log-likelihood %.9g, %v, want that of the fit, %.9g", name, want, err, f.LogLikelihood)
		}
		all, err := g.Predict(of)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := sources.Sources(of)
		if err != nil {
			t.Fatal(err)
		}
		// Of data as they were loaded, in another order of variables: the same to rounding,
		// which their offset of 5 magnifies.
		turned := FromMatrix(other.Matrix()).Select("2", "1", "3")
		labels, err := g.Predict(turned)
		if err != nil || !slices.Equal(labels, all[:1000]) {
			t.Errorf("%s: labels of the data's own coordinates: %v", name, err)
		}
		few, err := sources.Sources(turned)
		if err != nil || !mat.EqualApprox(few, rows.Dense.Slice(0, 1000, 0, 2), 1e-12) {
			t.Errorf("%s: sources of the data's own coordinates: %v", name, err)
		}
		if name == "" {
			continue
		}
		for what, err := range map[string]error{
			"Predict":         second(g.Predict(in(other))),
			"LogLikelihoodOf": second(g.LogLikelihoodOf(in(other))),
			"Sources":         second(sources.Sources(in(other))),
			"uncentered":      second(s.Mixture(2).Predict(of)),
		} {
			if err == nil || !strings.Contains(err.Error(), "data that are "+name) {
				t.Errorf("%s of data in coordinates of their own: %v", what, err)
			}
		}
	}
	white := s.Whiten(2).Mixture(2)
	if err := second(white.Predict(s.Whiten(2))); err == nil || !strings.Contains(err.Error(), "whitened by themselves") {
		t.Errorf("Predict of data in other whitened coordinates: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// A mixture that was interrupted before its likelihood was known is kept.
func TestMixtureWithoutLikelihood(t *testing.T) {
	f := drawSources(0).Mixture(2)
	f.LogLikelihood, f.BIC = math.NaN(), math.NaN()
	path := filepath.Join(t.TempDir(), "m.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	g, err := LoadMixture(path)
	if err != nil || !math.IsNaN(g.LogLikelihood) || !math.IsNaN(g.BIC) {
		t.Errorf("%g, %g, %v", g.LogLikelihood, g.BIC, err)
	}
	if text := g.String(); strings.Contains(text, "NaN") || !strings.Contains(text, "unknown") {
		t.Error(text)
	}
}

// Components that the likelihood does not determine give a warning.
func TestMixtureDoubts(t *testing.T) {
	x := drawSources(0).Matrix()
	codes := func(x *mat.Dense, r int, covariance string) (all string) {
		f := FromMatrix(x).Mixture(r, MixtureOptions{Covariance: covariance})
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		for _, w := range f.Warnings {
			all += string(w.Code) + " "
		}
		return all
	}
	if got := codes(x.Dense, 2, "full"); strings.Contains(got, string(WarnLeastVariance)) || strings.Contains(got, string(WarnFewMembers)) {
		t.Errorf("of what is determined: %s", got)
	}
	var twice mat.Dense
	twice.Augment(x, x.Dense.Slice(0, 3000, 0, 1))
	for _, covariance := range []string{"full", "tied"} {
		if got := codes(&twice, 2, covariance); !strings.Contains(got, string(WarnLeastVariance)) {
			t.Errorf("%s, a column twice: %q", covariance, got)
		}
	}
	few := mat.DenseCopyOf(x.Dense.Slice(0, 60, 0, 3))
	few.Set(0, 0, 1e4)
	if got := codes(few, 2, "spherical"); !strings.Contains(got, string(WarnFewMembers)) {
		t.Errorf("one observation far away: %q", got)
	}
	for l := range 3000 {
		for i := range 3 {
			x.Dense.Set(l, i, math.Tan(x.At(l, i)+float64(i)))
		}
	}
	f := FromMatrix(x).ICA(2)
	got := ""
	for _, w := range f.Warnings {
		got += string(w.Code)
	}
	if !strings.Contains(got, string(WarnFewOutliers)) {
		t.Errorf("Cauchy tails: %q, kurtosis %v", got, f.Kurtosis)
	}
}

// Labels are an array of one dimension, as NumPy and scikit-learn have them.
func TestSaveVector(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.npy")
	if err := SaveMatrix(path, mat.NewVecDense(3, []float64{1, 0, 2})); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), "'shape': (3,), ") {
		t.Errorf("%q, %v", b, err)
	}
	m, err := LoadMatrix(path)
	if err != nil || !mat.Equal(m, mat.NewDense(3, 1, []float64{1, 0, 2})) {
		t.Errorf("%v, %v", m, err)
	}
}
