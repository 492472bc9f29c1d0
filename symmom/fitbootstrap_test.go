package symmom

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// skewed draws p observations of 4 variables that two skewed sources make, plus noise.
func skewed(p int, seed uint64) *Session {
	rng := rand.New(rand.NewPCG(seed, 7))
	rows := make([][]float64, p)
	for l := range rows {
		a, b := rng.ExpFloat64()-1, 2*(rng.ExpFloat64()-1)
		rows[l] = []float64{a + .2*rng.NormFloat64(), .5*a + b, b - .3*a, .2 * rng.NormFloat64()}
	}
	return FromRows(rows)
}

// The errors are the deviations of fits to other data of the same kind, also of centered data,
// whose mean is an estimate, and of cumulants.
func TestBootstrapIsTheSpreadOfOtherData(t *testing.T) {
	slow.Test(t)
	const p, tables = 6000, 100
	for name, moment := range map[string]func(*Session) *Moment{
		"third":        func(s *Session) *Moment { return s.Moment(3) },
		"centered":     func(s *Session) *Moment { return s.Center().Moment(3) },
		"standardized": func(s *Session) *Moment { return s.Standardize().Moment(3) },
		"cumulant":     func(s *Session) *Moment { return s.Cumulant(3) },
		"debiased":     func(s *Session) *Moment { return s.Moment(3).Debias(Noise{}) },
	} {
		first := mustFit(t, moment(skewed(p, 0)).Decompose(2))
		var sum, squares, said []float64
		add := func(to *[]float64, values []float64, power int) {
			if *to == nil {
				*to = make([]float64, len(values))
			}
			for i, v := range values {
				(*to)[i] += math.Pow(v, float64(power))
			}
		}
		for k := range uint64(tables) {
			fit := mustFit(t, moment(skewed(p, k+1)).Decompose(2))
			d := differences(fit.Model, first.Model)
			add(&sum, d, 1)
			add(&squares, d, 2)
			if k%10 == 0 {
				e := fit.Bootstrap(40, k+1)
				if e.Err() != nil || e.Draws != 40 {
					t.Fatal(name, e.Err())
				}
				// in the order of the first
				order := []int{0, 1}
				if math.Abs(mat.Dot(fit.Model.Factors.ColView(0), first.Model.Factors.ColView(0))) < math.Abs(mat.Dot(fit.Model.Factors.ColView(1), first.Model.Factors.ColView(0))) {
					order = []int{1, 0}
				}
				var errs []float64
				for _, j := range order {
					errs = append(errs, e.Lambda[j])
				}
				for _, j := range order {
					errs = append(errs, mat.Col(nil, j, e.Factors)...)
				}
				add(&said, errs, 2)
			}
		}
		for i := range sum {
			spread := math.Sqrt((squares[i] - sum[i]*sum[i]/tables) / (tables - 1))
			if got := math.Sqrt(said[i] / (tables / 10)); !(got > .7*spread && got < 1.5*spread) {
				t.Errorf("%s, parameter %d: %.3g, other data differ by %.3g", name, i, got, spread)
			}
		}
	}
}

// The same seed gives the same errors, weights count, an interrupt keeps what was done, and what
// has no errors says why.
func TestBootstrapOfFits(t *testing.T) {
	s := skewed(400, 1)
	fit := mustFit(t, s.Center().Moment(3).Decompose(2))
	a, b := fit.Bootstrap(5, 3), fit.Bootstrap(5, 3)
	if a.Err() != nil || !mat.Equal(a.Factors, b.Factors) || mat.Equal(a.Factors, fit.Bootstrap(5, 4).Factors) {
		t.Error(a.Err())
	}
	if text := a.String(); !strings.Contains(text, "5 bootstrap draws") || !strings.Contains(text, " ± ") || !strings.Contains(a.HTML(), "±") {
		t.Error(text)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	o := Options{Progress: func(p Progress) {
		if p.Phase == PhaseBootstrap && p.StartsDone == 3 {
			stop()
		}
	}}
	cut := mustFit(t, s.WithContext(ctx).Moment(3).With(o).Decompose(1)).Bootstrap(50, 1)
	if cut.Draws != 3 || cut.Err() == nil || cut.Lambda == nil {
		t.Error(cut.Draws, cut.Err())
	}
	if e := skewed(40, 4).Center().Moment(3).Decompose(3).Bootstrap(20, 1); e.Cancel < 2 || len(e.Warnings) != 1 || !strings.Contains(e.String(), "cancel") {
		t.Errorf("of 40 observations %d draws cancel, %v", e.Cancel, e.Warnings)
	}
	for name, e := range map[string]*FitErrors{
		"one draw": fit.Bootstrap(1, 1), "no fit": (&Fit{}).Bootstrap(5, 1), "failed": s.Moment(3).Decompose(0).Bootstrap(5, 1),
		"whitened": s.Whiten(2).Moment(3).Decompose(2).Bootstrap(5, 1), "on disk": Stream(storedNPY(t, s)).Moment(3).Decompose(1).Bootstrap(5, 1),
		"sampled": s.Moment(3).Sampled(50).Decompose(1).Bootstrap(5, 1),
	} {
		if e.Err() == nil || e.Draws != 0 || e.String() == "" {
			t.Errorf("%s: %v", name, e)
		}
	}
}
