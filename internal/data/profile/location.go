package profile

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
)

// Location is where the values of each variable lie, and how far they spread.
type Location struct {
	Mean, Deviation []float64 // weighted, the sums running over nu: no correction for the estimated mean; a constant variable has deviation 1
	Rest            []float64 // what rounding leaves of Mean, which is rounded
	Constant        []int     // variables
	Passes          int       // over the observations, with the one that moves them

	low, high             []float64
	heaviest              []float64    // observation with more than half of the weight, or nil
	near, left            []float64    // whose sum is Mean; left is what rounding left
	unit                  [][2]float64 // a power of 2 near the largest value, in two factors: no over- or underflow
	mean, rest, deviation []float64    // near, left and Deviation of the values times unit
}

// Locate describes n variables in two passes, each of which calls do with every observation
// and its weight; the weights sum to 1. do looks at variables lo to hi-1: several goroutines
// may go over the observations for variables of their own.
func Locate(n int, pass func(do func(nu float64, row []float64, lo, hi int)) error) (*Location, error) {
	some := func() []float64 { return make([]float64, n) }
	l := &Location{Passes: 3, Mean: some(), Rest: some(), Deviation: some(), near: some(), left: some(), unit: make([][2]float64, n), mean: some(), rest: some(), deviation: some(),
		low: slices.Repeat([]float64{math.Inf(1)}, n), high: slices.Repeat([]float64{math.Inf(-1)}, n)}
	if err := pass(func(nu float64, row []float64, lo, hi int) {
		if nu > .5 && lo == 0 {
			l.heaviest = slices.Clone(row)
		}
		low, high, mean := l.low[lo:hi], l.high[lo:hi], l.mean[lo:hi]
		for j, v := range row[lo:hi] {
			low[j], high[j] = min(low[j], v), max(high[j], v)
			mean[j] += nu * v
		}
	}); err != nil {
		return nil, err
	}
	// Differences from an observation that is nearly all of the mean are exact where they weigh
	// most.
	if l.heaviest != nil {
		l.mean = l.heaviest
	}
	for j, m := range l.mean {
		u := linalg.NearOne(max(math.Abs(l.low[j]), math.Abs(l.high[j])))
		l.unit[j], l.mean[j] = u, m*u[0]*u[1]
	}
	if err := pass(func(nu float64, row []float64, lo, hi int) {
		unit, mean, deviation, rest := l.unit[lo:hi], l.mean[lo:hi], l.deviation[lo:hi], l.rest[lo:hi]
		for j, v := range row[lo:hi] {
			d := v*unit[j][0]*unit[j][1] - mean[j]
			deviation[j] += nu * d * d
			rest[j] += nu * d
		}
	}); err != nil {
		return nil, err
	}
	for j, u := range l.unit {
		if l.low[j] == l.high[j] {
			l.Constant = append(l.Constant, j)
			l.mean[j], l.rest[j], l.deviation[j], l.unit[j] = l.low[j], 0, 1, [2]float64{1, 1}
		} else {
			l.deviation[j] = math.Sqrt(math.Max(0, l.deviation[j]-l.rest[j]*l.rest[j]))
		}
		u = l.unit[j]
		l.near[j], l.left[j] = l.mean[j]/u[0]/u[1], l.rest[j]/u[0]/u[1]
		l.Mean[j], l.Deviation[j] = l.near[j]+l.left[j], l.deviation[j]/u[0]/u[1]
		l.Rest[j] = l.left[j] - (l.Mean[j] - l.near[j])
	}
	return l, nil
}

// Move returns what subtracts the means from an observation and, unless it only centers,
// divides by the deviations. It refuses values so far apart that their differences are
// infinite, and data without any variance.
func (l *Location) Move(t Table, source string, onlyCenter bool) (func(row []float64), error) {
	if !onlyCenter {
		return l.standardize, l.Varies(t, source)
	}
	for j, m := range l.Mean {
		if math.IsInf(l.high[j]-m, 0) || math.IsInf(l.low[j]-m, 0) {
			return nil, diag.Fail(source, "%s: its values are too large to be shifted", t.Label(j))
		}
	}
	return l.center, nil
}

// Moved sets the root mean squares in the profile of weighted observations that were moved.
func (l *Location) Moved(pr *Profile, onlyCenter bool) {
	pr.Weighted = slices.Clone(l.Deviation)
	if !onlyCenter {
		for j := range pr.Weighted {
			pr.Weighted[j] = 1
		}
	}
	for _, j := range l.Constant {
		pr.Weighted[j] = 0
	}
}

func (l *Location) center(row []float64) {
	near, left := l.near[:len(row)], l.left[:len(row)]
	for j, v := range row {
		row[j] = v - near[j] - left[j]
	}
}

func (l *Location) standardize(row []float64) {
	unit, mean, rest, deviation := l.unit[:len(row)], l.mean[:len(row)], l.rest[:len(row)], l.deviation[:len(row)]
	for j, v := range row {
		row[j] = (v*unit[j][0]*unit[j][1] - mean[j] - rest[j]) / deviation[j]
	}
}

// Warnings returns those about data of which all variables were standardized, instead of
// those about constant ones.
func (l *Location) Warnings(t Table) []diag.Warning {
	var names []string
	for _, j := range l.Constant {
		names = append(names, diag.Short(t.Label(j)))
	}
	what, were := "one column is", "was"
	switch {
	case len(names) == 0:
		return nil
	case len(names) > 1:
		what, were = fmt.Sprintf("%d columns are", len(names)), "were"
	}
	return []diag.Warning{diag.New(diag.Constant, "%s constant%s and %s set to 0: %s", what, diag.AsFloat32(t.Single), were, diag.List(names))}
}

// Varies refuses to standardize data all of whose variables are constant.
func (l *Location) Varies(t Table, source string) error {
	if len(l.Constant) < t.N {
		return nil
	}
	return diag.Fail(source, "every column is constant%s, so nothing can be standardized", diag.AsFloat32(t.Single))
}
