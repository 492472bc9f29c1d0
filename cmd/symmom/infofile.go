package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
)

// fileText lists the columns of the file, at most limit of them, if some are not
// numeric, or not finite.
func fileText(s objects.Info, limit int) string {
	other := false
	for _, c := range s.File {
		other = other || c.Kind != "number" || c.NotFinite > 0
	}
	if !other {
		return ""
	}
	t := plaintable.Aligned([]string{"no.", "in the file", "type", "missing", "holds"}, func(i int) bool { return i != 0 && i != 3 })
	for i, c := range s.File {
		if len(s.File) > limit && i >= limit/2 && i < len(s.File)-limit/2 {
			if i == limit/2 {
				t.AppendRow(table.Row{"", fmt.Sprintf("... %d more (--all)", len(s.File)-2*(limit/2))})
			}
			continue
		}
		t.AppendRow(table.Row{c.Places(), c.Name, c.Type, words.Count(c.Missing), c.Of.Holds()})
	}
	return t.Render() + "\n\n"
}
