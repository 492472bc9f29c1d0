package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/data/load"
	"symmom/internal/text/diag"
)

// Verdicts.
const (
	equal   = "equal"
	flagged = "flagged" // other than meant, with a warning of what may be wrong
	asked   = "asked"   // refused until an option decides
	refused = "refused" // with a reason
	silent  = "silent"  // other than meant, without a warning
)

// judge reads a file and compares the table with the one that was written. Rows with missing
// values are dropped from both. why is the first difference, or the error.
func judge(ctx context.Context, f *file) (verdict, why string, warned bool) {
	s, err := load.Read(ctx, strings.NewReader(f.Text), "table", "csv", load.Options{Missing: load.MissingDrop})
	if err != nil {
		for _, option := range diag.Help(err) {
			if slices.Contains([]string{"Header", "Decimal", "Delimiter"}, option) {
				return asked, err.Error(), false
			}
		}
		return refused, err.Error(), false
	}
	warned = slices.ContainsFunc(s.Notes, func(n diag.Warning) bool { return n.Code == diag.Header })
	why, about := differs(f.Truth, s)
	if why == "" {
		return equal, "", warned
	}
	for _, n := range s.Notes {
		if slices.Contains(about, n.Code) {
			return flagged, why + ": " + n.Text, warned
		}
	}
	return silent, why, warned
}

// differs returns the first difference, and the codes of the warnings that cover it.
func differs(t *table, s *load.Set) (why string, about []string) {
	var variables []*column
	var names []string
	for j := range t.Columns {
		if c := &t.Columns[j]; !c.Text && !c.Index {
			variables = append(variables, c)
			names = append(names, strings.TrimSpace(c.Name))
		}
	}
	indexed := t.Columns[0].Index
	rows := make([][]float64, t.p)
	for j, c := range variables {
		for i, v := range c.values() {
			if j == 0 {
				rows[i] = nil
			}
			rows[i] = append(rows[i], v)
		}
	}
	rows = slices.DeleteFunc(rows, func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) })
	skip := 0
	if indexed && s.N == len(variables)+1 {
		skip = 1 // the index is a variable, of which a warning is wanted
	}
	switch {
	case s.N-skip != len(variables):
		return fmt.Sprintf("%d variables, not %d", s.N, len(variables)), []string{diag.LeftOut, diag.Decimal}
	case s.P == len(rows)+1, s.P == len(rows)-1 && s.P > 0:
		return fmt.Sprintf("%d observations, not %d", s.P, len(rows)), []string{diag.Header}
	case s.P != len(rows):
		return fmt.Sprintf("%d observations, not %d", s.P, len(rows)), nil
	}
	for i, row := range rows {
		for j, v := range row {
			if got := s.Values[i*s.N+skip+j]; got != v {
				return fmt.Sprintf("%v in row %d, column %d, not %v", got, i+1, j+1, v), []string{diag.Decimal}
			}
		}
	}
	if t.Header != "none" && (s.Names == nil || !slices.Equal(s.Names[skip:], names)) {
		return fmt.Sprintf("names %q, not %q", s.Names, names), []string{diag.Header, diag.LeftOut}
	}
	if t.Header == "none" && s.Names != nil {
		return fmt.Sprintf("names %q, not none", s.Names), []string{diag.Header}
	}
	if skip > 0 {
		return "the index is a variable", []string{diag.IndexColumn, diag.LeftOut}
	}
	return "", nil
}
