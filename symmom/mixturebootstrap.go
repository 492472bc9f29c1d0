package symmom

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/gmm"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// DefaultDraws of the bootstrap, with which estimates are good to about 7%, 1/sqrt(2 draws).
const DefaultDraws = 100

// MixtureErrors are standard errors of the parameters of a mixture, in the shapes
// of the parameters. Those of an interrupted bootstrap come from the draws that
// were done, at least two.
type MixtureErrors struct {
	Result // Err, String and HTML

	Draws       int          // that were done
	Means       *NamedMatrix // n x r; shown beside the means
	Weights     []float64    // r
	Covariances *mat.Dense   // as Mixture.Covariances
	Sigma       float64
	Elapsed     time.Duration
}

// Bootstrap estimates standard errors of the parameters: the observations are
// resampled, each Poisson(1) times, EM continues from the mixture until it
// converges on them, and the errors are the standard deviations over the draws
// (Efron 1979; O'Hagan, Murphy, Scrucca & Gormley 2019 for mixtures). Draws start
// from the mixture, so they keep the order of its components; that another start
// might have found another mixture is not part of the errors.
//
// draws is the number of resamples, 0 means 100; seed 0 is seed 1. The bootstrap takes the
// Threads of the fit and reports to its Progress: StartsDone of Starts draws.
//
// Cost: some ten to a hundred passes per draw.
func (f *Mixture) Bootstrap(draws int, seed uint64) *MixtureErrors {
	began := time.Now()
	e := made(&MixtureErrors{Means: noMatrix(nil), Covariances: &mat.Dense{}})
	s := f.session
	draws, seed = cmp.Or(draws, DefaultDraws), cmp.Or(seed, DefaultSeed)
	switch {
	case draws < 2:
		e.err = &ArgumentError{Argument: "draws", Value: draws, Want: fmt.Sprintf("at least 2 (0 means the default, %d)", DefaultDraws)}
	case f.gmm == nil && f.err != nil:
		e.err = f.err
	case f.gmm == nil || s == nil:
		e.err = &ArgumentError{Argument: "mixture", Value: "one without data", Want: "one that Mixture fitted"}
	case f.Nonparametric:
		e.err = &ArgumentError{Argument: "mixture", Value: "a nonparametric one", Want: "a Gaussian one, whose EM the bootstrap repeats"}
	case f.Iterations == 0:
		e.err = &ArgumentError{Argument: "mixture", Value: "one without EM", Want: "one that EM has polished, which the bootstrap repeats"}
	case s.data.Forgotten() != nil:
		e.err = fmt.Errorf("bootstrap: %w", s.data.Forgotten())
	case s.far():
		e.err = errDrawsFar(s)
	}
	if e.err != nil {
		return e
	}
	tell := s.watcher(f.options.Progress)
	b := gmm.NewBootstrap(s.data, f.gmm, f.least, seed, f.options.Threads)
	ctx := s.context()
	for k := range draws {
		if err := b.Draw(ctx, uint64(k)); err != nil {
			e.err = interrupted("bootstrap", err)
			break
		}
		if tell != nil {
			tell(bootstrapping(f.Components, b.Done, draws, began))
		}
	}
	e.Elapsed = time.Since(began)
	if b.Done >= 2 {
		e.fill(f, b.Errors(), b.Done)
	}
	return e
}

// bootstrapping reports how many draws of a bootstrap are done.
func bootstrapping(rank, done, draws int, began time.Time) Progress {
	took := time.Since(began)
	return Progress{Phase: PhaseBootstrap, Rank: rank, Objective: math.NaN(), Best: math.NaN(), StartsDone: done, Starts: draws,
		Elapsed: took, Remaining: took / time.Duration(done) * time.Duration(draws-done), Done: done == draws}
}

// fill takes the errors over.
func (e *MixtureErrors) fill(f *Mixture, v []float64, draws int) {
	n, r := f.gmm.N, f.gmm.R
	e.Draws = draws
	e.Weights = v[:r:r]
	e.Means = f.means()
	e.Means.Dense, e.Means.of = mat.NewDense(n, r, nil), e.Means.Dense
	for j := range r {
		e.Means.Dense.SetCol(j, v[r+j*n:r+(j+1)*n])
	}
	for j, w := range e.Weights {
		e.Means.above[0][j+1] += words.PlusMinus(w)
	}
	rows, columns := f.Covariances().Dims()
	e.Covariances = mat.NewDense(rows, columns, v[r+r*n:len(v)-1])
	e.Sigma = v[len(v)-1]
}

// shown describes the errors in a few lines.
func (e *MixtureErrors) shown() shown {
	if e.Draws == 0 {
		return &htmltext.Facts{Title: errorLine("bootstrap", e.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Standard errors from %s, in %s", words.Plural(e.Draws, "bootstrap draw"), words.Duration(e.Elapsed))}
	t.Add("sigma", "%.4g", e.Sigma)
	return parts{htmltext.Beside[Warning](t, nil, e.err), e.Means}
}

// errDrawsFar refuses a bootstrap of what stays on a cluster.
func errDrawsFar(s *Session) error {
	return fmt.Errorf("bootstrap: %s: this takes some ten passes for each draw, and each is a job of its own where these observations are: load or stream a part of them", s.data.Source)
}
