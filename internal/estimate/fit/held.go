package fit

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// held is a moment held explicitly, with the second moment from the same pass.
type held struct {
	tensor *moment.Explicit
	second *moment.Packed
	unit   float64       // root of the largest eigenvalue of second, 0 until it is needed
	ritz   *moment.Basis // its eigenvectors, nil until they are needed
}

// explicit returns the moment of x, the table's observations, held explicitly.
func (m *Moment) explicit(ctx context.Context, x block.Source, o *Options) (*held, error) {
	span, err := m.span(ctx, o.Threads)
	if err != nil {
		return nil, err
	}
	if err := m.cache.enter(ctx); err != nil {
		return nil, err
	}
	defer m.cache.leave()
	return m.hold(ctx, x, o, span)
}

// hold is explicit behind the gate.
func (m *Moment) hold(ctx context.Context, x block.Source, o *Options, span float64) (*held, error) {
	if m.cache.held == nil {
		tensor, second, err := moment.NewExplicitWith(ctx, x, m.Order, m.Noise, m.Distinct, span, m.tensorLimit(o), o.Threads)
		if err != nil {
			return nil, err
		}
		m.cache.held = &held{tensor: tensor, second: second}
	}
	return m.cache.held, nil
}

// tensorLimit bounds the memory for a tensor.
func (m *Moment) tensorLimit(o *Options) float64 {
	if m.Table.Array() == nil && o.MemoryLimit == 0 {
		return math.Min(o.memoryLimit(), autoBytes) // data are streamed to save memory
	}
	return o.memoryLimit()
}

// eigenvectors returns those of the second moment.
func (m *Moment) eigenvectors(ctx context.Context, h *held) (*moment.Basis, error) {
	if err := m.cache.enter(ctx); err != nil {
		return nil, err
	}
	defer m.cache.leave()
	if h.ritz == nil {
		var err error
		if h.ritz, err = h.second.Ritz(ctx); err != nil {
			return nil, err
		}
	}
	return h.ritz, nil
}

// unitOf returns the unit of the search with a held moment.
func (c *plan) unitOf(h *held) (float64, error) {
	m, span := c.m, c.m.known()
	if err := m.cache.enter(c.ctx); err != nil {
		return 0, err
	}
	defer m.cache.leave()
	if h.unit == 0 {
		largest, _, err := moment.LargestOf(c.ctx, h.second, span, c.o.Threads, c.ctx.Err)
		if err != nil {
			return 0, err
		}
		if h.unit, err = m.root(largest, span); err != nil {
			return 0, err
		}
	}
	return h.unit, nil
}

// explicitly solves the full problem from every start, with the tensor.
func (c *plan) explicitly(earlier *search) (*solution, error) {
	c.begin(progress.Tensor)
	h, err := c.m.explicit(c.ctx, c.observations(), c.o)
	if err != nil {
		return nil, err
	}
	// It costs nothing, and there is nothing to search for if it is 0.
	if _, err := c.m.norm(c.ctx, c.o, Explicit); err != nil {
		return nil, err
	}
	unit, err := c.unitOf(h)
	if err != nil {
		return nil, err
	}
	s := c.search(unit, earlier)
	if err := s.bound(Explicit); err != nil {
		return nil, err
	}
	draw := c.drawn()
	if q := c.m.problem(c.r, c.o); c.m.far() || q.drawing() > math.Max(q.explicit(), longDrawing) {
		ritz, err := c.m.eigenvectors(c.ctx, h)
		if err != nil {
			return nil, err
		}
		draw = func(_ int, a []float64, rng *rand.Rand) bool {
			in := make([]float64, len(a))
			ritz.Start(in, rng)
			ritz.Lift(a, in, c.r)
			return true
		}
	}
	return s.direct(Explicit, h.tensor, draw)
}
