package charts

import (
	"errors"
	"fmt"
	"html"
	"math"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/google/renameio/v2"
)

// Figure is a picture with its title, caption and notes. The exported fields
// may be changed before it is shown. A figure that could not be made holds
// the reason in Err, shows it in place of the picture and is not saved.
type Figure struct {
	Title   string
	Caption string   // a sentence or two below the picture
	Notes   []string // what a reader must know to read it right: thinned, estimated, left out

	charts   []components.Charter
	pictures []pictureCard
	summary  string // for String
	err      error
}

// Wrap makes a figure of go-echarts charts, drawn side by side where there
// is room. Options that are JavaScript functions are taken along where
// go-echarts declares them as types.FuncStr; event listeners are not.
func Wrap(title string, charts ...components.Charter) *Figure {
	f := &Figure{Title: title, charts: charts, summary: plural(len(charts), "chart")}
	if len(charts) == 0 {
		f.err = errors.New("charts: nothing to wrap: give at least one go-echarts chart")
	}
	for i, c := range charts {
		if _, ok := c.(optioned); !ok || reflect.ValueOf(c).IsZero() {
			f.err = fmt.Errorf("charts: chart %d is a %T, which does not give its options: want a chart of go-echarts", i+1, c)
		}
	}
	return f
}

func failed(title string, err error) *Figure { return &Figure{Title: title, err: err} }

// Err returns why the figure could not be made, or nil.
func (f *Figure) Err() error { return f.err }

// ECharts returns the go-echarts charts that the figure is made of, to be
// changed in place; none for a figure that is drawn otherwise.
func (f *Figure) ECharts() []components.Charter { return f.charts }

// String describes the figure in one line.
func (f *Figure) String() string {
	if f.err != nil {
		return "failed figure: " + f.err.Error()
	}
	s := oneLine(f.Title)
	if f.summary != "" {
		s += ": " + f.summary
	}
	return s + " (Save(\"name.html\") writes it as a page)"
}

// HTML returns the figure as a frame for notebooks: a complete page, ECharts
// compressed, in a sandbox that may run its own scripts and reach nothing.
func (f *Figure) HTML() string { return f.report().frame(f.height()) }

// Page returns the figure as one self-contained HTML page.
func (f *Figure) Page() string { return f.report().Page() }

// Save writes the figure to path, whose name must end in .html or .htm. The
// file appears whole or not at all; an existing one is replaced.
func (f *Figure) Save(path string) error {
	if f.err != nil {
		return f.err
	}
	return f.report().Save(path)
}

func (f *Figure) report() *Report {
	return &Report{Title: f.Title, figure: true, blocks: []block{{Figure: f}}}
}

// height estimates how tall the figure is in a frame about 900 pixels wide:
// a sandboxed frame cannot fit itself to its content.
func (f *Figure) height() int {
	h := 80 + 24*len(f.Notes)
	if f.Caption != "" {
		h += 24 + 22*(len(f.Caption)/110)
	}
	switch {
	case f.err != nil:
		return 140
	case len(f.pictures) > 0:
		return h + picturesHeight(f.pictures, 900)
	}
	for i := 0; i < len(f.charts); i += 2 { // two a row
		h += heightOf(f.charts[i]) + 16
	}
	return h
}

// save writes a page so that the old file stays whole if anything fails.
func save(path, page string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
	default:
		return fmt.Errorf("charts: cannot save %q: want a name that ends in .html", path)
	}
	if err := renameio.WriteFile(path, []byte(page), 0o644); err != nil {
		return fmt.Errorf("charts: cannot save %s: %w", path, err)
	}
	return nil
}

// frame wraps a page for a notebook.
func frame(title, page string, height int) string {
	return fmt.Sprintf(`<iframe title="%s" sandbox="allow-scripts" style="width:100%%;height:%dpx;border:0" srcdoc="%s"></iframe>`,
		asciiReferences(html.EscapeString(title)), height, asciiReferences(attribute.Replace(page)))
}

// attribute escapes a page for a double-quoted attribute, where < and > may
// stay as they are.
var attribute = strings.NewReplacer("&", "&amp;", `"`, "&quot;")

// asciiReferences writes all that is not ASCII as character references: a
// host page with another encoding would otherwise change the text, and with
// it the scripts that the security policy knows by their hash.
func asciiReferences(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/64)
	for _, r := range s {
		if r < 0x80 {
			b.WriteByte(byte(r))
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// number is x for JSON, which has no NaN and no infinities: null there.
func number(x float64) any {
	if finite(x) {
		return x
	}
	return nil
}
