package charts

import (
	"errors"
	"fmt"
	"math"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scripts"
	"symmom/charts/internal/traces"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// InitMethod is one colour of InitSuccessBars: a way to draw starts, with one
// number per group.
type InitMethod struct {
	Name      string
	Successes []float64 // runs that found the best; a NaN is left out
	Seconds   []float64 // of all runs, written above the bar; nil: none
}

// InitSuccessOptions are the options of InitSuccessBars. The zero value is the
// default.
type InitSuccessOptions struct {
	Title   string // default "Starts that find the best fit"
	Caption string // default: what the chart shows
	Group   string // what the groups are, as the name of the axis: "σ"
	Runs    int    // of each bar; default: not shown
}

// InitSuccess draws how many starts of each fit came within .01 ||X||^2 of the best
// of all of them (the paper's figure init-compare), with the time that all starts
// took above the bar. names are those of the fits; if nil, they are named by what
// differs between them.
func InitSuccess(names []string, fits ...*symmom.Fit) *Figure {
	title := "Starts that find the best fit"
	successes, err := CountSuccesses(fits...)
	if err == nil && names != nil && len(names) != len(fits) {
		err = fmt.Errorf("charts: init success: got %s for %s", words.Plural(len(names), "name"), words.Plural(len(fits), "fit"))
	}
	if err != nil {
		return failed(title, err)
	}
	if names == nil {
		names = traces.Names(fits)
	}
	runs := len(fits[0].Starts)
	m := InitMethod{Name: ""}
	for i, f := range fits {
		m.Successes = append(m.Successes, float64(successes[i]))
		m.Seconds = append(m.Seconds, f.Elapsed.Seconds())
		if len(f.Starts) != runs {
			runs = 0
		}
	}
	return InitSuccessBars(names, []InitMethod{m}, InitSuccessOptions{Group: "fit", Runs: runs})
}

// CountSuccesses returns for each fit how many of its starts came within
// .01 ||X||^2 of the best start of all the fits, which must be of the same
// moment.
func CountSuccesses(fits ...*symmom.Fit) ([]int, error) {
	n, err := traces.Successes(fits)
	if err != nil {
		return nil, fmt.Errorf("charts: init success: %w", err)
	}
	return n, nil
}

// InitSuccessBars draws the bars of InitSuccess from plain numbers: a bar per
// method for each group. The chart is one go-echarts Bar chart with a series
// "method-i".
func InitSuccessBars(groups []string, methods []InitMethod, options ...InitSuccessOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Starts that find the best fit"), Caption: o.Caption}
	if err == nil {
		err = checkMethods(groups, methods, o.Runs)
	}
	if err != nil {
		return failed(f.Title, fmt.Errorf("charts: init success: %w", err))
	}
	if f.Caption == "" {
		f.Caption = "Runs that came within 0.01 ‖X‖² of the best of all, in the shifted objective."
		if methods[0].Seconds != nil {
			f.Caption += " Above each bar stands the time of all its runs, where there is room."
		}
	}
	value := "successful runs"
	if o.Runs > 0 {
		value += fmt.Sprintf(" (of %d)", o.Runs)
	}
	y := yNamed(value, "value", scripts.ShortNumber)
	y.Scale, y.MinInterval = opts.Bool(false), 1
	if o.Runs > 0 {
		y.Max = o.Runs // the labels are in the room above
	}
	var names []string
	var all [][]float64
	for _, m := range methods {
		names, all = append(names, m.Name), append(all, m.Successes)
	}
	x := xNamed(o.Group, "category", "")
	x.AxisLabel = named(110, "0")
	if rotated(groups) {
		x.AxisLabel.Rotate, x.NameGap = rotation, x.NameGap+rotatedRoom
	}
	c := echarts.NewBar()
	l := layout{height: panelHeight, legend: names, room: 30} // for the seconds above full bars
	if x.AxisLabel.Rotate > 0 {
		l.bottom, l.height = 48+rotatedRoom, l.height+rotatedRoom
	}
	c.SetGlobalOptions(l.with(x, y, scripts.SuccessTooltip)...)
	c.SetXAxis(groups)
	for i, m := range methods {
		data := make([]opts.BarData, len(groups))
		for k, v := range m.Successes {
			data[k] = opts.BarData{Value: number(v)}
			if m.Seconds != nil && linalg.Finite(m.Seconds[k]) {
				data[k].Label = &opts.Label{Show: opts.Bool(true), Position: "top", Color: inkColor, Formatter: shortSeconds(m.Seconds[k])}
			}
		}
		c.AddSeries(m.Name, data,
			echarts.WithSeriesId(fmt.Sprintf("method-%d", i)),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[i%len(palette)]}),
			echarts.WithLabelLayoutOpts(opts.LabelLayout{HideOverlap: opts.Bool(true)}),
			echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.BarMaxWidth, s.BarGap = "46", "12%" }))
	}
	f.Notes = leftOut("the successes", all...)
	f.charts = []components.Charter{c}
	f.summary = fmt.Sprintf("%s of %s", words.Plural(len(groups), "group"), words.Plural(len(methods), "method"))
	return f
}

func checkMethods(groups []string, methods []InitMethod, runs int) error {
	if len(groups) == 0 || len(methods) == 0 {
		return errors.New("give at least one group and one method")
	}
	for i, m := range methods {
		if len(m.Successes) != len(groups) || m.Seconds != nil && len(m.Seconds) != len(groups) {
			return fmt.Errorf("method %d has %d successes and %d times, want one for each of %s", i+1, len(m.Successes), len(m.Seconds), words.Plural(len(groups), "group"))
		}
		for k, v := range m.Successes {
			if v < 0 || runs > 0 && v > float64(runs) || math.IsInf(v, 0) {
				return fmt.Errorf("method %d has %v successes in group %d, want 0 or more and no more than its runs", i+1, v, k+1)
			}
		}
	}
	return nil
}

// shortSeconds formats a time in fewer characters than words.Duration: above a
// group of six bars, "910 ms" and "2 min 05 s" would overlap.
func shortSeconds(s float64) string {
	switch {
	case s >= 1e6:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1000:
		return fmt.Sprintf("%.0f s", s)
	case s < .001:
		return fmt.Sprintf("%.2g ms", s*1e3)
	case s < .1:
		return fmt.Sprintf("%.0f ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}
