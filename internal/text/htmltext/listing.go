package htmltext

import (
	"fmt"
	"slices"
	"strings"
)

// Listing is a table with a title above and notes below. With a title alone it is that text.
type Listing struct {
	Title  string
	Head   []string // of the columns
	Format string   // of a row in a terminal, a %s for each cell
	Bare   bool     // a terminal shows no head
	Rows   [][]string
	Notes  []string
}

// String is for a terminal.
func (l *Listing) String() string {
	lines, rows := []string{l.Title}, l.Rows
	if len(rows) > 0 && !l.Bare {
		rows = slices.Concat([][]string{l.Head}, rows)
	}
	for _, row := range rows {
		cells := make([]any, len(row))
		for i, c := range row {
			cells[i] = c
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf(l.Format, cells...), " "))
	}
	return strings.Join(append(lines, l.Notes...), "\n  ")
}

// HTML is String as a table, or as text if there is only a title.
func (l *Listing) HTML() string {
	if len(l.Rows)+len(l.Notes) == 0 {
		return Preformatted(l.Title)
	}
	return Table(l.Title, l.Head, l.Rows, l.Notes...)
}
