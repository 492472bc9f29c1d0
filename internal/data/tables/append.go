package tables

import (
	"context"
	"fmt"
	"slices"

	"symmom/internal/data/columns"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Sums holds the sums that Append updates. It is never
// changed.
type Sums struct {
	Second      *moment.Packed // nil for more than SecondMost variables
	Trace       float64        // of the second moment
	digest      fingerprint.Digest
	fingerprint string
}

const (
	SecondMost = 2048    // most variables for which the second moment is kept
	linkBytes  = 8 << 20 // smaller blocks are joined
)

// Append returns a table that also holds the observations of add, which must have the
// same variables. Each new observation weighs as much as one of the table if that has
// no weights, and otherwise as much as their mean. The table itself does not change.
func (t *Table) Append(ctx context.Context, add *load.Set) (*Table, error) {
	base, links, err := t.growing(ctx)
	if err != nil {
		return nil, err
	}
	p, m := float64(t.P), float64(add.P)
	a, b := p/(p+m), m/(p+m)
	x := add.Dense()

	k := &kept{totals: &Sums{}, disk: base.disk, weights: base.weights, float32: base.float32, stored: base.stored + m*float64(add.N)}
	seed := uint64(t.P) // seed of the reservoirs: different for each block
	k.seen = &Sketch{Sample: base.seen.Sample.Clone(p, seed), Extremes: base.seen.Extremes.Clone(p)}
	if !x.Pass(ctx, k.seen.add) {
		return nil, ctx.Err()
	}
	k.seen.finish()

	var trace float64
	var scratch []float64
	for l := range add.P {
		for _, v := range add.Row(l, &scratch) {
			trace += v * v / m
		}
	}
	k.totals.Trace = a*base.totals.Trace + b*trace
	if old := base.totals.Second; old != nil {
		second, err := moment.NewPacked(ctx, x, nil, 2, old.Unit(), 0)
		if err != nil {
			return nil, err
		}
		k.totals.Second = old.Mix(a, second, b)
	}
	data := *t.Info
	data.P = t.P + add.P
	if t.Forgotten() == nil {
		if data.Labels, err = columns.Append(t.Labels, t.P, add.Labels, add.P); err != nil {
			return nil, fmt.Errorf("append: got %w", err)
		}
	}
	out := &Table{Info: &data}
	for d, old := range t.Learned() {
		if out.learned == nil {
			out.learned = map[int]*Compression{}
		}
		if out.learned[d], err = old.mixed(ctx, a, x, b, base.totals); err != nil {
			return nil, err
		}
	}
	k.totals.digest = base.totals.digest
	add.AddTo(&k.totals.digest)
	if k.weights {
		before, err := t.Fingerprint(ctx)
		if err != nil {
			return nil, err
		}
		k.totals.fingerprint = fingerprint.Joined(before, add.Fingerprint())
	} else {
		k.totals.fingerprint = k.totals.digest.Sum(t.P+add.P, t.N, nil)
	}

	if t.Forgotten() != nil {
		out.Storage = t.gone(k, data.P)
	} else {
		out.Storage = &appended{Chain: &block.Chain{Links: link(links, x)}, kept: k}
	}
	return out, nil
}

// growing returns what is kept of the table, and its observations as links of a chain
// to append to, none if they were forgotten.
func (t *Table) growing(ctx context.Context) (*kept, []block.Source, error) {
	switch x := t.Storage.(type) {
	case *appended:
		return x.kept, x.Links, nil
	case *forgotten:
		return x.kept, nil, nil
	}
	x, n := t.Storage, t.N
	k := &kept{seen: x.Sketch(), totals: &Sums{}, disk: x.Slow(), weights: x.Weighted(), float32: x.Single(), stored: x.Stored()}
	var err error
	if k.totals.digest, err = x.Digest(ctx); err != nil {
		return nil, nil, err
	}
	if k.seen == nil {
		k.seen = newSketch(n)
		if !x.Pass(ctx, k.seen.add) {
			return nil, nil, t.Stopped(ctx)
		}
		k.seen.finish()
	}
	unit := k.seen.Span
	if unit == 0 {
		unit = 1 // all zero so far
	}
	links := []block.Source{x}
	if n <= SecondMost {
		second, err := moment.NewPacked(ctx, x, nil, 2, unit, 0)
		if err != nil {
			return nil, nil, err
		}
		k.totals.Second, k.totals.Trace = second, second.Trace()
		return k, links, nil
	}
	var scratch []float64
	if !x.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			w := x.Share()
			if b.Nu != nil {
				w *= b.Nu[l]
			}
			for _, v := range b.Values(l, l+1, n, &scratch) {
				k.totals.Trace += w * v * v
			}
		}
	}) {
		return nil, nil, t.Stopped(ctx)
	}
	return k, links, nil
}

// link returns links followed by x. Small blocks are joined with the ones before them,
// so that there are never many, at the cost of log p copies of each.
func link(links []block.Source, x *block.Dense) []block.Source {
	all := append([]block.Source(nil), links...)
	for len(all) > 1 { // the first belongs to the table
		last := all[len(all)-1].(*block.Dense)
		if last.P > 2*x.P || 8*(last.P+x.P)*x.N > linkBytes {
			break
		}
		x = &block.Dense{P: last.P + x.P, N: x.N, V: slices.Concat(last.V, x.V), V32: slices.Concat(last.V32, x.V32)}
		all = all[:len(all)-1]
	}
	return append(all, x)
}
