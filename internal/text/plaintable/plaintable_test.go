package plaintable

import (
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
)

// The header stays as it is written, numbers align on the right, and no line
// ends in spaces.
func TestTable(t *testing.T) {
	w := New()
	w.AppendHeader(table.Row{"what it Is", "number", "remark"})
	w.AppendRow(table.Row{"short", 5, "all is well"})
	w.AppendRow(table.Row{"a longer name", 1234, ""})
	want := "  what it Is     number  remark\n" +
		"  short               5  all is well\n" +
		"  a longer name    1234"
	if got := w.Render(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A caller may change the style of its own table.
func TestTablesAreApart(t *testing.T) {
	New().Style().Box.PaddingLeft = "|"
	w := New()
	w.AppendRow(table.Row{"x"})
	if got := w.Render(); got != "  x" {
		t.Errorf("got %q", got)
	}
}
