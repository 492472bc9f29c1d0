package htmltext

import (
	"fmt"
	"strings"
)

// Facts are lines, each with its name, below a title; or an error alone, as the title.
type Facts struct {
	Title string
	Lines [][]string
}

// Add appends a line.
func (f *Facts) Add(name, format string, args ...any) {
	f.Lines = append(f.Lines, []string{name, fmt.Sprintf(format, args...)})
}

// Beside appends what is to be known beside the facts: warnings, and an error unless it
// is nil.
func Beside[W fmt.Stringer](f *Facts, warnings []W, err error) *Facts {
	for _, w := range warnings {
		f.Add("warning", "%s", w)
	}
	if err != nil {
		f.Add("error", "%s", err)
	}
	return f
}

// String is for a terminal.
func (f *Facts) String() string {
	var b strings.Builder
	b.WriteString(f.Title)
	for _, l := range f.Lines {
		fmt.Fprintf(&b, "\n  %-14s  %s", l[0], l[1])
	}
	return b.String()
}

// HTML is String as a table, or as text if there is only a title.
func (f *Facts) HTML() string {
	if len(f.Lines) == 0 {
		return Preformatted(f.Title)
	}
	return Table(f.Title, nil, f.Lines)
}
