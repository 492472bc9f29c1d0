package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"symmom/internal/words"
	"symmom/symmom"
)

// fileColumnJSON is a column of the file, variable or not.
type fileColumnJSON struct {
	Name      string   `json:"name"`
	Type      string   `json:"type"`
	Kind      string   `json:"kind"`
	Missing   int      `json:"missing"`
	Min       *number  `json:"min,omitempty"`
	Max       *number  `json:"max,omitempty"`
	From      string   `json:"from,omitempty"`
	To        string   `json:"to,omitempty"`
	Distinct  int      `json:"distinct,omitempty"`
	First     []string `json:"first,omitempty"`
	NotFinite int      `json:"not_finite,omitempty"`
	OddLine   int      `json:"odd_line,omitempty"`
	OddRow    int      `json:"odd_row,omitempty"`
	OddValue  *string  `json:"odd_value,omitempty"`
	of        *symmom.ColumnDescription
}

// addFile adds the contents of all columns of the file.
func (s *infoJSON) addFile(d *symmom.Description) {
	s.File = make([]fileColumnJSON, 0, len(d.Columns)) // of sparse files these can be millions
	if d.Err() != nil {
		return
	}
	s.Format, s.Rows = d.Format, d.Rows
	for i := range d.Columns {
		c := &d.Columns[i]
		out := fileColumnJSON{Name: c.Name, Type: c.Type, Kind: c.Kind, Missing: c.Missing, From: c.From, To: c.To, Distinct: c.Distinct, First: c.First, NotFinite: c.NotFinite, OddLine: c.OddLine, OddRow: c.OddRow, of: c}
		if c.Min <= c.Max {
			out.Min, out.Max = (*number)(&c.Min), (*number)(&c.Max)
		}
		if c.OddLine+c.OddRow > 0 {
			out.OddValue = &c.OddValue
		}
		s.File = append(s.File, out)
	}
}

// fileLine is the size of the file, of all columns, "" if it is not known.
func fileLine(s infoJSON) string {
	switch {
	case s.query:
		return "the rows of a query"
	case s.Format == "": // of a pipe, or several files
		return ""
	}
	return fmt.Sprintf("%s, %s of %s", s.Format, words.Plural(s.Rows, "row"), words.Plural(len(s.File), "column"))
}

// fileText lists the columns of the file, at most limit of them, if some are not
// numeric, or not finite.
func fileText(s infoJSON, limit int) string {
	other := false
	for _, c := range s.File {
		other = other || c.Kind != "number" || c.NotFinite > 0
	}
	if !other {
		return ""
	}
	t := columns(2, "in the file", "type", "missing", "holds")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 4, Align: textLeft, AlignHeader: textLeft}})
	for i, c := range s.File {
		if len(s.File) > limit && i >= limit/2 && i < len(s.File)-limit/2 {
			if i == limit/2 {
				t.AppendRow(table.Row{fmt.Sprintf("... %d more (--all)", len(s.File)-2*(limit/2))})
			}
			continue
		}
		t.AppendRow(table.Row{c.Name, c.Type, words.Count(c.Missing), c.of.Holds()})
	}
	return t.Render() + "\n\n"
}
