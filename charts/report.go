package charts

import (
	"fmt"
	"strings"

	"symmom/charts/internal/page"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Report is a page of several figures with headings, text and tables, in the
// order in which they were added. Its methods return it, to be chained:
//
//	charts.NewReport("Digits").
//		Text("Ten components of the third moment.").
//		Add(charts.Images(fit.Model.Factors, 8, 8, charts.ImageOptions{}), charts.Convergence(fit)).
//		Save("report.html")
type Report struct {
	Title    string
	Subtitle string // one line below the title
	Footer   string // small print at the end: command, version, seed

	blocks      []block
	single      bool  // of one figure, whose title is the title of the page
	interrupted error // the error that ended the work early, if any
}

// block is one item of a report: a figure, or what a page has besides.
type block struct {
	figure *Figure
	page.Block
}

// NewReport starts a page.
func NewReport(title string) *Report { return &Report{Title: title} }

// Heading adds a section heading.
func (r *Report) Heading(text string) *Report { return r.add(page.Block{Heading: text}) }

// Text adds a paragraph for each piece of text between blank lines.
func (r *Report) Text(text string) *Report {
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			r.add(page.Block{Paragraph: p})
		}
	}
	return r
}

// Verbatim adds text in a fixed-width font with its line breaks: a command,
// the String of a result.
func (r *Report) Verbatim(text string) *Report { return r.add(page.Block{Verbatim: text}) }

// Facts adds a row of large values with small names: name, value, name,
// value, and so on. What a value has in parentheses, or after a comma or colon, is small, too.
func (r *Report) Facts(namesAndValues ...string) *Report {
	var b page.Block
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		b.Facts = append(b.Facts, page.FactOf(namesAndValues[i], namesAndValues[i+1]))
	}
	return r.add(b)
}

// Table adds a table; columns of numbers after the first are aligned right, others left.
func (r *Report) Table(caption string, header []string, rows [][]string) *Report {
	return r.add(page.Block{Table: &page.Table{Caption: caption, Header: header, Rows: rows}})
}

// Matrix adds a matrix as a table with names, and its notes.
func (r *Report) Matrix(caption string, m *symmom.NamedMatrix) *Report {
	header, rows, notes := m.Table()
	r.Table(caption, header, rows)
	if len(notes) > 0 {
		r.Text(strings.Join(notes, "; ") + ".")
	}
	return r
}

// Links adds a list of links, given as text, target, text, target, and so on;
// perLine of them on a line. Targets are pages next to this one.
func (r *Report) Links(perLine int, textsAndTargets ...string) *Report {
	var b page.Block
	for i := 0; i+1 < len(textsAndTargets); i += 2 {
		if i/2%max(1, perLine) == 0 {
			b.Links = append(b.Links, nil)
		}
		line := &b.Links[len(b.Links)-1]
		*line = append(*line, page.Link{Text: textsAndTargets[i], Target: textsAndTargets[i+1]})
	}
	return r.add(b)
}

// Add adds figures. A figure that failed shows its error.
func (r *Report) Add(figures ...*Figure) *Report {
	for _, f := range figures {
		if f != nil {
			r.blocks = append(r.blocks, block{figure: f})
		}
	}
	return r
}

func (r *Report) add(b page.Block) *Report {
	r.blocks = append(r.blocks, block{Block: b})
	return r
}

// Figures returns the figures of the report, in their order.
func (r *Report) Figures() (all []*Figure) {
	for _, b := range r.blocks {
		if b.figure != nil {
			all = append(all, b.figure)
		}
	}
	return all
}

// Err returns the first error of the figures, or nil; for ReportOn also an error
// that wraps symmom.ErrInterrupted if the page shows a partial result.
func (r *Report) Err() error {
	for _, b := range r.blocks {
		if b.figure != nil && b.figure.err != nil {
			return b.figure.err
		}
	}
	return r.interrupted
}

// String describes the report in one line.
func (r *Report) String() string {
	n := 0
	for _, b := range r.blocks {
		if b.figure != nil {
			n++
		}
	}
	return fmt.Sprintf("%s: report with %s (Save(\"name.html\") writes it as a page)", oneLine(r.Title), words.Plural(n, "figure"))
}

// Page returns the report as one self-contained HTML page.
func (r *Report) Page() string {
	text, err := r.render(false)
	if err != nil {
		return page.OfError(r.Title, err)
	}
	return text
}

// Save writes the report to path, whose name must end in .html or .htm. The file
// is written atomically; an existing one is replaced. If some figures failed,
// the report is saved with their errors in their places.
func (r *Report) Save(path string) error {
	if err := pageName(path); err != nil {
		return err
	}
	text, err := r.render(false)
	if err != nil {
		return err
	}
	return write(path, []byte(text))
}

// pageName returns an error unless path ends as a page does.
func pageName(path string) error {
	switch files.Ext(path) {
	case ".html", ".htm":
		return nil
	case ".svg", ".pdf", ".png":
		return fmt.Errorf("charts: cannot save a report as %q: save its figures one by one, or the report as .html", path)
	}
	return fmt.Errorf("charts: cannot save %q: want a name that ends in .html", path)
}
