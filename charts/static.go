package charts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"symmom/charts/internal/ssr"
	"symmom/charts/internal/svg"
	"symmom/charts/internal/typeset"
)

// Sizes of a static picture in pixels, those of the page's style sheet.
const (
	defaultWidth = 960
	minWidth     = 240
	maxWidth     = 8000

	picturePadding = 20
	panelGap       = 24
	leastPanel     = 410 // panels stand side by side from this width on

	titleSize, captionSize, noteSize = 17., 14.5, 13.
	lineSpacing                      = 1.4
)

// renderer is the JavaScript interpreter, which is made when the first
// picture is: reading ECharts takes a third of a second.
var renderer = sync.OnceValues(func() (*ssr.Renderer, error) {
	return ssr.New(typeset.Width, echartsScript, optionsScript, staticScript)
})

// SVG returns the figure as a static picture for papers and viewers that run
// no script: title, charts, caption and notes, Width pixels wide. It is the
// same text on every machine. What keeps a figure from being drawn stands in
// the picture's place; Save returns it as an error.
func (f *Figure) SVG() string {
	n, err := f.static()
	if err != nil {
		n = f.apology(err)
	}
	return svgDocument(n)
}

func svgDocument(n *svg.Node) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + n.String() + "\n"
}

// static draws the figure.
func (f *Figure) static() (*svg.Node, error) {
	n, _, err := f.drawn(0)
	return n, err
}

// drawn draws the figure, and lists up to so many marks of each chart.
func (f *Figure) drawn(most int) (*svg.Node, []marks, error) {
	if f.err != nil {
		return nil, nil, f.err
	}
	s, err := f.newSheet()
	if err != nil {
		return nil, nil, err
	}
	s.most = most
	s.lines(f.Title, titleSize, true, "ink")
	if len(f.charts) > 0 {
		s.space(10)
		if err := s.panels(f); err != nil {
			return nil, nil, err
		}
	}
	if len(f.pictures) > 0 {
		s.space(12)
		if err := s.cards(f.pictures); err != nil {
			return nil, nil, err
		}
	}
	if f.Caption != "" || len(f.Notes) > 0 {
		s.space(8)
	}
	s.lines(f.Caption, captionSize, false, "muted")
	for _, n := range f.Notes {
		s.space(2)
		s.lines("Note: "+n, noteSize, false, "muted")
	}
	return s.finish(), s.told, nil
}

// apology is a picture of an error.
func (f *Figure) apology(err error) *svg.Node {
	s, bad := f.newSheet()
	if bad != nil { // so draw it in the default size and colours
		s, _ = (&Figure{Title: f.Title}).newSheet()
	}
	s.lines(f.Title, titleSize, true, "ink")
	s.space(10)
	s.lines(err.Error(), captionSize, false, "negative")
	return s.finish()
}

// sheet is a picture that grows downward.
type sheet struct {
	root   *svg.Node
	title  string
	colors map[string]string
	dark   bool
	width  float64
	y      float64 // where the next item goes
	most   int     // marks of a chart
	told   []marks
}

func (f *Figure) newSheet() (*sheet, error) {
	width := f.Width
	if width == 0 {
		width = defaultWidth
	}
	if width < minWidth || width > maxWidth {
		return nil, fmt.Errorf("charts: width %d of %q: want %d to %d pixels", f.Width, oneLine(f.Title), minWidth, maxWidth)
	}
	s := &sheet{title: f.Title, width: float64(width), y: picturePadding - 4}
	switch f.Theme {
	case "", "light":
	case "dark":
		s.dark = true
	default:
		return nil, fmt.Errorf("charts: theme %q of %q: want light or dark", f.Theme, oneLine(f.Title))
	}
	s.colors = themeColors(s.dark)
	s.root = svg.New("svg", "xmlns", "http://www.w3.org/2000/svg", "width", strconv.Itoa(width),
		"height", "", "viewBox", "", "font-family", typeset.Family, "role", "img")
	return s, nil
}

func (s *sheet) inner() float64 { return s.width - 2*picturePadding }

func (s *sheet) space(h float64) { s.y += h }

// finish puts the height where it belongs, and the paper under everything.
func (s *sheet) finish() *svg.Node {
	height := strconv.Itoa(int(s.y + picturePadding - 4))
	s.root.Attrs[2].Value = height
	s.root.Attrs[3].Value = fmt.Sprintf("0 0 %g %s", s.width, height)
	title := svg.New("title")
	title.Text = oneLine(s.title)
	paper := svg.New("rect", "width", strconv.Itoa(int(s.width)), "height", height, "fill", s.colors["card"])
	s.root.Kids = append([]*svg.Node{title, paper}, s.root.Kids...)
	return s.root
}

// lines adds text, broken to the width.
func (s *sheet) lines(text string, size float64, bold bool, color string) {
	s.textAt(picturePadding, s.inner(), text, size, bold, color, "")
}

// textAt adds text in a column of its own, anchored at x.
func (s *sheet) textAt(x, width float64, text string, size float64, bold bool, color, anchor string) {
	for _, line := range typeset.Wrap(text, size, bold, width) {
		s.y += size * lineSpacing
		t := svg.New("text", "x", short(x), "y", short(s.y-size*(lineSpacing-1)/2-size*.2), "font-size", short(size), "fill", s.colors[color])
		if bold {
			t.Set("font-weight", "bold")
		}
		t.Set("text-anchor", anchor)
		t.Text = line
		svg.Fit(t)
		s.root.Add(t)
	}
}

// short writes a length to a hundredth of a pixel.
func short(x float64) string { return strconv.FormatFloat(round2(x), 'f', -1, 64) }

// panels draws the charts, side by side where there is room.
func (s *sheet) panels(f *Figure) error {
	perRow := max(1, min(len(f.charts), int((s.inner()+panelGap)/(leastPanel+panelGap))))
	width := (s.inner() - float64(perRow-1)*panelGap) / float64(perRow)
	tallest := 0.
	for i := range f.charts {
		if i > 0 && i%perRow == 0 {
			s.space(tallest + 12)
			tallest = 0
		}
		chart, p, err := f.drawChart(i, int(width), s.dark, s.most)
		if err != nil {
			return err
		}
		x := picturePadding + float64(i%perRow)*(width+panelGap)
		if s.most > 0 {
			s.told = append(s.told, marks{round2(x), round2(s.y), json.RawMessage(p.Marks)})
		}
		s.root.Add(svg.New("g", "transform", fmt.Sprintf("translate(%s %s)", short(x), short(s.y))).Add(chart.Kids...))
		tallest = max(tallest, float64(p.Height))
	}
	s.space(tallest)
	return nil
}

// drawChart has ECharts draw the i-th chart, and tell of some of its marks.
func (f *Figure) drawChart(i, width int, dark bool, marks int) (*svg.Node, ssr.Picture, error) {
	fail := func(err error) (*svg.Node, ssr.Picture, error) {
		return nil, ssr.Picture{}, fmt.Errorf("charts: chart %d of %q: %w", i+1, oneLine(f.Title), err)
	}
	var functions functionList
	options, err := functions.options(f.charts[i])
	if err != nil {
		return fail(err)
	}
	r, err := renderer()
	if err != nil {
		return fail(err)
	}
	// ids tell the charts of a document apart, and are the same each time
	sum := sha256.Sum256(fmt.Append(nil, i, width, dark, options))
	p, err := r.Draw(ssr.Chart{
		Options: string(options), Functions: functions.sources, Colors: themeColors(dark), Dark: dark,
		Font: typeset.Family, Width: width, Height: heightOf(f.charts[i]), ID: "s" + hex.EncodeToString(sum[:4]), Marks: marks,
	})
	if err != nil {
		return fail(err)
	}
	n, err := svg.Parse(p.SVG)
	if err != nil {
		return fail(err)
	}
	svg.Clean(n)
	return n, p, nil
}

var (
	colorBlock = regexp.MustCompile(`:root \{([^}]*)\}`)
	colorValue = regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`)

	schemes = sync.OnceValue(func() (both [2]map[string]string) {
		for i, b := range colorBlock.FindAllStringSubmatch(style, 2) {
			both[i] = map[string]string{}
			for _, m := range colorValue.FindAllStringSubmatch(b[1], -1) {
				both[i][m[1]] = m[2]
			}
		}
		return both
	})
)

// themeColors are those of the style sheet of pages, by name.
func themeColors(dark bool) map[string]string {
	if dark {
		return schemes()[1]
	}
	return schemes()[0]
}
