package topics

import (
	"context"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// least is the number of words of a document that the third moment takes.
const least = 3

// Documents are counts of words, with what one pass over them tells.
type Documents struct {
	block.Source
	Lengths []float64 // of each
	Empty   int       // documents without words
	Short   int       // and with fewer than three
	Words   []float64 // n: how often each occurs in all

	share  []float64    // weight of each document, of mean 1; nil if all are
	totals [4]float64   // by order: sum of weight / (L)_d over documents of at least d words
	used   [4]float64   // sum of their weights
	means  [4][]float64 // by order: mean of c / (L)_d over them
	noise  []float64    // n: variances of the entries of X2, added up by rows
}

// MostCount is how often a word may occur in a document: sums of squares of more would round.
const MostCount = 1<<31 - 1

// CountError says which value is none of a count.
type CountError struct {
	Row, Column int // from 0
	Value       float64
}

func (e *CountError) Error() string { return "not a count" }

// Survey makes a pass over counts. It returns a *CountError for a value that is negative or not
// whole, and ctx's error if cancelled.
func Survey(ctx context.Context, x block.Source) (*Documents, error) {
	p, n := x.Shape()
	d := &Documents{Source: x, Lengths: make([]float64, 0, p), Words: make([]float64, n), noise: make([]float64, n)}
	for q := range d.means {
		d.means[q] = make([]float64, n)
	}
	mean := float64(p) * x.Share()
	var wrong *CountError
	var row rows
	if !x.Pass(ctx, func(b block.Block) {
		if b.Nu != nil && d.share == nil {
			d.share = make([]float64, 0, p)
		}
		for l := 0; l < b.Rows && wrong == nil; l++ {
			if l%1024 == 0 && ctx.Err() != nil {
				return
			}
			index, c := row.of(b, l, n)
			length := 0.
			for i, v := range c {
				if !(v >= 0) || v != math.Trunc(v) || v > MostCount {
					wrong = &CountError{len(d.Lengths), int(index[i]), v}
					break
				}
				length += v
				d.Words[index[i]] += v
			}
			w := b.Weight(l) * mean
			d.Lengths = append(d.Lengths, length)
			if d.share != nil {
				d.share = append(d.share, w)
			}
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
				d.Empty++
			}
			if length < least {
				d.Short++
			}
		}
	}) {
		return nil, block.Stopped(ctx, x)
	}
	if wrong != nil {
		return nil, wrong
	}
	for q, m := range d.means {
		for i := range m {
			if d.used[q] > 0 {
				m[i] /= d.used[q]
			}
		}
	}
	return d, nil
}

// edge returns how large an eigenvalue of X2 can be by chance: twice the root of the largest sum
// of variances of its entries in a row (Bandeira & van Handel 2016).
func (d *Documents) edge() float64 { return 2 * math.Sqrt(slices.Max(d.noise)) / d.used[2] }

// weight returns that of document l, of mean 1.
func (d *Documents) weight(l int) float64 {
	if d.share == nil {
		return 1
	}
	return d.share[l]
}

// tokens returns the sum of all counts, weighted.
func (d *Documents) tokens() (sum float64) {
	for l, length := range d.Lengths {
		sum += d.weight(l) * length
	}
	return sum
}

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

// places are documents with the weights of the moment over a number of distinct places: their own
// over (L)_d, and 0 for those with fewer words. The mean of c x ... x c with these is totals/used
// times that of 1/(L)_d.
type places struct {
	*Documents
	order int
	nu    []float64
}

// places returns the documents weighted for order 1, 2 or 3.
func (d *Documents) places(order int) *places { return &places{Documents: d, order: order} }

// factor is what sums with weights of sum 1 are to be multiplied by.
func (s *places) factor() float64 { return s.totals[s.order] / s.used[s.order] }

func (s *places) Share() float64 { return 1 / s.totals[s.order] }

func (s *places) Pass(ctx context.Context, do func(block.Block)) bool {
	done := 0
	return s.Source.Pass(ctx, func(b block.Block) {
		s.nu = s.nu[:0]
		for l := range b.Rows {
			places := 1.
			for q := range s.order {
				places *= s.Lengths[done+l] - float64(q)
			}
			if places > 0 {
				places = s.weight(done+l) / places
			} else {
				places = 0
			}
			s.nu = append(s.nu, places)
		}
		done += b.Rows
		b.Nu = s.nu
		do(b)
	})
}
