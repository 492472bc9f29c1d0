package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// RangeFinder fills a (r x n) with the columns of V D_nu^(1/2) Omega, Omega Gaussian p
// x r, each of unit norm: the randomized range finder (equation rrf; for uniform
// weights the paper's start). A weight thus counts like that many repetitions of its
// observation. It takes 2 p n r operations. It returns false if ctx is cancelled.
func RangeFinder(ctx context.Context, x block.Source, a []float64, r int, rng *rand.Rand) bool {
	return RangeFinders(ctx, x, [][]float64{a}, r, []*rand.Rand{rng}, 1)
}

// RangeFinders is like RangeFinder for several starts, each with its own stream, in a
// single pass over the data.
func RangeFinders(ctx context.Context, x block.Source, starts [][]float64, r int, rngs []*rand.Rand, threads int) bool {
	_, n := x.Shape()
	step := linalg.BlockRows(n)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), len(starts))}
	omega, wide := make([][]float64, t.Threads), make([][]float64, t.Threads)
	for i := range omega {
		omega[i] = make([]float64, step*r)
	}
	var now block.Block
	var like *block.Sparse
	sums := make([]*sparseSums, len(starts))
	t.Job = func(worker, k int) {
		var scratch []float64
		if now.Sparse != nil {
			scratch = make([]float64, linalg.SparseScratch(step, n, r))
		}
		for lo := 0; lo < now.Rows && ctx.Err() == nil; lo += step {
			b := now.Part(lo, min(lo+step, now.Rows), n)
			o := omega[worker][:b.Rows*r]
			gaussian(o, rngs[k])
			for l, nu := range b.Nu {
				linalg.Scale(math.Sqrt(nu), o[l*r:(l+1)*r])
			}
			if b.Sparse != nil && b.Sparse.Alike(like) {
				if sums[k] == nil {
					sums[k] = newSparseSums(n, r, make([]float64, linalg.InterleavedLen(n, r)))
				}
				sums[k].addFactors(b.Sparse, o, scratch)
				continue
			}
			linalg.AddAtB(starts[k], o, b.Values(0, b.Rows, n, &wide[worker]), r, n, b.Rows)
		}
	}
	for _, a := range starts {
		clear(a)
	}
	if !x.Pass(ctx, func(b block.Block) {
		now = b
		if like == nil {
			like = b.Sparse
		}
		t.Run(ctx, len(starts))
	}) {
		return false
	}
	for k, s := range sums {
		if s != nil {
			s.addTo(starts[k], like, 1)
		}
	}
	for _, a := range starts {
		normalize(a, n)
	}
	return true
}

// Gaussian fills a (columns of n) with columns of independent normal entries,
// each of unit norm.
func Gaussian(a []float64, n int, rng *rand.Rand) {
	gaussian(a, rng)
	normalize(a, n)
}

func gaussian(a []float64, rng *rand.Rand) {
	for i := range a {
		a[i] = rng.NormFloat64()
	}
}

func normalize(a []float64, n int) {
	for ; len(a) > 0; a = a[n:] {
		if norm := linalg.Norm2(a[:n]); norm > 0 {
			for i := range a[:n] {
				a[i] /= norm
			}
		}
	}
}

// Align reverses each column of a with X a_j^d < 0, which for odd orders makes it
// positive; for even orders it does nothing. It takes one pass over the data. It
// returns the largest |X a_j^d|, +Inf for even orders, and false if ctx is cancelled.
func Align(ctx context.Context, o *Objective, a []float64) (largest float64, ok bool) {
	if o.d%2 == 0 {
		return math.Inf(1), true
	}
	_, w, ok := o.TTSV(ctx, a)
	if !ok {
		return 0, false
	}
	for j, v := range w {
		if v < 0 {
			linalg.Scale(-1, a[j*o.n:(j+1)*o.n])
		}
	}
	return linalg.NormInf(w), true
}
