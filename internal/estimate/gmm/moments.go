package gmm

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// momentStarts is the number of random starts of the fit of the third moment, unless enough of them find
// the best one before.
const momentStarts = 20

// fromMoments returns the mixture with one spherical covariance that the moments of
// orders 1 to 3 determine, in the coordinates of the run (minus the mean, divided
// by the unit), or nil if they determine none. If it takes a pass, it also passes
// the blocks to see, unless see is nil.
func (c *run) fromMoments(see func(block.Block)) (*Mixture, error) {
	n, r, v := c.n, c.r, c.spread
	u2 := c.unit * c.unit
	variance := math.Max(v.Noise(r)/u2, c.floor)
	if r == 1 {
		return Isotropic([]float64{1}, make([]float64, n), math.Max(c.floor, v.Trace/float64(n)/u2)), nil
	}
	k := min(r-1, len(v.Values))
	for k > 1 && !(v.Values[k-1]/u2-variance > 1e-6*v.Values[0]/u2) {
		k-- // the means span fewer dimensions
	}
	basis := &moment.Basis{N: n, K: k, Q: v.Rows[:k*n]}
	x := block.Source(c.t.Storage)
	if see != nil {
		x = &block.Watched{Source: x, See: see}
	}
	in, center := basis, v.Mean
	if c.t.Sparse() != nil { // projected without the zeros
		x, in, center = &moment.Projected{Source: x, Basis: basis, Threads: c.o.Threads}, nil, make([]float64, k)
		linalg.MulABt(center, v.Mean, basis.Q, 1, k, n)
	}
	central, err := moment.NewCentral(c.ctx, x, in, center, []int{2, 3}, c.unit, c.o.Threads)
	if err != nil {
		return nil, err
	}
	c.passes++
	starts := momentStarts
	if !c.o.MomentsOnly {
		starts /= 2
	}
	weights, means := solveMoments(c.ctx, central[0], central[1], variance, r, starts, c.o.Seed)
	if weights == nil {
		return nil, nil
	}
	full := make([]float64, r*n)
	basis.Lift(full, means, r)
	return Isotropic(weights, full, variance), nil
}

// solveMoments computes weights and means (r x k) from the central moments of
// orders 2 and 3 in k coordinates, to which noise of the given variance contributes
// only on the diagonal of the second. It decomposes the third moment of the
// observations with a constant t appended. weights is nil if there is no solution
// with positive weights.
func solveMoments(ctx context.Context, second, third *moment.Packed, variance float64, r, starts int, seed uint64) (weights, means []float64) {
	k := second.N()
	m2 := second.Dense()
	linalg.Scale(1/(second.Unit()*second.Unit()), m2)
	var t float64
	for i := range k {
		m2[i*k+i] -= variance
		t += m2[i*k+i]
	}
	// The size of a coordinate of the means, so that the fit weights all orders
	// equally.
	t = math.Sqrt(math.Max(t, 0) / float64(k))
	if !(t > 0) {
		return nil, nil
	}
	x := moment.Homogeneous(third, m2, t)
	o := moment.NewObjective(x, r, 1, 1)
	gn := ktensor.NewGaussNewton(3, o.Size()/r-1, r)
	gn.Stopped = func() bool { return ctx.Err() != nil }
	fg := func(x, g []float64) (float64, bool) { return o.Evaluate(ctx, x, g) }
	best, hits := math.Inf(1), 0 // starts that found it
	for start := range uint64(starts) {
		x0 := make([]float64, o.Size())
		a := x0[r:]
		moment.Gaussian(a, k+1, rand.New(rand.NewPCG(seed, start)))
		for j := range r {
			x0[j] = t * t * t
			if a[j*(k+1)+k] < 0 {
				linalg.Scale(-1, a[j*(k+1):(j+1)*(k+1)])
			}
		}
		res, err := solve.GaussNewton(fg, gn.Solve, x0, solve.Settings{GradientTolerance: 1e-9 * t * t * t, RelativeDecrease: -1, MaxIterations: 200})
		if err != nil || !linalg.Finite(res.F) || !linalg.Finite(res.X...) {
			continue
		}
		if hits > 0 && math.Abs(res.F-best) <= sameFit*math.Abs(best) {
			if hits++; hits == diag.EnoughHits {
				break
			}
			continue
		}
		if w, m := components(res.X, r, k, t); res.F < best && w != nil {
			best, hits, weights, means = res.F, 1, w, m
		}
	}
	return weights, means
}

// components computes weights and means from a decomposition of the homogeneous
// moment: lambda (a, a_t)^(x 3) = w (mu, t)^(x 3). It returns nil if a weight is
// not positive.
func components(x []float64, r, k int, t float64) (weights, means []float64) {
	const least = 1e-6
	weights, means = make([]float64, r), make([]float64, r*k)
	var sum float64
	for j := range r {
		a := x[r+j*(k+1) : r+(j+1)*(k+1)]
		last := a[k] / t
		w := x[j] * last * last * last
		if !(w > least) || !linalg.Finite(w) {
			return nil, nil
		}
		weights[j] = w
		sum += w
		for i := range k {
			means[j*k+i] = a[i] / last
		}
	}
	linalg.Scale(1/sum, weights)
	return weights, means
}
