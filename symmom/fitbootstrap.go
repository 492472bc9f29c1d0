package symmom

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// FitErrors are standard errors of a fit, in the shapes of its lambda and factors. Those of an
// interrupted bootstrap come from the draws that were done, at least two.
type FitErrors struct {
	Result // Err, String and HTML

	Draws    int          // that were done
	Cancel   int          // of them, whose components nearly cancel each other
	Lambda   []float64    // r
	Factors  *NamedMatrix // n x r; shown beside the factors
	Elapsed  time.Duration
	Warnings []Warning
}

// Bootstrap estimates standard errors of lambda and the factors: each observation gets a random
// weight besides its own, exponential with mean 1, the search continues from the fit, and the
// errors are the standard deviations over the draws (the Bayesian bootstrap, Rubin 1981). Data
// that were centered or standardized are so again in each draw, and noise that was estimated is
// estimated again. Draws start from the fit and keep its components apart; that another start
// might have found another fit is not part of the errors, and those of components that nearly
// cancel mean little.
//
// draws is their number, 0 means 100; seed 0 is seed 1. The bootstrap reports to Options.Progress:
// StartsDone of Starts draws. Of data on disk or on a cluster, or whitened, it is refused.
//
// Cost: that of a fit from one start per draw, most of which begin close to their end.
func (f *Fit) Bootstrap(draws int, seed uint64) *FitErrors {
	began := time.Now()
	e := made(&FitErrors{Factors: noMatrix(nil)})
	draws, seed = cmp.Or(draws, DefaultDraws), cmp.Or(seed, DefaultSeed)
	s := f.Session()
	switch {
	case draws < 2:
		e.err = &ArgumentError{Argument: "draws", Value: draws, Want: fmt.Sprintf("at least 2 (0 means the default, %d)", DefaultDraws)}
	case f.model().Rank() == 0 && f.err != nil:
		e.err = f.err
	case f.model().Rank() == 0 || s.data == nil:
		e.err = &ArgumentError{Argument: "fit", Value: "one without data", Want: "a fit that Decompose made"}
	case s.data.Forgotten() != nil:
		e.err = fmt.Errorf("bootstrap: %w", s.data.Forgotten())
	case s.coordinates == whitened || s.whitening != nil:
		e.err = &ArgumentError{Argument: "data", Value: "whitened ones", Want: "others: the coordinates depend on the data, and their error would be missing"}
	case f.Form == FormSampled:
		e.err = &ArgumentError{Argument: "fit", Value: "one of samples", Want: "another form: the error of samples would be in that of the data"}
	case s.data.Slow() || s.far():
		e.err = fmt.Errorf("bootstrap: %s: each draw takes many passes: load the data, or a part of them", s.data.Source)
	}
	if e.err != nil {
		return e
	}
	p, given := s.data.P, s.Weights()
	rng := rand.New(rand.NewPCG(seed, 1981))
	sum, squares := make([]float64, f.Rank*(1+f.N)), make([]float64, f.Rank*(1+f.N))
	tell := s.watcher(f.moment.options.Progress)
	for e.Draws < draws {
		w := make([]float64, p)
		for i := range w {
			if w[i] = rng.ExpFloat64(); given != nil {
				w[i] *= given[i]
			}
			w[i] = math.Max(w[i], 0x1p-1000) // 0 is not a weight
		}
		again := f.draw(w)
		if again.err != nil {
			e.err = again.err
			break
		}
		if len(again.Model.kruskal().Diagnose().Degenerate) > 0 {
			e.Cancel++
		}
		for i, v := range differences(again.Model, f.Model) {
			sum[i] += v
			squares[i] += v * v
		}
		e.Draws++
		if tell != nil {
			tell(bootstrapping(f.Rank, e.Draws, draws, began))
		}
	}
	e.Elapsed = time.Since(began)
	if e.Draws < 2 {
		e.Draws = 0
		return e
	}
	if own := len(f.Model.kruskal().Diagnose().Degenerate) > 0; !own && 10*e.Cancel >= e.Draws {
		e.Warnings = warned(diag.New(diag.Degenerate, "in %d of %s components nearly cancel each other: the errors of lambda say little; take a lower rank", e.Cancel, words.Plural(e.Draws, "draw")).With("rank"))
	}
	k := float64(e.Draws)
	for i := range sum {
		sum[i] = math.Sqrt(math.Max(0, squares[i]-sum[i]*sum[i]/k) / (k - 1))
	}
	e.Lambda = sum[:f.Rank]
	e.Factors = factorsOf(f.Model.Factors.Dense, f.Model.Lambda, f.Model.Names)
	e.Factors.of, e.Factors.Dense = e.Factors.Dense, mat.NewDense(f.N, f.Rank, nil)
	for j, err := range e.Lambda {
		e.Factors.above[0][j+1] += words.PlusMinus(err)
		e.Factors.Dense.SetCol(j, sum[f.Rank+j*f.N:f.Rank+(j+1)*f.N])
	}
	return e
}

// draw continues from the fit with other weights.
func (f *Fit) draw(weights []float64) *Fit {
	m := f.moment
	s := m.session.WithWeights(weights)
	s.ctx, s.host = m.session.context(), nil
	switch m.session.coordinates {
	case centered:
		s = s.Center()
	case standardized:
		s = s.Standardize()
	}
	again := s.Moment(m.fit.Order)
	if m.fit.Cumulant {
		again = s.Cumulant(m.fit.Order)
	}
	if m.fit.Distinct {
		again = again.Distinct()
	}
	again.fit.Form, again.fit.Basis = m.fit.Form, m.fit.Basis
	if m.debias != nil {
		again = again.Debias(*m.debias)
	}
	o := m.options
	o.InitialModel = &Model{Order: f.Order, Lambda: f.Model.Lambda, Factors: f.Model.Factors}
	o.Starts, o.Progress = 1, nil
	return again.With(o).Decompose(f.Rank)
}

// differences are those of the lambda and the factors of two models of one rank, whose components
// are matched; a component of opposite sign is the same one.
func differences(m, from *Model) []float64 {
	n, r := from.N(), from.Rank()
	out := make([]float64, r*(1+n))
	a, b := from.kruskal(), m.kruskal()
	_, pairs := ktensor.Match(ktensor.AbsoluteCosines(a, b), r, r)
	for _, p := range pairs {
		j, k := p[0], p[1]
		x, y, lambda, sign := a.Column(j), b.Column(k), m.Lambda[k], 1.
		if linalg.Dot(x, y) < 0 {
			sign = -1
			if from.Order%2 == 1 {
				lambda = -lambda
			}
		}
		out[j] = lambda - from.Lambda[j]
		for i := range x {
			out[r+j*n+i] = sign*y[i] - x[i]
		}
	}
	return out
}

// shown has the estimates with their errors.
func (e *FitErrors) shown() shown {
	if e.Draws == 0 {
		return &htmltext.Facts{Title: errorLine("bootstrap", e.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Standard errors from %s, in %s", words.Plural(e.Draws, "bootstrap draw"), words.Duration(e.Elapsed))}
	return parts{htmltext.Beside(t, e.Warnings, e.err), e.Factors}
}
