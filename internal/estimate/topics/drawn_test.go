package topics

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"symmom/internal/data/draw"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// shareOut fills x with shares of sum 1, Dirichlet distributed with this parameter for each.
func shareOut(rng *rand.Rand, x []float64, alpha float64) {
	g := distuv.Gamma{Alpha: alpha, Beta: 1, Src: rng}
	for i := range x {
		x[i] = g.Rand()
	}
	linalg.Scale(1/sum(x), x)
}

// drawn are documents of a topic model with k topics, and the topics, k x n.
func drawn(seed uint64, k, docs, length, n int, a0, beta float64) (*block.SparseRows, []float64) {
	g := draw.Documents{Topics: k, Documents: docs, Words: n, Length: length, Concentration: a0, Prior: beta, Seed: seed}
	start, word, count, topics, _, err := g.Draw(context.Background())
	if err != nil {
		panic(err)
	}
	x := &block.Sparse{Start: start, V: count}
	for _, w := range word {
		x.Index = append(x.Index, int32(w))
	}
	return &block.SparseRows{P: docs, N: n, Values: x}, topics
}

// dense returns the same documents with their zeros.
func dense(x *block.SparseRows) *block.Dense {
	d := &block.Dense{P: x.P, N: x.N}
	var wide []float64
	b := block.Block{Rows: x.P, Sparse: x.Values}
	d.V = append(d.V, b.Values(0, x.P, x.N, &wide)...)
	return d
}

// distance returns the mean over topics of the sum of absolute differences to the nearest found
// one.
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

// drawnOf is drawn with the same topics for all seeds.
func drawnOf(seed uint64, k, docs, length, n int, a0, beta float64) (*block.SparseRows, []float64) {
	all, mu := drawn(1, k, 41*docs, length, n, a0, beta)
	part := block.Block{Rows: all.P, Sparse: all.Values}.Part(int(seed)*docs, int(seed+1)*docs, n).Sparse
	from := part.Start[0]
	x := &block.Sparse{Index: part.Index[from:], V: part.V[from:]}
	for _, s := range part.Start {
		x.Start = append(x.Start, s-from)
	}
	return &block.SparseRows{P: docs, N: n, Values: x}, mu
}
