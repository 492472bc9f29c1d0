package display

import (
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"

	"symmom/internal/text/plaintable"
)

// Listing is a small table, the output of a command.
type Listing struct {
	Head  []string
	Rows  [][]string
	Empty string // shown if there are no rows
}

func (l Listing) writer() pretty.Writer {
	w := plaintable.New()
	row := func(cells []string) pretty.Row {
		var r pretty.Row
		for _, c := range cells {
			r = append(r, c)
		}
		return r
	}
	w.AppendHeader(row(l.Head))
	for _, cells := range l.Rows {
		w.AppendRow(row(cells))
	}
	return w
}

// String returns the table for a terminal.
func (l Listing) String() string {
	if len(l.Rows) == 0 {
		return l.Empty
	}
	return l.writer().Render()
}

// HTML returns the table for a notebook.
func (l Listing) HTML() string {
	w := l.writer()
	if len(l.Rows) == 0 {
		w = pretty.NewWriter()
		w.AppendRow(pretty.Row{l.Empty})
	}
	w.Style().HTML = pretty.HTMLOptions{CSSClass: "symmom", EscapeText: true, Newline: "<br/>"}
	// Notebooks right-align the text of tables, which is good for numbers.
	return strings.NewReplacer("<td>", `<td style="text-align:left">`, "<th>", `<th style="text-align:left">`).Replace(w.RenderHTML())
}
