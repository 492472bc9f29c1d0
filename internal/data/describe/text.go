package describe

import (
	"fmt"
	"strings"

	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

func named(name string, j int) string {
	if name == "" {
		return fmt.Sprintf("column %d", j+1)
	}
	return name
}

// Holds says in words what a column holds.
func (c Column) Holds() string {
	switch {
	case c.Kind == Mixed:
		return fmt.Sprintf("numbers and text: %s in line %d", words.Quote(c.OddValue), c.OddLine)
	case c.Kind == Other && c.OddRow > 0:
		return fmt.Sprintf("%s in row %d", c.OddValue, c.OddRow)
	case c.Kind == Number:
		var parts []string
		if c.Min <= c.Max {
			parts = append(parts, words.Value(c.Min)+" to "+words.Value(c.Max))
		}
		if c.NotFinite > 0 {
			place := fmt.Sprintf("line %d", c.OddLine)
			if c.OddRow > 0 {
				place = fmt.Sprintf("row %d", c.OddRow)
			}
			parts = append(parts, fmt.Sprintf("%s not finite, the first %s in %s", words.Plural(c.NotFinite, "value"), words.Quote(c.OddValue), place))
		}
		return strings.Join(parts, ", and ")
	case c.Kind == Time && c.From != "":
		return fmt.Sprintf("%s to %s", c.From, c.To)
	case c.Kind == Text, c.Kind == Time:
		first := make([]string, len(c.First))
		for i, v := range c.First {
			first[i] = words.Quote(v)
		}
		many := words.Plural(c.Distinct, "value") + ": "
		if c.Distinct == MostDistinct {
			many = words.Count(c.Distinct) + " values or more: "
		}
		if c.Distinct > len(first) {
			first = append(first, "...")
		}
		return many + strings.Join(first, ", ")
	}
	return ""
}

// Err says why the table could not be described, or nil.
func (t *Table) Err() error { return t.Failure }

// listing has a row for each column.
func (t *Table) listing() *htmltext.Listing {
	if t.Failure != nil {
		return &htmltext.Listing{Title: "failed description: " + t.Failure.Error()}
	}
	l := &htmltext.Listing{Title: fmt.Sprintf("%s: %s, %s of %s", t.Source, t.Format, words.Plural(t.Rows, "row"), words.Plural(len(t.Columns), "column")),
		Head: []string{"column", "type", "missing", "holds"}, Format: "%-20s %-12s %9s  %s"}
	for _, c := range t.Columns {
		l.Rows = append(l.Rows, []string{c.Name, c.Type, words.Count(c.Missing), c.Holds()})
	}
	return l
}

// String lists the columns.
func (t *Table) String() string { return t.listing().String() }

// HTML is String as a table for notebooks.
func (t *Table) HTML() string { return t.listing().HTML() }
