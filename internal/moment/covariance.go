package moment

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Mean returns the mean of the observations and their mean square norm: one pass, 3 n
// operations per observation. It returns ctx's error if cancelled.
func Mean(ctx context.Context, x block.Source, unit float64, threads int) (mean []float64, square float64, err error) {
	_, n := x.Shape()
	if x, far := x.(block.Far); far {
		sum, ok := x.Sum(ctx, block.Pass{Kind: Means, Unit: unit}, nil)
		if !ok {
			return nil, 0, block.Stopped(ctx, x)
		}
		linalg.Scale(x.Share(), sum)
		return sum[:n], sum[n], nil
	}
	g := block.Groups(x, n)
	sums, squares := make([]float64, g*n), make([]float64, g)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), g)}
	wide := make([][]float64, t.Threads)
	var now block.Block
	t.Job = func(worker, i int) {
		lo, hi := block.GroupStart(i, g, now.Rows), block.GroupStart(i+1, g, now.Rows)
		for l := lo; l < hi; l++ {
			nu := 1.
			if now.Nu != nil {
				nu = now.Nu[l]
			}
			v := now.Values(l, l+1, n, &wide[worker])
			linalg.Axpy(nu/unit, v, sums[i*n:(i+1)*n])
			norm := linalg.Norm2(v) / unit
			squares[i] += nu * norm * norm
		}
	}
	if !x.Pass(ctx, func(b block.Block) {
		now = b
		t.Run(ctx, g)
	}) {
		return nil, 0, block.Stopped(ctx, x)
	}
	mean = make([]float64, n)
	sumGroups(mean, sums, g, x.Share()*unit)
	for _, s := range squares {
		square += s
	}
	return mean, square * x.Share() * unit * unit, nil
}

// Covariance returns the covariance of the observations in the coordinates of basis b,
// or in the data's if b is nil, from one pass like that of NewMoments.
func Covariance(ctx context.Context, x block.Source, b *Basis, unit float64, threads int) (mean []float64, cov *Packed, err error) {
	m, err := NewMoments(ctx, x, b, []int{1, 2}, unit, threads)
	if err != nil {
		return nil, nil, err
	}
	cov = &Packed{d: 2, n: m[1].n, unit: unit, x: m[1].x}
	mean = m[0].x
	at := 0
	for i := range cov.n {
		for j := i; j < cov.n; j++ {
			cov.x[at] -= mean[i] * mean[j]
			at++
		}
	}
	linalg.Scale(unit, mean)
	return mean, cov, nil
}

// NoiseVariance returns the mean of the eigenvalues of a covariance that are not among
// its r-1 largest: what r components of the same spherical covariance leave to it (the
// smallest eigenvalue alone is biased, as all extremes are). values are some of the
// eigenvalues, largest first, trace is the sum of all n. It returns 0 if n < r, since
// then nothing determines it.
func NoiseVariance(values []float64, trace float64, n, r int) float64 {
	if n < r {
		return 0
	}
	for _, v := range values[:min(r-1, len(values))] {
		trace -= v
	}
	return math.Max(0, trace/float64(n-r+1))
}

// Mean returns element i of a packed first moment, in the units of the data.
func (t *Packed) Mean(i int) float64 { return t.x[i] * t.unit }

// Dense returns a packed second moment as an n x n matrix, in the units of the
// data.
func (t *Packed) Dense() []float64 {
	m := make([]float64, t.n*t.n)
	at := 0
	for i := range t.n {
		for j := i; j < t.n; j++ {
			v := t.x[at] * t.unit * t.unit
			m[i*t.n+j], m[j*t.n+i] = v, v
			at++
		}
	}
	return m
}
