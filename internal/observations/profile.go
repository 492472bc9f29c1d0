package observations

import (
	"cmp"
	"context"
	"math"
	"slices"

	"symmom/internal/notice"
)

// Ratios from which on columns count as of different scale.
const (
	// scaleRatio is of any two: the smaller one adds less than 1e-8 of the larger
	// one's share to a second moment.
	scaleRatio = 1e4
	// unitRatio is of the largest and all but a tenth of the columns, for the
	// values that are not zero: the units are a hundred apart then, which a sample
	// may show as less, and the small ones add next to nothing to a moment.
	unitRatio = 50
)

// profile is what one pass over the values shows.
type profile struct {
	squares  []float64 // sum of squares by column; NaN or Inf where a value is, or it overflowed
	constant []int     // columns (0-based) whose values are all equal
	finite   bool      // no value is NaN or infinite, surely
	largest  []float64 // largest absolute value by column where the values are not at hand, else nil
	nonzero  []int     // values that are not zero by column, likewise
}

// profileColumns costs one pass over the values. It returns the context's error
// soon after the context ends.
func profileColumns(ctx context.Context, s *Set) (profile, error) {
	p, n := s.P, s.N
	pr := profile{squares: make([]float64, n), constant: make([]int, n)}
	for j := range pr.constant {
		pr.constant[j] = j
	}
	var scratch []float64
	first := slices.Clone(s.Row(0, &scratch))
	w := watch{ctx: ctx}
	for i := range p {
		if err := w.stopped(i * n); err != nil {
			return pr, err
		}
		row := s.Row(i, &scratch)
		squares := pr.squares[:len(row)]
		for j, v := range row {
			squares[j] += v * v
		}
		if len(pr.constant) > 0 {
			still := pr.constant[:0]
			for _, j := range pr.constant {
				if row[j] == first[j] {
					still = append(still, j)
				}
			}
			pr.constant = still
		}
	}
	pr.finite = true
	for _, ss := range pr.squares {
		pr.finite = pr.finite && ss-ss == 0
	}
	return pr, nil
}

// rootMeanSquare of column j, right also where the squares overflow or underflow.
func (pr *profile) rootMeanSquare(s *Set, j int) float64 {
	ss, largest := pr.squares[j], 0.0
	if ss-ss == 0 && ss > 1e-290 {
		return math.Sqrt(ss / float64(s.P))
	}
	if pr.largest != nil {
		return pr.largest[j] // the order of magnitude is what counts
	}
	for i := range s.P {
		largest = max(largest, math.Abs(s.at(i, j)))
	}
	if largest == 0 {
		return 0
	}
	ss = 0
	for i := range s.P {
		v := s.at(i, j) / largest
		ss += v * v
	}
	return largest * math.Sqrt(ss/float64(s.P))
}

// columnSize is the root mean square of column j.
type columnSize struct {
	j   int
	rms float64
}

// apart returns two columns whose scales are so far apart that the larger one
// dominates every moment. That a column is mostly zero, as a pixel at the margin,
// is no matter of scale.
func (pr *profile) apart(s *Set, sizes []columnSize) (small, large columnSize, ok bool) {
	bySize := func(a, b columnSize) int { return cmp.Compare(a.rms, b.rms) }
	least, large := slices.MinFunc(sizes, bySize), slices.MaxFunc(sizes, bySize)
	if least.rms*scaleRatio < large.rms {
		return least, large, true
	}
	tenth := (len(sizes) - 1) / 10
	sorted := slices.SortedStableFunc(slices.Values(sizes), bySize)
	if sorted[tenth].rms*unitRatio > large.rms {
		return small, large, false
	}
	nonzero := pr.nonzero
	if nonzero == nil {
		nonzero = make([]int, s.N)
		var scratch []float64
		for i := range s.P {
			for j, v := range s.Row(i, &scratch) {
				if v != 0 {
					nonzero[j]++
				}
			}
		}
	}
	for i, c := range sorted {
		sorted[i].rms *= math.Sqrt(float64(s.P) / float64(nonzero[c.j]))
	}
	slices.SortStableFunc(sorted, bySize)
	small, large = sorted[tenth], slices.MaxFunc(sorted, bySize)
	return small, large, small.rms*unitRatio <= large.rms
}

// indexColumn is the warning of a first column that is no variable.
func indexColumn() notice.Warning {
	return notice.New(notice.IndexColumn, "column 1 has no name and counts the rows: it looks like an index, not a variable; choose the other columns").With("Columns")
}

// warnings about the values of s, which the profile is of.
func (pr *profile) warnings(s *Set) []notice.Warning {
	var w []notice.Warning
	var sizes []columnSize
	for j := range s.N {
		if rms := pr.rootMeanSquare(s, j); rms > 0 {
			sizes = append(sizes, columnSize{j, rms})
		}
	}
	if len(sizes) == 0 {
		return append(w, notice.New(notice.Zero, "every value is 0: there is nothing to decompose"))
	}
	if s.P == 1 {
		w = append(w, notice.New(notice.OneObservation, "there is only one observation: its moment has rank one and says nothing about a distribution"))
	}
	if small, large, ok := pr.apart(s, sizes); ok {
		w = append(w, notice.New(notice.Scales, "the columns are of very different scale: %s has root mean square %.3g, %s only %.3g, so the first dominates every moment; standardize the columns",
			short(s.Label(large.j)), large.rms, short(s.Label(small.j)), small.rms).With("Standardize"))
	}
	if len(pr.constant) > 0 && s.P > 1 {
		labels := make([]string, len(pr.constant))
		for a, j := range pr.constant {
			labels[a] = short(s.Label(j))
		}
		if len(labels) == 1 {
			w = append(w, notice.New(notice.Constant, "one column is constant: %s", labels[0]))
		} else {
			w = append(w, notice.New(notice.Constant, "%d columns are constant: %s", len(labels), list(labels)))
		}
	}
	return w
}
