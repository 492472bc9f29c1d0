package main

import (
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"symmom/internal/store/atomicfile"
)

// The documents for perplexity are further ones, of the same topics.
func TestTopicsDraw(t *testing.T) {
	g := topicsData{k: 2, docs: 300, length: 40, n: 30, a0: .5, uneven: true}
	given, further, mu, err := g.draw(t.Context(), 1)
	if err != nil || given.docs() != g.docs || further.docs() != heldOut || len(mu) != g.k*g.n {
		t.Fatal(err, given.docs(), further.docs(), len(mu))
	}
	if a := g.alpha(); math.Abs(a[0]-.5/11) > 1e-15 || math.Abs(a[1]-5./11) > 1e-15 {
		t.Errorf("parameters of shares %v", a)
	}
	counts := given.session(t.Context()).Matrix()
	if got := given.frequencies(); math.Abs(sumOf(got)-float64(g.docs*g.length)) > 0 || got[3] != floats.Sum(mat.Col(nil, 3, counts)) {
		t.Errorf("frequencies %v", got)
	}
	// The true topics predict better than each other's parts would.
	right, wrong := &foundTopics{mu: mu, Alpha: g.alpha()}, &foundTopics{mu: slices.Concat(mu[g.n:], mu[:g.n]), Alpha: g.alpha()}
	a, err := right.model(g.n).Perplexity(t.Context(), further.source(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := wrong.model(g.n).Perplexity(t.Context(), further.source(), 1, 1)
	if err != nil || !(a < b) || !(a < float64(g.n)) {
		t.Errorf("perplexity %g of the true topics, %g with their weights exchanged, %v", a, b, err)
	}
}

// What is written for the peer is what is read from it.
func TestTopicsFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "documents")
	c := &corpus{n: 3, start: []int{0, 2, 2, 3}, word: []int{0, 2, 1}, count: []float64{1, 4, 2}}
	if err := c.write(path); err != nil {
		t.Fatal(err)
	}
	got, err := readCorpus(path, 3)
	if err != nil || !slices.Equal(got.start, c.start) || !slices.Equal(got.word, c.word) || !slices.Equal(got.count, c.count) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := atomicfile.WriteFunc(path, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, []float64{.5, 2}) }); err != nil {
		t.Fatal(err)
	}
	if got, err := readRaw[float64](path); err != nil || !slices.Equal(got, []float64{.5, 2}) {
		t.Errorf("%v, %v", got, err)
	}
}

// Topics are matched, and compared by the sum of absolute differences.
func TestTopicsDistance(t *testing.T) {
	truth := []float64{.5, .5, 0, 0, .5, .5}
	found := []float64{0, .5, .5, .4, .5, .1}
	if d := topicsDistance(truth, found, 3); math.Abs(d-.1) > 1e-15 {
		t.Errorf("distance %g, want .1", d)
	}
}

// All models have the floor of a word, and sum 1.
func TestTopicsFloor(t *testing.T) {
	m := (&foundTopics{mu: []float64{1, 0, .5, .5}, Alpha: []float64{1, 2}}).model(2)
	if m.Topics[1] != leastOfAWord/(1+leastOfAWord) || math.Abs(sumOf(m.Topics)-2) > 1e-15 || !slices.Equal(m.Topics[2:], []float64{.5, .5}) {
		t.Errorf("%v", m.Topics)
	}
}
