package norm

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// normRows is the number of observations in a block of Squared.
const normRows = 64

// Squared returns ||X||^2 = nu' [V'V]^d nu (lemma norms) of the observations
// divided by unit. It takes n p^2 / 2 multiply-adds and hardly any memory. It returns
// ctx's error if cancelled.
func Squared(ctx context.Context, x *block.Dense, d int, unit float64, threads int) (float64, error) {
	blocks := (x.P + normRows - 1) / normRows
	threads = min(parallel.Threads(threads), blocks)
	sums := make([]float64, blocks)
	grams, wide := make([][]float64, threads), make([][2][]float64, threads)
	for i := range grams {
		grams[i] = make([]float64, normRows*normRows)
	}
	t := &parallel.Pool{Threads: threads}
	t.Job = func(worker, i int) {
		// The last rows have the longest jobs: begin with them.
		i = blocks - 1 - i
		lo, hi := i*normRows, min((i+1)*normRows, x.P)
		v := x.Values(lo, hi, &wide[worker][0])
		for j := 0; j <= i && ctx.Err() == nil; j++ {
			from, to := j*normRows, min((j+1)*normRows, x.P)
			g := grams[worker][:(hi-lo)*(to-from)]
			linalg.MulABt(g, v, x.Values(from, to, &wide[worker][1]), hi-lo, to-from, x.N)
			linalg.Scale(1/(unit*unit), g)
			linalg.PowInto(g, d)
			twice := 2.0 // blocks below the diagonal stand for those above it
			if i == j {
				twice = 1
			}
			sums[i] += twice * bilinear(g, x.Weights(lo, hi), x.Weights(from, to), hi-lo, to-from)
		}
	}
	return total(ctx, t, sums, x.Share())
}

// total runs the jobs of all blocks and returns the sum of theirs, for pairs of a share each.
func total(ctx context.Context, t *parallel.Pool, sums []float64, share float64) (sum float64, err error) {
	if !t.Run(ctx, len(sums)) {
		return 0, ctx.Err()
	}
	for _, s := range sums {
		sum += s
	}
	return sum * share * share, nil
}

// bilinear returns mu' G nu for an m x n matrix, n at most normRows; nil weights mean ones.
func bilinear(g, mu, nu []float64, m, n int) float64 {
	var ones [normRows]float64
	if nu == nil {
		nu = ones[:n]
		for j := range nu {
			nu[j] = 1
		}
	}
	var sum float64
	for i := range m {
		s := linalg.Dot(g[i*n:(i+1)*n], nu)
		if mu != nil {
			s *= mu[i]
		}
		sum += s
	}
	return sum
}
