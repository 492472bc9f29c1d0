package objects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/data/describe"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// eigenvalues is how many there are at most.
const eigenvalues = 20

// Info is the output of info.
type Info struct {
	Schema       string       `json:"schema"`
	Source       string       `json:"source"`
	Observations int          `json:"observations"`
	N            int          `json:"n"`
	Weighted     bool         `json:"weighted"`
	Density      Number       `json:"density"`
	Shards       []shard      `json:"shards,omitempty"`
	Columns      []column     `json:"columns"`
	Constant     []string     `json:"constant"`
	Missing      int          `json:"missing"`
	Eigenvalues  []Number     `json:"eigenvalues"`
	Stand        *int         `json:"stand"` // of these; null: not known
	Suggested    *int         `json:"suggested_rank"`
	Fingerprint  string       `json:"fingerprint"`
	Format       string       `json:"format"`
	Rows         int          `json:"rows"`
	File         []fileColumn `json:"file"`
	Warnings     []string     `json:"warnings"`
	All          bool         `json:"-"` // the eigenvalues of the table
	Standing     string       `json:"-"` // what they suggest, if they are several
	Query        bool         `json:"-"` // of a database
	Treated      bool         `json:"-"` // missing values, by dropping rows or filling them
}

// shard is one of several files of a table.
type shard struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

type column struct {
	Number  int    `json:"number"`
	Name    string `json:"name"`
	Missing int    `json:"missing"`
	Mean    Number `json:"mean"`
	Std     Number `json:"std"`
	Min     Number `json:"min"`
	Max     Number `json:"max"`
}

// NewInfo returns the object of a table with these missing values in its columns.
func NewInfo(s *symmom.Summary, missing map[string]int, warnings []string) Info {
	out := Info{Schema: "info/3", Source: s.Source, Observations: s.Observations, N: s.N, Weighted: s.Weighted, Density: Number(s.Density),
		Columns: make([]column, 0, len(s.Variables)), Constant: []string{}, Fingerprint: s.Fingerprint,
		Warnings: warnings, All: len(s.Eigenvalues) <= eigenvalues,
		Treated: slices.ContainsFunc(s.Warnings, func(w symmom.Warning) bool { return w.Code == symmom.WarnIncomplete })}
	for _, f := range s.Shards {
		out.Shards = append(out.Shards, shard{f.Name, f.Rows})
	}
	for i, v := range s.Variables {
		name := Label(v.Name, i+1)
		if v.Min == v.Max {
			out.Constant = append(out.Constant, name)
		}
		out.Columns = append(out.Columns, column{v.Number, name, missing[name], Number(v.Mean), Number(v.Std), Number(v.Min), Number(v.Max)})
	}
	for _, n := range missing {
		out.Missing += n
	}
	out.Eigenvalues = Numbers(s.Eigenvalues[:min(eigenvalues, len(s.Eigenvalues))])
	if len(out.Eigenvalues) > 1 {
		out.Stand, out.Suggested, out.Standing = &s.Stand, orNull(s.SuggestedRank), frame.Standing(s.Stand, s.SuggestedRank)
	}
	return out
}

// Label returns a column's name as messages write it.
func Label(name string, number int) string {
	if name == "" {
		return fmt.Sprintf("column %d", number)
	}
	return name
}

// fileColumn is a column of the file, variable or not.
type fileColumn struct {
	Number    int              `json:"number"` // of a list, of its first number
	Name      string           `json:"name"`
	Type      string           `json:"type"`
	Kind      string           `json:"kind"`
	Missing   int              `json:"missing"`
	Min       *Number          `json:"min,omitempty"`
	Max       *Number          `json:"max,omitempty"`
	From      string           `json:"from,omitempty"`
	To        string           `json:"to,omitempty"`
	Distinct  int              `json:"distinct,omitempty"`
	First     []string         `json:"first,omitempty"`
	NotFinite int              `json:"not_finite,omitempty"`
	OddLine   int              `json:"odd_line,omitempty"`
	OddRow    int              `json:"odd_row,omitempty"`
	OddValue  *string          `json:"odd_value,omitempty"`
	Of        *describe.Column `json:"-"`
}

// AddFile adds the contents of all columns of the file.
func (s *Info) AddFile(d *describe.Table) {
	s.File = make([]fileColumn, 0, len(d.Columns)) // of sparse files these can be millions
	if d.Err() != nil {
		return
	}
	s.Format, s.Rows = d.Format, d.Rows
	at := 1
	for i := range d.Columns {
		c := &d.Columns[i]
		out := fileColumn{Number: at, Name: c.Name, Type: c.Type, Kind: c.Kind, Missing: c.Missing, From: c.From, To: c.To, Distinct: c.Distinct, First: c.First, NotFinite: c.NotFinite, OddLine: c.OddLine, OddRow: c.OddRow, Of: c}
		if c.Min <= c.Max {
			out.Min, out.Max = (*Number)(&c.Min), (*Number)(&c.Max)
		}
		if c.OddLine+c.OddRow > 0 {
			out.OddValue = &c.OddValue
		}
		s.File = append(s.File, out)
		at += max(1, c.Width)
	}
}

// Places are the numbers of a column, as --columns takes them.
func (c *fileColumn) Places() string {
	if w := c.Of.Width; w > 1 {
		return fmt.Sprintf("%d-%d", c.Number, c.Number+w-1)
	}
	return strconv.Itoa(c.Number)
}

// Named reports whether the source has names for its columns, beside which their numbers say
// something.
func (s Info) Named() bool {
	return slices.ContainsFunc(s.Columns, func(c column) bool { return c.Number > 0 && c.Name != Label("", c.Number) })
}

// FileLine is the size of the file, of all columns, "" if it is not known.
func (s Info) FileLine() string {
	switch {
	case s.Query:
		return "the rows of a query"
	case s.Format == "": // of a pipe, or several files
		return ""
	}
	return fmt.Sprintf("%s, %s of %s", s.Format, words.Plural(s.Rows, "row"), words.Plural(len(s.File), "column"))
}

// MissingText says how many values are missing, and what is described of the others.
func (s Info) MissingText() string {
	switch {
	case s.Missing == 0 && s.Treated:
		return "none left"
	case s.Missing == 0:
		return "none"
	}
	if len(s.Eigenvalues) == 0 {
		return words.Plural(s.Missing, "value") + "; no row is complete, so columns are described by the values they have"
	}
	return words.Plural(s.Missing, "value") + "; only complete rows are described"
}

// ConstantText names the constant columns.
func (s Info) ConstantText() string {
	names := s.Constant
	const show = 5
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > show:
		return fmt.Sprintf("%s: %s, ...", words.Plural(len(names), "column"), strings.Join(names[:show], ", "))
	}
	return strings.Join(names, ", ")
}
