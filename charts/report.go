package charts

import (
	"fmt"
	"html/template"
	"strings"

	"symmom/internal/files"
	"symmom/internal/words"
)

// Report is a page of several figures with headings, text and tables, in the
// order in which they were added. Its methods return it, to be chained:
//
//	charts.NewReport("Digits").
//		Text("Ten components of the third moment.").
//		Add(charts.Images(fit.Factors(), 8, 8, charts.ImageOptions{}), charts.Convergence(fit)).
//		Save("report.html")
type Report struct {
	Title    string
	Subtitle string // one line below the title
	Footer   string // small print at the end: command, version, seed

	blocks      []block
	figure      bool  // a single figure: its title is the title of the page
	interrupted error // the error that ended the work early, if any
}

// block is one item of a report; one of its fields is set.
type block struct {
	Heading   string
	Paragraph string
	Verbatim  string
	Facts     []fact
	Table     *table
	Figure    *Figure
	Links     [][]link
}

type link struct{ Text, Target string }

type fact struct{ Name, Value string }

type table struct {
	Caption string
	Header  []string
	Rows    [][]string
}

// NewReport starts a page.
func NewReport(title string) *Report { return &Report{Title: title} }

// Heading adds a section heading.
func (r *Report) Heading(text string) *Report { return r.add(block{Heading: text}) }

// Text adds a paragraph for each piece of text between blank lines.
func (r *Report) Text(text string) *Report {
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			r.add(block{Paragraph: p})
		}
	}
	return r
}

// Verbatim adds text in a fixed-width font with its line breaks: a command,
// the String of a result.
func (r *Report) Verbatim(text string) *Report { return r.add(block{Verbatim: text}) }

// Facts adds a row of large values with small names: name, value, name,
// value, and so on.
func (r *Report) Facts(namesAndValues ...string) *Report {
	var b block
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		b.Facts = append(b.Facts, fact{namesAndValues[i], namesAndValues[i+1]})
	}
	return r.add(b)
}

// Table adds a table; the first column is aligned left, the others right.
func (r *Report) Table(caption string, header []string, rows [][]string) *Report {
	return r.add(block{Table: &table{caption, header, rows}})
}

// Links adds a list of links, given as text, target, text, target, and so on;
// perLine of them on a line. Targets are pages next to this one.
func (r *Report) Links(perLine int, textsAndTargets ...string) *Report {
	var b block
	for i := 0; i+1 < len(textsAndTargets); i += 2 {
		if i/2%max(1, perLine) == 0 {
			b.Links = append(b.Links, nil)
		}
		line := &b.Links[len(b.Links)-1]
		*line = append(*line, link{textsAndTargets[i], textsAndTargets[i+1]})
	}
	return r.add(b)
}

// Add adds figures. A figure that failed shows its error.
func (r *Report) Add(figures ...*Figure) *Report {
	for _, f := range figures {
		if f != nil {
			r.add(block{Figure: f})
		}
	}
	return r
}

func (r *Report) add(b block) *Report {
	r.blocks = append(r.blocks, b)
	return r
}

// Figures returns the figures of the report, in their order.
func (r *Report) Figures() (all []*Figure) {
	for _, b := range r.blocks {
		if b.Figure != nil {
			all = append(all, b.Figure)
		}
	}
	return all
}

// Err returns the first error of the figures, or nil; for ReportOn also an error
// that wraps symmom.ErrInterrupted if the page shows a partial result.
func (r *Report) Err() error {
	for _, b := range r.blocks {
		if b.Figure != nil && b.Figure.err != nil {
			return b.Figure.err
		}
	}
	return r.interrupted
}

// String describes the report in one line.
func (r *Report) String() string {
	n := 0
	for _, b := range r.blocks {
		if b.Figure != nil {
			n++
		}
	}
	return fmt.Sprintf("%s: report with %s (Save(\"name.html\") writes it as a page)", oneLine(r.Title), words.Plural(n, "figure"))
}

// Page returns the report as one self-contained HTML page.
func (r *Report) Page() string {
	page, err := r.render(false)
	if err != nil {
		return errorPage(r.Title, err)
	}
	return page
}

// Save writes the report to path, whose name must end in .html or .htm. The file
// appears whole or not at all; an existing one is replaced. If some figures failed,
// the report is saved with their errors in their places.
func (r *Report) Save(path string) error {
	if err := pageName(path); err != nil {
		return err
	}
	page, err := r.render(false)
	if err != nil {
		return err
	}
	return write(path, []byte(page))
}

// pageName returns an error unless path ends as a page does.
func pageName(path string) error {
	switch files.Ext(path) {
	case ".html", ".htm":
		return nil
	case ".svg", ".png":
		return fmt.Errorf("charts: cannot save a report as %q: save its figures one by one, or the report as .html", path)
	}
	return fmt.Errorf("charts: cannot save %q: want a name that ends in .html", path)
}

// errorPage is the page in place of one that could not be made, because a chart was
// changed by hand to hold a value that JSON cannot represent.
func errorPage(title string, err error) string {
	return fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><title>%s</title><pre>%s</pre>",
		template.HTMLEscapeString(title), template.HTMLEscapeString(err.Error()))
}
