package load

import (
	"context"
	"math"
	"slices"

	"symmom/internal/data/formats"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// treatMissing looks for infinities (an error), counts the missing values, and
// drops their rows or fills them. It reports whether it changed the values.
func (t *table) treatMissing(ctx context.Context, s *Set, o Options) (changed bool, err error) {
	counts := make([]int, s.N)
	total := 0
	w := interruptible.Watch{Ctx: ctx}
	var scratch []float64
	for i := range s.P {
		if err := w.Stopped(i * s.N); err != nil {
			return false, formats.Named(t.source).ReadError(err)
		}
		for j, v := range s.Row(i, &scratch) {
			if math.IsInf(v, 0) {
				e := t.place(i, s.Column(j), s.name(j), v)
				e.Want = "a finite number; correct the value, or make it a missing one (NaN)"
				if o.Infinite == nil || s.Values == nil {
					return false, e
				}
				o.Infinite(e)
				v = math.NaN()
				s.Values[i*s.N+j] = v
			}
			if v != v {
				counts[j]++
				total++
			}
		}
	}
	lost := 0 // rows without a weight
	for i, w := range t.weights {
		if w != w && o.Missing == MissingDrop {
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
	switch o.Missing {
	case MissingDrop:
		return true, t.dropRows(s)
	case MissingMean:
		return true, t.fillMeans(s, counts, slices.Concat(o.RowWeights, t.weights))
	}
	e := &MissingError{Source: t.source}
	for j, c := range counts {
		if c > 0 {
			e.Counts = append(e.Counts, ColumnCount{Column: s.Column(j), Name: s.name(j), Count: c})
		}
	}
	return false, e
}

func (t *table) dropRows(s *Set) error {
	weights := t.weights[:0]
	p, n := s.P, s.N
	var scratch []float64
	for i := range p {
		row := s.Row(i, &scratch)
		whole := t.weights == nil || t.weights[i] == t.weights[i]
		for _, v := range row {
			whole = whole && v == v
		}
		if !whole {
			continue
		}
		to := len(s.kept) * n
		if s.Values32 == nil {
			copy(s.Values[to:to+n], row)
		} else {
			copy(s.Values32[to:to+n], s.Values32[i*n:])
		}
		s.kept = append(s.kept, i)
		if t.weights != nil {
			weights = append(weights, t.weights[i])
		}
	}
	s.P, s.Dropped = len(s.kept), p-len(s.kept)
	s.Values, s.Values32 = s.Values[:min(s.P*n, len(s.Values))], s.Values32[:min(s.P*n, len(s.Values32))] // one is nil
	t.weights = weights
	if s.P == 0 {
		return diag.Helped(empty(t.source, "each of the %s rows has a missing value, so dropping them leaves nothing; fill with the column mean, or choose other columns", words.Count(p)), "Columns")
	}
	return nil
}

func (t *table) fillMeans(s *Set, counts []int, weights []float64) error {
	largest := slices.Max(append(weights, 0)) // the sum of the weights themselves may overflow
	mean, k := make([]float64, s.N), make([]float64, s.N)
	var scratch []float64
	for j, c := range counts {
		if c == s.P {
			return fail(t.source, "%s has no value at all, so it has no mean; leave the column out", short(s.Label(j)))
		}
		s.Filled += c
	}
	for i := range s.P {
		nu := 1.
		if len(weights) >= s.P { // other numbers of them are refused later
			nu = weights[i] / largest
		}
		for j, v := range s.Row(i, &scratch) {
			if v == v {
				k[j] += nu
				mean[j] += nu/k[j]*v - nu/k[j]*mean[j] // not (v-mean)/k: the difference may overflow
			}
		}
	}
	for i := range s.P {
		row := s.Row(i, &scratch)
		for j, v := range row {
			if v != v {
				row[j] = mean[j]
			}
		}
		s.put(i, row)
	}
	return nil
}
