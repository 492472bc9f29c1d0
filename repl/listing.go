package repl

import (
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"

	"symmom/internal/plaintable"
)

// listing is a small table that a command answers with.
type listing struct {
	head  []string
	rows  [][]string
	empty string // said in place of a table without rows
}

func (l listing) writer() pretty.Writer {
	w := plaintable.New()
	row := func(cells []string) pretty.Row {
		var r pretty.Row
		for _, c := range cells {
			r = append(r, c)
		}
		return r
	}
	w.AppendHeader(row(l.head))
	for _, cells := range l.rows {
		w.AppendRow(row(cells))
	}
	return w
}

// String shows it in a terminal.
func (l listing) String() string {
	if len(l.rows) == 0 {
		return l.empty
	}
	return l.writer().Render()
}

// HTML shows it in a notebook.
func (l listing) HTML() string {
	w := l.writer()
	if len(l.rows) == 0 {
		w = pretty.NewWriter()
		w.AppendRow(pretty.Row{l.empty})
	}
	w.Style().HTML = pretty.HTMLOptions{CSSClass: "symmom", EscapeText: true, Newline: "<br/>"}
	// Notebooks put the text of tables at the right edge, as is good for numbers.
	return strings.NewReplacer("<td>", `<td style="text-align:left">`, "<th>", `<th style="text-align:left">`).Replace(w.RenderHTML())
}
