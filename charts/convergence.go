package charts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/symmom"
)

// Limits on what a chart of traces carries; what is left out is said in the
// figure's notes.
const (
	maxTracePoints = 1000  // of one line
	maxChartPoints = 10000 // of one chart
	maxFitLines    = 100   // starts of one fit
)

// nearBest is the paper's notion of a start that found the best fit: within
// .01 of it in f / ||X||^2 (figure init-compare).
const nearBest = .01

// Convergence draws how the starts of one or several fits came down: the
// relative error f / ||X||^2 on a logarithmic axis where ||X||^2 is exact for
// all of them, otherwise f without its constant, against the evaluations of f
// and its gradient (a logarithmic axis, too, for long runs) and against the
// seconds of each start. Of one fit, the
// starts that ended elsewhere than the best have another colour; of several,
// each fit has one.
//
// The two charts are go-echarts Line charts. A series is a start, with the id
// "fit-i-start-k"; a point is [evaluations, y, seconds, gradient norm] in the
// first and [seconds, y, evaluations, gradient norm] in the second, the
// seconds to the microsecond and the gradient norm to four digits.
func Convergence(fits ...*symmom.Fit) *Figure {
	const title = "Convergence"
	if len(fits) == 0 {
		return failed(title, errors.New("charts: convergence: give at least one fit"))
	}
	relative := true
	starts, traces := 0, 0
	for i, f := range fits {
		if f == nil {
			return failed(title, fmt.Errorf("charts: convergence: fit %d is nil", i+1))
		}
		if len(f.Starts) == 0 {
			err := f.Err()
			if err == nil {
				err = errors.New("it has no starts")
			}
			return failed(title, fmt.Errorf("charts: convergence: fit %d: %w", i+1, err))
		}
		relative = relative && f.NormSquared.Exact() && f.NormSquared.Value > 0
		starts += len(f.Starts)
		traces += len(shownStarts(f))
	}
	if traces == 0 {
		return failed(title, errors.New("charts: convergence: the fits hold no traces"))
	}

	t := traceSet{fits: fits, relative: relative, limit: min(maxTracePoints, max(2, maxChartPoints/traces))}
	lines := t.lines()
	t.chooseAxis(lines)
	t.chooseX(lines)
	f := &Figure{
		Title:   title,
		Caption: t.caption(),
		charts:  []components.Charter{t.chart(lines, false), t.chart(lines, true)},
		summary: fmt.Sprintf("%s of %s", plural(starts, "start"), plural(len(fits), "fit")),
	}
	if traces < starts {
		f.Notes = append(f.Notes, fmt.Sprintf("%d of %s are drawn, the best among them.", traces, plural(starts, "start")))
	}
	if t.thinned > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s thinned to at most %d points each, the first and the last among them.", plural(t.thinned, "trace"), t.limit))
	}
	if t.belowZero > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s at or below zero by rounding cannot stand on the logarithmic axis and are left out.", plural(t.belowZero, "point")))
	}
	if !relative {
		f.Notes = append(f.Notes, "‖X‖² is an estimate, so the relative error is one too; the objective is drawn without its constant instead, on a linear axis.")
	}
	return f
}

// traceSet is the data of one Convergence.
type traceSet struct {
	fits      []*symmom.Fit
	relative  bool
	log       bool // y axis
	logX      bool // the axis of evaluations
	limit     int  // points of a line
	thinned   int  // traces that had more
	belowZero int  // points that a log axis cannot show
}

// traceLine is one start as it will be drawn.
type traceLine struct {
	name, id string // the legend groups by name
	color    string
	best     bool
	points   []symmom.TracePoint // Objective is y
}

// lines makes the lines in drawing order: the best last, on top.
func (t *traceSet) lines() []traceLine {
	var others, best []traceLine
	names := fitNames(t.fits)
	for i, f := range t.fits {
		for _, k := range shownStarts(f) {
			s := f.Starts[k]
			l := traceLine{id: fmt.Sprintf("fit-%d-start-%d", i, k), points: t.points(f, s), best: k == f.Best}
			if len(t.fits) > 1 {
				l.name, l.color = names[i], palette[i%len(palette)]
			} else {
				l.name, l.color = startGroup(f, s, l.best)
			}
			if l.best {
				best = append(best, l)
			} else {
				others = append(others, l)
			}
		}
	}
	return append(others, best...)
}

// shownStarts chooses the starts of a fit that become lines: those with a trace, and
// of more than a chart can show every so many, the best among them.
func shownStarts(f *symmom.Fit) []int {
	var all []int
	for k, s := range f.Starts {
		if len(s.Trace) > 0 {
			all = append(all, k)
		}
	}
	step := (len(all) + maxFitLines - 1) / maxFitLines
	if step <= 1 {
		return all
	}
	var some []int
	for i, k := range all {
		if k == f.Best || i%step == 0 {
			some = append(some, k)
		}
	}
	return some
}

// startGroup says how a start of a single fit ended.
func startGroup(f *symmom.Fit, s symmom.Start, best bool) (name, color string) {
	switch {
	case best:
		return "best start", blue
	case f.NormSquared.Value > 0 && s.ObjectiveShifted-f.ObjectiveShifted <= nearBest*f.NormSquared.Value:
		return "as low as the best", sky
	default:
		return "ended higher", vermilion
	}
}

// points thins a trace and puts the relative error in the place of f.
func (t *traceSet) points(f *symmom.Fit, s symmom.Start) []symmom.TracePoint {
	at := thin(len(s.Trace), t.limit)
	if len(at) < len(s.Trace) {
		t.thinned++
	}
	points := make([]symmom.TracePoint, len(at))
	for k, i := range at {
		points[k] = s.Trace[i]
		if t.relative {
			points[k].Objective = 1 + points[k].Objective/f.NormSquared.Value
		}
	}
	return points
}

// thin chooses at most limit of n indices, the first and the last among them:
// half of them evenly spaced, half in geometric progression, because the
// axis may be logarithmic and the beginning is steep.
func thin(n, limit int) []int {
	at := make([]int, 0, min(n, limit))
	if n <= limit {
		for i := range n {
			at = append(at, i)
		}
		return at
	}
	half := limit / 2
	for k := range half {
		share := float64(k) / float64(max(1, half-1))
		at = append(at, int(math.Round(share*float64(n-1))), int(math.Round(math.Pow(float64(n), share)))-1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// chooseAxis takes a logarithmic axis for relative errors, unless they lie so
// close together that it could have no label between its ends.
func (t *traceSet) chooseAxis(lines []traceLine) {
	if !t.relative {
		return
	}
	lo, hi, below := math.Inf(1), 0.0, 0
	for _, l := range lines {
		for _, p := range l.points {
			if p.Objective > 0 && finite(p.Objective) {
				lo, hi = math.Min(lo, p.Objective), math.Max(hi, p.Objective)
			} else {
				below++
			}
		}
	}
	if hi >= 4*lo {
		t.log, t.belowZero = true, below
	}
}

// chooseX takes a logarithmic axis for the evaluations where the lines are
// long: the first few lower f the most.
func (t *traceSet) chooseX(lines []traceLine) {
	least, most := math.MaxInt, 0
	for _, l := range lines {
		for _, p := range l.points {
			least, most = min(least, p.Evaluations), max(most, p.Evaluations)
		}
	}
	t.logX = least >= 1 && most >= 30*least
}

// quantity names what y is.
func (t *traceSet) quantity() string {
	if t.relative {
		return "relative error  f / ‖X‖²"
	}
	return "f − ‖X‖²"
}

func (t *traceSet) caption() string {
	y := "Objective without its constant, f − ‖X‖²,"
	if t.relative {
		y = "Relative error f / ‖X‖²"
	}
	s := y + " along each start: first against the evaluations of f with its gradient, then against time."
	if len(t.fits) > 1 {
		return s + " The best start of each fit is the thick line."
	}
	return s + " As low as the best means within 0.01 ‖X‖² of it."
}

// chart draws the lines against evaluations, or seconds.
func (t *traceSet) chart(lines []traceLine, seconds bool) *echarts.Line {
	c := echarts.NewLine()
	x := opts.XAxis{Name: "evaluations", NameLocation: "middle", NameGap: 28, Type: "value", AxisLabel: &opts.AxisLabel{HideOverlap: opts.Bool(true)}}
	switch {
	case seconds:
		x.Name = "seconds"
	case t.logX:
		x.Type, x.AxisLabel.Formatter = "log", opts.FuncOpts(powerOfTen)
	}
	y := opts.YAxis{Name: t.quantity(), NameLocation: "middle", NameGap: 52, Type: "value", Scale: opts.Bool(true)}
	if !t.relative {
		y.NameGap = 64
	}
	y.AxisLabel = &opts.AxisLabel{Formatter: opts.FuncOpts(shortNumber)}
	if t.log {
		y.Type = "log"
		y.AxisLabel.Formatter = opts.FuncOpts(powerOfTen)
	}
	c.SetGlobalOptions(
		echarts.WithColorsOpts(palette),
		echarts.WithAnimation(false),
		echarts.WithInitializationOpts(opts.Initialization{Width: "100%", Height: fmt.Sprintf("%dpx", panelHeight)}),
		echarts.WithGridOpts(opts.Grid{Left: "26px", Right: "22px", Top: "44px", Bottom: "28px", ContainLabel: opts.Bool(true)}),
		echarts.WithLegendOpts(opts.Legend{Type: "scroll", Top: "0", Left: "24px", Right: "64px", Data: legend(lines)}),
		echarts.WithToolboxOpts(zoomTools),
		echarts.WithTooltipOpts(opts.Tooltip{Trigger: "item", Formatter: opts.FuncOpts(traceTooltip(t.quantity(), seconds))}),
		echarts.WithXAxisOpts(x),
		echarts.WithYAxisOpts(y),
	)
	for _, l := range lines {
		data := make([]opts.LineData, len(l.points))
		for i, p := range l.points {
			v := number(p.Objective)
			if t.log && p.Objective <= 0 {
				v = nil
			}
			if seconds {
				data[i].Value = []any{microseconds(p.Seconds), v, p.Evaluations, fourDigits(p.GradientNorm)}
			} else {
				data[i].Value = []any{p.Evaluations, v, microseconds(p.Seconds), fourDigits(p.GradientNorm)}
			}
		}
		width, opacity := float32(1.4), float32(.75)
		if l.best {
			width, opacity = 3, 1
		}
		c.AddSeries(l.name, data,
			echarts.WithSeriesId(l.id),
			echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 7, ShowSymbol: opts.Bool(true)}),
			echarts.WithLineStyleOpts(opts.LineStyle{Color: l.color, Width: width, Opacity: opts.Float(opacity)}),
			// the marks are there for the pointer, and seen only under it
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: l.color, Opacity: opts.Float(0)}),
			echarts.WithEmphasisOpts(opts.Emphasis{ItemStyle: &opts.ItemStyle{Opacity: opts.Float(1)}, Focus: "series"}),
		)
	}
	return c
}

// zoomTools let the reader draw a box to look into, and go back.
var zoomTools = opts.Toolbox{Right: "0", Top: "0", Feature: &opts.ToolBoxFeature{
	DataZoom: &opts.ToolBoxFeatureDataZoom{Show: opts.Bool(true), Title: map[string]string{"zoom": "zoom: draw a box", "back": "zoom back"}, Icon: map[string]string{}},
}}

// legend lists the names, of the best lines first.
func legend(lines []traceLine) []string {
	var best, others []string
	for _, l := range lines {
		switch {
		case l.best && !slices.Contains(best, l.name):
			best = append(best, l.name)
		case !l.best && !slices.Contains(others, l.name):
			others = append(others, l.name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		if !slices.Contains(best, name) {
			best = append(best, name)
		}
	}
	return best
}

// microseconds and fourDigits shorten numbers whose further digits nobody
// sees: they are a third of a page.
func microseconds(s float64) any { return number(math.Round(s*1e6) / 1e6) }

func fourDigits(x float64) any {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 3, 64), 64)
	if err != nil {
		return nil
	}
	return number(short)
}

// fitNames tells several fits apart by what differs between them.
func fitNames(fits []*symmom.Fit) []string {
	differs := func(get func(*symmom.Fit) string) bool {
		for _, f := range fits {
			if get(f) != get(fits[0]) {
				return true
			}
		}
		return false
	}
	parts := []func(*symmom.Fit) string{
		func(f *symmom.Fit) string { return fmt.Sprintf("order %d", f.Order) },
		func(f *symmom.Fit) string { return fmt.Sprintf("rank %d", f.Rank) },
		func(f *symmom.Fit) string { return f.Form },
		func(f *symmom.Fit) string { return f.Solver },
		func(f *symmom.Fit) string { return fmt.Sprintf("seed %d", f.Seed) },
	}
	names, seen := make([]string, len(fits)), map[string]int{}
	for i, f := range fits {
		for _, part := range parts {
			if differs(part) && part(f) != "" {
				if names[i] != "" {
					names[i] += ", "
				}
				names[i] += part(f)
			}
		}
		if names[i] == "" {
			names[i] = "fit"
		}
		seen[names[i]]++
		if n := seen[names[i]]; n > 1 || names[i] == "fit" {
			names[i] = fmt.Sprintf("%s #%d", names[i], n)
		}
	}
	return names
}
