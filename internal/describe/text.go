package describe

import (
	"fmt"
	"strings"

	"symmom/internal/htmltext"
	"symmom/internal/words"
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
			parts = append(parts, fmt.Sprintf("%.5g to %.5g", c.Min, c.Max))
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

func (t *Table) title() string {
	return fmt.Sprintf("%s: %s, %s of %s", t.Source, t.Format, words.Plural(t.Rows, "row"), words.Plural(len(t.Columns), "column"))
}

var header = []string{"column", "type", "missing", "holds"}

func (t *Table) rows() (rows [][]string) {
	for _, c := range t.Columns {
		rows = append(rows, []string{c.Name, c.Type, words.Count(c.Missing), c.Holds()})
	}
	return rows
}

// String lists the columns.
func (t *Table) String() string {
	if t.Failure != nil {
		return "failed description: " + t.Failure.Error()
	}
	var b strings.Builder
	b.WriteString(t.title())
	for _, row := range append([][]string{header}, t.rows()...) {
		fmt.Fprintf(&b, "\n  %-20s %-12s %9s  %s", row[0], row[1], row[2], row[3])
	}
	return b.String()
}

// HTML is String as a table for notebooks.
func (t *Table) HTML() string {
	if t.Failure != nil {
		return htmltext.Preformatted(t.String())
	}
	return htmltext.Table(t.title(), header, t.rows())
}
