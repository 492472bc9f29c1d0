package topics

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"symmom/internal/moment/block"
)

// shareOut fills x with shares of sum 1, Dirichlet distributed with this parameter for each.
func shareOut(rng *rand.Rand, x []float64, alpha float64) {
	g := distuv.Gamma{Alpha: alpha, Beta: 1, Src: rng}
	total := 0.
	for i := range x {
		x[i] = g.Rand()
		total += x[i]
	}
	for i := range x {
		x[i] /= total
	}
}

// picker draws places in proportion to x.
func picker(rng *rand.Rand, x []float64) func() int {
	sums, total := make([]float64, len(x)), 0.
	for i, v := range x {
		total += v
		sums[i] = total
	}
	return func() int { return min(sort.SearchFloat64s(sums, rng.Float64()*total), len(x)-1) }
}

// drawn are documents of a topic model with k topics and their concentration, and the topics, k x n.
func drawn(seed uint64, k, docs, length, n int, a0, beta float64) (*block.SparseRows, []float64) {
	rng := rand.New(rand.NewPCG(seed, 58))
	mu, words := make([]float64, k*n), make([]func() int, k)
	for j := range k {
		shareOut(rng, mu[j*n:(j+1)*n], beta)
		words[j] = picker(rng, mu[j*n:(j+1)*n])
	}
	x := &block.Sparse{Start: []int{0}}
	shares, count := make([]float64, k), make([]float64, n)
	for range docs {
		shareOut(rng, shares, a0/float64(k))
		topic := picker(rng, shares)
		clear(count)
		for range length {
			count[words[topic()]()]++
		}
		for i, c := range count {
			if c > 0 {
				x.Index, x.V = append(x.Index, int32(i)), append(x.V, c)
			}
		}
		x.Start = append(x.Start, len(x.Index))
	}
	return &block.SparseRows{P: docs, N: n, Values: x}, mu
}

// dense returns the same documents with their zeros.
func dense(x *block.SparseRows) *block.Dense {
	d := &block.Dense{P: x.P, N: x.N}
	var wide []float64
	b := block.Block{Rows: x.P, Sparse: x.Values}
	d.V = append(d.V, b.Values(0, x.P, x.N, &wide)...)
	return d
}

// distance returns the mean over topics of the sum of absolute differences to the nearest found one.
func distance(mu, found []float64, k, n int) (mean float64) {
	for j := range k {
		best := math.Inf(1)
		for i := range k {
			apart := 0.
			for w := range n {
				apart += math.Abs(mu[j*n+w] - found[i*n+w])
			}
			best = math.Min(best, apart)
		}
		mean += best / float64(k)
	}
	return mean
}
