package tables

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/words"
)

// Compression holds the data learned by the latest compressed fit of an order.
// It is never changed.
type Compression struct {
	Basis   *moment.Basis
	Wanted  int            // number of vectors requested; the basis can have fewer
	Rank    int            // that they are for; 0 if a person asked for so many
	From    int            // number of observations that the basis was chosen from
	Moment  *moment.Packed // in the coordinates of the basis
	Second  *moment.Packed // the same of order 2
	Mean    *moment.Packed // and of order 1
	outside float64        // spread outside the basis when it was chosen, relative to the largest eigenvalue; negative if unknown
}

// Serves reports whether the basis will do for a fit of a rank: with so many vectors, which a
// person asked for, or as many as the rank takes.
func (c *Compression) Serves(rank, vectors int, asked bool) bool {
	switch {
	case c.Basis.Whole || c.Basis.K == c.Basis.N:
		return true
	case c.Rank == 0:
		return vectors <= c.Wanted
	case asked:
		return vectors <= c.Basis.K // fewer than Wanted were as good for the rank
	}
	return rank <= c.Rank
}

// Learn keeps a basis, the moment in its coordinates, the second and the first, for tables
// derived from this one, beside those of other orders, whose bases can be others. wanted is
// the number of vectors requested for a rank, or by a person if that is 0.
func (t *Table) Learn(ctx context.Context, b *moment.Basis, wanted, rank int, m, second, mean *moment.Packed) error {
	l := &Compression{Basis: b, Wanted: wanted, Rank: rank, From: t.P, outside: -1, Moment: m, Second: second, Mean: mean}
	if s := t.Sums(); s != nil {
		var err error
		if l.outside, err = l.spread(ctx, s); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[int]*Compression{}
	maps.Copy(all, t.learned)
	all[m.Order()] = l
	t.learned = all
	return nil
}

// Learned returns the results of compressed fits for later ones, by order: not to be
// changed.
func (t *Table) Learned() map[int]*Compression {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.learned
}

// Compression returns the results of compressed fits of order d for later ones, or nil.
// What those of any other order have learned serves for order 2.
func (t *Table) Compression(d int) *Compression {
	all := t.Learned()
	c := all[d]
	if c != nil || d != 2 {
		return c
	}
	for _, order := range slices.Sorted(maps.Keys(all)) {
		if other := all[order]; c == nil || other.Wanted > c.Wanted {
			c = other
		}
	}
	if c != nil {
		second := *c
		second.Moment = c.Second
		c = &second
	}
	return c
}

// mixed returns what is known with weight a, and the observations x with weight b. before
// are the sums without x.
func (c *Compression) mixed(ctx context.Context, a float64, x *block.Dense, b float64, before *Sums) (*Compression, error) {
	mixed := *c
	for _, m := range []**moment.Packed{&mixed.Moment, &mixed.Second, &mixed.Mean} {
		add, err := moment.NewPacked(ctx, x, c.Basis, (*m).Order(), (*m).Unit(), 0)
		if err != nil {
			return nil, err
		}
		*m = (*m).Mix(a, add, b)
	}
	known, err := c.measured(ctx, before)
	if err != nil {
		return nil, err
	}
	mixed.outside = known.outside
	return &mixed, nil
}

// measured returns it with the spread outside known, if the sums are still those of the
// observations that the basis was chosen from.
func (c *Compression) measured(ctx context.Context, sums *Sums) (*Compression, error) {
	if c.outside >= 0 {
		return c, nil
	}
	known := *c
	var err error
	known.outside, err = c.spread(ctx, sums)
	return &known, err
}

// spread returns how far the data reach out of the basis: the largest eigenvalue of
// the second moment outside, relative to the largest inside. If the second moment of
// the data is not kept, it uses the whole trace outside instead.
func (c *Compression) spread(ctx context.Context, f *Sums) (float64, error) {
	inside, err := c.Second.Ritz(ctx)
	if err != nil || inside.Values[0] == 0 {
		return 0, err
	}
	if f.Second == nil {
		return math.Max(0, f.Trace-c.Second.Trace()) / inside.Values[0], nil
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
	inside, err := c.Second.Ritz(ctx)
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
func (t *Table) Remembered(cause error) error {
	all := t.Learned()
	var left []string
	for _, d := range slices.Sorted(maps.Keys(all)) {
		c := all[d]
		if c.Rank > 0 {
			left = append(left, fmt.Sprintf("%d up to rank %d", d, c.Rank))
		} else {
			left = append(left, fmt.Sprintf("%d with up to %s", d, words.Plural(c.Wanted, "basis vector")))
		}
	}
	return fmt.Errorf("%w of order %s", cause, strings.Join(left, ", "))
}
