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
