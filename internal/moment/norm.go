package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/linalg"
)

// normRows is the number of observations in a block of NormSquared.
const normRows = 64

// NormSquared returns ||X||^2 = nu' [V'V]^d nu (lemma norms) of the
// observations divided by unit. n p^2 / 2 multiply-adds, no memory to speak
// of. It returns ctx's error when cancelled.
func NormSquared(ctx context.Context, x *Data, d int, unit float64, threads int) (float64, error) {
	blocks := (x.P + normRows - 1) / normRows
	threads = min(Threads(threads), blocks)
	sums := make([]float64, blocks)
	grams, wide := make([][]float64, threads), make([][2][]float64, threads)
	for i := range grams {
		grams[i] = make([]float64, normRows*normRows)
	}
	t := &team{threads: threads}
	t.job = func(worker, i int) {
		// The last rows have the longest jobs: begin with them.
		i = blocks - 1 - i
		lo, hi := i*normRows, min((i+1)*normRows, x.P)
		v := x.rows(lo, hi, &wide[worker][0])
		for j := 0; j <= i && ctx.Err() == nil; j++ {
			from, to := j*normRows, min((j+1)*normRows, x.P)
			g := grams[worker][:(hi-lo)*(to-from)]
			linalg.MulABt(g, v, x.rows(from, to, &wide[worker][1]), hi-lo, to-from, x.N)
			linalg.Scale(1/(unit*unit), g)
			linalg.PowInto(g, d)
			twice := 2.0 // blocks below the diagonal stand for those above it
			if i == j {
				twice = 1
			}
			sums[i] += twice * bilinear(g, x.weights(lo, hi), x.weights(from, to), hi-lo, to-from)
		}
	}
	if !t.run(ctx, blocks) {
		return 0, ctx.Err()
	}
	var sum float64
	for _, s := range sums {
		sum += s
	}
	return sum * x.share() * x.share(), nil
}

// bilinear returns mu' G nu for an m x n matrix; nil weights are ones.
func bilinear(g, mu, nu []float64, m, n int) float64 {
	var sum float64
	for i := range m {
		var s float64
		for j, v := range g[i*n : (i+1)*n] {
			if nu != nil {
				v *= nu[j]
			}
			s += v
		}
		if mu != nil {
			s *= mu[i]
		}
		sum += s
	}
	return sum
}

// pairBatches splits the sampled pairs into streams of their own.
const pairBatches = 64

// EstimateNormSquared returns an unbiased estimate of ||X||^2 of the
// observations divided by unit, with its standard error, from sampled pairs of
// observations. The terms of an observation with itself are summed exactly
// (O(n p)); the others, sum_{l != m} nu_l nu_m <v_l, v_m>^d, are the mean of
// <v_l, v_m>^d over pairs drawn with probability nu_l nu_m, rejecting l = m.
// O(n pairs). It returns ctx's error when cancelled.
func EstimateNormSquared(ctx context.Context, x *Data, d int, unit float64, pairs int, seed uint64, threads int) (value, stderr float64, err error) {
	share := x.share()
	var diagonal, sumSquares float64 // sum nu^2 |v|^2d, sum nu^2
	var wide []float64
	for l := range x.P {
		if l%4096 == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		w := share
		if x.Nu != nil {
			w = x.Nu[l]
		}
		v := x.rows(l, l+1, &wide)
		diagonal += w * w * linalg.Powi(linalg.Dot(v, v)/(unit*unit), d)
		sumSquares += w * w
	}
	if x.P < 2 {
		return diagonal, 0, nil
	}
	pick := newPicker(x)
	each := max(1, pairs/pairBatches)
	means, squares := make([]float64, pairBatches), make([]float64, pairBatches)
	t := &team{threads: min(Threads(threads), pairBatches)}
	t.job = func(_, b int) {
		rng := rand.New(rand.NewPCG(seed, uint64(b)))
		var first, second []float64
		var mean, m2 float64 // Welford's running mean and sum of squared deviations
		for k := 0; k < each && (k%256 != 0 || ctx.Err() == nil); k++ {
			i, j := pick.draw(rng), pick.draw(rng)
			for i == j {
				i, j = pick.draw(rng), pick.draw(rng)
			}
			h := linalg.Powi(linalg.Dot(x.rows(i, i+1, &first), x.rows(j, j+1, &second))/(unit*unit), d)
			delta := h - mean
			mean += delta / float64(k+1)
			m2 += delta * (h - mean)
		}
		means[b], squares[b] = mean, m2
	}
	if !t.run(ctx, pairBatches) {
		return 0, 0, ctx.Err()
	}
	var mean, m2 float64
	for _, m := range means {
		mean += m / pairBatches
	}
	for b, m := range means {
		m2 += squares[b] + float64(each)*(m-mean)*(m-mean)
	}
	total := float64(each * pairBatches)
	off := 1 - sumSquares
	return diagonal + off*mean, off * math.Sqrt(m2/(total-1)/total), nil
}
