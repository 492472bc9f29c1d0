package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"symmom/internal/data/draw"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/store/atomicfile"
	"symmom/symmom"
)

// heldOut documents are drawn with each set, for perplexity.
const heldOut = 500

// topicsData is a kind of drawn documents.
type topicsData struct {
	k, docs, length, n int
	a0                 float64
	uneven             bool // weights from 1 to 10, in equal ratios
	third              bool // of the seeds
	large              bool // the same; left out by -large=false
	quick              bool // for -quick
}

// topicsTable begins with the two settings of the first trial.
var topicsTable = []topicsData{
	{k: 10, docs: 5_000, length: 100, n: 2_000, a0: 1},
	{k: 20, docs: 20_000, length: 60, n: 2_000, a0: 2, third: true},
	{k: 10, docs: 5_000, length: 20, n: 2_000, a0: .5, quick: true},
	{k: 10, docs: 2_000, length: 300, n: 5_000, a0: 1},
	{k: 20, docs: 5_000, length: 100, n: 2_000, a0: 1, uneven: true, quick: true},
	{k: 50, docs: 10_000, length: 100, n: 5_000, a0: 2, third: true},
	{k: 100, docs: 20_000, length: 60, n: 5_000, a0: 3, large: true},
	{k: 20, docs: 100_000, length: 30, n: 50_000, a0: 1, large: true},
}

// seeds of so many for the others.
func (g topicsData) seeds(all uint64) uint64 {
	if g.third || g.large {
		return (all + 2) / 3
	}
	return all
}

// topicsPrior is the parameter of all words in the drawn topics.
const topicsPrior = .05

func (g topicsData) name() string {
	text := fmt.Sprintf("%d topics, %s documents of %d of %s words, a0 = %g", g.k, thousands(g.docs), g.length, thousands(g.n), g.a0)
	if g.uneven {
		text += ", unequal"
	}
	return text
}

// thousands formats a whole number below a million.
func thousands(v int) string {
	if v < 1000 {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%d,%03d", v/1000, v%1000)
}

// weights of the topics; nil: equal.
func (g topicsData) weights() (w []float64) {
	if g.uneven {
		for j := range g.k {
			w = append(w, math.Pow(10, float64(j)/float64(g.k-1)))
		}
	}
	return w
}

// alpha returns the parameters of the shares.
func (g topicsData) alpha() []float64 {
	alpha := g.weights()
	if alpha == nil {
		alpha = slices.Repeat([]float64{1}, g.k)
	}
	linalg.Scale(g.a0/sumOf(alpha), alpha)
	return alpha
}

// corpus are documents of n words, as compressed rows.
type corpus struct {
	n           int
	start, word []int
	count       []float64
}

// draw returns documents, further ones of the same model, and their topics, k x n.
func (g topicsData) draw(ctx context.Context, seed uint64) (given, further *corpus, mu []float64, err error) {
	d := draw.Documents{Topics: g.k, Documents: g.docs + heldOut, Words: g.n, Length: g.length, Concentration: g.a0, Prior: topicsPrior, Weights: g.weights(), Seed: seed}
	start, word, count, mu, _, err := d.Draw(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	all := &corpus{g.n, start, word, count}
	first := func(l int) bool { return l < g.docs }
	return all.only(first), all.only(func(l int) bool { return !first(l) }), mu, nil
}

func (c *corpus) docs() int { return len(c.start) - 1 }

// only returns some of the documents.
func (c *corpus) only(which func(l int) bool) *corpus {
	out := &corpus{n: c.n, start: []int{0}}
	for l := range c.docs() {
		if which(l) {
			from, to := c.start[l], c.start[l+1]
			out.word, out.count = append(out.word, c.word[from:to]...), append(out.count, c.count[from:to]...)
			out.start = append(out.start, len(out.word))
		}
	}
	return out
}

func (c *corpus) session(ctx context.Context) *symmom.Session {
	return symmom.FromCSR(c.n, c.start, c.word, c.count).WithContext(ctx)
}

// source returns the documents as the evaluation reads them.
func (c *corpus) source() block.Source {
	x := &block.Sparse{Start: c.start, V: c.count}
	for _, w := range c.word {
		x.Index = append(x.Index, int32(w))
	}
	return &block.SparseRows{P: c.docs(), N: c.n, Values: x}
}

// frequencies returns how often each word occurs.
func (c *corpus) frequencies() []float64 {
	f := make([]float64, c.n)
	for i, w := range c.word {
		f[w] += c.count[i]
	}
	return f
}

// write writes the documents for the peer.
func (c *corpus) write(path string) error {
	for part, values := range map[string]any{"start": int64s(c.start), "index": int64s(c.word), "count": c.count} {
		if err := atomicfile.WriteFunc(path+"."+part, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, values) }); err != nil {
			return err
		}
	}
	return nil
}

func int64s(x []int) (out []int64) {
	for _, v := range x {
		out = append(out, int64(v))
	}
	return out
}

// readRaw reads a file of so many numbers of 8 bytes.
func readRaw[T int64 | float64](path string) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(data)/8)
	_, err = binary.Decode(data, binary.LittleEndian, out)
	return out, err
}

// readCorpus reads what the peer wrote.
func readCorpus(path string, n int) (*corpus, error) {
	c := &corpus{n: n}
	for part, to := range map[string]*[]int{"start": &c.start, "index": &c.word} {
		values, err := readRaw[int64](path + "." + part)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			*to = append(*to, int(v))
		}
	}
	var err error
	c.count, err = readRaw[float64](path + ".count")
	return c, err
}
