// Package page writes HTML: self-contained pages, and output for notebooks.
package page

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/sheet"
)

// Document is the data of the page template. Everything that comes from a user is a
// plain string, which html/template escapes for its context; only scripts of this
// module, option JSON and pictures made of numbers are marked as safe.
type Document struct {
	Title, Subtitle, Footer string

	Framed bool // for a notebook
	Single bool // the page of one figure, whose title is that of the page
	Blocks []Block

	Functions template.JS // of the charts
}

// Block is one item of a page; one of its fields is set.
type Block struct {
	Heading   string
	Paragraph string
	Verbatim  string
	Facts     []Fact
	Table     *Table
	Figure    *Figure
	Links     [][]Link
}

type Link struct{ Text, Target string }

// Fact is a large value with a small name, and a small note.
type Fact struct{ Name, Value, Note string }

// FactOf makes a note of what a value has in parentheses, or after a comma or colon.
func FactOf(name, value string) Fact {
	for i := range value {
		for _, mark := range []string{" (", ", ", ": "} {
			note, found := strings.CutPrefix(value[i:], mark)
			if !found {
				continue
			}
			if mark == " (" {
				note = strings.TrimSuffix(note, ")")
			}
			return Fact{name, value[:i], note}
		}
	}
	return Fact{Name: name, Value: value}
}

type Table struct {
	Caption string
	Header  []string
	Rows    [][]string

	words []bool // columns that hold more than numbers
}

// Figure is a picture on a page: drawn already, or of panels or pictures.
type Figure struct {
	Title, Caption, Error string
	Notes                 []string

	Level int // of its heading on the page; 0: 3, below that of a section

	Still    template.HTML // in place of all else, if it is drawn already
	Panels   []Panel
	Pictures []sheet.Card
}

// Panel is one chart, which the page draws.
type Panel struct {
	ID      string
	Label   string
	Style   template.CSS // of its height
	Options template.JS
}

// look finds the columns of words. The first names the rows, whatever it holds.
func (t *Table) look() {
	t.words = nil
	for _, row := range t.Rows {
		for i, cell := range row {
			if i == len(t.words) {
				t.words = append(t.words, false)
			}
			t.words[i] = t.words[i] || i > 0 && !number.MatchString(cell)
		}
	}
}

// Class returns the classes of a cell in column i: numbers are aligned right, and what is too
// long for a line may be broken.
func (t *Table) Class(i int, cell string) string {
	var classes []string
	if i < len(t.words) && t.words[i] {
		classes = append(classes, "text")
	}
	if len(cell) > 36 || i == 0 && len(cell) > 20 {
		classes = append(classes, "long")
	}
	return strings.Join(classes, " ")
}

// number is the beginning of a cell of a column of numbers, or a sign that there is none.
var number = regexp.MustCompile(`^(•?[-−+±]?[0-9.]|[-–?]?$|NaN|[-+]?Inf)`)

// PerRow returns the number of pictures side by side if there is room.
func (f *Figure) PerRow() int {
	const width = 1280 // maximum of a figure's content
	return sheet.PerRow(len(f.Pictures), width)
}

var pages = template.Must(template.New("page").Parse(assets.Template))

// HTML returns the page.
func (d *Document) HTML() (string, error) {
	full := struct {
		*Document
		Policy                               string
		Style                                template.CSS
		ECharts, Draw, Unpack, Peek, Figures template.JS
		Packed                               template.HTML
	}{Document: d, Style: template.CSS(assets.Style)}
	panels, pictures, stills := false, false, false
	level := 2 // as long as there is no section
	if d.Single {
		level = 1
	}
	for _, b := range d.Blocks {
		if b.Heading != "" {
			level = 0
		}
		if b.Table != nil {
			b.Table.look()
		}
		if f := b.Figure; f != nil {
			f.Level = level
			panels, pictures, stills = panels || len(f.Panels) > 0, pictures || len(f.Pictures) > 0 && f.Still == "", stills || f.Still != ""
		}
	}
	var scripts []string
	if panels {
		full.Draw = template.JS(assets.Draw)
		scripts = append(scripts, assets.Draw, assets.ECharts)
		if d.Framed {
			full.Packed, full.Unpack = template.HTML(assets.Packed()), template.JS(assets.Unpack)
			scripts = append(scripts, assets.Unpack)
		} else {
			full.ECharts = template.JS(assets.ECharts)
		}
		if d.Functions != "" {
			scripts = append(scripts, string(d.Functions))
		}
	}
	if panels || pictures {
		full.Figures = template.JS(assets.Figures)
		scripts = append(scripts, assets.Figures)
	}
	if stills {
		full.Peek = template.JS(assets.Peek)
		scripts = append(scripts, assets.Peek)
	}
	full.Policy = assets.Policy(scripts)

	var b strings.Builder
	b.Grow(1 << 20)
	if err := pages.Execute(&b, full); err != nil {
		return "", fmt.Errorf("charts: page: %w", err)
	}
	return b.String(), nil
}

// OfError is the page in place of one that could not be made, because a chart was
// changed by hand to hold a value that JSON cannot represent.
func OfError(title string, err error) string {
	return fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><title>%s</title><pre>%s</pre>",
		template.HTMLEscapeString(title), template.HTMLEscapeString(err.Error()))
}
