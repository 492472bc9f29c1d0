package agreement

import (
	"fmt"
	"strings"

	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement struct {
	// AdjustedRand is the adjusted Rand index (Hubert & Arabie 1985) of the
	// observations that have a label and their most likely components: 1 for the same
	// groups, 0 on average for groups by chance.
	AdjustedRand float64
	Labelled     int      // observations with a label
	Name         string   // of the labels
	Groups       []string // by label; "(missing)" comes last
	Counts       [][]int  // observations of each group in each component

	// Failure is why there is none, or nil.
	Failure error
}

// Err returns the first error of the chain that led here, or nil.
func (a *Agreement) Err() error { return a.Failure }

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

func (a *Agreement) title() string {
	s := fmt.Sprintf("Adjusted Rand index %.5f", a.AdjustedRand)
	if missing := a.observations() - a.Labelled; missing > 0 {
		s += fmt.Sprintf(", of the %s with a label", words.Plural(a.Labelled, "observation"))
	}
	return s
}

func (a *Agreement) observations() (n int) {
	for _, row := range a.Counts {
		for _, k := range row {
			n += k
		}
	}
	return n
}

// listing has a row for each label, and a column for each component.
func (a *Agreement) listing() *htmltext.Listing {
	if a.Failure != nil {
		return &htmltext.Listing{Title: "failed agreement: " + a.Failure.Error()}
	}
	head, rows := a.rows()
	return &htmltext.Listing{Title: a.title(), Head: head, Format: "%-20s" + strings.Repeat(" %8s", max(0, len(head)-1)), Rows: rows}
}

// String shows the index, and the observations of each label in each component.
func (a *Agreement) String() string { return a.listing().String() }

// HTML is String as a table for notebooks.
func (a *Agreement) HTML() string { return a.listing().HTML() }
