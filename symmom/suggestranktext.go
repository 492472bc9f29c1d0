package symmom

import (
	"fmt"

	"symmom/internal/text/htmltext"
)

// listing has a row for each piece of evidence, and the conclusion.
func (s *RankSuggestion) listing() *htmltext.Listing {
	if s.Conclusion == "" {
		return &htmltext.Listing{Title: errorLine("rank", s.err)}
	}
	l := &htmltext.Listing{Title: fmt.Sprintf("Rank of the %s (order %d), of 1 to %d", s.Kind.Title(s.Order), s.Order, s.Max),
		Head: []string{"evidence", "rank", "", "why"}, Format: "%-13s  %6s  %-6s  %s", Bare: true, Notes: []string{s.Conclusion}}
	for _, e := range s.Evidence {
		l.Rows = append(l.Rows, []string{e.Kind, e.Says(), e.Sure, e.Text})
	}
	if s.err != nil {
		l.Notes = append(l.Notes, "error: "+s.err.Error())
	}
	return l
}

// String gives the conclusion, and a line for each piece of evidence.
func (s *RankSuggestion) String() string { return s.listing().String() }

// HTML is String as a table for notebooks.
func (s *RankSuggestion) HTML() string { return s.listing().HTML() }
