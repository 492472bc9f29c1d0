// Package sheet lays out static pictures: text, charts and pictures below each other.
package sheet

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/svg"
	"symmom/charts/internal/typeset"
)

const (
	padding    = 20
	panelGap   = 24
	leastPanel = 410 // panels stand side by side from this width on

	lineSpacing = 1.4
)

// Sheet is a picture that grows downward.
type Sheet struct {
	root   *svg.Node
	title  string
	colors map[string]string
	width  float64
	y      float64 // position of the next item
	most   int     // marks of a part to list
	marks  []Marks
}

// New returns an empty sheet in the colours of a light or dark page, which lists up
// to most marks of each part.
func New(title string, width int, dark bool, most int) *Sheet {
	root := svg.New("svg", "xmlns", "http://www.w3.org/2000/svg", "width", strconv.Itoa(width),
		"height", "", "viewBox", "", "font-family", typeset.Family, "role", "img")
	return &Sheet{root: root, title: title, colors: assets.ThemeColors(dark), width: float64(width), y: padding - 4, most: most}
}

// Marks returns the marks of all parts.
func (s *Sheet) Marks() []Marks { return s.marks }

func (s *Sheet) inner() float64 { return s.width - 2*padding }

// Space leaves a space.
func (s *Sheet) Space(h float64) { s.y += h }

// Finish sets the height, and puts the background below everything.
func (s *Sheet) Finish() *svg.Node {
	height := strconv.Itoa(int(s.y + padding - 4))
	s.root.Attrs[2].Value = height
	s.root.Attrs[3].Value = fmt.Sprintf("0 0 %g %s", s.width, height)
	title := svg.New("title")
	title.Text = strings.Join(strings.Fields(s.title), " ")
	paper := svg.New("rect", "width", strconv.Itoa(int(s.width)), "height", height, "fill", s.colors["card"])
	s.root.Kids = append([]*svg.Node{title, paper}, s.root.Kids...)
	return s.root
}

// Lines adds text, wrapped to the width.
func (s *Sheet) Lines(text string, size float64, bold bool, color string) {
	s.textAt(padding, s.inner(), text, size, bold, color, "")
}

// textAt adds text in a column of its own, anchored at x.
func (s *Sheet) textAt(x, width float64, text string, size float64, bold bool, color, anchor string) {
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

// short formats a length to a hundredth of a pixel.
func short(x float64) string { return strconv.FormatFloat(round(x), 'f', -1, 64) }

// Panels draws n parts, side by side if there is room. draw returns a part of the
// given width, its height, and its marks.
func (s *Sheet) Panels(n int, draw func(i, width int) (part *svg.Node, height int, marks json.RawMessage, err error)) error {
	perRow := max(1, min(n, int((s.inner()+panelGap)/(leastPanel+panelGap))))
	width := (s.inner() - float64(perRow-1)*panelGap) / float64(perRow)
	tallest := 0.
	for i := range n {
		if i > 0 && i%perRow == 0 {
			s.Space(tallest + 12)
			tallest = 0
		}
		part, height, marks, err := draw(i, int(width))
		if err != nil {
			return err
		}
		x := padding + float64(i%perRow)*(width+panelGap)
		if s.most > 0 {
			s.marks = append(s.marks, Marks{round(x), round(s.y), marks})
		}
		s.root.Add(svg.New("g", "transform", fmt.Sprintf("translate(%s %s)", short(x), short(s.y))).Add(part.Kids...))
		tallest = max(tallest, float64(height))
	}
	s.Space(tallest)
	return nil
}
