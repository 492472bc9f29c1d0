package norm

import (
	"cmp"
	"context"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// hermiteKernel is the inner product of the Hermite tensors of two observations
// v and w for a covariance S. It is d! times the coefficient of x^d in
//
//	det(I - x^2 S^2)^(-1/2) exp(x v'Rw - x^2/2 (v'SRv + w'SRw)),  R = (I - x^2 S^2)^(-1),
//
// which comes from the generating function exp(t'v - t'St/2) of the tensors by
// the Gaussian integral of the inner product of symmetric tensors. For S = 0 it
// is (v'w)^d. Observations count divided by unit.
type hermiteKernel struct {
	d      int
	noise  *moment.Noise // divided by unit^2
	unit   float64
	most   int       // the highest k of S^k v
	traces []float64 // tr S^2k
	d1     float64   // d!
}

func newHermiteKernel(d int, noise *moment.Noise, unit float64) *hermiteKernel {
	k := &hermiteKernel{d: d, noise: noise.Over(unit), unit: unit, most: (d - 1) / 2, d1: 1}
	k.traces = k.noise.Traces(d / 2)
	for i := 2; i <= d; i++ {
		k.d1 *= float64(i)
	}
	return k
}

// hermiteRows holds observations with what the kernel needs for each.
type hermiteRows struct {
	rows int
	u    [][]float64 // S^k v, rows x n, for k = 0..most; for spherical S only v
	b    []float64   // rows x d/2: v'S^(2k+1)v
}

// prepare divides rows observations by the unit and multiplies them by S: 2 n^2 d/2 operations
// each, unless S is diagonal. It uses the arrays of q again.
func (k *hermiteKernel) prepare(q *hermiteRows, v []float64, rows int) {
	n, half := k.noise.N, k.d/2
	q.rows = rows
	q.b = slices.Grow(q.b[:0], rows*half)[:rows*half]
	array := func(i int) []float64 { // the i-th of rows x n numbers
		if i == len(q.u) {
			q.u = append(q.u, nil)
		}
		q.u[i] = slices.Grow(q.u[i][:0], rows*n)[:rows*n]
		return q.u[i]
	}
	u := array(0)
	copy(u, v[:rows*n])
	linalg.Scale(1/k.unit, u)
	if k.noise.Spherical() {
		s := k.noise.Variance
		for l := range rows {
			g := linalg.Dot(u[l*n:(l+1)*n], u[l*n:(l+1)*n])
			for i := range half {
				q.b[l*half+i] = g * linalg.Powi(s, 2*i+1)
			}
		}
		return
	}
	for i := range max(half, k.most) {
		next := array(i + 1)
		k.noise.Apply(next, u)
		for l := range rows {
			if i < half { // v'S^(2i+1)v = (S^i v)'(S^(i+1) v)
				q.b[l*half+i] = linalg.Dot(u[l*n:(l+1)*n], next[l*n:(l+1)*n])
			}
		}
		u = next
	}
}

// inner writes v'S^2k w of all pairs of rows lo..hi of v and from..to of w to g, one
// matrix for each k.
func (k *hermiteKernel) inner(g [][]float64, v hermiteRows, lo, hi int, w hermiteRows, from, to int) {
	n := k.noise.N
	linalg.MulABt(g[0], v.u[0][lo*n:hi*n], w.u[0][from*n:to*n], hi-lo, to-from, n)
	for i := 1; i <= k.most; i++ {
		if !k.noise.Spherical() {
			linalg.MulABt(g[i], v.u[i][lo*n:hi*n], w.u[i][from*n:to*n], hi-lo, to-from, n)
			continue
		}
		copy(g[i], g[0][:(hi-lo)*(to-from)])
		linalg.Scale(linalg.Powi(k.noise.Variance, 2*i), g[i][:(hi-lo)*(to-from)])
	}
}

// value returns the kernel of a pair: at is its position in the matrices of inner, bv
// and bw are the b of the two observations.
func (k *hermiteKernel) value(g [][]float64, at int, bv, bw []float64) float64 {
	switch g0 := g[0][at]; k.d { // those of cumulants
	case 3:
		return g0*(g0*g0-3*(bv[0]+bw[0]-k.traces[1])) + 6*g[1][at]
	case 4:
		b0, b1 := bv[0]+bw[0]-k.traces[1], bv[1]+bw[1]-k.traces[2]/2
		return g0*(g0*(g0*g0-6*b0)+24*g[1][at]) + 3*b0*b0 - 12*b1
	case 5:
		b0, b1, g1 := bv[0]+bw[0]-k.traces[1], bv[1]+bw[1]-k.traces[2]/2, g[1][at]
		return g0*(g0*(g0*(g0*g0-10*b0)+60*g1)+15*b0*b0-60*b1) - 60*b0*g1 + 120*g[2][at]
	}
	var e, f [moment.MaxDebiased + 1]float64 // e: i times the coefficient of x^i
	for i := 1; i <= k.d; i++ {
		if i%2 == 1 {
			e[i] = float64(i) * g[i/2][at]
		} else {
			e[i] = k.traces[i/2] - float64(i/2)*(bv[i/2-1]+bw[i/2-1])
		}
	}
	f[0] = 1 // exp of the series
	for m := 1; m <= k.d; m++ {
		for i := 1; i <= m; i++ {
			f[m] += e[i] * f[m-i]
		}
		f[m] /= float64(m)
	}
	return k.d1 * f[k.d]
}

func (k *hermiteKernel) matrices(size int) [][]float64 {
	g := make([][]float64, k.most+1)
	for i := range g {
		g[i] = make([]float64, size)
	}
	return g
}

// SquaredDebiased returns ||T||^2 of the debiased moment of order d of the
// observations divided by unit, from all pairs of them: n p^2 / 2 multiply-adds
// times (d+1)/2 where S is not spherical, and d^2 more a pair. It returns ctx's
// error when cancelled.
func SquaredDebiased(ctx context.Context, x *block.Dense, d int, noise *moment.Noise, unit float64, threads int) (float64, error) {
	k := newHermiteKernel(d, noise, unit)
	blocks := (x.P + normRows - 1) / normRows
	all := make([]hermiteRows, blocks)
	var wide []float64
	for i := range all {
		lo, hi := i*normRows, min((i+1)*normRows, x.P)
		k.prepare(&all[i], x.Values(lo, hi, &wide), hi-lo)
	}
	threads = min(parallel.Threads(threads), blocks)
	sums := make([]float64, blocks)
	work := make([][][]float64, threads)
	for i := range work {
		work[i] = k.matrices(normRows * normRows)
	}
	half := d / 2
	t := &parallel.Pool{Threads: threads}
	t.Job = func(worker, i int) {
		i = blocks - 1 - i // the last ones have the longest jobs
		g, v := work[worker], all[i]
		for j := 0; j <= i && ctx.Err() == nil; j++ {
			w := all[j]
			k.inner(g, v, 0, v.rows, w, 0, w.rows)
			var sum float64
			for l := range v.rows {
				for m := range w.rows {
					h := k.value(g, l*w.rows+m, v.b[l*half:(l+1)*half], w.b[m*half:(m+1)*half])
					if x.Nu != nil {
						h *= x.Nu[i*normRows+l] * x.Nu[j*normRows+m]
					}
					sum += h
				}
			}
			if j < i { // also stands for the block above the diagonal
				sum *= 2
			}
			sums[i] += sum
		}
	}
	return total(ctx, t, sums, x.Share())
}

// EstimateDebiased returns an unbiased estimate of ||T||^2 of the debiased moment of
// order d, for when computing it from all pairs takes too long. The part of T in a few
// leading directions of the sample, which is the control variate, and the terms of
// each observation with itself are exact: two passes. The rest is estimated by the
// mean over the pairs of a sample, a U-statistic with the jackknife's error (Arvesen
// 1969).
func EstimateDebiased(ctx context.Context, x block.Source, sample *moment.Sample, d int, noise *moment.Noise, unit float64, threads int) (Estimate, error) {
	data := sample.Data()
	n, from := data.N, max(1, data.P/basisRows)
	first := &block.Dense{P: from, N: n, V: data.V[:from*n]}
	basis, err := moment.BasisOf(ctx, &moment.Implicit{Data: first, D: 2}, controlSize(d, n), unit, threads)
	if err != nil || basis == nil {
		return Estimate{}, cmp.Or(err, ctx.Err())
	}
	inside, _, err := moment.NewDebiased(ctx, x, basis, d, noise, unit, threads)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{Value: inside.NormSquared()}
	e.Least = e.Value
	k, q := newHermiteKernel(d, noise, unit), newHermiteKernel(d, noise.In(basis), unit)
	self, squares, err := selfTerms(ctx, x, k, q, basis, threads)
	if err != nil {
		return Estimate{}, err
	}
	e.Value += self
	u := debiasedPairs{k: k, q: q, half: d / 2, apart: 1 - squares}
	for i := from; i < data.P; i++ {
		at, _ := sample.Drawn(i)
		u.index = append(u.index, at)
	}
	rows := data.V[from*n:]
	k.prepare(&u.v, rows, len(u.index))
	q.prepare(&u.w, coordinates(basis, rows, len(u.index)), len(u.index))
	return e, u.add(ctx, &e, threads)
}

// coordinates returns Q'v of some observations.
func coordinates(b *moment.Basis, v []float64, rows int) []float64 {
	w := make([]float64, rows*b.K)
	linalg.MulABt(w, v, b.Q, rows, b.K, b.N)
	return w
}

// selfTerms returns sum nu^2 (K - K_Q) of each observation with itself, and sum nu^2. One
// pass; as the sums of normRows observations each are added up in order, the result is the
// same for any number of threads.
func selfTerms(ctx context.Context, x block.Source, k, q *hermiteKernel, b *moment.Basis, threads int) (sum, squares float64, err error) {
	share, half := x.Share(), k.d/2
	type work struct {
		g, s    [][]float64
		v, w    hermiteRows
		scratch []float64
	}
	var now block.Block
	var sums []float64
	blocks := func(rows int) int { return (rows + normRows - 1) / normRows }
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks(x.BlockRows()))}
	all := make([]work, t.Threads)
	for i := range all {
		all[i].g, all[i].s = k.matrices(1), q.matrices(1)
	}
	t.Job = func(worker, i int) {
		z := &all[worker]
		lo, hi := i*normRows, min((i+1)*normRows, now.Rows)
		rows := now.Values(lo, hi, b.N, &z.scratch)
		k.prepare(&z.v, rows, hi-lo)
		q.prepare(&z.w, coordinates(b, rows, hi-lo), hi-lo)
		sums[i] = 0
		for l := range hi - lo {
			nu := share * now.Weight(lo+l)
			k.inner(z.g, z.v, l, l+1, z.v, l, l+1)
			q.inner(z.s, z.w, l, l+1, z.w, l, l+1)
			bv, bw := z.v.b[l*half:(l+1)*half], z.w.b[l*half:(l+1)*half]
			sums[i] += nu * nu * (k.value(z.g, 0, bv, bv) - q.value(z.s, 0, bw, bw))
		}
	}
	if !x.Pass(ctx, func(block block.Block) {
		now = block
		if n := blocks(block.Rows); n > len(sums) {
			sums = make([]float64, n)
		}
		t.Run(ctx, blocks(block.Rows))
		for _, s := range sums[:blocks(block.Rows)] {
			sum += s
		}
		for l := range block.Rows {
			nu := share * block.Weight(l)
			squares += nu * nu
		}
	}) {
		return 0, 0, block.Stopped(ctx, x)
	}
	return sum, squares, nil
}

// debiasedPairs holds the pairs of a sample.
type debiasedPairs struct {
	k, q  *hermiteKernel
	v, w  hermiteRows // the observations, and their coordinates
	index []int
	half  int
	apart float64 // weight of pairs of two different observations
}

// add adds the mean over the pairs to the estimate.
func (u *debiasedPairs) add(ctx context.Context, e *Estimate, threads int) error {
	m := len(u.index)
	blocks := (m + normRows - 1) / normRows
	pairs := newSamplePairs(m, blocks)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks)}
	type scratch struct {
		g, s [][]float64
		h    []float64
	}
	work := make([]scratch, t.Threads)
	for i := range work {
		work[i] = scratch{u.k.matrices(normRows * normRows), u.q.matrices(normRows * normRows), make([]float64, normRows)}
	}
	t.Job = func(worker, i int) {
		z := work[worker]
		lo, hi := i*normRows, min((i+1)*normRows, m)
		for from := 0; from < m && ctx.Err() == nil; from += normRows {
			to := min(from+normRows, m)
			u.k.inner(z.g, u.v, lo, hi, u.v, from, to)
			u.q.inner(z.s, u.w, lo, hi, u.w, from, to)
			for l := lo; l < hi; l++ {
				for o := from; o < to; o++ {
					if u.index[l] == u.index[o] {
						continue
					}
					at := (l-lo)*(to-from) + o - from
					z.h[o-from] = u.k.value(z.g, at, u.v.b[l*u.half:(l+1)*u.half], u.v.b[o*u.half:(o+1)*u.half]) -
						u.q.value(z.s, at, u.w.b[l*u.half:(l+1)*u.half], u.w.b[o*u.half:(o+1)*u.half])
				}
				pairs.add(l, i, z.h[:to-from], u.index[from:to], u.index[l])
			}
		}
	}
	if !t.Run(ctx, blocks) {
		return ctx.Err()
	}
	pairs.estimate(e, u.apart, nil, 0)
	return nil
}
