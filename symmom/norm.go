package symmom

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/memory"
	"symmom/internal/moment"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/words"
)

// Norm is ||X||^2 of a moment: exact, or an unbiased estimate with its
// standard error.
type Norm struct {
	Value  float64 // in the data's units to the power 2d
	StdErr float64 // 0 when exact
	Pairs  int     // sampled pairs of observations behind an estimate

	// Doubtful says that the standard error is not to be relied on: a few of
	// the sampled pairs carry most of what is known of it, as they do where
	// tails are heavy, or the estimate lay below what ||X||^2 must be at least
	// and was raised to that.
	Doubtful bool
}

// Exact reports whether the value was computed, not estimated.
func (n Norm) Exact() bool { return n.StdErr == 0 && n.Pairs == 0 }

// Relative returns the relative error f/||X||^2 of a model with the given
// shifted objective, f - ||X||^2, and its standard error: 0 where ||X||^2 is
// exact.
func (n Norm) Relative(shifted float64) (value, stderr float64) {
	if !n.Exact() && n.Value != 0 { // 1 + shifted/||X||^2, differentiated
		stderr = math.Abs(shifted) / (n.Value * n.Value) * n.StdErr
	}
	return 1 + shifted/n.Value, stderr
}

// times brings the norm to other units. An exact one stays exact where c is
// beyond all numbers: 0 times infinity would be no number.
func (n Norm) times(c float64) Norm {
	t := n
	t.Value *= c
	if n.StdErr != 0 {
		t.StdErr *= c
	}
	return t
}

// atLeast returns the norm with a value that is not below a bound which it
// cannot be below.
func (n Norm) atLeast(bound float64) Norm {
	if n.Exact() || !(n.Value < bound) {
		return n
	}
	n.Doubtful = n.Doubtful || bound-n.Value > 3*n.StdErr
	n.StdErr = math.Max(n.StdErr, bound-n.Value)
	n.Value = bound
	return n
}

// String marks an estimate as one.
func (n Norm) String() string {
	if n.Exact() {
		return fmt.Sprintf("%.8g", n.Value)
	}
	doubt := ""
	if n.Doubtful {
		doubt = "; its error may be larger, few pairs carry it"
	}
	return fmt.Sprintf("%.6g ± %.2g (estimate from %s pairs of observations%s)", n.Value, n.StdErr, words.Count(n.Pairs), doubt)
}

// doubt is the warning that goes with a doubtful estimate.
func (n Norm) doubt() Warning {
	return notice.New(notice.Norm, "the error of the estimated ||X||^2, and so that of the relative error, may be larger than stated: a few observations carry it, as heavy tails or outliers have them; f (shifted) is exact and compares fits")
}

// boundedNorm is ||X||^2 of the observations divided by the span, with a bound that
// it is not below.
type boundedNorm struct {
	Norm
	least float64
}

// Limits of ||X||^2. It is exact up to exactNormOps multiply-adds, and where an
// estimate would take about as many: exactColumns for each number of the data.
const (
	exactNormOps = 1e10
	exactColumns = 512
	quickRows    = 512 // of a sample, for a run that was interrupted
	// vanishing is the share of (mean |v|^d)^2 from which on ||X||^2, computed to
	// 1e-15 of that, is taken for 0. It is at least 1/p unless terms cancel.
	vanishing = 1e-12
	// fewCarriers is the effective number of pairs below which an estimate of
	// their spread is not to be relied on (bench/ESTIMATES.md).
	fewCarriers = 20
)

// NormSquared returns ||X||^2, exact where it can be had with 1e10 operations
// or 512 for each number of the data (n p^2 / 2 from pairs of observations, or
// p C(n+d-1, d) from the tensor), else an unbiased estimate. It is never below
// what it must be: the part of X in its leading directions and, for even
// orders, the terms of each observation with itself. It is an error where an exact
// one is 0 but for rounding.
func (m *Moment) NormSquared() (Norm, error) {
	if m.err != nil {
		return Norm{}, m.err
	}
	if err := m.needsNoise("||X||^2"); err != nil {
		return Norm{}, err
	}
	o, err := m.options.withDefaults()
	if err != nil {
		return Norm{}, err
	}
	n, err := m.norm(m.session.context(), o)
	if err != nil {
		return Norm{}, interrupted("norm", err)
	}
	return n.times(math.Pow(m.known(), 2*float64(m.order))), nil
}

// norm returns ||X||^2 of the observations divided by the span.
func (m *Moment) norm(ctx context.Context, o Options) (Norm, error) {
	span, err := m.span(ctx)
	if err != nil {
		return Norm{}, err
	}
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if v := m.cache.norm; v != nil && (v.Exact() || m.cache.seed == o.Seed) {
		return v.Norm, nil
	}
	b, err := m.newNorm(ctx, o, span)
	if err != nil {
		return Norm{}, err
	}
	b.Norm = b.atLeast(b.least)
	if b.Exact() {
		if err := m.vanishes(ctx, b.Value, span); err != nil {
			return Norm{}, err
		}
	}
	m.cache.norm, m.cache.seed = &b, o.Seed
	return b.Norm, nil
}

// vanishes refuses an exact ||X||^2, of the observations divided by span, that is
// nothing but the rounding of terms that cancel.
func (m *Moment) vanishes(ctx context.Context, value, span float64) error {
	switch {
	case m.order%2 == 0 && m.noise == nil || span == 0:
		return nil // no term is negative
	case value >= vanishing:
		return nil // no |v| is above 1, and no pass is needed
	}
	x := m.session.data.Storage
	tails := moment.NewTails(x, m.order, span)
	if !x.Pass(ctx, tails.Add) {
		return m.session.data.Stopped(ctx)
	}
	if value >= vanishing*tails.Sum()*tails.Sum() {
		return nil
	}
	why := "odd moments vanish where the observations lie symmetrically about 0, even ones do not"
	if m.noise != nil {
		why = "the noise that was taken out is all that there is of it"
	}
	return fmt.Errorf("the moment of order %d is 0 but for rounding: nothing is there to fit, and no relative error; %s", m.order, why)
}

// leastNorm returns the bound that ||X||^2, found before, is not below.
func (m *Moment) leastNorm() float64 {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	return m.cache.norm.least
}

// The ways to ||X||^2.
const (
	normEstimated = iota
	normOfTensor  // few short rows
	normOfPairs
)

// exactNorm tells how an exact value can be had, if it can.
func (m *Moment) exactNorm() int {
	x := m.session.data
	p, n := float64(x.P), float64(x.N)
	affordable := math.Max(exactNormOps, exactColumns*p*n)
	pairs := n * p * p / 2
	if m.noise != nil { // the kernel takes more than a product
		pairs = (n + 25) * p * p / 2
	}
	form := p * moment.PackedBytes(m.order, x.N) / 8
	switch fits := moment.DenseBytes(m.order, x.N) <= math.Min(memory.Limit(0), autoBytes); {
	case m.session.data.Forgotten() != nil:
		return normEstimated
	case fits && form < pairs && form <= affordable:
		return normOfTensor
	case pairs <= affordable && (m.session.data.Array() != nil || 8*p*n <= streamNormBytes):
		return normOfPairs
	}
	return normEstimated
}

// newNorm computes or estimates it.
func (m *Moment) newNorm(ctx context.Context, o Options, span float64) (b boundedNorm, err error) {
	if t := m.cache.tensor; t != nil {
		b.Value = t.NormSquared()
		return b, nil
	}
	switch how := m.exactNorm(); {
	case m.noise != nil:
		return m.debiasedNorm(ctx, o, span, how)
	case how == normOfTensor:
		var t *moment.Packed
		if t, err = moment.NewPacked(ctx, m.session.data.Storage, nil, m.order, span, o.Threads); err == nil {
			b.Value = t.NormSquared()
		}
	case how == normOfPairs:
		var x *obs.Dense
		if x, err = m.gather(ctx); err == nil {
			b.Value, err = moment.NormSquared(ctx, x, m.order, span, o.Threads)
		}
	case m.session.data.Sketch() != nil:
		b, err = m.normOfSketch(ctx, o, span)
	default:
		b, err = boundedBy(m.cache.survey.NormSquared(ctx, o.Seed, o.Threads))
	}
	return b, err
}

// debiasedNorm is newNorm of a debiased moment.
func (m *Moment) debiasedNorm(ctx context.Context, o Options, span float64, how int) (b boundedNorm, err error) {
	x := m.session.data.Storage
	switch how {
	case normOfTensor:
		t, _, err := moment.NewDebiased(ctx, x, nil, m.order, m.noise, false, span, o.Threads)
		if err == nil {
			b.Value = t.NormSquared()
		}
		return b, err
	case normOfPairs:
		all, err := m.gather(ctx)
		if err == nil {
			b.Value, err = moment.NormSquaredDebiased(ctx, all, m.order, m.noise, span, o.Threads)
		}
		return b, err
	}
	sample, err := m.session.data.SampleFor(ctx, o.Seed)
	if err != nil {
		return b, err
	}
	return boundedBy(moment.EstimateDebiased(ctx, x, sample, m.order, m.noise, span, o.Threads))
}

// normOfSketch estimates it from the sketch of data that are not one array: with
// one pass over a file, with none over what was appended to.
func (m *Moment) normOfSketch(ctx context.Context, o Options, span float64) (boundedNorm, error) {
	x := m.session.data.Storage
	sample, err := m.session.data.SampleFor(ctx, o.Seed)
	if err != nil {
		return boundedNorm{}, err
	}
	if x.Sums() == nil {
		return boundedBy(moment.EstimateFromSample(ctx, x, sample, x.Sketch().Extremes, nil, m.order, span, 0, o.Threads))
	}
	return boundedBy(moment.EstimateFromSample(ctx, nil, sample, x.Sketch().Extremes, m.inner(span), m.order, span, 0, o.Threads))
}

// inner is what is known of the moment within the basis that a session goes on
// with that forgot its observations, or nil. Others may or may not have been
// fitted before, which must not show in a result.
func (m *Moment) inner(span float64) *moment.Inner {
	l := m.session.data.Compression()
	if m.session.data.Forgotten() == nil || l == nil || l.Moments[m.order] == nil {
		return nil
	}
	t := l.Moments[m.order]
	return &moment.Inner{Basis: l.Basis, NormSquared: t.NormSquared() * math.Pow(t.Unit()/span, 2*float64(m.order))}
}

// boundedBy is an estimate as a Norm.
func boundedBy(e moment.NormEstimate, err error) (boundedNorm, error) {
	return boundedNorm{Norm{Value: e.Value, StdErr: e.StdErr, Pairs: e.Pairs, Doubtful: e.Carriers < fewCarriers}, e.Least}, err
}

// quickNorm is a rough estimate that takes milliseconds, for a run that was
// interrupted; it is not kept.
func (m *Moment) quickNorm(o Options) Norm {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if m.cache.norm != nil {
		return m.cache.norm.Norm
	}
	ctx := context.Background()
	var b boundedNorm
	var err error
	if m.noise != nil {
		return Norm{Value: math.NaN()}
	}
	if k := m.session.data.Sketch(); k != nil {
		b, err = boundedBy(moment.EstimateFromSample(ctx, nil, k.Sample, k.Extremes, nil, m.order, m.cache.span, quickRows, o.Threads))
	} else if m.cache.survey != nil {
		b, err = boundedBy(m.cache.survey.NormSquared(ctx, o.Seed, o.Threads))
	}
	if err != nil || !(b.Value > 0) && b.Pairs == 0 {
		return Norm{Value: math.NaN()}
	}
	return b.atLeast(b.least)
}

// gather returns the observations in memory, of a stream in a pass.
func (m *Moment) gather(ctx context.Context) (*obs.Dense, error) {
	if all := m.session.data.Array(); all != nil {
		return all.Dense(), nil
	}
	return obs.Gather(ctx, m.session.data.Storage)
}
