package topics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Model is what documents are compared with: topics, k x n, and the parameters of shares.
type Model struct {
	N      int
	Topics []float64
	Alpha  []float64
}

// reader finds the shares of documents, given topics.
type reader struct {
	*posterior
	ctx context.Context
}

func (m *Model) reader(ctx context.Context, threads int) *reader {
	k := len(m.Alpha)
	q := empty(m.N, m.Alpha)
	linalg.Transpose(q.words, q.stride, m.Topics, m.N, k)
	for j := range k {
		q.totals[j], q.inverse[j], q.given = 1, 1, true
	}
	r := &reader{posterior: q, ctx: ctx}
	q.threads(threads)
	return r
}

// each calls do for every document of x, numbered from 0, several at a time.
func (r *reader) each(x block.Source, do func(t *document, l int, index []int32, count []float64)) bool {
	done := 0
	const rows = 64
	var now block.Block
	pool := parallel.Pool{Threads: len(r.tiles), Job: func(worker, i int) {
		t := r.tiles[worker]
		for l := i * rows; l < min((i+1)*rows, now.Rows); l++ {
			index, count := t.of(now, l, r.n)
			do(t, done+l, index, count)
		}
	}}
	return x.Pass(r.ctx, func(b block.Block) {
		now = b
		pool.Run(r.ctx, (b.Rows+rows-1)/rows)
		done += b.Rows
	}) && r.ctx.Err() == nil
}

// Shares returns the expected shares of topics in each document, p x k. One pass. It returns
// ctx's error if cancelled.
func (m *Model) Shares(ctx context.Context, x block.Source, threads int) ([]float64, error) {
	p, _ := x.Shape()
	k, r := len(m.Alpha), m.reader(ctx, threads)
	shares := make([]float64, p*k)
	if !r.each(x, func(t *document, l int, index []int32, count []float64) {
		r.find(t, index, count)
		linalg.Axpy(1/sum(t.Now), t.Now[:k], shares[l*k:(l+1)*k])
	}) {
		return nil, block.Stopped(ctx, x)
	}
	return shares, nil
}

// ErrNoWords is that of documents with nothing to predict.
var ErrNoWords = errors.New("no document has a word to predict")

// Perplexity predicts one half of the words of each document, drawn at random, from the other: it
// returns exp of minus their mean log probability. One pass.
func (m *Model) Perplexity(ctx context.Context, x block.Source, seed uint64, threads int) (float64, error) {
	sums, err := sumOf(ctx, x, block.Pass{Kind: Sums, Orders: []int{halving, int(seed)}, Unit: 1, Data: [][]float64{m.Alpha, m.Topics}}, threads)
	switch {
	case err != nil:
		return 0, err
	case len(sums) != 2:
		return 0, errPass
	case sums[1] == 0:
		return 0, ErrNoWords
	}
	return math.Exp(-sums[0] / sums[1]), nil
}

// halves is the pass of Perplexity: it returns the sum of the logarithms, and how many there are. The
// half of a document depends on its number, which counts those before.
func (m *Model) halves(ctx context.Context, x block.Source, seed uint64, before, threads int) ([]float64, error) {
	p, _ := x.Shape()
	r := m.reader(ctx, threads)
	logs, words := make([]float64, p), make([]float64, p)
	if !r.each(x, func(t *document, l int, index []int32, count []float64) {
		rng := rand.New(rand.NewPCG(seed, uint64(before+l)))
		left := sum(count)
		take := math.Floor(left / 2)
		seen, rest := make([]float64, len(count)), slices.Clone(count)
		for i, c := range count {
			for range int(c) {
				if rng.Float64()*left < take {
					seen[i]++
					rest[i]--
					take--
				}
				left--
			}
		}
		r.find(t, index, seen)
		total := sum(t.Now)
		for i, c := range rest {
			if c > 0 {
				logs[l] += c * math.Log(linalg.Dot(t.Now, r.word(r.words, index[i]))/total)
				words[l] += c
			}
		}
	}) {
		return nil, cmp.Or(block.Stopped(ctx, x), ctx.Err())
	}
	return []float64{sum(logs), sum(words)}, nil
}

// Coherence returns, for some words of each topic, the mean normalized pointwise mutual
// information of the pairs of them in documents (Bouma 2009; Aletras & Stevenson 2013), from -1
// for words that never meet to 1 for those that always do. One pass.
func Coherence(ctx context.Context, x block.Source, top [][]int) ([]float64, error) {
	orders := []int{meeting}
	for _, t := range top {
		orders = append(append(orders, len(t)), t...)
	}
	meet, err := sumOf(ctx, x, block.Pass{Kind: Sums, Orders: orders, Unit: 1}, 1)
	if err != nil {
		return nil, err
	}
	p, _ := x.Shape()
	out := make([]float64, len(top))
	for k, t := range top {
		n, pairs := len(t), 0.
		if len(meet) < n*n {
			return nil, errPass
		}
		for i := range n {
			for j := range i {
				out[k] += mutual(meet[i*n+i], meet[j*n+j], meet[i*n+j], float64(p))
				pairs++
			}
		}
		out[k] /= math.Max(1, pairs)
		meet = meet[n*n:]
	}
	return out, nil
}

// meetings is the pass of Coherence: it returns, for each topic of t words, in how many documents
// each two of them are, t x t, at i >= j.
func meetings(ctx context.Context, x block.Source, n int, top [][]int) ([]float64, error) {
	type place struct{ topic, at int }
	of := make([][]place, n) // of each word
	var sums []float64
	meet, here := make([][]float64, len(top)), make([][]int, len(top))
	for k, t := range top {
		for at, w := range t {
			of[w] = append(of[w], place{k, at})
		}
		sums = append(sums, make([]float64, len(t)*len(t))...)
	}
	rest := sums
	for k, t := range top {
		meet[k], rest = rest[:len(t)*len(t)], rest[len(t)*len(t):]
	}
	var r rows
	if !x.Pass(ctx, func(b block.Block) {
		for l := 0; l < b.Rows && (l%1024 > 0 || ctx.Err() == nil); l++ {
			index, count := r.of(b, l, n)
			for i, w := range index {
				for _, p := range of[w] {
					if count[i] > 0 {
						here[p.topic] = append(here[p.topic], p.at)
					}
				}
			}
			for k, at := range here {
				for a, i := range at {
					for _, j := range at[:a+1] {
						meet[k][max(i, j)*len(top[k])+min(i, j)]++
					}
				}
				here[k] = at[:0]
			}
		}
	}) {
		return nil, block.Stopped(ctx, x)
	}
	return sums, ctx.Err()
}

// mutual returns the normalized mutual information of two words in a, in b and in both of p
// documents.
func mutual(a, b, both, p float64) float64 {
	switch {
	case both == 0:
		return -1
	case both == p:
		return 1
	}
	return math.Log(both*p/(a*b)) / -math.Log(both/p)
}

// Relevant returns the count words of topic j of highest relevance (Sievert & Shirley 2014), l
// log p(w|j) + (1-l) log p(w|j)/p(w) with l = .6, for the frequencies of words, which need not
// sum to 1.
func (m *Model) Relevant(j, count int, frequency []float64) []int {
	const l = .6
	total := sum(frequency)
	own := m.Topics[j*m.N : (j+1)*m.N]
	var words []int
	relevance := make([]float64, m.N)
	for i, x := range own {
		if x > 0 && frequency[i] > 0 {
			words = append(words, i)
			relevance[i] = math.Log(x) - (1-l)*math.Log(frequency[i]/total)
		}
	}
	slices.SortStableFunc(words, func(a, b int) int { return cmp.Compare(relevance[b], relevance[a]) })
	return words[:min(count, len(words))]
}
