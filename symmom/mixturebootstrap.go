package symmom

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment"
	"symmom/internal/words"
)

// BootstrapOptions says how standard errors are estimated. Its zero value is the
// documented default of every field.
type BootstrapOptions struct {
	// Draws is how often the observations are drawn anew. Default 100: the
	// estimates are then good to some 7%, 1/sqrt(2 Draws).
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
// of the parameters. Those of an interrupted bootstrap are from the draws that
// were done, of which there must be two.
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
// drawn anew, each Poisson(1) times, EM goes on from the mixture until it has
// converged on them, and the standard deviation over the draws counts (Efron
// 1979; O'Hagan, Murphy, Scrucca & Gormley 2019 for mixtures). Draws start from
// the mixture, so they keep the order of its components; that another start
// might have found another mixture is not part of the errors.
//
// Cost: some ten to a hundred passes a draw.
func (f *MixtureFit) Bootstrap(options ...BootstrapOptions) *MixtureErrors {
	began := time.Now()
	e := &MixtureErrors{Means: &mat.Dense{}, Covariances: &mat.Dense{}}
	s := f.session
	o, err := atMostOne(options)
	if err == nil {
		o, err = o.withDefaults()
	}
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
	case s.forgotten() != nil:
		e.err = fmt.Errorf("bootstrap: %w", s.forgotten())
	}
	if e.err != nil {
		return e
	}
	if o.Progress == nil && s.env != nil {
		o.Progress = s.env.Progress
	}
	start, center := f.centered()
	b := &bootstrap{f: f, o: o, start: start, center: center}
	b.sum = make([]float64, len(b.vector(start)))
	b.squares = make([]float64, len(b.sum))
	ctx := s.context()
	for k := range o.Draws {
		if e.err = b.draw(ctx, uint64(k)); e.err != nil {
			e.err = interrupted("bootstrap", e.err)
			break
		}
		if o.Progress != nil {
			o.Progress(Progress{Phase: PhaseBootstrap, Rank: f.Components, Objective: math.NaN(), Best: math.NaN(), StartsDone: b.done, Starts: o.Draws,
				Elapsed: time.Since(began), Remaining: time.Since(began) / time.Duration(b.done) * time.Duration(o.Draws-b.done), Done: b.done == o.Draws})
		}
	}
	e.Elapsed = time.Since(began)
	if b.done >= 2 {
		e.fill(f, b.errors(), b.done)
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
	switch {
	case o.Threads == 0:
		o.Threads = runtime.GOMAXPROCS(0)
	case o.Threads < 0:
		return o, &ArgumentError{Argument: "Threads", Value: o.Threads, Want: fmt.Sprintf("at least 1 (0 means the default, %d)", runtime.GOMAXPROCS(0))}
	}
	if o.Seed == 0 {
		o.Seed = DefaultSeed
	}
	return o, nil
}

// bootstrap is the state of one call.
type bootstrap struct {
	f      *MixtureFit
	o      BootstrapOptions
	start  *moment.GMM // less center
	center []float64

	// Of the differences from the start, over the draws that were done.
	sum, squares []float64
	done         int
}

// draw fits one draw.
func (b *bootstrap) draw(ctx context.Context, k uint64) error {
	s := b.f.session
	x := &moment.Resampled{Source: s.storage, Seed: b.o.Seed, Draw: k}
	e := moment.NewEM(x, b.center, 1, b.start.R, b.start.Shape, b.o.Threads)
	e.SetFloor(leastVariance * totalVariance(b.start))
	g := b.start.Clone()
	// The likelihood of a draw rises by half the number of parameters on the
	// way from here: steps end at 1e-4 of that.
	rise := 1e-4 * float64(g.Parameters()) / 2
	last := math.Inf(-1)
	for range DefaultMixtureIterations {
		now, ok := e.Step(ctx, g)
		if !ok {
			if err := s.stopped(ctx); err != nil {
				return err
			}
			return fmt.Errorf("bootstrap: draw %d: a covariance became singular: take fewer components, or spherical ones", k+1)
		}
		if now-last < rise {
			break
		}
		last = now
	}
	from := b.vector(b.start)
	for i, v := range b.vector(g) {
		d := v - from[i]
		b.sum[i] += d
		b.squares[i] += d * d
	}
	b.done++
	return nil
}

// totalVariance is that of a variable of a mixture about its mean, which is 0.
func totalVariance(g *moment.GMM) float64 {
	v := meanVariance(g)
	for j, w := range g.Weights {
		for _, m := range g.Means[j*g.N : (j+1)*g.N] {
			v += w * m * m / float64(g.N)
		}
	}
	return v
}

// vector has all that gets an error: weights, means, covariances, sigma.
func (b *bootstrap) vector(g *moment.GMM) []float64 {
	v := append([]float64(nil), g.Weights...)
	v = append(append(v, g.Means...), g.Cov...)
	return append(v, math.Sqrt(meanVariance(g)))
}

// errors are the standard deviations over the draws.
func (b *bootstrap) errors() []float64 {
	out := make([]float64, len(b.sum))
	for i := range out {
		mean := b.sum[i] / float64(b.done)
		out[i] = math.Sqrt(math.Max(0, b.squares[i]-mean*b.sum[i]) / float64(b.done-1))
	}
	return out
}

// fill takes the errors over.
func (e *MixtureErrors) fill(f *MixtureFit, v []float64, draws int) {
	n, r := f.N, f.Components
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
	_, r := e.Means.Dims()
	means := make([]float64, r)
	for j := range means {
		means[j] = mat.Norm(e.Means.ColView(j), 2)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Standard errors from %s, in %s", words.Plural(e.Draws, "bootstrap draw"), words.Duration(e.Elapsed))
	fmt.Fprintf(&b, "\n  weights         %s", numbers(e.Weights, 10))
	fmt.Fprintf(&b, "\n  means, norm     %s", numbers(means, 10))
	fmt.Fprintf(&b, "\n  sigma           %.4g", e.Sigma)
	if e.err != nil {
		fmt.Fprintf(&b, "\n  error           %s", e.err)
	}
	return b.String()
}
