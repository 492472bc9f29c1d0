package topics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
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
	for range parallel.Threads(threads) {
		q.tiles = append(q.tiles, q.document())
	}
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
	p, _ := x.Shape()
	r := m.reader(ctx, threads)
	logs, words := make([]float64, p), make([]float64, p)
	if !r.each(x, func(t *document, l int, index []int32, count []float64) {
		rng := rand.New(rand.NewPCG(seed, uint64(l)))
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
		return 0, block.Stopped(ctx, x)
	}
	if sum(words) == 0 {
		return 0, ErrNoWords
	}
	return math.Exp(-sum(logs) / sum(words)), nil
}

// Coherence returns, for some words of each topic, the mean normalized pointwise mutual
// information of the pairs of them in documents (Bouma 2009; Aletras & Stevenson 2013), from -1
// for words that never meet to 1 for those that always do. One pass.
func Coherence(ctx context.Context, x block.Source, n int, top [][]int) ([]float64, error) {
	p, _ := x.Shape()
	of := make([]int, n) // 1 + the place of a word among those of all topics
	var words []int
	for _, t := range top {
		for _, w := range t {
			if of[w] == 0 {
				words = append(words, w)
				of[w] = len(words)
			}
		}
	}
	sets := make([][]uint64, len(words)) // the documents of each
	for i := range sets {
		sets[i] = make([]uint64, (p+63)/64)
	}
	done := 0
	var r rows
	if !x.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			index, count := r.of(b, l, n)
			for i, w := range index {
				if at := of[w]; at > 0 && count[i] > 0 {
					sets[at-1][(done+l)/64] |= 1 << ((done + l) % 64)
				}
			}
		}
		done += b.Rows
	}) {
		return nil, block.Stopped(ctx, x)
	}
	out := make([]float64, len(top))
	for j, t := range top {
		pairs := 0.
		for i, w := range t {
			for _, v := range t[:i] {
				a, b := sets[of[w]-1], sets[of[v]-1]
				out[j] += mutual(meet(a, a), meet(b, b), meet(a, b), float64(p))
				pairs++
			}
		}
		out[j] /= math.Max(1, pairs)
	}
	return out, nil
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

// meet returns the number of documents in both of two sets.
func meet(a, b []uint64) float64 {
	n := 0
	for i, x := range a {
		n += bits.OnesCount64(x & b[i])
	}
	return float64(n)
}
