package topics

import (
	"cmp"
	"context"
	"errors"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Sums is the kind of block.Pass that returns sums over documents. Orders begins with what they
// are; Unit is what weights of blocks are to be multiplied by to have the mean 1.
const Sums = "topics"

// What a pass sums up.
const (
	counting   = iota // of Survey, a tally; no Data
	stepping          // of a step; Data are the parameters of the shares, eta, and N_wj + eta
	estimating        // of estimate, the same Data and, if tau is wanted, the weights of the topics
	halving           // of Perplexity; Orders has the seed, Data are the parameters of the shares and the topics
	meeting           // of Coherence; Orders has the number of words of each topic, and these
)

// mostSums bounds the bytes of what a pass returns.
const mostSums = 1 << 30

// errPass is for what no message of topics says.
var errPass = errors.New("a pass of topics that does not fit the documents: the two programs are of different versions")

// Size returns how many numbers a pass over n words returns.
func Size(p block.Pass, n int) (size int) {
	switch {
	case len(p.Orders) == 0:
	case p.Orders[0] == counting:
		return tallySize(n)
	case p.Orders[0] == stepping && len(p.Data) > 2:
		return len(p.Data[2]) + 2 + len(p.Data[0]) + 1
	case p.Orders[0] == estimating && len(p.Data) > 2:
		return len(p.Data[2]) + 2
	case p.Orders[0] == meeting:
		top, _ := topOf(p.Orders[1:], n)
		for _, t := range top {
			size += len(t) * len(t)
		}
		return size
	}
	return 2
}

// sumOf makes a pass over x, by its parts if it is far.
func sumOf(ctx context.Context, x block.Source, p block.Pass, threads int) ([]float64, error) {
	far, ok := x.(block.Far)
	if !ok {
		return Sum(ctx, x, p, 0, threads)
	}
	sums, ok := far.Sum(ctx, p, nil)
	if !ok {
		return nil, cmp.Or(block.Stopped(ctx, x), ctx.Err(), errPass)
	}
	return sums, nil
}

// Sum makes a pass over documents x, whose Share must be 1 and which come after so many others, and
// returns its sums, which add up over several sources.
func Sum(ctx context.Context, x block.Source, p block.Pass, before, threads int) ([]float64, error) {
	_, n := x.Shape()
	if len(p.Orders) == 0 || !(p.Unit > 0) || 8*float64(Size(p, n)) > mostSums {
		return nil, errPass
	}
	switch what := p.Orders[0]; what {
	case counting:
		return count(ctx, x, p.Unit)
	case stepping, estimating:
		q, weights, err := posteriorOf(x, p, threads)
		if err == nil {
			err = q.sums(ctx, what, weights)
		}
		if err != nil {
			return nil, err
		}
		return q.groups[0].part(what), nil
	case halving:
		if len(p.Orders) != 2 || len(p.Data) != 2 || len(p.Data[0]) == 0 || len(p.Data[1]) != len(p.Data[0])*n {
			return nil, errPass
		}
		return (&Model{N: n, Alpha: p.Data[0], Topics: p.Data[1]}).halves(ctx, x, uint64(p.Orders[1]), before, threads)
	case meeting:
		top, err := topOf(p.Orders[1:], n)
		if err != nil {
			return nil, err
		}
		return meetings(ctx, x, n, top)
	}
	return nil, errPass
}

// part returns those of the sums that a pass makes.
func (g *group) part(what int) []float64 {
	if what == estimating {
		return g.all[:len(g.words)+len(g.pairs)]
	}
	return g.all
}

// sums makes a pass over the documents, and leaves its sums in the first group. estimating takes
// the weights of the topics, or nil.
func (q *posterior) sums(ctx context.Context, what int, weights []float64) error {
	x := q.docs.Source
	first := q.groups[0].part(what)
	if _, far := x.(block.Far); far {
		sums, err := sumOf(ctx, x, block.Pass{Kind: Sums, Orders: []int{what}, Unit: q.docs.mean, Data: [][]float64{q.alpha[:q.k], {q.eta}, q.words, weights}}, 1)
		if err == nil && len(sums) != len(first) {
			err = errPass
		}
		copy(first, sums)
		return err
	}
	for _, g := range q.groups {
		clear(g.part(what))
	}
	do := q.update
	if what == estimating {
		do = q.evidence(weights)
	}
	if !q.pass(ctx, do) {
		return cmp.Or(block.Stopped(ctx, x), ctx.Err())
	}
	for _, g := range q.groups[1:] {
		linalg.Axpy(1, g.part(what), first)
	}
	return nil
}

// posteriorOf returns that of a message, which keeps no counts.
func posteriorOf(x block.Source, p block.Pass, threads int) (q *posterior, weights []float64, err error) {
	_, n := x.Shape()
	if len(p.Data) != 4 || len(p.Data[0]) == 0 || len(p.Data[1]) != 1 {
		return nil, nil, errPass
	}
	q, weights = empty(n, p.Data[0]), p.Data[3]
	if len(weights) == 0 {
		weights = nil
	}
	if len(p.Data[2]) != len(q.words) || weights != nil && len(weights) != q.k {
		return nil, nil, errPass
	}
	q.docs, q.eta = &Documents{Source: x, mean: p.Unit}, p.Data[1][0]
	copy(q.words, p.Data[2])
	q.add()
	q.grouped(block.Groups(x, len(q.words)))
	q.threads(threads)
	return q, weights, nil
}

// topOf reads the words of topics from a message.
func topOf(from []int, n int) (top [][]int, err error) {
	for len(from) > 0 {
		count := from[0]
		if from = from[1:]; count < 0 || count > len(from) {
			return nil, errPass
		}
		for _, w := range from[:count] {
			if w < 0 || w >= n {
				return nil, errPass
			}
		}
		top, from = append(top, from[:count]), from[count:]
	}
	return top, nil
}
