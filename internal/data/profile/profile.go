// Package profile describes the columns of a table and warns of problems with the data. Sweep
// makes one pass over all values, on all processors: each block is read from its file and,
// while it is in the cache, its columns are profiled. The result does not depend on the number
// of processors, nor on other contents of the file.
package profile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
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

// Table is what is profiled: P x N values, by row and one by one, and the names of columns
// for messages.
type Table struct {
	P, N   int
	Row    func(i int, scratch *[]float64) []float64
	At     func(i, j int) float64
	Label  func(j int) string
	Single bool // the values are kept as float32

	Weighted bool // the observations have weights
}

// Profile is the result of one pass over the values.
type Profile struct {
	Squares  []float64 // sum of squares by column; NaN or Inf where a value is, or it overflowed
	Constant []int     // columns (0-based) whose values are all equal
	Finite   bool      // no value is NaN or infinite, surely
	Largest  []float64 // largest absolute value by column where the values are not at hand, else nil
	Nonzero  []int     // values that are not zero by column, likewise
	Weighted []float64 // root mean square with weights by column, or nil if it is not known
}

// New returns the profile of no observations yet of n variables.
func New(n int) Profile {
	pr := Profile{Squares: make([]float64, n), Constant: make([]int, n)}
	for j := range pr.Constant {
		pr.Constant[j] = j
	}
	return pr
}

// Begin begins anew, with columns that are constant so far.
func (pr *Profile) Begin(constant []int) {
	clear(pr.Squares)
	pr.Constant = append(pr.Constant[:0], constant...)
}

// Add looks at further rows of a table, whose first row is first.
func (pr *Profile) Add(values, first []float64) {
	n := len(first)
	linalg.AddSquares(pr.Squares[:n], values)
	for ; len(values) >= n && len(pr.Constant) > 0; values = values[n:] {
		still := pr.Constant[:0]
		for _, j := range pr.Constant {
			if values[j] == first[j] {
				still = append(still, j)
			}
		}
		pr.Constant = still
	}
}

// Join adds the profile of the rows that follow.
func (pr *Profile) Join(next *Profile) {
	for j, ss := range next.Squares {
		pr.Squares[j] += ss
	}
	still := pr.Constant[:0]
	k := 0
	for _, j := range pr.Constant {
		for k < len(next.Constant) && next.Constant[k] < j {
			k++
		}
		if k < len(next.Constant) && next.Constant[k] == j {
			still = append(still, j)
		}
	}
	pr.Constant = still
}

// Finish sets Finite, after the last row.
func (pr *Profile) Finish() {
	pr.Finite = true
	for _, ss := range pr.Squares {
		pr.Finite = pr.Finite && ss-ss == 0
	}
}

// RootMeanSquare returns that of column j, right also where the squares overflow or underflow;
// with weights only where it is known.
func (pr *Profile) RootMeanSquare(s Table, j int) float64 {
	if pr.Weighted != nil {
		return pr.Weighted[j]
	}
	ss, largest := pr.Squares[j], 0.0
	if ss-ss == 0 && ss > 1e-290 {
		return math.Sqrt(ss / float64(s.P))
	}
	if pr.Largest != nil {
		return pr.Largest[j] // the order of magnitude is what counts
	}
	for i := range s.P {
		largest = max(largest, math.Abs(s.At(i, j)))
	}
	if largest == 0 {
		return 0
	}
	ss = 0
	for i := range s.P {
		v := s.At(i, j) / largest
		ss += v * v
	}
	return largest * math.Sqrt(ss/float64(s.P))
}

// columnSize is the root mean square of column j, of all its values or of those that are not zero.
type columnSize struct {
	j   int
	rms float64
}

// apart returns two columns whose scales are so far apart that the larger one
// dominates every moment, and which of their values tell. That a column is mostly zero, as a
// pixel at the margin, is no matter of scale.
func (pr *Profile) apart(s Table, sizes []columnSize) (small, large columnSize, of string, ok bool) {
	bySize := func(a, b columnSize) int { return cmp.Compare(a.rms, b.rms) }
	least, large := slices.MinFunc(sizes, bySize), slices.MaxFunc(sizes, bySize)
	if least.rms*scaleRatio < large.rms {
		return least, large, "", true
	}
	tenth := (len(sizes) - 1) / 10
	sorted := slices.SortedStableFunc(slices.Values(sizes), bySize)
	if sorted[tenth].rms*unitRatio > large.rms {
		return small, large, "", false
	}
	nonzero := pr.Nonzero
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
		if nonzero[c.j] < s.P {
			of = " where they are not 0"
		}
		sorted[i].rms *= math.Sqrt(float64(s.P) / float64(nonzero[c.j]))
	}
	slices.SortStableFunc(sorted, bySize)
	small, large = sorted[tenth], slices.MaxFunc(sorted, bySize)
	return small, large, of, small.rms*unitRatio <= large.rms
}

// aside returns a warning of scales with the doubt, once, that its numbers know no weights, or
// other ones.
func aside(w diag.Warning) diag.Warning {
	const doubt = " (the root mean squares leave the weights aside)"
	w.Text = strings.TrimSuffix(w.Text, doubt) + doubt
	return w
}

// Weighted returns the warnings of observations that get weights.
func Weighted(warnings []diag.Warning) []diag.Warning {
	out := slices.Clone(warnings)
	for i, w := range out {
		if w.Code == diag.Scales {
			out[i] = aside(w)
		}
	}
	return out
}

// Warnings returns those about the values of s, whose profile it is.
func (pr *Profile) Warnings(s Table) []diag.Warning {
	var w []diag.Warning
	var sizes []columnSize
	for j := range s.N {
		if rms := pr.RootMeanSquare(s, j); rms > 0 {
			sizes = append(sizes, columnSize{j, rms})
		}
	}
	if len(sizes) == 0 {
		return append(w, diag.New(diag.Zero, "every value is 0%s: there is nothing to decompose", diag.AsFloat32(s.Single)))
	}
	if s.P == 1 {
		w = append(w, diag.New(diag.OneObservation, "there is only one observation: its moment has rank one and says nothing about a distribution"))
	}
	if small, large, of, ok := pr.apart(s, sizes); ok {
		scales := diag.New(diag.Scales, "the columns are of very different scale: %s has root mean square %.3g, %s only %.3g%s, so the first dominates every moment; standardize the columns",
			diag.Short(s.Label(large.j)), large.rms, diag.Short(s.Label(small.j)), small.rms, of).With("Standardize")
		if s.Weighted && (pr.Weighted == nil || of != "") {
			scales = aside(scales)
		}
		w = append(w, scales)
	}
	if len(pr.Constant) > 0 && s.P > 1 {
		labels := make([]string, len(pr.Constant))
		for a, j := range pr.Constant {
			labels[a] = diag.Short(s.Label(j))
		}
		if len(labels) == 1 {
			w = append(w, diag.New(diag.Constant, "one column is constant%s: %s", diag.AsFloat32(s.Single), labels[0]))
		} else {
			w = append(w, diag.New(diag.Constant, "%d columns are constant%s: %s", len(labels), diag.AsFloat32(s.Single), diag.List(labels)))
		}
	}
	if pr.Largest != nil { // neither centered nor standardized later
		w = append(w, pr.Rounded(s)...)
	}
	return w
}

// Sparse makes the profile of sparse observations of n variables.
func Sparse(x *block.Sparse, n int) *Profile {
	r := NewRunning(n)
	r.addSparse(x)
	r.Finite = true
	return &r.Profile
}
