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
	"gonum.org/v1/gonum/stat/distmv"

	"symmom/internal/moment/frame"
	"symmom/internal/test/slow"
)

// inOrders returns the same observations three times: from a file, from one whose columns
// are in another order, and from one that has other names.
func inOrders(t *testing.T) (s, turned, foreign *Session) {
	t.Helper()
	x := drawSources(2).Matrix()
	write := func(name, header string, order ...int) *Session {
		var b strings.Builder
		b.WriteString(header + "\n")
		for l := range 3000 {
			for k, j := range order {
				fmt.Fprintf(&b, "%s%v", []string{"", ","}[min(k, 1)], x.At(l, j))
			}
			b.WriteString("\n")
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		s := Load(path)
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		return s
	}
	return write("s.csv", "a,b,c", 0, 1, 2), write("turned.csv", "c,a,b", 2, 0, 1), write("foreign.csv", "c,a,d", 2, 0, 1)
}

// Where columns stand in a file changes nothing of what a mixture says of its observations.
// The likelihood of single ones is checked against gonum's normal distribution.
func TestMixtureOfVariablesInAnotherOrder(t *testing.T) {
	slow.Test(t)
	s, turned, foreign := inOrders(t)
	path := filepath.Join(t.TempDir(), "m.json")
	for _, covariance := range covariances {
		for name, shape := range map[string]func(*Session) *Session{
			"as they are":  func(s *Session) *Session { return s },
			"standardized": func(s *Session) *Session { return s.Standardize() },
		} {
			f := shape(s).Mixture(3, MixtureOptions{Covariance: covariance, Starts: 2, MaxIterations: 20})
			if f.Err() != nil {
				t.Fatal(f.Err())
			}
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			loaded, err := LoadMixture(path)
			if err != nil {
				t.Fatal(err)
			}
			for from, f := range map[string]*Mixture{"fitted": f, "loaded": loaded} {
				what := fmt.Sprintf("%s, %s, %s", covariance, name, from)
				a, errA := f.Predict(shape(s))
				b, errB := f.Predict(shape(turned))
				if errA != nil || errB != nil || !slices.Equal(a, b) {
					t.Errorf("%s: other components in another order: %v, %v", what, errA, errB)
				}
				za, errA := f.Responsibilities(shape(s))
				zb, errB := f.Responsibilities(shape(turned))
				// Sums of three terms in another order; they are exponents of up to about 100.
				if errA != nil || errB != nil || !mat.EqualApprox(za, zb, 1e-11) {
					t.Errorf("%s: other responsibilities in another order: %v, %v", what, errA, errB)
				}
				if v, err := f.LogLikelihoodOf(shape(turned)); err != nil || !(math.Abs(v-f.LogLikelihood) <= 1e-5*math.Abs(v)) {
					t.Errorf("%s: log-likelihood %v, %v; fitted with %v", what, v, err, f.LogLikelihood)
				}
				one := shape(turned)
				want := 0.
				for l := range 3000 {
					v := one.Matrix().RawRowView(l)
					density := 0.
					for j, w := range f.Weights {
						normal, ok := distmv.NewNormal(mat.Col(nil, j, f.Means), f.CovarianceOf(j), nil)
						if !ok {
							t.Fatal("no normal distribution")
						}
						density += w * normal.Prob([]float64{v[1], v[2], v[0]})
					}
					want += math.Log(density)
				}
				if got, _ := f.LogLikelihoodOf(one); !(math.Abs(got-want) <= 1e-10*math.Abs(want)) {
					t.Errorf("%s: log-likelihood %v, gonum's densities say %v", what, got, want)
				}
				for method, err := range map[string]error{
					"Predict":          second(f.Predict(shape(foreign))),
					"Responsibilities": second(f.Responsibilities(shape(foreign))),
					"LogLikelihoodOf":  second(f.LogLikelihoodOf(shape(foreign))),
					"Agreement":        f.Agreement(shape(foreign)).Err(),
				} {
					if err == nil || !strings.Contains(err.Error(), "a mixture of the variables a, b, c, want one of c, a, d") {
						t.Errorf("%s, %s of other variables: %v", what, method, err)
					}
				}
			}
		}
	}
	labels := make([]string, 3000)
	f := s.Mixture(2, MixtureOptions{Starts: 2})
	of, err := f.Predict(s)
	if err != nil {
		t.Fatal(err)
	}
	for l, j := range of {
		labels[l] = []string{"one", "two"}[j]
	}
	if a := f.Agreement(turned.WithLabels("group", labels)); a.Err() != nil || a.AdjustedRand != 1 {
		t.Errorf("a mixture does not agree with itself: %v", a)
	}
}

// Without names variables are matched by the numbers of their columns, or else by place.
func TestMixtureOfVariablesWithoutNames(t *testing.T) {
	s := drawSources(2)
	f := s.Mixture(2, MixtureOptions{Covariance: CovarianceFull, Starts: 2})
	want, err := f.Predict(s)
	if err != nil {
		t.Fatal(err)
	}
	named, _, _ := inOrders(t)
	for what, other := range map[string]*Session{"chosen": s.Select("3", "1", "2"), "named": named} {
		if got, err := f.Predict(other); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: other components (%v)", what, err)
		}
	}
}

// Sources do not depend on the order of the variables either: they are the rows of
// Unmixing times observations less the mean.
func TestSourcesOfVariablesInAnotherOrder(t *testing.T) {
	s, turned, foreign := inOrders(t)
	for _, shape := range []func(*Session) *Session{func(s *Session) *Session { return s }, func(s *Session) *Session { return s.Center() }} {
		c := shape(s).ICA(2)
		if c.Err() != nil {
			t.Fatal(c.Err())
		}
		var want mat.Dense
		x := mat.DenseCopyOf(shape(s).Matrix())
		x.Apply(func(_, j int, v float64) float64 { return v - c.Mean[j] }, x)
		want.Mul(x, c.Unmixing.T())
		got, err := c.Sources(shape(turned))
		if err != nil || !mat.EqualApprox(got, &want, 1e-12) { // sums of three numbers below 100
			t.Errorf("other sources in another order: %v", err)
		}
		if _, err := c.Sources(shape(foreign)); err == nil || !strings.Contains(err.Error(), "a separation of the variables a, b, c, want one of c, a, d") {
			t.Errorf("other variables: %v", err)
		}
	}
}

// The noise of a model is that of its variables, wherever these stand in the data: the same
// noise gives the fit's own error and no warning, other noise a warning.
func TestNoiseOfVariablesInAnotherOrder(t *testing.T) {
	s, turned, _ := inOrders(t) // of a, b, c and of c, a, b
	covariance := mat.NewSymDense(3, []float64{.1, .01, .02, .01, .2, .03, .02, .03, .3})
	same := mat.NewSymDense(3, []float64{.3, .02, .03, .02, .1, .01, .03, .01, .2})
	for what, c := range map[string]struct{ model, same, other Noise }{
		"variances":  {Noise{Variances: []float64{.1, .2, .3}}, Noise{Variances: []float64{.3, .1, .2}}, Noise{Variances: []float64{.1, .2, .3}}},
		"covariance": {Noise{Covariance: covariance}, Noise{Covariance: same}, Noise{Covariance: covariance}},
	} {
		f := mustFit(t, s.Moment(3).Debias(c.model).With(Options{Starts: 2}).Decompose(2))
		// f is the same sum in another order, of terms as large as ||X||^2.
		if e := turned.Moment(3).Debias(c.same).Evaluate(f.Model); e.Err() != nil || len(e.Warnings) > 0 || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-12) {
			t.Errorf("%s: the same noise: %v\nwant relative error %v and no warning", what, e, f.RelativeError)
		}
		if e := turned.Moment(3).Debias(c.other).Evaluate(f.Model); e.Err() != nil || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnOtherNoise {
			t.Errorf("%s: other noise: %v, want one warning", what, e)
		}
		if v := f.Model.Kind.Noise.Variances; len(v) > 0 && !slices.Equal(v, []float64{.1, .2, .3}) {
			t.Errorf("%s: the model itself changed: %v", what, v)
		}
	}
	// Models made by hand may have anything.
	m := &Model{Order: 3, Lambda: []float64{1}, Factors: &NamedMatrix{Dense: mat.NewDense(3, 1, []float64{1, 2, 3})}, Names: []string{"a", "b", "c"}, Center: []float64{1}, Scale: []float64{1, 2, 3, 4},
		Kind: &MomentKind{Coordinates: centered, Noise: &frame.Noise{Variances: []float64{1}, Covariance: [][]float64{{1}, nil, {1, 2, 3, 4}}}}}
	for _, noise := range []*frame.Noise{m.Kind.Noise, nil, {}} {
		m.Kind.Noise = noise
		turned.Center().Moment(3).Evaluate(m)
		turned.Center().Moment(3).Debias(Noise{Sigma: .1}).Evaluate(m)
	}
}

// Changes to the kind of a model by a caller do not spread.
func TestKindIsTheModelsOwn(t *testing.T) {
	s, _, _ := inOrders(t)
	w := s.Whiten(2)
	f := mustFit(t, w.Moment(3).With(Options{Starts: 1}).Decompose(2))
	f.Model.Kind.Variables[0], f.Model.Kind.Mean[0], f.Model.Kind.Whitening[0][0] = "hacked", 1e9, 1e9
	again := mustFit(t, w.Moment(3).With(Options{Starts: 1}).Decompose(2)).Model.Kind
	if again.Variables[0] != "a" || again.Mean[0] == 1e9 || again.Whitening[0][0] == 1e9 {
		t.Errorf("the session has the caller's: %+v", again)
	}
}
