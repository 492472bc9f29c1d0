package fit

import (
	"context"
	"math"
	"time"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
)

// Norm is ||X||^2 of a moment: exact, or an unbiased estimate with its
// standard error.
type Norm struct {
	Value  float64 // in the data's units to the power 2d
	StdErr float64 // 0 if exact
	Pairs  int     // sampled pairs of observations in an estimate

	// Doubtful means that the standard error is not reliable: a few of the sampled
	// pairs carry most of what is known about it, which happens with heavy tails, or
	// the estimate was below a lower bound of ||X||^2 and was raised to that.
	Doubtful bool
}

// Exact reports whether the value was computed rather than estimated.
func (n Norm) Exact() bool { return n.StdErr == 0 && n.Pairs == 0 }

// RelativeRounding is the rounding error of a relative error, 1 less a quotient of sums.
const RelativeRounding = 1e-14

// Rounded returns a relative error, of an exact ||X||^2, without the digits that rounding leaves
// open: below 1e-8, where these would be printed, it is a multiple of RelativeRounding.
func Rounded(relative float64) float64 {
	if math.Abs(relative) < 1e-8 {
		return math.Round(relative/RelativeRounding) / (1 / RelativeRounding)
	}
	return relative
}

// times converts the norm to other units. An exact norm stays exact if c is infinite:
// 0 times infinity would be NaN.
func (n Norm) times(c float64) Norm {
	t := n
	t.Value *= c
	if n.StdErr != 0 {
		t.StdErr *= c
	}
	return t
}

// atLeast returns the norm with its value raised to a lower bound.
func (n Norm) atLeast(bound float64) Norm {
	if n.Exact() || !(n.Value < bound) {
		return n
	}
	n.Doubtful = n.Doubtful || bound-n.Value > doubtful*n.StdErr
	n.StdErr = math.Max(n.StdErr, bound-n.Value)
	n.Value = bound
	return n
}

// undetermined reports whether an estimate says hardly more than the size of ||X||^2.
func (n Norm) undetermined() bool { return 2*n.StdErr > math.Abs(n.Value) }

// doubt returns the warning for a doubtful estimate.
func (n Norm) doubt() diag.Warning {
	if n.undetermined() && !math.IsInf(n.StdErr, 1) {
		return diag.New(diag.Norm, "||X||^2 is only known as %.3g ± %.2g, which is too uncertain for a relative error: f (shifted) is exact and comparable", n.Value, n.StdErr)
	}
	why := "may be larger than stated: a few observations carry it, as with heavy tails or outliers"
	if math.IsInf(n.StdErr, 1) {
		why = "is not known: too few observations were compared"
	}
	return diag.New(diag.Norm, "the error of the estimated ||X||^2, and so that of the relative error, %s; f (shifted) is exact and comparable", why)
}

// boundedNorm is ||X||^2 of the observations divided by the span, with a lower bound.
type boundedNorm struct {
	Norm
	least float64
}

// Limits of ||X||^2. It is exact up to exactNormOps multiply-adds, and if an estimate
// would take about as many: exactColumns per number of the data.
const (
	exactNormOps = 1e10
	// sparseNormOps is the same for sparse observations, whose values are added one by one.
	sparseNormOps = 2e9
	// zerosCounted bounds the numbers whose zeros are counted for it: a tenth of a second.
	zerosCounted = 1e8
	// streamNormBytes bounds the observations that are read into memory for it.
	streamNormBytes = 64 << 20
	exactColumns    = 512
	doubtful        = 3   // standard errors that an estimate may be off
	quickRows       = 512 // in a sample, for a run that was interrupted
	quickTime       = 300 * time.Millisecond
	// vanishing is the share of (mean |v|^d)^2 below which ||X||^2, computed to 1e-15
	// of that from pairs, is taken to be 0. It is at least 1/p unless terms cancel.
	vanishing = 1e-12
	// canceling is the share of sum nu |<v, a>|^d below which X a^d is taken to be 0, and
	// suspicious its square, or the -f of a fit, of scaled data from which on that is not asked.
	canceling  = 1e-12
	suspicious = 1e-28
	// fewCarriers is the effective number of pairs below which an estimate of their
	// spread is not reliable (bench/ESTIMATES.md).
	fewCarriers = 20
)

// norm returns ||X||^2 of the observations divided by the span, for a result in a form: that
// of the explicit one is exact, and no other form's, which may have come first or not.
func (m *Moment) norm(ctx context.Context, o *Options, form Form) (boundedNorm, error) {
	span, err := m.span(ctx, o.Threads)
	if err != nil {
		return boundedNorm{}, err
	}
	if err := m.cache.enter(ctx); err != nil {
		return boundedNorm{}, err
	}
	defer m.cache.leave()
	explicit := form == Explicit && m.cache.held != nil
	if v := m.knownNorm(explicit); v != nil && (v.Exact() || m.cache.seed == o.Seed) {
		return *v, nil
	}
	var b boundedNorm
	if explicit {
		b.Value = m.cache.held.tensor.NormSquared()
	} else if b, err = m.newNorm(ctx, o, span); err != nil {
		return boundedNorm{}, err
	}
	b.Norm = b.atLeast(b.least)
	if b.Exact() {
		least := vanishing
		if explicit || m.exactNorm() == normOfTensor {
			least = canceling * canceling // its entries are rounded, not their squares
		}
		if err := m.vanishes(ctx, b.Value, least, span); err != nil {
			return boundedNorm{}, err
		}
	}
	m.cache.set(func() {
		if explicit {
			m.cache.exact = &b
		} else {
			m.cache.norm, m.cache.seed = &b, o.Seed
		}
	})
	return b, nil
}

// knownNorm returns ||X||^2 if it has been found: of the tensor if explicit is set.
func (m *Moment) knownNorm(explicit bool) *boundedNorm {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if explicit {
		return m.cache.exact
	}
	return m.cache.norm
}

// Ways to compute ||X||^2.
const (
	normEstimated = iota
	normOfTensor  // few short rows
	normOfPairs
	normOfSparse // pairs that share a variable
)

// exactNorm returns how an exact value can be computed, if at all.
func (m *Moment) exactNorm() int {
	x := m.Table
	p, n := float64(x.P), float64(x.N)
	affordable := math.Max(exactNormOps, exactColumns*p*n)
	pairs := n * p * p / 2
	if m.Noise != nil { // the kernel takes more than a product
		pairs = (n + 25) * p * p / 2
	} else if m.Distinct { // a product for each power
		pairs *= float64(m.Order)
	}
	form := p * moment.PackedBytes(m.Order, x.N) / 8
	// One answer for all of a run, which takes memory itself; asking takes half a millisecond.
	m.cache.room.Do(func() {
		m.cache.fits = memory.Fits(moment.FormingBytes(m.Order, x.N), autoBytes, 0)
		m.cache.shared = math.Inf(1)
		if s, all := x.Sparse(), x.Array(); s != nil {
			m.cache.shared = norm.SparseOps(s)
		} else if all != nil && pairs > affordable && p*n <= zerosCounted {
			m.cache.shared = norm.WithoutZerosOps(all.Dense())
		}
	})
	switch fits := m.cache.fits; {
	case m.Table.Forgotten() != nil:
		return normEstimated
	case fits && form < pairs && form <= affordable:
		return normOfTensor
	case m.plain() && m.cache.shared <= math.Max(sparseNormOps, exactColumns*x.Stored()):
		return normOfSparse
	case pairs <= affordable && (m.Table.Array() != nil || 8*p*n <= streamNormBytes):
		return normOfPairs
	}
	return normEstimated
}

// newNorm computes or estimates ||X||^2.
func (m *Moment) newNorm(ctx context.Context, o *Options, span float64) (b boundedNorm, err error) {
	switch how := m.exactNorm(); {
	case m.normHolds(o):
		var h *held // kept: the explicit form may need it, and polishing
		if h, err = m.hold(ctx, m.Table.Storage, o, span); err == nil {
			b.Value = h.tensor.NormSquared()
		}
	case m.Noise != nil:
		return m.debiasedNorm(ctx, o, span, how)
	case m.Distinct:
		return m.distinctNorm(ctx, o, span, how)
	case how == normOfTensor:
		var t *moment.Packed
		if t, err = moment.NewPacked(ctx, m.Table.Storage, nil, m.Order, span, o.Threads); err == nil {
			b.Value = t.NormSquared()
		}
	case how == normOfPairs:
		var x *block.Dense
		if x, err = m.gather(ctx); err == nil {
			b.Value, err = norm.Squared(ctx, x, m.Order, span, o.Threads)
		}
	case how == normOfSparse:
		var x *block.SparseRows
		if x, err = m.sparsely(ctx); err == nil {
			b.Value, err = norm.SquaredSparse(ctx, x, m.Order, span, o.Threads)
		}
	case m.Table.Sketch() != nil:
		b, err = m.normOfSketch(ctx, o, span)
	default:
		b, err = m.boundedBy(m.cache.survey.NormSquared(ctx, o.Seed, o.Threads))
	}
	return b, err
}

// sparsely returns the observations without their zeros.
func (m *Moment) sparsely(ctx context.Context) (*block.SparseRows, error) {
	if x := m.Table.Sparse(); x != nil {
		return x, nil
	}
	all := m.Table.Array()
	s, err := all.Sparsely(ctx)
	if err != nil {
		return nil, err
	}
	return &block.SparseRows{P: s.P, N: s.N, Values: s.Sparse, Nu: all.Dense().Nu}, nil
}

// normHolds reports whether ||X||^2 is that of the explicit form, which is then held.
func (m *Moment) normHolds(o *Options) bool {
	return m.exactNorm() == normOfTensor && moment.FormingBytes(m.Order, m.Table.N) <= m.tensorLimit(o)
}

// debiasedNorm is like newNorm for a debiased moment.
func (m *Moment) debiasedNorm(ctx context.Context, o *Options, span float64, how int) (b boundedNorm, err error) {
	x := m.Table.Storage
	switch how {
	case normOfTensor:
		t, _, err := moment.NewDebiased(ctx, x, nil, m.Order, m.Noise, span, o.Threads)
		if err == nil {
			b.Value = t.NormSquared()
		}
		return b, err
	case normOfPairs:
		all, err := m.gather(ctx)
		if err == nil {
			b.Value, err = norm.SquaredDebiased(ctx, all, m.Order, m.Noise, span, o.Threads)
		}
		return b, err
	}
	sample, err := m.Table.SampleFor(ctx, o.Seed)
	if err != nil {
		return b, err
	}
	return m.boundedBy(norm.EstimateDebiased(ctx, x, sample, m.Order, m.Noise, span, o.Threads))
}

// distinctNorm is like newNorm over distinct indices.
func (m *Moment) distinctNorm(ctx context.Context, o *Options, span float64, how int) (b boundedNorm, err error) {
	x := m.Table.Storage
	switch how {
	case normOfTensor:
		t, err := moment.NewPacked(ctx, x, nil, m.Order, span, o.Threads)
		if err == nil {
			b.Value = t.Distinct(nil).NormSquared()
		}
		return b, err
	case normOfPairs:
		all, err := m.gather(ctx)
		if err == nil {
			b.Value, err = norm.SquaredDistinct(ctx, all, m.Order, span, o.Threads)
		}
		return b, err
	}
	sample, err := m.Table.SampleFor(ctx, o.Seed)
	if err != nil {
		return b, err
	}
	effective, err := m.Table.Effective(ctx)
	if err != nil {
		return b, err
	}
	return m.boundedBy(norm.EstimateDistinct(ctx, x, sample, m.Order, span, 1/effective, o.Threads))
}

// normOfSketch estimates ||X||^2 from the sketch of data that are not one array: with
// one pass over a file, without any over data that were appended to.
func (m *Moment) normOfSketch(ctx context.Context, o *Options, span float64) (boundedNorm, error) {
	x := m.Table.Storage
	sample, err := m.Table.SampleFor(ctx, o.Seed)
	if err != nil {
		return boundedNorm{}, err
	}
	if x.Sums() == nil {
		return m.boundedBy(norm.EstimateFromSample(ctx, x, sample, x.Sketch().Extremes, nil, m.Order, span, 0, o.Threads))
	}
	return m.boundedBy(norm.EstimateFromSample(ctx, nil, sample, x.Sketch().Extremes, m.inner(span), m.Order, span, 0, o.Threads))
}

// inner returns what is known about the moment within the basis kept by a table that
// has forgotten its observations, or nil. Other tables may or may not have been fitted
// before, which must not affect a result.
func (m *Moment) inner(span float64) *norm.Inner {
	l := m.Table.Compression(m.Order)
	if m.Table.Forgotten() == nil || l == nil {
		return nil
	}
	t := l.Moment
	return &norm.Inner{Basis: l.Basis, NormSquared: t.NormSquared() * math.Pow(t.Unit()/span, 2*float64(m.Order))}
}

// boundedBy converts an estimate to a Norm and its bound. Pairs that were drawn in several
// rounds count once.
func (m *Moment) boundedBy(e norm.Estimate, err error) (boundedNorm, error) {
	p := float64(m.Table.P)
	return boundedNorm{Norm{Value: e.Value, StdErr: e.StdErr, Pairs: int(min(float64(e.Pairs), p*(p+1)/2)), Doubtful: e.Carriers < fewCarriers || e.Missed > doubtful*e.StdErr}, e.Least}, err
}

// quickNorm returns ||X||^2 for a run that was interrupted: what is known, an estimate, or NaN
// if that would take longer than quickTime. It is not cached.
func (m *Moment) quickNorm(o *Options, form Form) Norm {
	if known := m.knownNorm(form == Explicit); known != nil {
		return known.Norm
	}
	m.cache.mu.Lock()
	survey, span := m.cache.survey, m.cache.span
	m.cache.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), quickTime)
	defer cancel()
	var b boundedNorm
	var err error
	if !m.plain() {
		return Norm{Value: math.NaN()}
	}
	if k := m.Table.Sketch(); k != nil {
		b, err = m.boundedBy(norm.EstimateFromSample(ctx, nil, k.Sample, k.Extremes, nil, m.Order, span, quickRows, o.Threads))
	} else if survey != nil {
		b, err = m.boundedBy(survey.NormSquared(ctx, o.Seed, o.Threads))
	}
	if err != nil || !(b.Value > 0) && b.Pairs == 0 {
		return Norm{Value: math.NaN()}
	}
	return b.atLeast(b.least)
}

// NormSquared returns ||X||^2 in the data's units.
func (m *Moment) NormSquared(ctx context.Context, o *Options) (Norm, error) {
	n, err := m.norm(ctx, o, Auto)
	if err != nil {
		return Norm{}, err
	}
	return n.times(math.Pow(m.known(), 2*float64(m.Order))), nil
}
