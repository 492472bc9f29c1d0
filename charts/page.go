package charts

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/chartjson"
)

// panelHeight is the height of a chart in pixels.
const panelHeight = 360

var pages = template.Must(template.New("page").Parse(assets.Template))

// document is the data of the page template. Everything that comes from a user is a
// plain string, which html/template escapes for its context; only scripts of this
// package, option JSON and pictures made of numbers are marked as safe.
type document struct {
	Title, Subtitle, Footer string
	Framed, Figure          bool
	Policy                  string
	Style                   template.CSS
	ECharts, Draw           template.JS
	Packed                  template.HTML
	Unpack, Functions, Peek template.JS
	Blocks                  []docBlock
}

type docBlock struct {
	block
	Still  template.HTML // in place of the figure, if it is drawn already
	Panels []panel
	Error  string
}

// panel is one chart on a page.
type panel struct {
	ID      string
	Label   string
	Height  int
	Options template.JS
}

// render returns the page; framed selects the form for notebooks.
func (r *Report) render(framed bool) (string, error) {
	d := document{
		Title: r.Title, Subtitle: r.Subtitle, Footer: r.Footer,
		Framed: framed, Figure: r.figure,
		Style: template.CSS(assets.Style),
	}
	var functions chartjson.Functions
	panels, stills := 0, 0
	for _, b := range r.blocks {
		db := docBlock{block: b}
		if f := b.Figure; f != nil && f.err != nil {
			db.Error = f.err.Error()
		} else if f != nil {
			if framed && !f.Live {
				// a figure that needs a browser has no still
				if still, _, err := f.still(); err == nil {
					db.Still = template.HTML(still) // from ECharts and our own code, parsed and written by us
					stills++
					d.Blocks = append(d.Blocks, db)
					continue
				}
			}
			for _, c := range f.charts {
				panels++
				p := panel{ID: "chart-" + strconv.Itoa(panels), Label: f.about(), Height: chartjson.Height(c, panelHeight)}
				var err error
				if p.Options, err = functions.Options(c); err != nil {
					return "", fmt.Errorf("charts: options of chart %d of %q: %w", panels, oneLine(f.Title), err)
				}
				db.Panels = append(db.Panels, p)
			}
		}
		d.Blocks = append(d.Blocks, db)
	}

	var scripts []string
	if panels > 0 {
		d.Draw = template.JS(assets.Draw)
		scripts = append(scripts, assets.Draw, assets.ECharts)
		if framed {
			d.Packed, d.Unpack = template.HTML(assets.Packed()), template.JS(assets.Unpack)
			scripts = append(scripts, assets.Unpack)
		} else {
			d.ECharts = template.JS(assets.ECharts)
		}
		if src := functions.Script(); src != "" {
			d.Functions = template.JS(src)
			scripts = append(scripts, src)
		}
	}
	if stills > 0 {
		d.Peek = template.JS(assets.Peek)
		scripts = append(scripts, assets.Peek)
	}
	d.Policy = assets.Policy(scripts)

	var b strings.Builder
	b.Grow(1 << 20)
	if err := pages.Execute(&b, d); err != nil {
		return "", fmt.Errorf("charts: page: %w", err)
	}
	return b.String(), nil
}
