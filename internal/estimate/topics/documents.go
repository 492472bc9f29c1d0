package topics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// least is the number of words of a document that the third moment takes.
const least = 3

// Documents are counts of words, with what one pass over them tells.
type Documents struct {
	block.Source
	Empty int // documents without words
	Short int // and with fewer than three
	*tally
	mean float64 // what weights of blocks are to be multiplied by to have the mean 1
}

// tally are sums over documents, one array for all; the sum of weights is about their number.
type tally struct {
	all    []float64
	few    []float64    // documents without words, and those with fewer than three
	tokens []float64    // 1: words, weighted
	totals []float64    // by order, 4: sum of weight / (L)_d over documents of at least d words
	used   []float64    // sum of their weights
	Words  []float64    // n: how often each occurs in all
	noise  []float64    // n: variances of the entries of X2, added up by rows
	means  [4][]float64 // by order, n each: of weight c / (L)_d; in Documents their mean
}

// tallied returns the sums that are in an array, of tallySize(n) numbers.
func tallied(all []float64, n int) *tally {
	t := &tally{all: all, few: all[:2], tokens: all[2:3], totals: all[3:7], used: all[7:11]}
	all = all[11:]
	next := func() (v []float64) {
		v, all = all[:n], all[n:]
		return v
	}
	t.Words, t.noise = next(), next()
	for q := 1; q < len(t.means); q++ {
		t.means[q] = next()
	}
	return t
}

func tallySize(n int) int { return 11 + 5*n }

// MostCount is how often a word may occur in a document: sums of squares of more would round.
const MostCount = 1<<31 - 1

// CountError says which value is none of a count.
type CountError struct {
	Row, Column int // from 0
	Value       float64
}

func (e *CountError) Error() string { return "not a count" }

// In returns the error as one of a source, with the name of the column or "".
func (e *CountError) In(source, name string) *diag.ParseError {
	return &diag.ParseError{Source: source, Row: e.Row + 1, Column: e.Column + 1, Name: name, Value: fmt.Sprint(e.Value),
		Want: fmt.Sprintf("a count of a word, a whole number from 0 to %s; symmom counts makes them of texts", words.Count(MostCount))}
}

// Survey makes a pass over counts. It returns a *CountError for a value that is negative or not
// whole, or what the parts of a source that is far make of it, and ctx's error if cancelled.
func Survey(ctx context.Context, x block.Source) (*Documents, error) {
	p, n := x.Shape()
	d := &Documents{Source: x, mean: 1}
	if share := x.Share(); share != 1/float64(p) {
		d.mean = float64(p) * share
	}
	sums, err := sumOf(ctx, x, block.Pass{Kind: Sums, Orders: []int{counting}, Unit: d.mean}, 1)
	if err != nil {
		return nil, err
	}
	if len(sums) != tallySize(n) {
		return nil, errPass
	}
	d.tally = tallied(sums, n)
	d.Empty, d.Short = int(d.few[0]), int(d.few[1])
	for q, m := range d.means {
		for i := range m {
			if d.used[q] > 0 {
				m[i] /= d.used[q]
			}
		}
	}
	return d, nil
}

// count is the pass of Survey.
func count(ctx context.Context, x block.Source, mean float64) ([]float64, error) {
	_, n := x.Shape()
	d := tallied(make([]float64, tallySize(n)), n)
	var wrong *CountError
	var row rows
	done := 0
	if !x.Pass(ctx, func(b block.Block) {
		for l := 0; l < b.Rows && wrong == nil; l++ {
			if l%1024 == 0 && ctx.Err() != nil {
				return
			}
			index, c := row.of(b, l, n)
			length := 0.
			for i, v := range c {
				if !(v >= 0) || v != math.Trunc(v) || v > MostCount {
					wrong = &CountError{done + l, int(index[i]), v}
					break
				}
				length += v
				d.Words[index[i]] += v
			}
			w := b.Weight(l) * mean
			d.tokens[0] += w * length
			places := 1.
			for q := 1; q < len(d.means) && length >= float64(q); q++ {
				places *= length - float64(q-1)
				d.totals[q] += w / places
				d.used[q] += w
				for i, v := range c {
					d.means[q][index[i]] += w / places * v
				}
			}
			if places := length * (length - 1); places > 0 {
				squares := linalg.Dot(c, c)
				for i, v := range c {
					d.noise[index[i]] += w * w / (places * places) * v * v * (squares - v*v)
				}
			}
			if length == 0 {
				d.few[0]++
			}
			if length < least {
				d.few[1]++
			}
		}
		done += b.Rows
	}) {
		return nil, block.Stopped(ctx, x)
	}
	if wrong != nil {
		return nil, wrong
	}
	return d.all, nil
}

// edge returns how large an eigenvalue of X2 can be by chance: twice the root of the largest sum
// of variances of its entries in a row (Bandeira & van Handel 2016).
func (d *Documents) edge() float64 { return 2 * math.Sqrt(slices.Max(d.noise)) / d.used[2] }

// places returns the documents weighted for the moment over 1, 2 or 3 distinct places: the mean of
// c x ... x c with these weights is totals/used times that of 1/(L)_d.
func (d *Documents) places(order int) block.Source {
	return block.Places(d.Source, order, d.mean/d.totals[order])
}

// factor is what sums with the weights of places are to be multiplied by.
func (d *Documents) factor(order int) float64 { return d.totals[order] / d.used[order] }

// rows reads the counts of documents that are not 0.
type rows struct {
	index []int32
	value []float64
	wide  []float64
}

// of returns the words and counts of document l of a block of n words, until the next call.
func (r *rows) of(b block.Block, l, n int) (index []int32, count []float64) {
	if s := b.Sparse; s != nil {
		from, to := s.Start[l], s.Start[l+1]
		if s.V32 == nil {
			return s.Index[from:to], s.V[from:to]
		}
		r.value = r.value[:0]
		for _, v := range s.V32[from:to] {
			r.value = append(r.value, float64(v))
		}
		return s.Index[from:to], r.value
	}
	r.index, r.value = r.index[:0], r.value[:0]
	for i, v := range b.Values(l, l+1, n, &r.wide) {
		if v != 0 {
			r.index, r.value = append(r.index, int32(i)), append(r.value, v)
		}
	}
	return r.index, r.value
}
