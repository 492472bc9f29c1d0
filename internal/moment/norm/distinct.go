package norm

import (
	"context"
	"math"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// distinctKernel is the inner product F_d(v*w) of two observations over the entries whose
// indices all differ, divided by unit.
type distinctKernel struct {
	d, n int
	unit float64
}

// distinctScratch holds the powers of observations on either side of a block of pairs, and their
// power sums.
type distinctScratch struct {
	left, right, sums [][]float64
	wide              [2][]float64
}

func (k *distinctKernel) scratch() *distinctScratch {
	s := &distinctScratch{}
	for range k.d {
		s.left, s.right = append(s.left, make([]float64, normRows*k.n)), append(s.right, make([]float64, normRows*k.n))
		s.sums = append(s.sums, make([]float64, normRows*normRows))
	}
	return s
}

// powers writes the powers of at most normRows observations.
func (k *distinctKernel) powers(to [][]float64, v []float64) {
	copy(to[0], v)
	linalg.Scale(1/k.unit, to[0][:len(v)])
	for m := 1; m < k.d; m++ {
		linalg.Multiply(to[m][:len(v)], to[m-1][:len(v)], to[0])
	}
}

// pairs returns the kernel of rows observations of s.left with columns of s.right.
func (k *distinctKernel) pairs(s *distinctScratch, rows, columns int) []float64 {
	sums := make([][]float64, k.d)
	for m := range sums {
		sums[m] = s.sums[m][:rows*columns]
		linalg.MulABt(sums[m], s.left[m][:rows*k.n], s.right[m][:columns*k.n], rows, columns, k.n)
	}
	distinct.FromPowerSums(sums)
	return sums[k.d-1]
}

// own returns the kernel of an observation with itself. f has d+1 numbers.
func (k *distinctKernel) own(v, f []float64) float64 {
	clear(f)
	f[0] = 1
	for _, x := range v {
		x /= k.unit
		for m := k.d; m >= 1; m-- {
			f[m] += float64(m) * x * x * f[m-1]
		}
	}
	return f[k.d]
}

// SquaredDistinct is Squared over the entries whose indices all differ: d n p^2 / 2
// multiply-adds.
func SquaredDistinct(ctx context.Context, x *block.Dense, d int, unit float64, threads int) (float64, error) {
	k := &distinctKernel{d, x.N, unit}
	blocks := (x.P + normRows - 1) / normRows
	threads = min(parallel.Threads(threads), blocks)
	sums := make([]float64, blocks)
	work := make([]*distinctScratch, threads)
	for i := range work {
		work[i] = k.scratch()
	}
	t := &parallel.Pool{Threads: threads}
	t.Job = func(worker, i int) {
		i = blocks - 1 - i // the last ones have the longest jobs
		s := work[worker]
		lo, hi := i*normRows, min((i+1)*normRows, x.P)
		k.powers(s.left, x.Values(lo, hi, &s.wide[0]))
		for j := 0; j <= i && ctx.Err() == nil; j++ {
			from, to := j*normRows, min((j+1)*normRows, x.P)
			k.powers(s.right, x.Values(from, to, &s.wide[1]))
			twice := 2.
			if i == j {
				twice = 1
			}
			sums[i] += twice * bilinear(k.pairs(s, hi-lo, to-from), x.Weights(lo, hi), x.Weights(from, to), hi-lo, to-from)
		}
	}
	return total(ctx, t, sums, x.Share())
}

// Sizes of an estimate of EstimateDistinct.
const (
	distinctControl = 64  // observations that are the control, at most
	distinctOps     = 4e9 // of the pairs of the sample
)

// EstimateDistinct returns an unbiased estimate of ||X||^2 over the entries whose indices all
// differ, for when computing it from all pairs takes too long. M, the mean of v^(x d) over some
// observations of a sample, is the control:
//
//	||X||^2 = 2 <X, M> - ||M||^2 + ||X - M||^2
//
// where the first is a product with X, one pass, and the last, of pairs with the kernel
// <v^(x d) - M, w^(x d) - M>, is estimated by the mean over the pairs of the rest of the sample, a
// U-statistic with the jackknife's error (Arvesen 1969). The terms of an observation with
// itself are exact but for their part with M, and of observations that are far they come from
// the sample. squares is the sum of nu^2.
func EstimateDistinct(ctx context.Context, x block.Source, sample *moment.Sample, d int, unit, squares float64, threads int) (Estimate, error) {
	data := sample.Data()
	n := data.N
	k := &distinctKernel{d, n, unit}
	rows := min(data.P, max(2, int(math.Sqrt(distinctOps/float64(d*n)))))
	from := max(1, min(distinctControl, rows/basisRows))

	// <X, M>, and the terms of each with itself.
	control := append([]float64(nil), data.V[:from*n]...)
	linalg.Scale(1/unit, control)
	_, far := x.(block.Far)
	self, f, wide := 0., make([]float64, d+1), []float64(nil)
	source := x
	if !far {
		share := x.Share()
		source = &block.Watched{Source: x, See: func(b block.Block) {
			for l := range b.Rows {
				nu := share * b.Weight(l)
				self += nu * nu * k.own(b.Values(l, l+1, n, &wide), f)
			}
		}}
	}
	_, w, ok := moment.NewObjective(&moment.Implicit{Data: source, D: d, Distinct: true}, from, unit, threads).TTSV(ctx, control)
	if !ok {
		return Estimate{}, block.Stopped(ctx, x)
	}
	with := 0.
	for _, v := range w {
		with += v / float64(from)
	}
	s := k.scratch()
	k.powers(s.left, data.V[:from*n])
	k.powers(s.right, data.V[:from*n])
	own := 0.
	for _, v := range k.pairs(s, from, from) {
		own += v / float64(from*from)
	}
	e := Estimate{Value: 2*with - own + self}
	if own > 0 {
		e.Least = with * with / own // Cauchy and Schwarz
	}

	// M with each other observation of the sample, and what is left of it with itself.
	m := rows - from
	v := data.V[from*n : rows*n]
	means, alone, singles := make([]float64, m), make([]float64, m), 0.
	index := make([]int, m)
	for lo := 0; lo < m; lo += normRows {
		hi := min(lo+normRows, m)
		k.powers(s.left, v[lo*n:hi*n])
		g := k.pairs(s, hi-lo, from)
		for l := lo; l < hi; l++ {
			for _, u := range g[(l-lo)*from : (l-lo+1)*from] {
				means[l] += u / float64(from)
			}
			at, nu := sample.Drawn(from + l)
			index[l] = at
			alone[l] = own - 2*means[l]
			if far {
				alone[l] += k.own(v[l*n:(l+1)*n], f)
			}
			alone[l] *= nu
			singles += alone[l] / float64(m)
		}
	}
	blocks := (m + normRows - 1) / normRows
	pairs := newSamplePairs(m, blocks)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks)}
	work := make([]*distinctScratch, t.Threads)
	for i := range work {
		work[i] = k.scratch()
	}
	t.Job = func(worker, i int) {
		s := work[worker]
		lo, hi := i*normRows, min((i+1)*normRows, m)
		k.powers(s.left, v[lo*n:hi*n])
		for first := 0; first < m && ctx.Err() == nil; first += normRows {
			last := min(first+normRows, m)
			k.powers(s.right, v[first*n:last*n])
			g := k.pairs(s, hi-lo, last-first)
			for l := lo; l < hi; l++ {
				row := g[(l-lo)*(last-first) : (l-lo+1)*(last-first)]
				for o := range row {
					row[o] += own - means[l] - means[first+o]
				}
				pairs.add(l, i, row, index[first:last], index[l])
			}
		}
	}
	if !t.Run(ctx, blocks) {
		return Estimate{}, ctx.Err()
	}
	pairs.estimate(&e, math.Max(0, 1-squares), alone, singles)
	return e, nil
}
