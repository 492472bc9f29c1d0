package texts

import (
	"context"
	"encoding/binary"
	"slices"
)

// batch is what was counted in some documents.
type batch struct {
	documents         int
	words             []string // different ones
	inDocuments       []int32  // how many documents have each
	times             []int    // how often it is there
	rows              []byte   // of a part, in numbers of words
	total, stopped    int
	unspaced, letters int
}

// counter counts the words of one batch after the other.
type counter struct {
	tokens tokenizer
	stop   map[string]bool
	given  map[string]bool // the only words, or nil
	most   int             // words of a sequence

	number map[string]int32 // in the batch; -1: it is no word
	here   []int32          // times in the document
	seen   []int32          // words of the document
	text   []byte           // its words, with a space between two
	starts []int
}

func newCounter(o Options, stop, given map[string]bool) *counter {
	return &counter{tokens: tokenizer{numbers: o.Numbers}, stop: stop, given: given, most: max(1, o.NGrams), number: map[string]int32{}}
}

// count counts words until ctx ends.
func (c *counter) count(ctx context.Context, documents []string) *batch {
	b := &batch{documents: len(documents)}
	clear(c.number)
	c.here = c.here[:0]
	c.tokens.unspaced, c.tokens.unspacedLetters = 0, 0
	look := func() bool { return ctx.Err() == nil }
	for _, d := range documents {
		if !look() {
			break
		}
		c.text, c.starts, c.seen = c.text[:0], c.starts[:0], c.seen[:0]
		c.tokens.each(d, look, func(word []byte) { c.add(b, word) })
		slices.Sort(c.seen)
		b.rows = binary.AppendUvarint(b.rows, uint64(len(c.seen)))
		before := int32(0)
		for _, k := range c.seen {
			b.rows = binary.AppendUvarint(binary.AppendUvarint(b.rows, uint64(k-before)), uint64(c.here[k]))
			b.inDocuments[k]++
			b.times[k] += int(c.here[k])
			c.here[k], before = 0, k
		}
	}
	b.unspaced, b.letters = c.tokens.unspaced, c.tokens.unspacedLetters
	return b
}

// add takes the next word of a document, and the sequences that end with it.
func (c *counter) add(b *batch, word []byte) {
	if c.stop[string(word)] {
		b.stopped++
		return
	}
	if c.most == 1 {
		c.one(b, word)
		return
	}
	if len(c.starts) > 0 {
		c.text = append(c.text, ' ')
	}
	c.starts = append(c.starts, len(c.text))
	c.text = append(c.text, word...)
	for k := max(0, len(c.starts)-c.most); k < len(c.starts); k++ {
		c.one(b, c.text[c.starts[k]:])
	}
}

// one counts a word or a sequence.
func (c *counter) one(b *batch, word []byte) {
	b.total++
	k, ok := c.number[string(word)]
	if !ok {
		k = int32(len(b.words))
		w := string(word)
		if c.given != nil && !c.given[w] {
			k = -1
		} else {
			b.words, b.inDocuments, b.times, c.here = append(b.words, w), append(b.inDocuments, 0), append(b.times, 0), append(c.here, 0)
		}
		c.number[w] = k
	}
	if k < 0 {
		return
	}
	if c.here[k] == 0 {
		c.seen = append(c.seen, k)
	}
	c.here[k]++
}
