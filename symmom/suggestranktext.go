package symmom

import (
	"fmt"

	"symmom/internal/estimate/ranks"
	"symmom/internal/text/htmltext"
)

// listing has a row for each piece of evidence, and the conclusion.
func (s *RankSuggestion) shown() shown {
	if s.Conclusion == "" {
		return &htmltext.Listing{Title: errorLine("rank", s.err)}
	}
	l := &htmltext.Listing{Title: fmt.Sprintf("Rank of the %s (order %d), of 1 to %d", s.Kind.frame().Title(s.Order), s.Order, s.Max),
		Head: []string{"evidence", "rank", "", "why"}, Format: "%-13s  %6s  %-6s  %s", Bare: true, Notes: []string{s.Conclusion}}
	for _, e := range s.Evidence {
		l.Rows = append(l.Rows, []string{e.Kind, (*ranks.Evidence)(&e).Says(), e.Sure, e.Text})
	}
	if s.err != nil {
		l.Notes = append(l.Notes, "error: "+s.err.Error())
	}
	return l
}
