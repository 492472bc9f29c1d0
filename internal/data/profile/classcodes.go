package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/text/diag"
)

// For columns that may hold the codes of known groups.
const (
	mostCodes = 20 // groups
	fewestOf  = 5  // observations of a group, on average
	// codesExplain is the share of the variance of another variable that lies between the groups: petal length
	// of iris .94, flavanoids of wine .73, the worst perimeter of breast_cancer .61.
	codesExplain = .5
)

// codeNames are common names of columns of known groups.
var codeNames = []string{"target", "class", "classes", "label", "labels", "group", "groups", "species", "cluster", "category", "diagnosis", "y"}

// ClassCodes warns of one of n variables with the values of column that may be the codes of known groups: whole
// numbers from 0 or 1 on without a gap, of a name that says so; or the only one of whole numbers, if its groups
// explain another variable, since answers and counts come several to a table or explain little. names may be fewer.
func ClassCodes(names []string, n int, column func(i int) []float64) []diag.Warning {
	whole, found := 0, -1
	for i := range n {
		v := column(i)
		if slices.ContainsFunc(v, func(v float64) bool { return v != math.Trunc(v) }) {
			continue
		}
		whole++
		if groupsOf(v) == 0 {
			continue
		}
		if i < len(names) && slices.Contains(codeNames, strings.ToLower(strings.TrimSpace(names[i]))) {
			return codesWarning(names[i], v)
		}
		found = i
	}
	if found < 0 || whole > 1 {
		return nil
	}
	v := column(found)
	for i := range n {
		if i != found && between(column(i), v) >= codesExplain {
			name := fmt.Sprintf("column %d", found+1)
			if found < len(names) {
				name = names[found]
			}
			return codesWarning(name, v)
		}
	}
	return nil
}

func codesWarning(name string, v []float64) []diag.Warning {
	return []diag.Warning{diag.New(diag.IndexColumn, "%s holds the whole numbers %g to %g alone, which may be codes of groups and no variable: take it for the labels, or choose the other columns", diag.Short(name), slices.Min(v), slices.Max(v)).With("Labels", "Columns")}
}

// groupsOf returns how many groups whole numbers are codes of, 0 if they are none.
func groupsOf(v []float64) int {
	lo, hi := slices.Min(v), slices.Max(v)
	k := hi - lo + 1
	if lo != 0 && lo != 1 || k < 2 || k > mostCodes || k*fewestOf > float64(len(v)) {
		return 0
	}
	seen := make([]bool, int(k))
	for _, x := range v {
		seen[int(x-lo)] = true
	}
	if slices.Contains(seen, false) {
		return 0
	}
	return len(seen)
}

// between returns the share of the variance of v that lies between groups.
func between(v, of []float64) float64 {
	var all, square float64
	sums, counts := map[float64]float64{}, map[float64]float64{}
	for l, x := range v {
		all += x / float64(len(v))
		sums[of[l]] += x
		counts[of[l]]++
	}
	for _, x := range v {
		square += (x - all) * (x - all)
	}
	var share float64
	for g, n := range counts {
		d := sums[g]/n - all
		share += n * d * d
	}
	return share / square
}
