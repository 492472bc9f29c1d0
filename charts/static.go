package charts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/sheet"
	"symmom/charts/internal/ssr"
	"symmom/charts/internal/svg"
	"symmom/charts/internal/typeset"
)

// Sizes of a static picture in pixels, as in the page's style sheet.
const (
	defaultWidth = 960
	minWidth     = 240
	maxWidth     = 8000

	titleSize, captionSize, noteSize = 17., 14.5, 13.
)

// renderer is the JavaScript interpreter. It is made when the first picture is
// drawn: reading ECharts takes a third of a second.
var renderer = sync.OnceValues(func() (*ssr.Renderer, error) {
	return ssr.New(typeset.Width, assets.ECharts, assets.Options, assets.Static)
})

// SVG returns the figure as a static picture for papers and viewers that run
// no script: title, charts, caption and notes, Width pixels wide. It is the
// same text on every machine. If a figure cannot be drawn, the error is in
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

// drawn draws the figure, and lists up to most marks of each chart.
func (f *Figure) drawn(most int) (*svg.Node, []sheet.Marks, error) {
	if f.err != nil {
		return nil, nil, f.err
	}
	s, err := f.newSheet(most)
	if err != nil {
		return nil, nil, err
	}
	s.Lines(f.Title, titleSize, true, "ink")
	if len(f.charts) > 0 {
		s.Space(10)
		if err := s.Panels(len(f.charts), func(i, width int) (*svg.Node, int, json.RawMessage, error) {
			chart, p, err := f.drawChart(i, width, most)
			return chart, p.Height, json.RawMessage(p.Marks), err
		}); err != nil {
			return nil, nil, err
		}
	}
	if len(f.pictures) > 0 {
		s.Space(12)
		if err := s.Cards(f.pictures); err != nil {
			return nil, nil, err
		}
	}
	if f.Caption != "" || len(f.Notes) > 0 {
		s.Space(8)
	}
	s.Lines(f.Caption, captionSize, false, "muted")
	for _, n := range f.Notes {
		s.Space(2)
		s.Lines("Note: "+n, noteSize, false, "muted")
	}
	return s.Finish(), s.Marks(), nil
}

// apology returns a picture of an error.
func (f *Figure) apology(err error) *svg.Node {
	s, bad := f.newSheet(0)
	if bad != nil { // then in the default size and colours
		s, _ = (&Figure{Title: f.Title}).newSheet(0)
	}
	s.Lines(f.Title, titleSize, true, "ink")
	s.Space(10)
	s.Lines(err.Error(), captionSize, false, "error")
	return s.Finish()
}

// newSheet returns the sheet on which the figure is drawn.
func (f *Figure) newSheet(marks int) (*sheet.Sheet, error) {
	width := f.Width
	if width == 0 {
		width = defaultWidth
	}
	if width < minWidth || width > maxWidth {
		return nil, fmt.Errorf("charts: width %d of %q: want %d to %d pixels", f.Width, oneLine(f.Title), minWidth, maxWidth)
	}
	switch f.Theme {
	case "", "light", "dark":
	default:
		return nil, fmt.Errorf("charts: theme %q of %q: want light or dark", f.Theme, oneLine(f.Title))
	}
	return sheet.New(f.Title, width, f.dark(), marks), nil
}

func (f *Figure) dark() bool { return f.Theme == "dark" }

// drawChart draws the i-th chart with ECharts, and lists some of its marks.
func (f *Figure) drawChart(i, width, marks int) (*svg.Node, ssr.Picture, error) {
	fail := func(err error) (*svg.Node, ssr.Picture, error) {
		return nil, ssr.Picture{}, fmt.Errorf("charts: chart %d of %q: %w", i+1, oneLine(f.Title), err)
	}
	var functions chartjson.Functions
	options, err := functions.Options(f.charts[i])
	if err != nil {
		return fail(err)
	}
	r, err := renderer()
	if err != nil {
		return fail(err)
	}
	// IDs distinguish the charts of a document, and are the same in every run
	sum := sha256.Sum256(fmt.Append(nil, i, width, f.dark(), options))
	p, err := r.Draw(ssr.Chart{
		Options: string(options), Functions: functions.Sources, Colors: assets.ThemeColors(f.dark()), Dark: f.dark(),
		Font: typeset.Family, Width: width, Height: chartjson.Height(f.charts[i], panelHeight), ID: "s" + hex.EncodeToString(sum[:4]), Marks: marks,
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
