package tables

import (
	"context"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Some returns k of the observations and their indices, ascending, or all of them if there are
// at most k: one at random of each of k equal stretches of the table, in a pass. Of observations
// that stay on a cluster, without weights, they are some of those in the sample that was drawn
// there, fewer if that has fewer.
func (t *Table) Some(ctx context.Context, k int, seed uint64) (*block.Dense, []int, error) {
	if _, far := t.Storage.(block.Far); !far || t.Weighted() {
		index := block.Stratified(t.P, k, seed)
		x, err := block.Pick(ctx, t.Storage, index)
		return x, index, err
	}
	s, err := t.SampleFor(ctx, Seed)
	if err != nil {
		return nil, nil, err
	}
	x, at := s.Data(), map[int]int{}
	var drawn []int
	for i := range x.P { // an observation may be drawn again
		l, _ := s.Drawn(i)
		if _, again := at[l]; !again {
			drawn = append(drawn, l)
		}
		at[l] = i
	}
	slices.Sort(drawn)
	index := linalg.Picked(drawn, block.Stratified(len(drawn), k, seed))
	some := &block.Dense{P: len(index), N: x.N}
	for _, l := range index {
		some.V = append(some.V, x.V[at[l]*x.N:(at[l]+1)*x.N]...)
	}
	return some, index, nil
}
