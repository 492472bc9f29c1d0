package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/linalg"
)

// RangeFinder fills a (r x n) with the columns of V D_nu^(1/2) Omega, Omega
// Gaussian p x r, each of unit norm: the randomized range finder (equation
// rrf; for uniform weights the paper's start). A weight thus counts as that
// many repetitions of its observation. 2 p n r operations. It returns false
// when ctx is cancelled.
func RangeFinder(ctx context.Context, x *Data, a []float64, r int, rng *rand.Rand) bool {
	clear(a)
	block := linalg.BlockRows(x.N)
	omega := make([]float64, block*r)
	for lo := 0; lo < x.P; lo += block {
		if ctx.Err() != nil {
			return false
		}
		hi := min(lo+block, x.P)
		o := omega[:(hi-lo)*r]
		gaussian(o, rng)
		for l, nu := range x.weights(lo, hi) {
			linalg.Scale(math.Sqrt(nu), o[l*r:(l+1)*r])
		}
		linalg.AddAtB(a, o, x.rows(lo, hi), r, x.N, hi-lo)
	}
	normalize(a, x.N)
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

// Align turns each column of a with X a_j^d < 0 around, which for odd orders
// makes it positive; for even orders it does nothing. One pass over the data.
// It returns false when ctx is cancelled.
func Align(ctx context.Context, o *Objective, a []float64) bool {
	if o.d%2 == 0 {
		return true
	}
	_, w, ok := o.TTSV(ctx, a)
	if !ok {
		return false
	}
	for j, v := range w {
		if v < 0 {
			linalg.Scale(-1, a[j*o.n:(j+1)*o.n])
		}
	}
	return true
}
