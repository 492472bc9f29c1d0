package charts

import (
	"fmt"
	"html/template"
	"strconv"

	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/page"
)

// panelHeight is the height of a chart in pixels.
const panelHeight = 360

// render returns the page; framed selects the form for notebooks.
func (r *Report) render(framed bool) (string, error) {
	d := page.Document{Title: r.Title, Subtitle: r.Subtitle, Footer: r.Footer, Framed: framed, Single: r.single}
	var functions chartjson.Functions
	panels := 0
	for _, b := range r.blocks {
		if f := b.figure; f != nil {
			var err error
			if b.Figure, err = f.onPage(framed, &panels, &functions); err != nil {
				return "", err
			}
		}
		d.Blocks = append(d.Blocks, b.Block)
	}
	d.Functions = template.JS(functions.Script())
	return d.HTML()
}

// onPage returns the figure as a page has it. It counts the panels, and collects the functions
// of their charts.
func (f *Figure) onPage(framed bool, panels *int, functions *chartjson.Functions) (*page.Figure, error) {
	p := &page.Figure{Title: f.Title, Caption: f.Caption, Notes: f.Notes, Pictures: f.pictures}
	if f.err != nil {
		p.Error = f.err.Error()
		return p, nil
	}
	if framed && !f.Live {
		// a figure that needs a browser has no still
		if still, _, err := f.still(false); err == nil {
			p.Still = template.HTML(still) // from ECharts and our own code, parsed and written by us
			return p, nil
		}
	}
	for _, c := range f.charts {
		*panels++
		options, err := functions.Options(c)
		if err != nil {
			return nil, fmt.Errorf("charts: options of chart %d of %q: %w", *panels, oneLine(f.Title), err)
		}
		p.Panels = append(p.Panels, page.Panel{ID: "chart-" + strconv.Itoa(*panels), Label: f.about(), Style: chartjson.HeightStyle(c, panelHeight), Options: options})
	}
	return p, nil
}
