package symmom

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement struct {
	Result // Err, String and HTML

	// AdjustedRand is the adjusted Rand index (Hubert & Arabie 1985) of the observations that
	// have a label and their most likely components: 1 for the same groups, 0 on average for
	// groups by chance.
	AdjustedRand float64
	Labelled     int      // observations with a label
	Name         string   // of the labels
	Groups       []string // by label; "(missing)" comes last
	Counts       [][]int  // observations of each group in each component
}

func noAgreement(err error) *Agreement { return made(&Agreement{Result: Result{err: err}}) }

// shown has a row for each label, and a column for each component.
func (a *Agreement) shown() shown {
	if a.err != nil {
		return &htmltext.Listing{Title: "failed agreement: " + a.err.Error()}
	}
	title := fmt.Sprintf("Adjusted Rand index %.5f", a.AdjustedRand)
	observations := 0
	for _, row := range a.Counts {
		for _, k := range row {
			observations += k
		}
	}
	if observations > a.Labelled {
		title += fmt.Sprintf(", of the %s with a label", words.Plural(a.Labelled, "observation"))
	}
	head, rows := a.rows()
	return &htmltext.Listing{Title: title, Head: head, Format: "%-20s" + strings.Repeat(" %8s", max(0, len(head)-1)), Rows: rows}
}

// rows are the groups with their counts by component, the first of many.
func (a *Agreement) rows() (header []string, rows [][]string) {
	const most = 20
	header = []string{a.Name}
	for i, group := range a.Groups {
		if i == most && len(a.Groups) > most+1 {
			return header, append(rows, append([]string{fmt.Sprintf("... and %d more", len(a.Groups)-most)}, make([]string, len(header)-1)...))
		}
		row := []string{group}
		for j, k := range a.Counts[i] {
			if i == 0 {
				header = append(header, fmt.Sprint(j+1))
			}
			row = append(row, words.Count(k))
		}
		rows = append(rows, row)
	}
	return header, rows
}

// Agreement compares the most likely components of the observations of s with their
// labels; see Labels.Agreement. s may be the data that the mixture was fitted to. One pass.
func (f *Mixture) Agreement(s *Session) *Agreement {
	if _, _, err := f.fits(s); err != nil {
		return noAgreement(err)
	}
	l := s.Labels()
	if l.err != nil {
		return noAgreement(l.err)
	}
	components, err := f.Predict(s)
	if err != nil {
		return noAgreement(err)
	}
	return l.Agreement(components, f.gmm.R)
}

// Agreement compares the components of the observations, each 0 to r-1 as
// Mixture.Predict returns them, with their labels, however groups and components are
// numbered. O(p).
func (l *Labels) Agreement(components []int, r int) *Agreement {
	if err := l.check(components, r); err != nil {
		return noAgreement(err)
	}
	a := &Agreement{Name: l.Name, Groups: l.Groups, Counts: crossTable(l.Of, components, len(l.Groups), r), Labelled: len(l.Of)}
	known := a.Counts // less those without a label
	if missing := l.Missing; missing >= 0 && missing < len(known) {
		for _, n := range known[missing] {
			a.Labelled -= n
		}
		known = slices.Concat(known[:missing], known[missing+1:])
	}
	if a.Labelled == 0 {
		return noAgreement(fmt.Errorf("agreement: none of the observations has a label (%s)", l.Name))
	}
	a.AdjustedRand = adjustedRand(known)
	return made(a)
}

// check refuses components that are not one of r for each labelled observation.
func (l *Labels) check(components []int, r int) error {
	within := func(argument string, of []int, n int) error {
		if i := slices.IndexFunc(of, func(j int) bool { return j < 0 || j >= n }); i >= 0 {
			return &ArgumentError{Argument: argument, Value: of[i], Want: fmt.Sprintf("0 to %d", n-1)}
		}
		return nil
	}
	switch {
	case l.err != nil:
		return l.err
	case len(l.Of) == 0:
		return ErrNoLabels
	case len(components) != len(l.Of):
		return &ArgumentError{Argument: "components", Value: words.Count(len(components)), Want: fmt.Sprintf("%s, one an observation", words.Count(len(l.Of)))}
	}
	return cmp.Or(within("components", components, r), within("Of", l.Of, len(l.Groups)))
}

// crossTable counts the observations that are in group i of one and j of the other of two
// groupings, of a and b groups; one whose group is below 0 in either is left out.
func crossTable(of, by []int, a, b int) [][]int {
	t := make([][]int, a)
	for i := range t {
		t[i] = make([]int, b)
	}
	for l, i := range of {
		if j := by[l]; i >= 0 && j >= 0 {
			t[i][j]++
		}
	}
	return t
}

// adjustedRand is the adjusted Rand index of Hubert & Arabie (1985): 1 if both ways are
// the same, 0 on average by chance,
//
//	(sum_ij C(n_ij,2) - E) / ((A + B)/2 - E),  E = A B / C(n,2),
//
// with A and B the sums of C(.,2) over the row and column sums. It is 1 as well if both
// have one group, or each observation is one of its own. As scikit-learn does, it
// computes with pairs of ordered observations.
func adjustedRand(t [][]int) float64 {
	var n, both, rows, columns float64
	var sums []float64 // of the columns
	for _, row := range t {
		if sums == nil {
			sums = make([]float64, len(row))
		}
		sum := 0.
		for j, k := range row {
			x := float64(k)
			both += x * x
			sum += x
			sums[j] += x
		}
		rows += sum * sum
		n += sum
	}
	for _, x := range sums {
		columns += x * x
	}
	// Pairs of observations that are together in both, in one, in neither.
	together := both - n
	first, second := rows-both, columns-both
	apart := n*n - first - second - both
	if first == 0 && second == 0 {
		return 1
	}
	return 2 * (together*apart - first*second) / ((together+second)*(second+apart) + (together+first)*(first+apart))
}
