package symmom

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/gmm"
	"symmom/internal/moment/block"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// BootstrapOptions configure the estimation of standard errors. The zero value of every
// field is its documented default.
type BootstrapOptions struct {
	// Draws is the number of resamples of the observations. Default 100: the
	// estimates are then good to about 7%, 1/sqrt(2 Draws).
	Draws int

	// Seed of the draws. Default (0) is seed 1.
	Seed uint64

	// Threads is the number of processor cores to use. Default: all. Results
	// are the same bits for any number.
	Threads int

	// Progress, if set, is called after every draw: StartsDone of Starts.
	Progress func(Progress)
}

// DefaultDraws of the bootstrap.
const DefaultDraws = 100

// MixtureErrors are standard errors of the parameters of a mixture, in the shapes
// of the parameters. Those of an interrupted bootstrap come from the draws that
// were done, at least two.
type MixtureErrors struct {
	Draws       int        // that were done
	Means       *mat.Dense // n x r
	Weights     []float64  // r
	Covariances *mat.Dense // as MixtureFit.Covariances
	Sigma       float64
	Elapsed     time.Duration

	err error
}

// Err returns the first error of the chain that led here, or nil.
func (e *MixtureErrors) Err() error { return e.err }

// Bootstrap estimates standard errors of the parameters: the observations are
// resampled, each Poisson(1) times, EM continues from the mixture until it
// converges on them, and the errors are the standard deviations over the draws
// (Efron 1979; O'Hagan, Murphy, Scrucca & Gormley 2019 for mixtures). Draws start
// from the mixture, so they keep the order of its components; that another start
// might have found another mixture is not part of the errors.
//
// Cost: some ten to a hundred passes per draw.
func (f *MixtureFit) Bootstrap(options ...BootstrapOptions) *MixtureErrors {
	began := time.Now()
	e := &MixtureErrors{Means: &mat.Dense{}, Covariances: &mat.Dense{}}
	s := f.session
	o, err := completed(options, BootstrapOptions.withDefaults)
	if e.err = err; err != nil {
		return e
	}
	switch {
	case f.gmm == nil && f.err != nil:
		e.err = f.err
	case f.gmm == nil || s == nil:
		e.err = &ArgumentError{Argument: "mixture", Value: "one without data", Want: "one that Mixture fitted"}
	case f.Iterations == 0:
		e.err = &ArgumentError{Argument: "mixture", Value: "one without EM", Want: "one that EM has polished, which the bootstrap repeats"}
	case s.data.Forgotten() != nil:
		e.err = fmt.Errorf("bootstrap: %w", s.data.Forgotten())
	default:
		if _, far := s.data.Storage.(block.Far); far {
			e.err = fmt.Errorf("bootstrap: %s: this takes some ten passes for each draw, and each is a job of its own where these observations are: load or stream a part of them", s.data.Source)
		}
	}
	if e.err != nil {
		return e
	}
	o.Progress = s.watcher(o.Progress)
	b := gmm.NewBootstrap(s.data, f.gmm, f.least, o.Seed, o.Threads)
	ctx := s.context()
	for k := range o.Draws {
		if err := b.Draw(ctx, uint64(k)); err != nil {
			e.err = interrupted("bootstrap", err)
			break
		}
		if o.Progress != nil {
			o.Progress(Progress{Phase: PhaseBootstrap, Rank: f.Components, Objective: math.NaN(), Best: math.NaN(), StartsDone: b.Done, Starts: o.Draws,
				Elapsed: time.Since(began), Remaining: time.Since(began) / time.Duration(b.Done) * time.Duration(o.Draws-b.Done), Done: b.Done == o.Draws})
		}
	}
	e.Elapsed = time.Since(began)
	if b.Done >= 2 {
		e.fill(f, b.Errors(), b.Done)
	}
	return e
}

func (o BootstrapOptions) withDefaults() (BootstrapOptions, error) {
	switch {
	case o.Draws == 0:
		o.Draws = DefaultDraws
	case o.Draws < 2:
		return o, &ArgumentError{Argument: "Draws", Value: o.Draws, Want: fmt.Sprintf("at least 2 (0 means the default, %d)", DefaultDraws)}
	}
	return o, setDefaults(&o.Seed, &o.Threads)
}

// fill takes the errors over.
func (e *MixtureErrors) fill(f *MixtureFit, v []float64, draws int) {
	n, r := f.gmm.N, f.gmm.R
	e.Draws = draws
	e.Weights = v[:r:r]
	e.Means = mat.NewDense(n, r, nil)
	for j := range r {
		e.Means.SetCol(j, v[r+j*n:r+(j+1)*n])
	}
	rows, columns := f.Covariances().Dims()
	e.Covariances = mat.NewDense(rows, columns, v[r+r*n:len(v)-1])
	e.Sigma = v[len(v)-1]
}

// String describes the errors in a few lines.
func (e *MixtureErrors) String() string {
	if e.Draws == 0 {
		return errorLine("bootstrap", e.err)
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Standard errors from %s, in %s", words.Plural(e.Draws, "bootstrap draw"), words.Duration(e.Elapsed))}
	t.Add("weights", "%s", words.Numbers(e.Weights, 10))
	t.Add("means, norm", "%s", words.Numbers(columnNorms(e.Means), 10))
	t.Add("sigma", "%.4g", e.Sigma)
	return htmltext.Beside[Warning](t, nil, e.err).String()
}
