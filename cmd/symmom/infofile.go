package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"symmom/internal/words"
	"symmom/symmom"
)

// fileColumnJSON is a column of the file, variable or not.
type fileColumnJSON struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Kind     string   `json:"kind"`
	Missing  int      `json:"missing"`
	Min      *number  `json:"min,omitempty"`
	Max      *number  `json:"max,omitempty"`
	From     string   `json:"from,omitempty"`
	To       string   `json:"to,omitempty"`
	Distinct int      `json:"distinct,omitempty"`
	First    []string `json:"first,omitempty"`
	OddLine  int      `json:"odd_line,omitempty"`
	OddValue *string  `json:"odd_value,omitempty"`
	holds    string
}

// addFile adds the contents of all columns of the file.
func (s *infoJSON) addFile(d *symmom.Description) {
	s.File = []fileColumnJSON{}
	if d.Err() != nil {
		return
	}
	s.Format, s.Rows = d.Format, d.Rows
	for _, c := range d.Columns {
		out := fileColumnJSON{Name: c.Name, Type: c.Type, Kind: c.Kind, Missing: c.Missing, From: c.From, To: c.To, Distinct: c.Distinct, First: c.First, OddLine: c.OddLine, holds: c.Holds()}
		if c.Min <= c.Max {
			lo, hi := number(c.Min), number(c.Max)
			out.Min, out.Max = &lo, &hi
		}
		if c.OddLine > 0 {
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
// numeric.
func fileText(s infoJSON, limit int) string {
	other := false
	for _, c := range s.File {
		other = other || c.Kind != "number"
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
		t.AppendRow(table.Row{c.Name, c.Type, words.Count(c.Missing), c.holds})
	}
	return t.Render() + "\n\n"
}

// numbersAlone selects only the numeric columns, and says what is wrong with the
// others.
func numbersAlone(d *symmom.Description) (columns []string, left []symmom.Warning) {
	at := 1
	for _, c := range d.Columns {
		last := at + max(1, c.Width) - 1
		switch {
		case c.Kind == "number" && last > at:
			columns = append(columns, fmt.Sprintf("%d-%d", at, last))
		case c.Kind == "number":
			columns = append(columns, fmt.Sprint(at))
		case c.Kind == "mixed":
			left = append(left, symmom.Warning{Code: symmom.WarnLeftOut, Help: []string{"Columns"},
				Text: fmt.Sprintf("%s holds %s; it is left out here, and refused elsewhere: correct the value, or choose other columns", c.Name, c.Holds())})
		case c.Kind == "empty":
			left = append(left, symmom.Warning{Code: symmom.WarnLeftOut, Help: []string{"Columns"},
				Text: fmt.Sprintf("%s has no value at all; it is left out here, and refused elsewhere: choose other columns", c.Name)})
		default:
			left = append(left, symmom.Warning{Code: symmom.WarnLeftOut, Text: fmt.Sprintf("%s holds no numbers (%s)", c.Name, c.Type)})
		}
		at = last + 1
	}
	return columns, left
}
