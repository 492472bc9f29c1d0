package symmom

import (
	"fmt"
	"strconv"
	"strings"

	"symmom/internal/htmltext"
)

// String gives the conclusion, and a line for each piece of evidence.
func (s *RankSuggestion) String() string {
	if s.Conclusion == "" {
		return errorLine("rank", s.err)
	}
	var b strings.Builder
	b.WriteString(s.title())
	for _, e := range s.Evidence {
		fmt.Fprintf(&b, "\n  %-13s  %4s  %-6s  %s", e.Kind, e.shown(), e.Sure, e.Text)
	}
	fmt.Fprintf(&b, "\n  %s", s.Conclusion)
	if s.err != nil {
		fmt.Fprintf(&b, "\n  error: %s", s.err)
	}
	return b.String()
}

// HTML is String as a table for notebooks.
func (s *RankSuggestion) HTML() string {
	if s.Conclusion == "" {
		return htmltext.Preformatted(s.String())
	}
	var rows [][]string
	for _, e := range s.Evidence {
		rows = append(rows, []string{e.Kind, e.shown(), e.Sure, e.Text})
	}
	notes := []string{s.Conclusion}
	if s.err != nil {
		notes = append(notes, "error: "+s.err.Error())
	}
	return htmltext.Table(s.title(), []string{"evidence", "rank", "", "why"}, rows, notes...)
}

func (s *RankSuggestion) title() string {
	return fmt.Sprintf("Rank of the %s (order %d), of 1 to %d", s.Kind.Title(s.Order), s.Order, s.Max)
}

// shown is the rank of a piece of evidence in a table.
func (e RankEvidence) shown() string {
	if e.Rank == 0 {
		return "-"
	}
	return strconv.Itoa(e.Rank)
}
