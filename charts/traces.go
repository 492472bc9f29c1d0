package charts

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/charts/internal/traces"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// TraceLine is one line of ConvergenceLines.
type TraceLine struct {
	Name string // in the legend

	// Points in the order of time; Objective is what is drawn. If Evaluations or
	// Elapsed is 0 in all lines, its chart is left out.
	Points []symmom.TracePoint
}

// ConvergenceLines draws what Convergence does from plain numbers, one line per
// method. The quantity names what Objective is, such as "f (shifted)". The axis is
// logarithmic if all values are positive and span a factor of 4. A series has the
// id "line-i".
func ConvergenceLines(quantity string, lines []TraceLine, options ...ConvergenceOptions) *Figure {
	o, err := atMostOne(options)
	title := orDefault(o.Title, "Convergence")
	fail := func(err error) *Figure { return failed(title, fmt.Errorf("charts: convergence: %w", err)) }
	if err != nil {
		return fail(err)
	}
	if len(lines) == 0 {
		return fail(errors.New("give at least one line"))
	}
	t := traceSet{o: o, quantity: orDefault(quantity, "f"), limit: min(maxTracePoints, max(2, maxChartPoints/len(lines)))}
	var drawn []traceLine
	for i, l := range lines {
		if len(l.Points) == 0 {
			return fail(fmt.Errorf("line %d has no points", i+1))
		}
		drawn = append(drawn, traceLine{name: l.Name, id: fmt.Sprintf("line-%d", i), color: palette[i%len(palette)], dash: lineTypes[i/len(palette)%len(lineTypes)], best: true, points: t.points(l.Points)})
	}
	f := t.figure(drawn)
	f.Title = title
	f.summary = words.Plural(len(lines), "line")
	return f
}

// figure draws the lines against evaluations and seconds, and their beginning.
func (t *traceSet) figure(lines []traceLine) *Figure {
	t.chooseAxis(lines)
	t.chooseX(lines)
	f := &Figure{}
	var evaluations, seconds bool
	for _, l := range lines {
		for _, p := range l.points {
			evaluations, seconds = evaluations || p.Evaluations > 0, seconds || p.Elapsed > 0
		}
	}
	if evaluations || !seconds {
		f.charts = append(f.charts, t.chart(lines, false, 0))
	}
	zoom := t.zoom(lines)
	if seconds {
		f.charts = append(f.charts, t.chart(lines, true, 0))
		if zoom > 0 {
			f.charts = append(f.charts, t.chart(lines, true, zoom))
		}
	}
	f.Caption = orDefault(t.o.Caption, t.caption(evaluations, seconds, zoom))
	if t.thinned > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s thinned to at most %s each, the first and the last among them.", words.Plural(t.thinned, "trace"), words.Plural(t.limit, "point")))
	}
	if t.belowZero > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s at or below zero by rounding cannot stand on the logarithmic axis and are left out.", words.Plural(t.belowZero, "point")))
	}
	f.Notes = append(f.Notes, t.notFinite...)
	if t.capped {
		f.Notes = append(f.Notes, "The axis ends at 0, the value of the empty model; some lines begin above it.")
	}
	return f
}

// zoom returns the time at which the chart of the beginning ends, 0 if there is none.
func (t *traceSet) zoom(lines []traceLine) time.Duration {
	if t.o.Zoom != 0 {
		return max(t.o.Zoom, 0)
	}
	var ends []time.Duration
	for _, l := range lines {
		if end := l.points[len(l.points)-1].Elapsed; l.best && end > 0 {
			ends = append(ends, end)
		}
	}
	return traces.Beginning(ends)
}

// beginning returns the part of a line up to end and the point after it, which
// shows where the line goes; nothing if the line begins later.
func (l traceLine) beginning(end time.Duration) []symmom.TracePoint {
	for i, p := range l.points {
		if p.Elapsed > end {
			if i == 0 {
				return nil
			}
			return l.points[:i+1]
		}
	}
	return l.points
}

// chooseAxis chooses a logarithmic axis for relative errors and other positive
// values, unless they are so close together that it could have no label between its
// ends. A linear axis of the objective ends at the empty model.
func (t *traceSet) chooseAxis(lines []traceLine) {
	var values []float64
	below, above, ends := 0, false, math.Inf(-1)
	for _, l := range lines {
		for _, p := range l.points {
			values = append(values, p.Objective)
			if above = above || p.Objective > 0; p.Objective <= 0 {
				below++
			}
		}
		ends = math.Max(ends, l.points[len(l.points)-1].Objective)
	}
	t.notFinite = leftOut(t.yName(), values)
	if t.relative || t.quantity != "" && below == 0 {
		if t.y = scaling.Of(4, values); !t.y.Linear() {
			t.belowZero = below
		}
	} else {
		t.y = scaling.Of(math.Inf(1), values)
		t.capped = above && ends < 0
	}
}

// chooseX chooses a logarithmic axis for the evaluations if the lines are long: the
// first few evaluations lower f the most.
func (t *traceSet) chooseX(lines []traceLine) {
	least, most := math.MaxInt, 0
	for _, l := range lines {
		for _, p := range l.points {
			least, most = min(least, p.Evaluations), max(most, p.Evaluations)
		}
	}
	t.logX = least >= 1 && most >= 30*least
}

// yName returns the name of y.
func (t *traceSet) yName() string {
	switch {
	case t.quantity != "":
		return t.quantity
	case t.relative:
		return relativeErrorAxis
	case t.estimated != "":
		return t.estimated
	}
	return "f − ‖X‖²"
}

func (t *traceSet) caption(evaluations, seconds bool, zoom time.Duration) string {
	y := "Objective without its constant, f − ‖X‖²,"
	switch {
	case t.relative:
		y = "Relative error f / ‖X‖²"
	case t.quantity != "":
		y = t.quantity
	case t.estimated != "":
		y = strings.ToUpper(t.estimated[:1]) + t.estimated[1:]
	}
	s := y + " along each start: first against the evaluations of f with its gradient, then against time"
	switch {
	case !seconds:
		s = y + " against the evaluations of f with its gradient"
	case !evaluations:
		s = y + " against time"
	}
	if zoom > 0 {
		s += ", of which the last chart shows the beginning"
	}
	switch {
	case t.quantity != "" || t.o.Best:
		return s + "."
	case len(t.fits) == 1 && t.estimated != "":
		return s + "." // estimates do not tell which starts are as low
	case len(t.fits) > 1:
		return s + ". The best start of each fit is the thick line."
	}
	return s + ". As low as the best means at an f within 0.001 of the best one, relative to f or to ‖M‖² of the model, whichever is less."
}

// chart draws the lines against evaluations, or against seconds, up to end if that
// is not 0.
func (t *traceSet) chart(lines []traceLine, seconds bool, end time.Duration) *echarts.Line {
	c := echarts.NewLine()
	x := xNamed("evaluations", "value", "")
	x.MinInterval = 1
	switch {
	case end > 0:
		x = xNamed("seconds, the beginning", "value", scripts.ShortNumber)
		x.Max = scaling.Significant(end.Seconds(), 3)
	case seconds:
		x = xNamed("seconds", "value", scripts.ShortNumber)
	case t.logX:
		x.Type, x.AxisLabel.Formatter = "log", opts.FuncOpts(scripts.PowerOfTen)
	}
	y := t.y.Y(yNamed(t.yName(), "value", scripts.ShortNumber))
	if t.capped {
		y.Max = 0
	}
	c.SetGlobalOptions(layout{height: panelHeight, legend: legend(lines), tools: true}.with(x, y, scripts.TraceTooltip(seconds, t.y.JS))...)
	for _, l := range lines {
		points := l.points
		if end > 0 {
			points = l.beginning(end)
		}
		data, drawable := make([]opts.LineData, len(points)), 0
		for i, p := range points {
			v := t.y.Value(p.Objective)
			if v != nil {
				drawable++
			}
			if seconds {
				data[i].Value = []any{microseconds(p.Elapsed), v, p.Evaluations, fourDigits(p.GradientNorm)}
			} else {
				data[i].Value = []any{p.Evaluations, v, microseconds(p.Elapsed), fourDigits(p.GradientNorm)}
			}
		}
		width, opacity := float32(1.4), float32(.75)
		if l.best {
			width, opacity = 3, 1
		}
		marks, size := float32(0), float32(7)
		if drawable == 1 {
			marks = 1 // no line shows where it is
		}
		if t.methods() {
			width = 1.8
			if len(points) <= markedPoints {
				marks, size = 1, 5
			}
		}
		c.AddSeries(l.name, data,
			echarts.WithSeriesId(l.id),
			echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: size, ShowSymbol: opts.Bool(true)}),
			echarts.WithLineStyleOpts(opts.LineStyle{Color: l.color, Width: width, Type: l.dash, Opacity: opts.Float(opacity)}),
			// most marks are invisible, and react to the pointer
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: l.color, Opacity: opts.Float(marks)}),
			echarts.WithEmphasisOpts(opts.Emphasis{ItemStyle: &opts.ItemStyle{Opacity: opts.Float(1)}, Focus: "series"}),
		)
	}
	return c
}

// methods reports whether each line is a method of its own. Points of such lines
// are marked, up to markedPoints of them.
func (t *traceSet) methods() bool { return t.quantity != "" || t.o.Best }

const markedPoints = 250

// zoomTools let the reader select a box to zoom into, and go back.
var zoomTools = opts.Toolbox{Right: "0", Top: "0", Feature: &opts.ToolBoxFeature{
	DataZoom: &opts.ToolBoxFeatureDataZoom{Show: opts.Bool(true), Title: map[string]string{"zoom": "zoom: draw a box", "back": "zoom back"}, Icon: map[string]string{}},
}}

// legend lists the names, beginning with those of the best lines.
func legend(lines []traceLine) []string {
	var best, others []string
	for _, l := range lines {
		if l.best {
			best = append(best, l.name)
		} else {
			others = append(others, l.name)
		}
	}
	return traces.Legend(best, others)
}

// microseconds and fourDigits shorten numbers by digits that are never seen, which
// are a third of a page.
func microseconds(d time.Duration) any { return number(math.Round(d.Seconds()*1e6) / 1e6) }

func fourDigits(x float64) any { return scaling.Significant(x, 4) }
