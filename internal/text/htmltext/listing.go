package htmltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// Listing is a table with a title above and notes below. With a title alone it is that text.
type Listing struct {
	Title  string
	Head   []string // of the columns
	Format string   // of a row in a terminal, a %s for each cell; "" aligns cells after the first on the right
	Bare   bool     // a terminal shows no head
	Rows   [][]string
	Notes  []string
}

// Numbers aligns the columns on the right, but for the last, which has words.
func (l *Listing) Numbers() {
	l.Format = ""
	for i, h := range l.Head[:len(l.Head)-1] {
		width := uniseg.StringWidth(h)
		for _, row := range l.Rows {
			width = max(width, uniseg.StringWidth(row[i]))
		}
		l.Format += fmt.Sprintf("%%%ds  ", width)
	}
	l.Format += "%s"
}

// String is for a terminal.
func (l *Listing) String() string {
	var lines []string
	if l.Title != "" {
		lines = append(lines, l.Title)
	}
	rows := l.Rows
	if len(rows) > 0 && !l.Bare {
		rows = slices.Concat([][]string{l.Head}, rows)
	}
	format := l.Format
	if format == "" {
		rows, format = aligned(rows), strings.TrimPrefix(strings.Repeat("  %s", len(l.Head)), "  ")
	}
	for _, row := range rows {
		cells := make([]any, len(row))
		for i, c := range row {
			cells[i] = c
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf(format, cells...), " "))
	}
	text := strings.Join(append(lines, l.Notes...), "\n  ")
	if l.Title == "" {
		return "  " + text
	}
	return text
}

// aligned returns rows with cells of one width, the first of each on the left.
func aligned(rows [][]string) [][]string {
	var width []int
	for _, row := range rows {
		for j, cell := range row {
			if j == len(width) {
				width = append(width, 0)
			}
			width[j] = max(width[j], uniseg.StringWidth(cell))
		}
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			space := strings.Repeat(" ", width[j]-uniseg.StringWidth(cell))
			if j == 0 {
				cell += space
			} else {
				cell = space + cell
			}
			out[i] = append(out[i], cell)
		}
	}
	return out
}

// HTML is String as a table, or as text if there is only a title.
func (l *Listing) HTML() string {
	if len(l.Rows)+len(l.Notes) == 0 {
		return Preformatted(l.Title)
	}
	return Table(l.Title, l.Head, l.Rows, l.Notes...)
}
