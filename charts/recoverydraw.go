package charts

import (
	"fmt"
	"math"
	"strings"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scripts"
	"symmom/internal/words"
)

// cross is the symbol of a true mean.
const cross = "path://M0,2L2,0L6,4L10,0L12,2L8,6L12,10L10,12L6,8L2,12L0,10L4,6Z"

// figure draws the panels.
func (p *projection) figure() *Figure {
	f := &Figure{Caption: p.caption()}
	near := p.near()
	if len(p.panels) == 1 {
		const alone = 440 // height in pixels; a single chart is wide
		switch far := p.far(near); {
		case p.rows == nil:
			f.charts = append(f.charts, p.chart(0, "", near, alone))
		case far.wider(near):
			f.charts = append(f.charts, p.chart(0, "all observations", far, panelHeight), p.chart(0, "near the means", near, panelHeight))
		default:
			f.charts = append(f.charts, p.chart(0, "", far, alone))
		}
	} else {
		for k, panel := range p.panels {
			f.charts = append(f.charts, p.chart(k, panel.Name, near, panelHeight))
		}
	}
	f.summary = fmt.Sprintf("%s beside %s", words.Plural(len(p.found[0]), "recovered mean"), words.Plural(len(p.truth), "true one"))
	switch {
	case len(p.panels) > 1:
		f.summary = words.Plural(len(p.panels), "panel")
	case p.truth == nil:
		f.summary = words.Plural(len(p.found[0]), "recovered mean")
	case p.found[0] == nil:
		f.summary = words.Plural(len(p.truth), "true mean")
	}
	if drawn := len(p.points); drawn < p.total {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of the %s are drawn, chosen at random evenly over the table.", words.Count(drawn), words.Plural(p.total, "observation")))
	}
	if p.stretched {
		f.Notes = append(f.Notes, "The factors have unit norm and the observations do not: each is drawn with the mean length of the observations that point its way.")
	}
	return f
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
		what = append(what, "recovered means")
	} else {
		what = append(what, "true means")
	}
	all := strings.Join(what, " and ")
	fmt.Fprintf(&s, "%s, projected to %s.", strings.ToUpper(all[:1])+all[1:], orDefault(p.plane.Name, "a plane"))
	switch {
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
		s.WriteString(" The colour of an observation is that of the nearest true mean.")
	default:
		s.WriteString(" The colour of an observation is that of the nearest recovered mean.")
	}
	return s.String()
}

// box is a rectangle in the plane.
type box struct{ lo, hi [2]float64 }

func emptyBox() box {
	return box{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
}

func (b box) with(at [2]float64) box {
	for i, x := range at {
		b.lo[i], b.hi[i] = math.Min(b.lo[i], x), math.Max(b.hi[i], x)
	}
	return b
}

// padded widens the box by the given share on every side, to round numbers that
// make good ends of an axis.
func (b box) padded(share float64) box {
	for i := range b.lo {
		width := b.hi[i] - b.lo[i]
		if width <= 0 {
			width = math.Max(math.Abs(b.lo[i]), 1)
		}
		unit := math.Pow(10, math.Floor(math.Log10(width))) / 5
		b.lo[i] = math.Floor((b.lo[i]-share*width)/unit) * unit
		b.hi[i] = math.Ceil((b.hi[i]+share*width)/unit) * unit
	}
	return b
}

// wider reports whether b is enough larger than part to be worth a chart of its
// own.
func (b box) wider(part box) bool {
	return b.hi[0]-b.lo[0] > 1.5*(part.hi[0]-part.lo[0]) || b.hi[1]-b.lo[1] > 1.5*(part.hi[1]-part.lo[1])
}

// near returns a box that holds the means of all panels; far also holds the
// observations.
func (p *projection) near() box {
	b := emptyBox()
	for _, c := range p.truth {
		b = b.with(p.plane.at(c))
	}
	for _, panel := range p.found {
		for _, c := range panel {
			b = b.with(p.plane.at(c))
		}
	}
	return b.padded(.3)
}

func (p *projection) far(b box) box {
	for _, at := range p.points {
		b = b.with(at)
	}
	return b.padded(.02)
}

const (
	trueMean      = "true mean"
	recoveredMean = "recovered mean"
)

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

// chart draws panel k within b. If there are several panels, the legend does not
// name the components.
func (p *projection) chart(k int, title string, b box, height int) *echarts.Scatter {
	c := echarts.NewScatter()
	var names []string
	if p.truth != nil {
		names = append(names, trueMean)
	}
	if p.found[k] != nil {
		names = append(names, recoveredMean)
	}
	x, y := xNamed("first coordinate", "value", scripts.ShortNumber), yNamed("second coordinate", "value", scripts.ShortNumber)
	x.Min, x.Max, x.Scale = tidy(b.lo[0]), tidy(b.hi[0]), opts.Bool(true)
	y.Min, y.Max = tidy(b.lo[1]), tidy(b.hi[1])
	inner(x.AxisLabel)
	inner(y.AxisLabel)

	for j, points := range p.byLabel(b) {
		if len(points) == 0 {
			continue
		}
		name, dot, style := p.rest, opts.ScatterChart{Symbol: symbols[0], SymbolSize: 3.5}, opts.ItemStyle{Color: grey, Opacity: opts.Float(dotOpacity)}
		if j < len(p.names) {
			name = p.names[j]
			dot, style = dots(j)
		}
		if len(p.panels) == 1 {
			names = append(names, name)
		}
		c.AddSeries(name, points,
			echarts.WithSeriesId(fmt.Sprintf("data-%d", j)),
			echarts.WithScatterChartOpts(dot),
			echarts.WithItemStyleOpts(style))
	}
	for j, v := range p.truth {
		color := palette[j%len(palette)]
		if p.groups != nil {
			color = inkColor // the palette is used for the groups
		}
		c.AddSeries(trueMean, []opts.ScatterData{{Name: p.means[j], Value: tidyPoint(p.plane.at(v))}},
			echarts.WithSeriesId(fmt.Sprintf("truth-%d", j)),
			echarts.WithScatterChartOpts(opts.ScatterChart{Symbol: cross, SymbolSize: 17}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color, BorderColor: pageColor, BorderWidth: 1}))
	}
	if p.found[k] != nil {
		points := make([]opts.ScatterData, len(p.found[k]))
		for j, v := range p.found[k] {
			points[j] = opts.ScatterData{Name: fmt.Sprintf("component %d", j+1), Value: tidyPoint(p.plane.at(v))}
		}
		c.AddSeries(recoveredMean, points, echarts.WithSeriesId("found"),
			echarts.WithScatterChartOpts(opts.ScatterChart{Symbol: "circle", SymbolSize: 15}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: "transparent", BorderColor: inkColor, BorderWidth: 2.5}))
	}

	c.SetGlobalOptions(layout{height: height, title: title, legend: names}.with(x, y, scripts.PlaneTooltip)...)
	return c
}

// byLabel groups the observations within b by component; the last group holds those
// without one.
func (p *projection) byLabel(b box) [][]opts.ScatterData {
	groups := make([][]opts.ScatterData, len(p.names)+1)
	for l, at := range p.points {
		if at[0] < b.lo[0] || at[0] > b.hi[0] || at[1] < b.lo[1] || at[1] > b.hi[1] {
			continue
		}
		j := p.label[l]
		if j < 0 {
			j = len(p.names)
		}
		groups[j] = append(groups[j], opts.ScatterData{Value: tidyPoint(at)})
	}
	return groups
}

// tidy rounds a coordinate to six digits, more than a page can show.
func tidy(x float64) any { return significant(x, 6) }

func tidyPoint(at [2]float64) []any { return []any{tidy(at[0]), tidy(at[1])} }
