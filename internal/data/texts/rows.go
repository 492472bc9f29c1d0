package texts

import (
	"context"
	"encoding/binary"
	"slices"

	"symmom/internal/data/load"
	"symmom/internal/moment/block"
)

// rows are those of some documents: the ends of each, and columns and counts of their entries,
// in the order of the columns.
type rows struct {
	ends   []int
	column []int32
	count  []int32
}

// each passes on the rows, some at a time.
func (c *Counts) each(ctx context.Context, take func(*rows) error) error {
	return inOrder(ctx, c.threads, func(_ context.Context, put func(part) error) error {
		for _, p := range c.parts {
			if err := put(p); err != nil {
				return err
			}
		}
		return nil
	}, func(_ context.Context, p part) *rows { return c.rowsOf(p) }, take)
}

// rowsOf returns those of a part.
func (c *Counts) rowsOf(p part) *rows {
	r := &rows{ends: make([]int, 0, p.documents)}
	var row []uint64 // column and count: sorted as one
	for from := p.rows; len(from) > 0; {
		next := func() int {
			x, size := binary.Uvarint(from)
			from = from[size:]
			return int(x)
		}
		row = row[:0]
		k := 0
		for range next() {
			k += next()
			count := uint64(next())
			if j := c.columns[p.words[k]]; j >= 0 {
				row = append(row, uint64(j)<<32|count)
			}
		}
		slices.Sort(row)
		for _, e := range row {
			r.column, r.count = append(r.column, int32(e>>32)), append(r.count, int32(e))
		}
		r.ends = append(r.ends, len(r.column))
	}
	return r
}

// Set returns the counts as a table without its zeros, whose columns have the names of the
// words.
func (c *Counts) Set(ctx context.Context, limit uint64) (*load.Set, error) {
	if err := c.room(12, limit); err != nil {
		return nil, err
	}
	x := &block.Sparse{Start: make([]int, 1, c.Documents+1), Index: make([]int32, 0, c.Stored), V: make([]float64, 0, c.Stored)}
	err := c.each(ctx, func(r *rows) error {
		n := len(x.V)
		for _, end := range r.ends {
			x.Start = append(x.Start, n+end)
		}
		x.Index = append(x.Index, r.column...)
		for _, v := range r.count {
			x.V = append(x.V, float64(v))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return load.FromSparse(c.Source, c.Words, x, len(c.Words)), nil
}
