package ica

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// others looks for sources with the kurtosis of normal ones: it turns the rows of
// the best rotation that may be normal to the largest skewnesses, and those still left to the
// largest contrasts of tanh. Rows that are found have their contrast in by, and are no longer
// among those that may be normal.
func (c *search) others(ctx context.Context, by []contrast, normal []bool) error {
	some, near, err := c.few(ctx)
	if err != nil {
		return err
	}
	k := c.x.N
	for _, g := range [...]contrast{skewness, heavyTails} {
		var left []int
		rows := &block.Dense{N: k}
		for j, may := range normal {
			if may {
				left, rows.V = append(left, j), append(rows.V, c.best[j*k:(j+1)*k]...)
			}
		}
		m := len(left)
		if m < 2 {
			return nil
		}
		y := &block.Dense{P: some.P, N: m, V: make([]float64, some.P*m), Nu: some.Nu}
		linalg.MulABt(y.V, some.V, rows.V, some.P, m, k)
		turn, err := c.turn(ctx, y, g, near)
		if err != nil {
			return err
		}
		turned := make([]float64, m*k)
		for i := range m {
			for j := range m {
				linalg.Axpy(turn[i*m+j], rows.V[j*k:(j+1)*k], turned[i*k:(i+1)*k])
			}
		}
		most, found := g.normalRange(m, c.x.Effective()), false
		for i, a := range excess(c.x, turned, m, g) {
			if math.Abs(a) > most {
				by[left[i]], normal[left[i]], found = g, false, true
			}
		}
		if found {
			for i, j := range left {
				copy(c.best[j*k:(j+1)*k], turned[i*k:(i+1)*k])
			}
		}
	}
	return nil
}

// turn returns the rotation of white observations with the largest sum of squared contrasts.
func (c *search) turn(ctx context.Context, x *block.Dense, g contrast, near float64) (best []float64, err error) {
	m := x.N
	by, normal := make([]contrast, m), make([]bool, m)
	for j := range by {
		by[j], normal[j] = g, true
	}
	point, most := newFixedPoint(x, by, normal, c.Threads), math.Inf(-1)
	for start := range uint64(c.Starts) {
		a, err := c.random(ctx, start, m)
		if err != nil {
			return nil, err
		}
		for moved, i := 1., 0; i < c.MaxIterations && moved > near; i++ {
			var ok bool
			if moved, ok = point.step(ctx, a); !ok {
				return nil, ctx.Err()
			}
		}
		values := excess(x, a, m, g)
		if sum := linalg.Dot(values, values); sum > most {
			most, best = sum, a
		}
	}
	return best, nil
}

// excess returns E z g(z) - E g'(z) of the sources of m rows: 0 for a normal one.
func excess(x *block.Dense, rows []float64, m int, g contrast) []float64 {
	k, step := x.N, linalg.BlockRows(x.N)
	sums, z, was, out := make([]float64, 3*m), make([]float64, step*m), make([]float64, step*m), make([]float64, m)
	for lo := 0; lo < x.P; lo += step {
		hi := min(lo+step, x.P)
		z, was := z[:(hi-lo)*m], was[:(hi-lo)*m]
		linalg.MulABt(z, x.V[lo*k:hi*k], rows, hi-lo, m, k)
		copy(was, z)
		g.apply(z, sums[:m], sums[m:2*m], sums[2*m:], x.Weights(lo, hi))
		for i, v := range z {
			out[i%m] += v * was[i]
		}
	}
	for j := range out {
		out[j] = x.Share() * (out[j] - sums[j])
	}
	return out
}
