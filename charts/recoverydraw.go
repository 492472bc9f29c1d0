package charts

import (
	"fmt"
	"strings"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/box"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
)

// cross is the symbol of a true mean.
const cross = "path://M0,2L2,0L6,4L10,0L12,2L8,6L12,10L10,12L6,8L2,12L0,10L4,6Z"

// figure draws the panels.
func (p *projection) figure() *Figure {
	f := &Figure{Caption: p.caption()}
	near, cut, name := p.near(), "", p.nouns()
	if len(p.panels) == 1 {
		far := p.far(near)
		f.Notes = unitNote(far)
		switch {
		case p.rows == nil:
			f.charts = append(f.charts, p.chart(0, "", near, heightOf(near)))
		case far.Wider(near) && !p.o.whole:
			title := "near the " + name.near
			f.charts = append(f.charts, p.chart(0, "all observations", far, panelHeight), p.chart(0, title, near, panelHeight))
			cut = "the chart " + title
		default:
			f.charts = append(f.charts, p.chart(0, "", far, heightOf(far)))
		}
	} else {
		for k, panel := range p.panels {
			f.charts = append(f.charts, p.chart(k, panel.Name, near, panelHeight))
		}
		cut = "these panels, which show the part near the " + name.near
		f.Notes = unitNote(near)
	}
	f.summary = fmt.Sprintf("%s beside %s", words.Plural(len(p.found[0]), name.found), words.Plural(len(p.truth), "true one"))
	switch {
	case len(p.panels) > 1:
		f.summary = words.Plural(len(p.panels), "panel")
	case p.truth == nil:
		f.summary = words.Plural(len(p.found[0]), name.found)
	case p.found[0] == nil:
		f.summary = words.Plural(len(p.truth), name.truth)
	}
	if drawn := len(p.points); drawn < p.total {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of the %s are drawn, chosen at random evenly over the table.", words.Count(drawn), words.Plural(p.total, "observation")))
	}
	outside := 0
	for _, at := range p.points {
		if !near.Holds(at) {
			outside++
		}
	}
	if cut != "" && outside > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Outside %s: up to %s of the %s drawn.", cut, words.Count(outside), words.Plural(len(p.points), "observation")))
	}
	if p.weighted {
		f.Notes = append(f.Notes, unweighted)
	}
	if note := p.astrayNote(); note != "" {
		f.Notes = append(f.Notes, note)
	}
	if p.stretched {
		f.Notes = append(f.Notes, p.lengthNote())
	}
	return f
}

// unweighted is the note of observations that have weights.
const unweighted = "All observations are drawn alike, whatever their weights."

// lengthNote says where the lengths come from.
func (p *projection) lengthNote() string {
	note := "The factors have unit norm and the observations do not: each is drawn with the mean length of the observations that point its way"
	if p.o.Axes {
		note = "A component is a direction without a length: the ends are where its observations, those that it describes best, lie on average on either side"
	}
	if p.nu != nil {
		note += ", by their weights"
	}
	return note + "."
}

// astrayNote names the recovered means that are none.
func (p *projection) astrayNote() string {
	var which []string
	for k, js := range p.astray {
		for _, j := range js {
			name := fmt.Sprintf("component %d", j)
			if len(p.panels) > 1 {
				name += " of " + orDefault(p.panels[k].Name, fmt.Sprintf("panel %d", k+1))
			}
			which = append(which, name)
		}
	}
	const most = 6
	if more := len(which) - most; more > 1 {
		which = append(which[:most], words.Count(more)+" more")
	}
	if len(which) == 0 {
		return ""
	}
	return "Directions rather than means, as the observations that point their way have their mean elsewhere: " + strings.Join(which, ", ") + "."
}

// nouns are the names of the marks.
type nouns struct{ truth, found, near string }

func (p *projection) nouns() nouns {
	if p.o.Axes {
		return nouns{"true component", "component", "components"}
	}
	return nouns{"true mean", "recovered mean", "means"}
}

func (p *projection) caption() string {
	var s strings.Builder
	what := []string{}
	if p.rows != nil {
		what = append(what, "observations")
	}
	found := false
	for _, c := range p.found {
		found = found || c != nil
	}
	if found {
		what = append(what, p.nouns().found+"s")
	} else {
		what = append(what, p.nouns().truth+"s")
	}
	all := strings.Join(what, " and ")
	fmt.Fprintf(&s, "%s, projected to %s.", strings.ToUpper(all[:1])+all[1:], orDefault(p.plane.Name, "a plane"))
	switch {
	case p.o.Axes:
		s.WriteString(" Each component is an axis through the mean of the observations, with a circle at both ends.")
		if p.truth != nil {
			s.WriteString(" Each true component is two crosses; circles around them have found it.")
		}
	case p.truth != nil && found:
		s.WriteString(" Each true mean is a cross; a circle around it has found it.")
	case p.truth != nil:
		s.WriteString(" Each true mean is a cross.")
	}
	switch {
	case p.rows == nil:
	case p.groups != nil:
		fmt.Fprintf(&s, " Colours are the groups of %s.", p.groups.Label)
	case p.known:
		s.WriteString(" Colours are the components that the observations are of.")
	case p.truth != nil:
		fmt.Fprintf(&s, " The colour of an observation is that of the nearest %s.", p.nouns().truth)
	case len(p.panels) > 1:
		fmt.Fprintf(&s, " The colour of an observation is that of the nearest %s of the panel.", p.nouns().found)
	default:
		fmt.Fprintf(&s, " The colour of an observation is that of the nearest %s.", p.nouns().found)
	}
	return s.String()
}

// ends returns where a column is drawn: a mean as a point, an axis by its two ends.
func (p *projection) ends(column []float64) [][2]float64 {
	at := p.plane.at(column)
	if !p.o.Axes {
		return [][2]float64{at}
	}
	var mean [2]float64
	if p.rows != nil {
		mean = p.plane.at(p.mean)
	}
	return [][2]float64{{mean[0] + at[0], mean[1] + at[1]}, {mean[0] - at[0], mean[1] - at[1]}}
}

// dots returns the marks of the observations of component j. Their shape changes
// once the palette repeats, and they are then larger: a circle and a square of 3.5
// pixels look the same.
func dots(j int) (opts.ScatterChart, opts.ItemStyle) {
	round, size := j/len(palette), 3.5
	if round > 0 {
		size = 5.5
	}
	return opts.ScatterChart{Symbol: symbols[round%len(symbols)], SymbolSize: size},
		opts.ItemStyle{Color: palette[j%len(palette)], Opacity: opts.Float(dotOpacity)}
}

// dotOpacity makes overlapping dots visible and keeps their colours.
const dotOpacity = .75

// chart draws panel k within b. If there are several panels, the legend names groups, which
// are the same in all, and no components.
func (p *projection) chart(k int, title string, b box.Box, height int) *echarts.Scatter {
	c := echarts.NewScatter()
	x, y, plane := p.plane.axes(b)
	var names []string
	name := p.nouns()
	if p.truth != nil {
		names = append(names, name.truth)
	}
	if p.found[k] != nil {
		names = append(names, name.found)
	}
	for j, points := range p.byLabel(k, plane) {
		if len(points) == 0 {
			continue
		}
		label, dot, style := p.rest, opts.ScatterChart{Symbol: symbols[0], SymbolSize: 3.5}, opts.ItemStyle{Color: grey, Opacity: opts.Float(dotOpacity)}
		if j < len(p.names) {
			label = p.names[j]
			number := j
			if p.colors[k] != nil {
				number = p.colors[k][j]
			}
			dot, style = dots(number)
		}
		if len(p.panels) == 1 || p.groups != nil {
			names = append(names, label)
		}
		c.AddSeries(label, points,
			echarts.WithSeriesId(fmt.Sprintf("data-%d", j)),
			echarts.WithScatterChartOpts(dot),
			echarts.WithItemStyleOpts(style))
	}
	for j, v := range p.truth {
		color := palette[j%len(palette)]
		if p.groups != nil {
			color = inkColor // the palette is used for the groups
		}
		var points []opts.ScatterData
		for _, at := range p.ends(v) {
			points = append(points, opts.ScatterData{Name: p.means[j], Value: plane.At(at)})
		}
		c.AddSeries(name.truth, points,
			echarts.WithSeriesId(fmt.Sprintf("truth-%d", j)),
			echarts.WithScatterChartOpts(opts.ScatterChart{Symbol: cross, SymbolSize: 17}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color, BorderColor: pageColor, BorderWidth: 1}))
	}
	if p.found[k] != nil {
		var points []opts.ScatterData
		axes := echarts.NewLine()
		for j, v := range p.found[k] {
			var axis []opts.LineData
			label := fmt.Sprintf("component %d", j+1)
			for _, at := range p.ends(v) {
				points = append(points, opts.ScatterData{Name: label, Value: plane.At(at)})
				axis = append(axis, opts.LineData{Name: label, Value: plane.At(at)})
			}
			if p.o.Axes {
				axes.AddSeries(name.found, axis, echarts.WithSeriesId(fmt.Sprintf("axis-%d", j)),
					echarts.WithLineChartOpts(opts.LineChart{Symbol: "none"}),
					echarts.WithLineStyleOpts(opts.LineStyle{Color: inkColor, Width: 1.6}))
			}
		}
		c.AddSeries(name.found, points, echarts.WithSeriesId("found"),
			echarts.WithScatterChartOpts(opts.ScatterChart{Symbol: "circle", SymbolSize: 15}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: "transparent", BorderColor: inkColor, BorderWidth: 2.5}))
		c.Overlap(axes) // after the circles, whose icon is that of the legend
	}

	c.SetGlobalOptions(layout{height: height, title: title, legend: names}.with(x, y, scripts.PlaneTooltip(plane[0].JS, plane[1].JS))...)
	return c
}

// byLabel groups the observations by their component in panel k; the last group holds those
// without one. Those beyond the axes are among them: a chart may show more than its box.
func (p *projection) byLabel(k int, plane scaling.Plane) [][]opts.ScatterData {
	groups := make([][]opts.ScatterData, len(p.names)+1)
	for l, at := range p.points {
		j := p.label[k][l]
		if j < 0 {
			j = len(p.names)
		}
		groups[j] = append(groups[j], opts.ScatterData{Value: plane.At(at)})
	}
	return groups
}

// near returns a box that holds the means of all panels; far also holds the
// observations.
func (p *projection) near() box.Box {
	b := box.Empty()
	for _, at := range p.marks() {
		b = b.With(at)
	}
	return b.Roomy(box.Spread(p.points, p.marks())).Padded(.3)
}

// marks returns where the means of all panels are drawn.
func (p *projection) marks() (all [][2]float64) {
	for _, panel := range append([][][]float64{p.truth}, p.found...) {
		for _, c := range panel {
			all = append(all, p.ends(c)...)
		}
	}
	return all
}

func (p *projection) far(b box.Box) box.Box {
	for _, at := range p.points {
		b = b.With(at)
	}
	return b.Padded(.02)
}
