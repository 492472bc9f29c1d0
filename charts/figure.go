package charts

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-echarts/go-echarts/v2/components"

	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/sheet"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
)

// Figure is a picture with its title, caption and notes. The exported fields may be
// changed before it is shown. A figure that could not be made holds the reason in
// Err, shows it in place of the picture, and cannot be saved.
type Figure struct {
	Title   string
	Caption string   // a sentence or two below the picture
	Notes   []string // what readers must know: what is thinned, estimated or left out

	// For the static picture, SVG and PNG; pages follow the reader's settings.
	Theme string  // "light" (default) or "dark"
	Width int     // in pixels, 240 to 8000; default 960, at which two charts stand side by side
	Scale float64 // pixels of a PNG per unit of Width, .1 to 16; default 2

	// Live lets ECharts itself draw the charts in a notebook, so that they can be
	// zoomed and fit the width as on a page. The notebook grows by half a megabyte.
	Live bool

	charts   []components.Charter
	pictures []sheet.Card
	summary  string // for String
	err      error
}

// Wrap makes a figure of go-echarts charts, drawn side by side where there
// is room. Options that are JavaScript functions are taken along where
// go-echarts declares them as types.FuncStr; event listeners are not.
func Wrap(title string, charts ...components.Charter) *Figure {
	f := &Figure{Title: title, charts: charts, summary: words.Plural(len(charts), "chart")}
	if len(charts) == 0 {
		f.err = errors.New("charts: nothing to wrap: give at least one go-echarts chart")
	}
	for i, c := range charts {
		if _, ok := c.(chartjson.Optioned); !ok || reflect.ValueOf(c).IsZero() {
			f.err = fmt.Errorf("charts: chart %d is a %T, which does not give its options: want a chart of go-echarts", i+1, c)
		}
	}
	return f
}

func failed(title string, err error) *Figure { return &Figure{Title: title, err: err} }

// Err returns why the figure could not be made, or nil.
func (f *Figure) Err() error { return f.err }

// ECharts returns the go-echarts charts that the figure is made of, to be changed
// in place; none if the figure is drawn in another way.
func (f *Figure) ECharts() []components.Charter { return f.charts }

// String describes the figure in one line.
func (f *Figure) String() string {
	if f.err != nil {
		return "failed figure: " + f.err.Error()
	}
	return f.about() + " (Save(\"name.html\") writes it as a page)"
}

// about describes the figure to those who read a page instead of seeing it.
func (f *Figure) about() string {
	s := oneLine(f.Title)
	if f.summary != "" {
		s += ": " + f.summary
	}
	return s
}

// Page returns the figure as one self-contained HTML page.
func (f *Figure) Page() string { return f.report().Page() }

// Save writes the figure to path, as what its name ends in: .html or .htm (a
// page), .svg, .pdf or .png. The file is written atomically; an existing one
// is replaced.
func (f *Figure) Save(path string) error {
	if f.err != nil {
		return f.err
	}
	switch files.Ext(path) {
	case ".svg":
		n, err := f.static()
		if err != nil {
			return err
		}
		return write(path, []byte(svgDocument(n)))
	case ".png":
		b, err := f.png()
		if err != nil {
			return err
		}
		return write(path, b)
	case ".pdf":
		b, err := f.pdf()
		if err != nil {
			return err
		}
		return write(path, b)
	case ".html", ".htm":
		return f.report().Save(path)
	}
	return fmt.Errorf("charts: cannot save %q: want a name that ends in .html, .svg, .pdf or .png", path)
}

func (f *Figure) report() *Report {
	return (&Report{Title: f.Title, single: true}).Add(f)
}

// write replaces a file in such a way that the old one stays intact if anything
// fails.
func write(path string, data []byte) error {
	if err := files.Write(context.Background(), path, data); err != nil {
		return fmt.Errorf("charts: cannot save %s: %w", files.Name(path), err)
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// number returns x for JSON, which has no NaN or infinities: null in their place.
func number(x float64) any {
	if linalg.Finite(x) {
		return x
	}
	return nil
}
