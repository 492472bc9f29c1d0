package charts

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
	"sync"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/page"
	"symmom/charts/internal/svg"
)

// The package comment of internal/assets explains why the figures of a notebook are
// pictures, and what the script does.

const mostMarks = 300 // marks of a chart that show their values

// HTML returns the figure for notebooks: a picture in the colours of the
// notebook, as in SVG, which shows the values under the pointer and has buttons
// that save and copy it if the notebook is trusted. On a page that has the library of Once,
// ECharts draws the charts in its place, with zoom and a legend that hides series. With Live,
// it does so on any page, in a frame.
func (f *Figure) HTML() string {
	if f.err != nil {
		return page.InNotebook(fmt.Sprintf(`<b>%s</b><p class="error">%s</p>`, html.EscapeString(f.Title), html.EscapeString(f.err.Error())))
	}
	still, height, err := f.still(!f.Live)
	if err == nil && !f.Live {
		return page.InNotebook(still + "<!--once " + library + "--><script>" + assets.Peek + "</script>")
	}
	if err != nil { // the chart needs a browser
		height = panelHeight
	}
	framed, bad := f.report().render(true)
	if bad != nil {
		framed = page.OfError(f.Title, bad)
	}
	return page.InNotebook(page.Frame(f.Title, framed, fmt.Sprintf("aspect-ratio:%d/%d;height:auto", defaultWidth, height)) + still)
}

// HTML returns the report for notebooks: a frame that holds a complete page, in
// a sandbox that may run its own scripts and reach nothing, and the picture of
// its first figure for viewers that take frames out.
func (r *Report) HTML() string {
	framed, err := r.render(true)
	if err != nil {
		framed = page.OfError(r.Title, err)
	}
	below := ""
	for _, b := range r.blocks {
		if b.figure != nil && b.figure.err == nil {
			below, _, _ = b.figure.still(false) // "" if the figure cannot be drawn
			break
		}
	}
	return page.InNotebook(page.Frame(r.Title, framed, fmt.Sprintf("height:%dpx", reportFrame)) + below)
}

// library is the name of what Once returns.
const library = "symmom charts"

// Once returns what a notebook holds once, by name: the first HTML that has the comment
// <!--once NAME--> has this in its place. Sessions do that; elsewhere figures stay pictures.
func Once() map[string]func() string { return map[string]func() string{library: assets.Library} }

// live returns the figure's charts for the library of Once, packed; "" if there are none.
func (f *Figure) live() (string, error) {
	if len(f.charts) == 0 || len(f.pictures) > 0 {
		return "", nil
	}
	type panel struct {
		Label, Options string
		Style          template.CSS // of its height
	}
	var panels []panel
	var functions chartjson.Functions
	var shared chartjson.Shared
	for i, c := range f.charts {
		options, err := functions.Options(c)
		if err != nil {
			return "", fmt.Errorf("charts: options of chart %d of %q: %w", i+1, oneLine(f.Title), err)
		}
		panels = append(panels, panel{f.about(), shared.Refer(chartjson.Short(string(options))), chartjson.HeightStyle(c, panelHeight)})
	}
	b, err := json.Marshal(struct {
		Title, Caption, Functions string
		Notes, Data               []string
		Panels                    []panel
	}{f.Title, f.Caption, "[" + strings.Join(functions.Sources, ",\n") + "]", f.Notes, shared.Data, panels})
	if err != nil {
		return "", fmt.Errorf("charts: %q: %w", oneLine(f.Title), err)
	}
	return assets.Pack(string(b)), nil
}

// reportFrame is the height of a report in a notebook; longer reports scroll.
const reportFrame = 720

// still draws the figure as an image element, with the colours for light and dark
// pages, the values of its marks, and what brings its charts to life.
func (f *Figure) still(lives bool) (element string, height int, err error) {
	whole := *f
	whole.Theme, whole.Width = "", 0
	n, values, err := whole.drawn(mostMarks)
	if err != nil {
		return "", 0, err
	}
	// The image also stores the colours of a dark page. Those of the palette and the
	// style sheet are known; others, and blends, are found by drawing.
	rules, known := svg.Recolor(n, darkOf())
	if !known {
		rules = "[style*='--f:']{fill:var(--f)}[style*='--s:']{stroke:var(--s)}[style*='--c:']{stop-color:var(--c)}"
		whole.Theme = "dark"
		dark, _, err := whole.drawn(0)
		if err != nil {
			return "", 0, err
		}
		svg.Shade(n, dark)
	}
	svg.Once(n)
	inDark := svg.New("style")
	inDark.Text = "@media (prefers-color-scheme:dark){" + rules + "}"
	n.Kids = append([]*svg.Node{inDark}, n.Kids...)
	if _, err := fmt.Sscan(n.Get("height"), &height); err != nil {
		return "", 0, fmt.Errorf("charts: height of %q: %w", oneLine(f.Title), err)
	}
	marks, err := json.Marshal(values)
	if err != nil {
		return "", 0, fmt.Errorf("charts: marks of %q: %w", oneLine(f.Title), err)
	}
	live := ""
	if lives {
		if live, err = f.live(); err != nil {
			return "", 0, err
		}
	}
	if live != "" {
		live = ` data-live="` + live + `"`
	}
	return fmt.Sprintf(`<img class="symmom-still" alt="%s" data-title="%s" width="%d" height="%d" style="display:block;width:100%%;height:auto" data-marks="%s"%s src="data:image/svg+xml;base64,%s">`,
		html.EscapeString(f.about()), html.EscapeString(oneLine(f.Title)), defaultWidth, height, assets.Pack(string(marks)), live,
		base64.StdEncoding.EncodeToString([]byte(n.String()))), height, nil
}

// darkOf maps each colour of the palette and of the style sheet to its colour on a
// dark page.
var darkOf = sync.OnceValue(func() map[string]string {
	of := map[string]string{"#000": "#000"} // of clip paths and lines, where it is invisible
	for _, m := range lighterColor.FindAllStringSubmatch(assets.Options, -1) {
		of[m[1]] = m[2]
	}
	light, dark := assets.ThemeColors(false), assets.ThemeColors(true)
	for _, name := range []string{"ink", "muted", "line", "faint", "card", "bg"} { // of symmom.theme and of pictures
		of[light[name]] = dark[name]
	}
	return of
})

var lighterColor = regexp.MustCompile(`"(#[0-9a-f]{6})": "(#[0-9a-f]{6})"`)
