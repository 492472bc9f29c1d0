package fit

import (
	"context"
	"math"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
)

// Form is how a moment is held while it is decomposed.
type Form string

// Forms. Auto chooses the one with the lowest expected cost.
const (
	Auto       Form = ""
	Implicit   Form = "implicit"
	Explicit   Form = "explicit"
	Compressed Form = "compressed"
	Sampled    Form = "sampled"
)

// Moment is the moment of a table, and how it is to be held. A copy can be held
// differently.
type Moment struct {
	Table *tables.Table
	Order int

	Form    Form
	Basis   int  // vectors of the compressed form, 0 for the default
	Warm    bool // may be solved from what Table.Append accumulated
	Samples int  // observations per gradient of the sampled form
	Upto    int  // largest rank of a sweep; see plan.compress

	Noise    *moment.Noise // to be removed, or nil
	Cumulant bool          // Noise is the data's own covariance: the rest is the cumulant

	Distinct bool // only the entries whose indices all differ; then there is no noise

	NoiseError float64 // standard error of the sigma of noise that was estimated, or 0

	doubt []diag.Warning // about such noise
	cache *cache
}

// New returns the moment of order d of a table.
func New(t *tables.Table, d int) Moment { return Moment{Table: t, Order: d, cache: newCache()} }

// Of returns the same moment of another table, with an empty cache.
func (m Moment) Of(t *tables.Table) Moment {
	m.Table, m.Warm, m.cache = t, false, newCache()
	return m
}

// Again returns the same moment, of no sweep and with an empty cache: whoever keeps it does
// not keep a tensor.
func (m Moment) Again() Moment {
	m.Upto, m.cache = 0, newCache()
	return m
}

// Debiased returns the moment with the effect of noise removed.
func (m Moment) Debiased(noise *moment.Noise) Moment {
	m.Noise, m.cache = noise, newCache()
	return m
}

// OverDistinct returns the moment over the entries whose indices all differ.
func (m Moment) OverDistinct() Moment {
	m.Distinct, m.cache = true, newCache()
	return m
}

// plain reports whether ||X||^2 is a sum of powers of inner products.
func (m *Moment) plain() bool { return m.Noise == nil && !m.Distinct }

// DebiasedFor returns the moment with spherical noise removed, whose variance is
// estimated for r components. The result is cached.
func (m Moment) DebiasedFor(ctx context.Context, r, threads int) (Moment, error) {
	m.cache.mu.Lock()
	known := m.cache.debiased[r]
	m.cache.mu.Unlock()
	if known == nil {
		spread, err := m.Table.Spread(ctx, max(r-1, 1), tables.Exact, nil, threads)
		if err != nil {
			return m, err
		}
		p, err := m.Table.Effective(ctx)
		if err != nil {
			return m, err
		}
		d := m.Debiased(&moment.Noise{N: m.Table.N, Variance: spread.NoiseOf(r, p)})
		d.NoiseError, d.doubt = spread.NoiseError(r, p), spread.Doubt()
		known = &d
		m.cache.mu.Lock()
		m.cache.debiased[r] = known
		m.cache.mu.Unlock()
	}
	m.Noise, m.NoiseError, m.doubt, m.cache = known.Noise, known.NoiseError, known.doubt, known.cache
	return m, nil
}

// Options control how a moment is decomposed. All of them must be set.
type Options struct {
	Starts           int
	Open             bool // Starts can grow
	Seed             uint64
	Tolerance        float64
	RelativeDecrease float64
	MaxIterations    int
	MaxEvaluations   int
	Patient          bool // also where each evaluation is a job on a cluster
	Corrections      int  // pairs of L-BFGS
	LBFGS            bool
	Absolute         bool // in the data's own units
	Init             Init
	Initial          *ktensor.Kruskal // the first start, or nil
	Nonnegative      bool
	Threads          int
	MemoryLimit      uint64
	Progress         progress.Func // or nil
}

// Init says where starts come from.
type Init int

// Starts: a range finder with signs such that X a_j^d > 0, without that, or normal
// numbers.
const (
	Turned Init = iota
	Plain
	Gaussian
)

// papers reports whether runs stop by the paper's rule, which is that of L-BFGS-B: the
// gradient without scaling, and decreases relative to max(|f|, 1).
func (o *Options) papers() bool { return o.LBFGS && o.Absolute }

// uncompressed reports whether only the full problem will do: coordinates in a basis have
// other signs than the columns, and starts there are drawn from the basis.
func (o *Options) uncompressed() bool {
	return o.Nonnegative || o.Initial != nil || o.Init == Gaussian
}

func (o *Options) memoryLimit() float64 { return memory.Limit(o.MemoryLimit) }

// span returns the largest norm of an observation. Intermediate results that must not
// overflow are computed for the data divided by it.
func (m *Moment) span(ctx context.Context, threads int) (float64, error) {
	if err := m.cache.enter(ctx); err != nil {
		return 0, err
	}
	defer m.cache.leave()
	if k := m.Table.Sketch(); k != nil {
		m.cache.set(func() { m.cache.span = k.Span })
	}
	if m.cache.span == 0 {
		all, err := m.Table.Whole(ctx, "this form")
		if err != nil {
			return 0, err
		}
		s, err := norm.NewSurvey(ctx, all.Dense(), m.Order, m.plain() && m.exactNorm() == normEstimated, threads)
		if err != nil {
			return 0, err
		}
		m.cache.set(func() { m.cache.survey, m.cache.span = s, s.Span })
	}
	if math.IsInf(m.cache.span, 1) {
		return 0, tables.OutOfRange(m.Table.Source, m.cache.span)
	}
	return m.cache.span, nil
}

// surveys reports whether span will survey the observations for an estimate of ||X||^2.
func (m *Moment) surveys() bool {
	return m.known() == 0 && m.Table.Sketch() == nil && m.plain() && m.exactNorm() == normEstimated
}

// known returns the span if it has been found.
func (m *Moment) known() float64 {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	return m.cache.span
}

// Unit returns the square root of the largest eigenvalue of the second moment: the
// unit in which the problem is scaled. x must be the table's observations.
func (m *Moment) Unit(ctx context.Context, x block.Source, threads int) (float64, error) {
	span, err := m.span(ctx, threads)
	if err != nil {
		return 0, err
	}
	if err := m.cache.enter(ctx); err != nil {
		return 0, err
	}
	defer m.cache.leave()
	if m.cache.unit == 0 {
		largest, err := m.Table.Largest(ctx, x, span, threads)
		if err != nil {
			return 0, err
		}
		if m.cache.unit, err = m.root(largest, span); err != nil {
			return 0, err
		}
	}
	return m.cache.unit, nil
}

// root returns the unit for the largest eigenvalue of the second moment.
func (m *Moment) root(largest, span float64) (float64, error) {
	if span > 0 && !(largest >= smallestNormal && largest <= math.MaxFloat64) {
		return 0, tables.OutOfRange(m.Table.Source, span)
	}
	return math.Sqrt(largest), nil
}

// implicit returns the moment of x, held as observations.
func (m *Moment) implicit(x block.Source) *moment.Implicit {
	return &moment.Implicit{Data: x, D: m.Order, Noise: m.Noise, Distinct: m.Distinct}
}

// far reports whether the observations are on other machines.
func (m *Moment) far() bool {
	_, far := m.Table.Storage.(block.Far)
	return far
}

// gather returns the observations in memory, reading a stream in one pass.
func (m *Moment) gather(ctx context.Context) (*block.Dense, error) {
	if all := m.Table.Array(); all != nil {
		return all.Dense(), nil
	}
	return block.Gather(ctx, m.Table.Storage)
}

// smallestNormal is the smallest float64 of full precision.
const smallestNormal = 0x1p-1022
