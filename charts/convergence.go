package charts

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/traces"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Limits on the size of a chart of traces; the figure's notes say what is left out.
const (
	maxTracePoints = 1000 // of one line
	maxChartPoints = 1200 // of one chart
	maxFitLines    = 100  // starts of one fit
)

// ConvergenceOptions are the options of ConvergenceWith and ConvergenceLines. The
// zero value is the default.
type ConvergenceOptions struct {
	Title   string   // default "Convergence"
	Caption string   // default: what the charts show
	Names   []string // of the fits; default: what differs between them

	// Objective draws f without its constant ||X||^2 even where ||X||^2 and the traces
	// are exact and the relative error could be drawn.
	Objective bool

	// Best draws only the best start of each fit: one line per method.
	Best bool

	// Zoom is where a third chart ends, which shows the beginning if some lines end
	// long before the others. 0: chosen from the lines, if the best starts of some
	// fits take four times as long as those of others; negative: no third chart.
	Zoom time.Duration
}

// Convergence draws how the starts of one or several fits converged: the relative
// error f / ||X||^2 on a logarithmic axis if ||X||^2 is exact for all of them and no
// trace is an estimate of the sampled form, otherwise f without its constant, against
// the evaluations of f and its gradient (also on a logarithmic axis for long runs) and
// against the seconds of each start.
// For one fit, starts that did not reach the best have another colour; for several,
// each fit has its own.
//
// The charts are go-echarts Line charts. A series is a start, with the id
// "fit-i-start-k"; a point is [evaluations, y, seconds, gradient norm] in the first
// chart and [seconds, y, evaluations, gradient norm] in the second and in the
// third, which shows the beginning if some fits are much faster than others.
// Seconds are rounded to microseconds and gradient norms to four digits.
func Convergence(fits ...*symmom.Fit) *Figure {
	return ConvergenceWith(ConvergenceOptions{}, fits...)
}

// ConvergenceWith is Convergence with options.
func ConvergenceWith(o ConvergenceOptions, fits ...*symmom.Fit) *Figure {
	title := orDefault(o.Title, "Convergence")
	if len(fits) == 0 {
		return failed(title, errors.New("charts: convergence: give at least one fit"))
	}
	if o.Names != nil && len(o.Names) != len(fits) {
		return failed(title, fmt.Errorf("charts: convergence: got %s for %s", words.Plural(len(o.Names), "name"), words.Plural(len(fits), "fit")))
	}
	t := traceSet{o: o, fits: fits, relative: !o.Objective}
	exact, estimated := true, 0
	starts, traces := 0, 0
	for i, f := range fits {
		if f == nil {
			return failed(title, fmt.Errorf("charts: convergence: fit %d is nil", i+1))
		}
		if len(f.Starts) == 0 {
			return failed(title, fmt.Errorf("charts: convergence: fit %d: %w", i+1, cmp.Or(f.Err(), errors.New("it has no starts"))))
		}
		exact = exact && f.NormSquared.Exact() && f.NormSquared.Value > 0
		starts += len(f.Starts)
		shown := t.shownStarts(f)
		traces += len(shown)
		for _, k := range shown {
			if f.Starts[k].Estimated {
				estimated++
			}
		}
	}
	if traces == 0 {
		return failed(title, errors.New("charts: convergence: the fits hold no traces"))
	}
	switch {
	case estimated == traces:
		t.estimated = "estimate of f − ‖X‖²"
	case estimated > 0:
		t.estimated = "f − ‖X‖², in part estimated"
	}
	// an error of 1,000 observations can be many times that of the fit
	t.relative = t.relative && exact && estimated == 0
	t.limit = min(maxTracePoints, max(2, maxChartPoints/traces))
	f := t.figure(t.lines())
	f.Title = title
	f.summary = fmt.Sprintf("%s of %s", words.Plural(starts, "start"), words.Plural(len(fits), "fit"))
	if o.Best {
		f.summary = "the best start of " + words.Plural(len(fits), "fit")
	} else if traces < starts {
		f.Notes = append([]string{fmt.Sprintf("%d of %s are drawn, the best among them.", traces, words.Plural(starts, "start"))}, f.Notes...)
	}
	if estimated > 0 {
		note := "Traces of the sampled form are estimates from 1,000 observations, a point an epoch of 100 iterations. They need not end at the f of their starts, nor in the same order"
		if len(fits) == 1 {
			note += fmt.Sprintf("; f − ‖X‖² of the fit is %.5g", fits[0].ObjectiveShifted)
		}
		f.Notes = append(f.Notes, note+".")
	}
	if !exact && !o.Objective {
		f.Notes = append(f.Notes, "‖X‖² is an estimate, so the relative error is one too; the objective is drawn without its constant instead, on a linear axis.")
	}
	return f
}

// traceSet is the data of one figure of traces.
type traceSet struct {
	o         ConvergenceOptions
	fits      []*symmom.Fit
	quantity  string // what y is, if not the relative error or f
	relative  bool
	estimated string // what y is instead, if traces of the sampled form are among them
	y         scaling.Scaling
	logX      bool     // the axis of evaluations
	capped    bool     // the y axis ends at 0, where some lines begin above it
	limit     int      // points of a line
	thinned   int      // traces that had more points
	belowZero int      // points that a logarithmic axis cannot show
	notFinite []string // note of those that no axis can show
}

// traceLine is one start as it is drawn.
type traceLine struct {
	name, id string // the legend groups by name
	color    string
	dash     string // once the palette repeats; "": solid
	best     bool
	points   []symmom.TracePoint // Objective is y
}

// lines makes the lines in drawing order: the best last, on top.
func (t *traceSet) lines() []traceLine {
	var others, best []traceLine
	names := t.o.Names
	if names == nil {
		names = traces.Names(t.fits)
	}
	for i, f := range t.fits {
		for _, k := range t.shownStarts(f) {
			s := f.Starts[k]
			l := traceLine{id: fmt.Sprintf("fit-%d-start-%d", i, k), points: t.points(s.Trace), best: k == f.Best}
			if t.relative {
				for p := range l.points {
					l.points[p].Objective, _ = f.NormSquared.Relative(l.points[p].Objective)
				}
			}
			if len(t.fits) > 1 {
				l.name, l.color, l.dash = names[i], palette[i%len(palette)], lineTypes[i/len(palette)%len(lineTypes)]
			} else {
				l.name, l.color = startGroup(s, l.best)
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

// shownStarts chooses the starts of a fit to draw: those with a trace and, if there
// are more than a chart can show, an evenly spaced selection that includes the
// best.
func (t *traceSet) shownStarts(f *symmom.Fit) []int {
	var all []int
	for k, s := range f.Starts {
		if len(s.Trace) > 0 && (k == f.Best || !t.o.Best) {
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

// startGroup returns the legend entry and the colour for a start of a single fit,
// according to how the start ended.
func startGroup(s symmom.Start, best bool) (name, color string) {
	switch {
	case best:
		return "best start", blue
	case s.Estimated:
		return "other starts", azure
	case s.AtBest:
		return "as low as the best", azure
	default:
		return "ended higher", vermilion
	}
}

// points returns a thinned copy of a trace.
func (t *traceSet) points(trace []symmom.TracePoint) []symmom.TracePoint {
	at := traces.Thin(len(trace), t.limit)
	if len(at) < len(trace) {
		t.thinned++
	}
	points := make([]symmom.TracePoint, len(at))
	for k, i := range at {
		points[k] = trace[i]
	}
	return points
}
