package gmm

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// kmeansTrials returns the number of observations tried for each next center, of
// which the best is taken: 2 + log r, as in scikit-learn.
func kmeansTrials(r int) int { return 2 + int(math.Log(float64(r))) }

// KMeans returns r centers of observations in memory, and the mean square distance
// from the nearest center. The centers are drawn by k-means++ (Arthur &
// Vassilvitskii 2007), then moved to the means of the observations nearest to them,
// in at most rounds rounds (Lloyd 1982). If ctx is cancelled there are no centers. The observations without their
// zeros, unless nil, save time.
func KMeans(ctx context.Context, rows *block.Dense, without *block.SparseRows, r, rounds int, rng *rand.Rand) (centers []float64, square float64) {
	x, p, n := newPoints(rows, without), rows.P, rows.N
	centers = make([]float64, r*n)
	nearest, norms := make([]float64, p), make([]float64, p) // square distances; |v|^2
	var weight float64
	x.squares(norms)
	for l := range p {
		nearest[l] = math.Inf(1)
		weight += x.Weight(l)
	}
	u, first := rng.Float64()*weight, 0
	for ; first < p-1 && u >= x.Weight(first); first++ {
		u -= x.Weight(first)
	}
	distances, best := make([]float64, p), make([]float64, p)
	// from writes to out, which is not nearest, the distances once observation l is
	// one of the centers.
	from := func(l int, out []float64) (sum float64) {
		x.times(out, x.row(l))
		square := norms[l]
		for i, g := range out {
			out[i] = min(nearest[i], max(0, norms[i]-2*g+square))
			sum += x.Weight(i) * out[i]
		}
		return sum
	}
	total := from(first, distances)
	nearest, distances = distances, nearest
	copy(centers, x.row(first))
	for j := 1; j < r; j++ {
		least, chosen := math.Inf(1), 0
		for range kmeansTrials(r) {
			if ctx.Err() != nil {
				return nil, math.Inf(1)
			}
			u, l := rng.Float64()*total, 0
			for ; l < p-1; l++ {
				if u -= x.Weight(l) * nearest[l]; u < 0 {
					break
				}
			}
			if sum := from(l, distances); sum < least {
				least, chosen = sum, l
				best, distances = distances, best
			}
		}
		copy(centers[j*n:], x.row(chosen))
		nearest, best = best, nearest
		total = least
	}
	square = total / weight
	if rounds > 0 {
		square = lloyd(ctx, x, centers, norms, r, rounds)
	}
	if ctx.Err() != nil {
		return nil, square
	}
	return centers, square
}

// lloyd moves the centers, until ctx is cancelled, and returns the mean square distance
// from them.
func lloyd(ctx context.Context, x *points, centers, norms []float64, r, rounds int) (square float64) {
	p, n := x.P, x.N
	step := x.step()
	sums, counts, half := make([]float64, r*n), make([]float64, r), make([]float64, r)
	square = math.Inf(1)
	for range rounds {
		clear(sums)
		clear(counts)
		for j := range r {
			c := centers[j*n : (j+1)*n]
			half[j] = linalg.Dot(c, c) / 2
		}
		x.take(centers, r)
		var now, weight float64
		for lo := 0; lo < p; lo += step {
			if ctx.Err() != nil {
				return square
			}
			hi := min(lo+step, p)
			z := x.products(lo, hi)
			for l := lo; l < hi; l++ {
				at, top := 0, math.Inf(-1)
				for j, g := range z[(l-lo)*r : (l-lo+1)*r] {
					if g -= half[j]; g > top {
						at, top = j, g
					}
				}
				w := x.Weight(l)
				now += w * max(0, norms[l]-2*top)
				weight += w
				counts[at] += w
				x.add(sums[at*n:(at+1)*n], lo, l, w)
			}
		}
		for j, c := range counts {
			if c > 0 {
				x.ended(sums[j*n:(j+1)*n], c)
				copy(centers[j*n:(j+1)*n], sums[j*n:(j+1)*n])
				linalg.Scale(1/c, centers[j*n:(j+1)*n])
			}
		}
		now /= weight
		if now > square*(1-1e-4) {
			return now
		}
		square = now
	}
	return square
}
