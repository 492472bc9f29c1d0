package page

import (
	"strings"
	"testing"
)

// Columns of numbers are aligned right, with their heads; those of words left.
func TestClass(t *testing.T) {
	long := strings.Repeat("a long name ", 4)
	table := &Table{Header: []string{"", "n", "±", "found", "entries", "doubts"}, Rows: [][]string{
		{"a", "1,797", "0.02", "1 of 10", "x 0.5, y -0.2", ""},
		{"b", "-3e-05", "–", "10 of 10", long, "few starts"},
	}}
	table.look()
	for i, want := range []string{"", "", "", "", "text", "text"} {
		if got := table.Class(i, table.Header[i]); got != want {
			t.Errorf("the head of column %d has the classes %q, want %q", i, got, want)
		}
	}
	if got := table.Class(4, long); got != "text long" {
		t.Errorf("a long text has the classes %q", got)
	}
}

// Headings leave out no level: those of figures are below the section that they are in, or
// below the title of the page.
func TestHeadings(t *testing.T) {
	figure := func(title string) Block { return Block{Figure: &Figure{Title: title, Panels: []Panel{{ID: "a"}}}} }
	for _, c := range []struct {
		d     Document
		wants []string
	}{
		{Document{Blocks: []Block{figure("first"), {Heading: "part"}, figure("second")}},
			[]string{`<h3 aria-level="2">first`, `<h2>part`, `<h3>second`}},
		{Document{Single: true, Blocks: []Block{figure("alone")}}, []string{`<h3 aria-level="1">alone`}},
	} {
		text, err := c.d.HTML()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append(c.wants, "<noscript>") {
			if !strings.Contains(text, want) {
				t.Errorf("the page has no %s", want)
			}
		}
	}
}

// What follows a value in parentheses, or after a comma or colon, is its note.
func TestFactsHaveNotes(t *testing.T) {
	for value, want := range map[string]Fact{
		"853.809 (17 parameters)":                 {"n", "853.809", "17 parameters"},
		"moments, 4 iterations of EM (converged)": {"n", "moments", "4 iterations of EM (converged)"},
		"standardized: means are in these":        {"n", "standardized", "means are in these"},
		"1,234,567":                               {"n", "1,234,567", ""},
		"0.5 ± 0.1":                               {"n", "0.5 ± 0.1", ""},
	} {
		if got := FactOf("n", value); got != want {
			t.Errorf("%q is %+v, want %+v", value, got, want)
		}
	}
}
