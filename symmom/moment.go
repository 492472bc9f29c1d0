package symmom

import (
	"context"
	"fmt"
	"math"
	"sync"

	"symmom/internal/memory"
	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/words"
)

// Moment is the moment of some order of a session's observations, and how it
// is to be held and decomposed. It is immutable; nothing is computed before
// it is needed, and what was computed is kept for all stages that stem from
// the same call of Session.Moment.
type Moment struct {
	session  *Session
	order    int
	form     Form // "", "implicit", "explicit", "compressed", "sampled"
	basis    int  // vectors of the compressed form, 0 for the default
	samples  int  // observations of a gradient of the sampled form
	options  Options
	cache    *momentCache
	err      error
	warm     bool          // from what Append accumulated
	debias   *Noise        // that was asked to be taken out, or nil
	noise    *moment.Noise // that is taken out, once it is known
	cumulant bool          // noise is the data's own covariance: what is left is the cumulant
}

// momentCache holds what does not depend on form or options.
type momentCache struct {
	mu     sync.Mutex
	span   float64        // largest norm of an observation
	survey *moment.Survey // of the pass that found it, nil for data that are not in memory
	unit   float64        // square root of the second moment's largest eigenvalue
	passes int            // over the data, to find unit
	norm   *boundedNorm   // of the observations divided by span
	seed   uint64         // that norm, if an estimate, was drawn with
	tensor *moment.Explicit

	debiased map[int]*debiased // by rank, of noise that is estimated
}

// Moment returns the moment of order d, 1 to MaxOrder, of the session's data.
func (s *Session) Moment(d int) *Moment {
	m := &Moment{session: s, order: d, cache: &momentCache{}}
	switch {
	case s.Err() != nil:
		m.err = s.Err()
	case checkOrder(d) != nil:
		m.err = checkOrder(d)
	default:
		m.err = s.usable()
	}
	return m
}

// usable refuses data of which no moment can be decomposed.
func (s *Session) usable() error {
	if k := s.data.Sketch(); k != nil && k.Span > 0 {
		return nil
	}
	var scratch []float64
	for i, x := 0, s.data.Array(); x != nil && i < x.P; i++ {
		for _, v := range x.Row(i, &scratch) {
			if v != 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("%s: every value is zero, so every moment is zero; there is nothing to decompose", s.data.Source)
}

// Err returns the first error of the chain that led here, or nil.
func (m *Moment) Err() error { return m.err }

// Order returns d.
func (m *Moment) Order() int { return m.order }

// Auto chooses the form by its expected cost. It is the default.
func (m *Moment) Auto() *Moment { return m.as(FormAuto) }

// Implicit holds the moment as the observations it is made of (algorithm 2 of
// the paper): no memory, 4 p n r operations an evaluation.
func (m *Moment) Implicit() *Moment { return m.as(FormImplicit) }

// Explicit forms the tensor (algorithm 1), its C(n+d-1, d) distinct entries: 8
// bytes each, twice that while it is formed, and 4 r operations each in an
// evaluation, whatever p is. A tensor that does not fit is refused with a
// *TooLargeError.
func (m *Moment) Explicit() *Moment { return m.as(FormExplicit) }

// Compressed solves in the coordinates of the k leading eigenvectors of the
// second moment, from all starts, and polishes the best on the full problem to
// the same tolerance. k = 0 means 2 r + 10, more where that missed something,
// or all that p <= n observations span where this is cheap; where the
// eigenvalues do not fall off, the full problem is solved in another form and
// that is said. Four passes over the data, then
// one for each evaluation of the polish; memory 8 C(k+d-1, d) bytes for the
// moment in these coordinates, whatever p is, or 8 p k where the projected
// observations take fewer operations.
func (m *Moment) Compressed(k int) *Moment {
	c := m.as(FormCompressed)
	c.basis = k
	if c.err == nil && k < 0 {
		c.err = &ArgumentError{Argument: "k", Value: k, Want: "at least 1 (0 means 2 r + 10)"}
	}
	return c
}

// Accumulated is Compressed for data that arrive (Session.Append): it solves
// from the moment in the basis of an earlier fit, which Append has kept up to
// date, without a pass over the data, and does not polish. What it finds so
// depends on that fit, too. Where there is none, or its basis will not do any
// more, it fits as Compressed does, and says so if there was one.
func (m *Moment) Accumulated(k int) *Moment {
	c := m.Compressed(k)
	c.warm = true
	return c
}

func (m *Moment) as(form Form) *Moment {
	c := *m
	c.form, c.warm = form, false
	return &c
}

// With returns the moment with other options.
func (m *Moment) With(o Options) *Moment {
	c := *m
	c.options = o
	if c.err == nil {
		_, c.err = o.withDefaults()
	}
	return &c
}

// String describes the moment and what its forms cost.
func (m *Moment) String() string {
	if m.err != nil {
		return errorLine("moment", m.err)
	}
	d := m.session.data
	form, bytes := m.form, 8.
	if m.session.data.Single() {
		bytes = 4
	}
	if form == FormAuto {
		form = "form chosen automatically"
	}
	return fmt.Sprintf("%s moment (order %d) of %s, %s\n  dense tensor    %s entries, %s\n  explicit form   %s, its distinct entries\n  observations    %s x %d, %s",
		ordinal(m.order), m.order, d.Source, form,
		power(d.N, m.order), size(moment.DenseBytes(m.order, d.N)),
		size(moment.ExplicitBytes(m.order, d.N)),
		words.Count(d.P), d.N, size(bytes*float64(d.P)*float64(d.N)))
}

// observations returns all observations in memory; there are none in it when
// Session.whole refuses.
func (m *Moment) observations() *obs.Dense {
	d, err := m.session.whole("this form")
	if err != nil {
		return &obs.Dense{N: m.session.data.N}
	}
	return d.Dense()
}

// span returns the largest norm of an observation. Numbers that must not
// overflow on the way are computed for the data divided by it.
func (m *Moment) span(ctx context.Context) (float64, error) {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if k := m.session.data.Sketch(); k != nil {
		m.cache.span = k.Span
	}
	if m.cache.span == 0 {
		d := m.observations()
		s, err := moment.NewSurvey(ctx, d, m.order, m.noise == nil && m.exactNorm() == normEstimated, m.options.Threads)
		if err != nil {
			return 0, err
		}
		m.cache.survey, m.cache.span = s, s.Span
	}
	return m.cache.span, nil
}

// known returns the span that was found before.
func (m *Moment) known() float64 {
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	return m.cache.span
}

// unit returns the square root of the largest eigenvalue of the second
// moment: the unit in which the problem is scaled, and the passes over x, the
// session's observations, that it took.
func (m *Moment) unit(ctx context.Context, x obs.Source, threads int) (float64, int, error) {
	span, err := m.span(ctx)
	if err != nil {
		return 0, 0, err
	}
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if m.cache.unit == 0 {
		largest, passes, err := m.session.data.Largest(ctx, x, span, threads)
		if err != nil {
			return 0, 0, err
		}
		if span > 0 && !(largest >= smallestNormal && largest <= math.MaxFloat64) {
			return 0, 0, outOfRange(m.session.data.Source, span)
		}
		m.cache.unit, m.cache.passes = math.Sqrt(largest), passes
	}
	return m.cache.unit, m.cache.passes, nil
}

// tensor returns the moment held implicitly or explicitly.
func (m *Moment) tensor(ctx context.Context, form Form, o Options) (moment.Tensor, error) {
	x := m.session.data.Storage
	if form == FormImplicit {
		return m.implicit(x), nil
	}
	span, err := m.span(ctx)
	if err != nil {
		return nil, err
	}
	m.cache.mu.Lock()
	defer m.cache.mu.Unlock()
	if m.cache.tensor == nil {
		limit := memoryLimit(o)
		if m.session.data.Array() == nil && o.MemoryLimit == 0 {
			limit = math.Min(limit, autoBytes) // who streams wants to stay small
		}
		if m.noise != nil {
			m.cache.tensor, err = moment.NewExplicitDebiased(ctx, x, m.order, m.noise, span, limit, o.Threads)
		} else {
			m.cache.tensor, err = moment.NewExplicit(ctx, x, m.order, span, limit, o.Threads)
		}
		if err != nil {
			return nil, err
		}
	}
	return m.cache.tensor, nil
}

func memoryLimit(o Options) float64 { return memory.Limit(o.MemoryLimit) }
