// Package plaintable formats tables for the terminal: no lines, indented as the text
// around them, headers unchanged. Fold fits them, and text, to its width.
package plaintable

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// New returns an empty table of that style.
func New() table.Writer {
	t := table.NewWriter()
	s := table.StyleDefault
	s.Options = table.OptionsNoBordersAndSeparators
	s.Box.PaddingLeft, s.Box.PaddingRight = "  ", ""
	s.Format.Header, s.Format.HeaderAlign = text.FormatDefault, text.AlignAuto
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	return t
}

// Aligned returns a table with a header whose columns are numbers, aligned on the right, except
// for those that are left.
func Aligned(header []string, left func(column int) bool) table.Writer {
	t := New()
	t.AppendHeader(row(header))
	configs := make([]table.ColumnConfig, len(header))
	for i := range configs {
		align := text.AlignRight
		if left(i) {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align}
	}
	t.SetColumnConfigs(configs)
	return t
}

// Render formats a table of numbers, except for the columns that are left.
func Render(header []string, rows [][]string, left func(column int) bool) string {
	t := Aligned(header, left)
	for _, cells := range rows {
		t.AppendRow(row(cells))
	}
	return t.Render()
}

func row(cells []string) (out table.Row) {
	for _, c := range cells {
		out = append(out, c)
	}
	return out
}
