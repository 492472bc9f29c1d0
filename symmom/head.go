package symmom

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment/block"
)

// Head returns the first k observations, fewer if there are no more, in the coordinates of the
// session. Rows are numbered from 1, and have their labels if there are any. Of a stream it
// reads as far as that; data left on a cluster have no order, and are refused.
func (s *Session) Head(k int) *NamedMatrix {
	if err := s.Err(); err != nil {
		return noMatrix(err)
	}
	if k < 1 {
		return noMatrix(&ArgumentError{Argument: "k", Value: k, Want: "at least 1 observation"})
	}
	if s.far() {
		return noMatrix(fmt.Errorf("%s: the observations stay on a cluster, in no order; Subsample draws some", s.data.Source))
	}
	if s.data.Forgotten() != nil {
		return noMatrix(fmt.Errorf("head: %w", s.data.Forgotten()))
	}
	index := make([]int, min(k, s.data.P))
	for i := range index {
		index[i] = i
	}
	first, err := block.Pick(s.context(), s.data.Storage, index)
	if err != nil {
		return noMatrix(interrupted("head", err))
	}
	m := &NamedMatrix{Dense: mat.NewDense(first.P, first.N, first.V), ColumnNames: s.Columns()}
	if l := s.data.Labels; l != nil {
		m.over = l.Name
		for i := range index {
			m.RowNames = append(m.RowNames, fmt.Sprintf("%d %s", i+1, l.Names[l.Codes[i]]))
		}
	}
	return m
}

// GroupMeans returns the mean of each group of labels, a column each, n x groups, in the
// coordinates of the session: for Score, or to look at. Observations without a label are left out.
// One pass.
func (s *Session) GroupMeans() *NamedMatrix {
	l := s.Labels()
	if l.err != nil {
		return noMatrix(l.err)
	}
	switch {
	case s.data.Forgotten() != nil:
		return noMatrix(fmt.Errorf("group means: %w", s.data.Forgotten()))
	case s.far():
		return noMatrix(fmt.Errorf("%s: the observations stay on a cluster; load or stream a part of them", s.data.Source))
	}
	ctx, x := s.context(), s.data.Storage
	n, done := s.data.N, 0
	sums, weight := mat.NewDense(len(l.Groups), n, nil), make([]float64, len(l.Groups))
	var scratch []float64
	if !x.Pass(ctx, func(b block.Block) {
		for i := range b.Rows {
			g, w := l.Of[done+i], b.Weight(i)
			weight[g] += w
			sum := sums.RawRowView(g)
			for j, v := range b.Values(i, i+1, n, &scratch) {
				sum[j] += w * v
			}
		}
		done += b.Rows
	}) {
		return noMatrix(interrupted("group means", block.Stopped(ctx, x)))
	}
	for g, w := range weight {
		for j := range n {
			sums.Set(g, j, sums.At(g, j)/w)
		}
	}
	groups := slices.Clone(l.Groups)
	if l.Missing >= 0 { // the last
		groups = groups[:l.Missing]
	}
	return &NamedMatrix{means: &groupMeans{s.coordinates}, Dense: mat.DenseCopyOf(sums.Slice(0, len(groups), 0, n).T()), RowNames: s.Columns(), ColumnNames: groups, over: l.Name, byRow: true}
}
