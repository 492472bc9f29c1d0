package observations

import (
	"context"
	"math"
)

// treatMissing looks for infinities (an error), counts the missing values, and
// drops their rows or fills them. It reports whether it changed the values.
func (t *table) treatMissing(ctx context.Context, s *Set, how Missing) (changed bool, err error) {
	counts := make([]int, s.N)
	total := 0
	w := watch{ctx: ctx}
	for i := range s.P {
		if err := w.stopped(i * s.N); err != nil {
			return false, input{name: t.source}.readError(err)
		}
		for j, v := range s.row(i) {
			switch {
			case math.IsInf(v, 0):
				e := t.place(i, s.column(j), s.name(j), v)
				e.Want = "a finite number; correct the value, or make it a missing one (NaN)"
				return false, e
			case v != v:
				counts[j]++
				total++
			}
		}
	}
	lost := 0 // rows without a weight
	for i, w := range t.weights {
		if w != w && how == MissingDrop {
			lost++
			continue
		}
		if what := weightProblem(w); what != "" {
			e := t.place(i, t.weight, "weights", w)
			e.Want = what
			return false, e
		}
	}
	if total+lost == 0 {
		return false, nil
	}
	switch how {
	case MissingDrop:
		return true, t.dropRows(s)
	case MissingMean:
		return true, t.fillMeans(s, counts)
	}
	e := &MissingError{Source: t.source}
	for j, c := range counts {
		if c > 0 {
			e.Counts = append(e.Counts, ColumnCount{s.column(j), s.name(j), c})
		}
	}
	return false, e
}

func (t *table) dropRows(s *Set) error {
	values, weights := s.Values[:0], t.weights[:0]
	p := s.P
	for i := range p {
		row := s.row(i)
		whole := t.weights == nil || t.weights[i] == t.weights[i]
		for _, v := range row {
			whole = whole && v == v
		}
		if !whole {
			continue
		}
		values = append(values, row...)
		s.kept = append(s.kept, i)
		if t.weights != nil {
			weights = append(weights, t.weights[i])
		}
	}
	s.P, s.Values, s.Dropped = len(s.kept), values, p-len(s.kept)
	if t.weights != nil {
		t.weights = weights
	}
	if s.P == 0 {
		return fail(t.source, "each of the %d rows has a missing value, so dropping them leaves nothing; fill with the column mean, or choose other columns", p)
	}
	return nil
}

func (t *table) fillMeans(s *Set, counts []int) error {
	mean, k := make([]float64, s.N), make([]float64, s.N)
	for j, c := range counts {
		if c == s.P {
			return fail(t.source, "%s has no value at all, so it has no mean; leave the column out", s.Label(j))
		}
		s.Filled += c
	}
	for i := range s.P {
		for j, v := range s.row(i) {
			if v == v {
				k[j]++
				mean[j] += v/k[j] - mean[j]/k[j] // not (v-mean)/k: the difference may overflow
			}
		}
	}
	for i := range s.P {
		row := s.row(i)
		for j, v := range row {
			if v != v {
				row[j] = mean[j]
			}
		}
	}
	return nil
}
