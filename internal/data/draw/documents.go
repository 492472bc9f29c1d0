package draw

import (
	"context"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"symmom/internal/store/interruptible"
)

// Documents are counts of words that a topic model draws (Blei, Ng & Jordan 2003): topics from a
// Dirichlet distribution with the parameter Prior for each word, the shares of each document from
// one of sum Concentration, and for each of Length places a topic, and a word of it.
type Documents struct {
	Topics        int
	Documents     int
	Words         int
	Length        int
	Concentration float64   // > 0
	Prior         float64   // > 0
	Weights       []float64 // of the topics; nil: equal
	Seed          uint64    // 0 is 1
}

// Draw returns the counts as compressed sparse rows, the topics, Topics x Words, and the shares of
// each document, or ctx's error.
func (g Documents) Draw(ctx context.Context) (start, word []int, count, topics, shares []float64, err error) {
	rng, k, n := Source(g.Seed), g.Topics, g.Words
	topics, shares = make([]float64, k*n), make([]float64, g.Documents*k)
	pick := make([]func() int, k)
	alpha := make([]float64, max(k, n))
	for j := range k {
		for i := range n {
			alpha[i] = g.Prior
		}
		dirichlet(topics[j*n:(j+1)*n], alpha, rng)
		pick[j] = picker(topics[j*n:(j+1)*n], rng)
	}
	total := 0.
	for j := range k {
		alpha[j] = 1
		if g.Weights != nil {
			alpha[j] = g.Weights[j]
		}
		total += alpha[j]
	}
	for j := range k {
		alpha[j] *= g.Concentration / total
	}
	start, times := []int{0}, make([]float64, n)
	watch := interruptible.Watch{Ctx: ctx}
	for l := range g.Documents {
		if err := watch.Stopped(l * (n + g.Length)); err != nil {
			return nil, nil, nil, nil, nil, err
		}
		own := shares[l*k : (l+1)*k]
		dirichlet(own, alpha, rng)
		topic := picker(own, rng)
		clear(times)
		for range g.Length {
			times[pick[topic()]()]++
		}
		for i, c := range times {
			if c > 0 {
				word, count = append(word, i), append(count, c)
			}
		}
		start = append(start, len(word))
	}
	return start, word, count, topics, shares, nil
}

// dirichlet fills x with shares of sum 1, with these parameters.
func dirichlet(x, alpha []float64, rng *rand.Rand) {
	total := 0.
	for total == 0 { // where all parameters are so small that every draw was
		for i := range x {
			x[i] = distuv.Gamma{Alpha: alpha[i], Beta: 1, Src: rng}.Rand()
			total += x[i]
		}
	}
	for i := range x {
		x[i] /= total
	}
}

// picker draws places in proportion to x.
func picker(x []float64, rng *rand.Rand) func() int {
	sums, total := make([]float64, len(x)), 0.
	for i, v := range x {
		total += v
		sums[i] = total
	}
	return func() int { return min(sort.SearchFloat64s(sums, rng.Float64()*total), len(x)-1) }
}
