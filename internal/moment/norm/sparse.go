package norm

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// SparseOps returns the multiply-adds that SquaredSparse takes.
func SparseOps(x *block.SparseRows) (ops float64) {
	counts := make([]int, x.N)
	s := x.Values
	for _, i := range s.Index[s.Start[0]:s.Start[x.P]] {
		counts[i]++
	}
	if s.Shift != nil {
		ops = float64(x.P) * float64(x.P) / 2
	}
	return ops + opsOf(counts)
}

// WithoutZerosOps returns the multiply-adds that SquaredSparse takes for observations whose zeros
// are left out: a pass.
func WithoutZerosOps(x *block.Dense) (ops float64) {
	counts := make([]int, x.N)
	var wide []float64
	for l := range x.P {
		for i, v := range x.Values(l, l+1, &wide) {
			if v != 0 {
				counts[i]++
			}
		}
	}
	return opsOf(counts)
}

func opsOf(counts []int) (ops float64) {
	for _, c := range counts {
		ops += float64(c) * float64(c+1) / 2
	}
	return ops
}

// SquaredSparse is Squared of sparse observations, without their zeros: of a pair only the
// variables in which both have values count, and only pairs that share one unless there is a
// Shift. It holds the values once more, by variable.
func SquaredSparse(ctx context.Context, x *block.SparseRows, d int, unit float64, threads int) (float64, error) {
	s := x.Values
	value := func(k int) float64 {
		if s.V32 != nil {
			return float64(s.V32[k])
		}
		return s.V[k]
	}
	// With the variables c_i (x_i - m_i), a pair's inner product is a sum of c_i^2 x_i y_i, which
	// is 0 where x_i or y_i is, of -c_i^2 m_i (x_i + y_i), and of c_i^2 m_i^2.
	square, cross := make([]float64, x.N), make([]float64, x.N)
	constant := 0.
	for i := range x.N {
		c, m := 1/unit, 0.
		if s.Scale != nil {
			c *= s.Scale[i]
		}
		if s.Shift != nil {
			m = s.Shift[i]
		}
		square[i], cross[i] = c*c, -c*c*m
		constant += c * c * m * m
	}
	start := make([]int, x.N+1) // of the variables
	for _, i := range s.Index[s.Start[0]:s.Start[x.P]] {
		start[i+1]++
	}
	for i := range x.N {
		start[i+1] += start[i]
	}
	next, rows, values := append([]int(nil), start...), make([]int32, start[x.N]), make([]float64, start[x.N])
	own := make([]float64, x.P) // the sum of cross x
	for l := range x.P {
		for k := s.Start[l]; k < s.Start[l+1]; k++ {
			i, v := s.Index[k], value(k)
			rows[next[i]], values[next[i]] = int32(l), v
			next[i]++
			own[l] += cross[i] * v
		}
	}
	nu := func(l int) float64 {
		if x.Nu != nil {
			return x.Nu[l]
		}
		return 1
	}
	blocks := (x.P + normRows - 1) / normRows
	sums := make([]float64, blocks)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks)}
	type scratch struct {
		g       []float64 // inner products with observation l
		touched []int32   // those with something in common
	}
	work := make([]scratch, t.Threads)
	t.Job = func(worker, b int) {
		b = blocks - 1 - b // the last rows have the longest jobs
		z := &work[worker]
		if z.g == nil {
			z.g = make([]float64, x.P)
		}
		for l := b * normRows; l < min((b+1)*normRows, x.P) && ctx.Err() == nil; l++ {
			z.touched = z.touched[:0]
			for k := s.Start[l]; k < s.Start[l+1]; k++ {
				i := s.Index[k]
				v := square[i] * value(k)
				for at := start[i]; at < start[i+1] && int(rows[at]) <= l; at++ {
					m := rows[at]
					if z.g[m] == 0 { // or cancelled so far: then it is taken once more, for 0
						z.touched = append(z.touched, m)
					}
					z.g[m] += v * values[at]
				}
			}
			var sum float64 // of pairs with those before; l with itself counts half
			add := func(m int) {
				h := nu(m) * linalg.Powi(z.g[m], d)
				if m == l {
					h /= 2
				}
				sum += h
				z.g[m] = 0
			}
			if s.Shift == nil {
				for _, m := range z.touched {
					add(int(m))
				}
			} else {
				for m := range l + 1 {
					z.g[m] += own[l] + own[m] + constant
					add(m)
				}
			}
			sums[b] += 2 * nu(l) * sum
		}
	}
	return total(ctx, t, sums, x.Share())
}
