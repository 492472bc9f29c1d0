package storage

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"symmom/internal/moment"
	"symmom/internal/words"
)

// Compression holds what a compressed fit has learned about the data. It is never
// changed.
type Compression struct {
	Basis   *moment.Basis
	Wanted  int                    // number of vectors requested; the basis can have fewer
	From    int                    // number of observations that the basis was chosen from
	Moments map[int]*moment.Packed // by order, in the coordinates of the basis; 2 is always present
	outside float64                // spread outside the basis when it was chosen, relative to the largest eigenvalue; negative if unknown
}

// Learn keeps a basis, the moment in its coordinates and the second moment, for tables
// derived from this one. wanted is the number of vectors requested.
func (t *Table) Learn(ctx context.Context, b *moment.Basis, wanted int, m, second *moment.Packed) error {
	l := &Compression{Basis: b, Wanted: wanted, From: t.P, outside: -1, Moments: map[int]*moment.Packed{2: second}}
	if old := t.Compression(); old != nil && old.From == l.From && slices.Equal(old.Basis.Q, b.Q) {
		maps.Copy(l.Moments, old.Moments) // those of other orders
	}
	l.Moments[m.Order()] = m
	if s := t.Sums(); s != nil {
		var err error
		if l.outside, err = l.spread(ctx, s); err != nil {
			return err
		}
	}
	t.mu.Lock()
	t.compression = l
	t.mu.Unlock()
	return nil
}

// spread returns how far the data reach out of the basis: the largest eigenvalue of
// the second moment outside, relative to the largest inside. If the second moment of
// the data is not kept, it uses the whole trace outside instead.
func (c *Compression) spread(ctx context.Context, f *Sums) (float64, error) {
	inside, err := c.Moments[2].Ritz(ctx)
	if err != nil || inside.Values[0] == 0 {
		return 0, err
	}
	if f.Second == nil {
		return math.Max(0, f.Trace-c.Moments[2].Trace()) / inside.Values[0], nil
	}
	outside, err := c.Basis.Outside(ctx, f.Second, 0)
	return outside / inside.Values[0], err
}

// Stale reports whether the basis must be renewed for a fit of rank r.
func (c *Compression) Stale(ctx context.Context, f *Sums, r int) (bool, error) {
	now, err := c.spread(ctx, f)
	if err != nil {
		return false, err
	}
	inside, err := c.Moments[2].Ritz(ctx)
	if err != nil {
		return false, err
	}
	least := inside.Values[min(r, len(inside.Values))-1] / inside.Values[0]
	if f.Second == nil { // the trace covers all directions at once: only growth is informative
		return now-c.outside > least/2, nil
	}
	return now > least/2 && now > 2*c.outside, nil
}

// Remembered returns an error that says which fits are still possible for a table that
// has forgotten its observations.
func (c *Compression) Remembered(cause error) error {
	orders := make([]int, 0, len(c.Moments))
	for d := range c.Moments {
		orders = append(orders, d)
	}
	slices.Sort(orders)
	return fmt.Errorf("%w of order %s with up to %s", cause, strings.Join(strings.Fields(strings.Trim(fmt.Sprint(orders), "[]")), ", "), words.Plural(c.Wanted, "basis vector"))
}
