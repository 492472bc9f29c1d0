package charts

import (
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"math"
	"regexp"
	"slices"
	"sync"

	"symmom/charts/internal/svg"
	"symmom/charts/internal/typeset"
)

// A notebook stores what each cell shows, so ECharts, .46 MB compressed, is
// too much for a cell. Its charts are drawn before, as SVG, with a short
// script that tells the values under the pointer; see ARCHITECTURE.md.

// Sizes in a notebook, in pixels.
const (
	oneStill   = 640 // a chart alone
	someStills = 448 // one of several: as in the picture below, so they are drawn once
	mostMarks  = 300 // of a chart that tell their values

	pictureScale = 1  // of the picture below the frame
	frameMargin  = 44 // left and right of a figure in its frame
)

func (f *Figure) stillWidth() int {
	if len(f.charts) > 1 {
		return someStills
	}
	return oneStill
}

// heights are those of the charts in a notebook, where a long legend adds to
// them. They were drawn just before, so this costs little.
func (f *Figure) heights() []int {
	if f.err != nil {
		return nil
	}
	h := make([]int, len(f.charts))
	for i, c := range f.charts {
		h[i] = heightOf(c)
		if !f.Live {
			if _, drawn, err := f.drawChart(i, f.stillWidth(), false, mostMarks); err == nil {
				h[i] = drawn.Height
			}
		}
	}
	return h
}

// still makes the i-th chart's SVG for a notebook, and its marks, compressed.
func (f *Figure) still(i int) (p panel, err error) {
	width := f.stillWidth()
	n, drawn, err := f.drawChart(i, width, false, mostMarks)
	if err != nil {
		return p, err
	}
	// the colours of a dark page are kept beside. Those of the palette and the
	// style sheet are known; others, and blends, are found by drawing.
	if !svg.Recolor(n, darkOf()) {
		dark, _, err := f.drawChart(i, width, true, 0)
		if err != nil {
			return p, err
		}
		svg.Shade(n, dark)
	}
	n.Attrs = nil
	n.Set("class", "still")
	n.Set("viewBox", fmt.Sprintf("0 0 %d %d", width, drawn.Height))
	n.Set("font-family", typeset.Family)
	n.Set("style", fmt.Sprintf("max-width:%dpx", width))
	return panel{
		SVG:   template.HTML(n.String()), // of ECharts and our own, parsed and written by us
		Marks: template.HTML(pack(drawn.Marks)),
	}, nil
}

// darkOf is the colour on a dark page of each colour of the palette and of the
// style sheet.
var darkOf = sync.OnceValue(func() map[string]string {
	of := map[string]string{"#000": "#000"} // of clip paths and lines, where it is not seen
	for _, m := range lighterColor.FindAllStringSubmatch(optionsScript, -1) {
		of[m[1]] = m[2]
	}
	light, dark := themeColors(false), themeColors(true)
	for _, name := range []string{"ink", "muted", "line", "faint", "card"} { // of symmom.theme
		of[light[name]] = dark[name]
	}
	return of
})

var lighterColor = regexp.MustCompile(`"(#[0-9a-f]{6})": "(#[0-9a-f]{6})"`)

// frameWidths are those at which a frame's content changes its layout: charts
// and pictures move side by side.
var frameWidths = func() []int {
	widths := []int{320, 2*leastPanel + panelGap + frameMargin, 3*leastPanel + 2*panelGap + frameMargin}
	for n := 2; n <= 6; n++ {
		widths = append(widths, int(math.Ceil(float64(n)*(leastCard+cardGap)-cardGap))+frameMargin)
	}
	slices.Sort(widths)
	return widths
}()

// frame wraps a page for a notebook: below it lies a static picture, for
// viewers that take frames out. A sandboxed frame cannot fit itself to its
// content, so its height is worked out here, for each width; the percentage in
// a padding is one of the width.
func frame(title, page, picture string, height func(width int) int) string {
	least := height(frameWidths[0])
	padding := fmt.Sprintf("%dpx", least)
	for _, w := range frameWidths[1:] {
		if h := height(w); h < least {
			padding += fmt.Sprintf(" - clamp(0px,(100%% - %dpx)*999,%dpx)", w-1, least-h)
			least = h
		}
	}
	return fmt.Sprintf(`<div style="position:relative;overflow:hidden;height:calc(0px);padding-bottom:calc(%s)">%s`+
		`<iframe title="%s" sandbox="allow-scripts" style="position:absolute;top:0;left:0;width:100%%;height:100%%;border:0" srcdoc='%s'></iframe></div>`,
		padding, picture, asciiReferences(html.EscapeString(title)), asciiReferences(attribute.Replace(page)))
}

// pictureBelow is the figure as an image element.
func (f *Figure) pictureBelow() string {
	small := *f
	small.Theme, small.Width, small.Scale = "", 0, pictureScale
	return fmt.Sprintf(`<img alt="%s" src="data:image/png;base64,%s" style="display:block;max-width:100%%">`,
		asciiReferences(html.EscapeString(f.String())), base64.StdEncoding.EncodeToString(small.PNG()))
}

// height estimates how tall the figure is in a frame of a width, of the heights
// of its charts.
func (f *Figure) height(width int, charts []int) int {
	inner := float64(width - frameMargin)
	lines := func(text string, size float64) float64 {
		return size * 1.55 * float64(len(typeset.Wrap(text, size*1.1, false, inner))) // other fonts are wider
	}
	h := 60 + lines(f.Title, 16.8)
	if f.err != nil {
		return int(h + lines(f.err.Error(), 16))
	}
	h += lines(f.Caption, 14.7)
	for _, n := range f.Notes {
		h += 4 + lines("Note: "+n, 13.6)
	}
	if len(f.pictures) > 0 {
		h += picturesHeight(f.pictures, width)
	}
	perRow := max(1, int((inner+panelGap)/(leastPanel+panelGap)))
	for row := range slices.Chunk(charts, perRow) {
		h += float64(slices.Max(row) + 16)
	}
	return int(math.Ceil(h))
}
