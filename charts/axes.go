package charts

import (
	"fmt"
	"slices"
	"strconv"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/rivo/uniseg"

	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// symbols are the marks of series that colours do not distinguish.
var symbols = []string{"circle", "rect", "triangle", "diamond", "roundRect", "pin"}

// layout holds the sizes of the parts of a chart. go-echarts and ECharts place the
// name of an axis at a fixed distance from it, so the room for the labels between
// them is fixed too.
type layout struct {
	height int      // of the chart in pixels; the chart grows if the legend takes several lines
	title  string   // in the upper left corner, for figures of several charts
	legend []string // names in it, in that order
	tools  bool     // the zoom tools are in the upper right corner
	left   int      // for the labels and the name of the y axis; default 82
	bottom int      // for the labels and the name of the x axis; default 48
	room   int      // to leave free below legend and title; default 10
}

// Room in pixels.
const (
	titleRoom  = 26
	legendRow  = 22
	legendWide = 360 // narrowest line of legend
	legendName = 325 // a name in it
)

// legendRows returns the number of lines that the legend takes on a narrow page.
func (l layout) legendRows() int {
	rows, used := 0, legendWide
	for _, name := range l.legend {
		// 16 for the icon, 5 and 14 for gaps, about 7 per character
		w := 35 + 7*uniseg.StringWidth(name)
		if used += w; used > legendWide {
			rows, used = rows+1, w
		}
	}
	if len(l.legend) == 1 && l.legend[0] == "" {
		return 0
	}
	return rows
}

// leftOut is the note of values that no axis can show; none if there are none.
func leftOut(what string, values ...[]float64) []string {
	n := 0
	for _, v := range values {
		for _, x := range v {
			if !linalg.Finite(x) {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %s, not finite, %s left out.", words.Plural(n, "value"), what, words.Verb(n, "is", "are"))}
}

// with returns the options of a chart with these axes and tooltip.
func (l layout) with(x opts.XAxis, y opts.YAxis, tooltip string, more ...echarts.GlobalOpts) []echarts.GlobalOpts {
	const mostRows = 3 // beyond, the legend scrolls
	top, height := 0, l.height
	if l.title != "" {
		top = titleRoom
	}
	legend := opts.Legend{Show: opts.Bool(false)}
	if rows := l.legendRows(); rows > 0 {
		legend = opts.Legend{Type: "plain", Top: pixels(top), Left: "20px", Right: "20px", ItemWidth: 16, ItemHeight: 11, Data: l.legend}
		if slices.ContainsFunc(l.legend, func(name string) bool { return 7*uniseg.StringWidth(name) > legendName }) {
			legend.Formatter = opts.FuncOpts(scripts.Shortened(legendName))
		}
		if rows > mostRows {
			legend.Type, rows = "scroll", 1
		}
		if l.tools {
			legend.Right = "60px"
		}
		top += rows * legendRow
		height += (rows - 1) * legendRow
	}
	if l.room == 0 {
		l.room = 10
	}
	if l.left == 0 {
		l.left = 82
	}
	if l.bottom == 0 {
		l.bottom = 48
	}
	o := []echarts.GlobalOpts{
		echarts.WithColorsOpts(palette),
		echarts.WithAnimation(false),
		echarts.WithInitializationOpts(opts.Initialization{Width: "100%", Height: pixels(height)}),
		echarts.WithGridOpts(opts.Grid{Left: pixels(l.left), Right: "28px", Top: pixels(top + l.room), Bottom: pixels(l.bottom)}),
		echarts.WithLegendOpts(legend),
		echarts.WithTooltipOpts(opts.Tooltip{Trigger: "item", Formatter: opts.FuncOpts(tooltip)}),
		echarts.WithXAxisOpts(x),
		echarts.WithYAxisOpts(y),
	}
	if l.title != "" {
		o = append(o, echarts.WithTitleOpts(opts.Title{Title: l.title, Left: "16px", Top: "0", TitleStyle: &opts.TextStyle{FontSize: 14}}))
	}
	if l.tools {
		o = append(o, echarts.WithToolboxOpts(zoomTools))
	}
	return append(o, more...)
}

func pixels(n int) string { return strconv.Itoa(n) + "px" }

// labels returns the labels of an axis, with a formatter.
func labels(formatter string) *opts.AxisLabel {
	l := &opts.AxisLabel{HideOverlap: opts.Bool(true)}
	if formatter != "" {
		l.Formatter = opts.FuncOpts(formatter)
	}
	return l
}

// named returns the labels of an axis of names: all with the interval "0", with "" those that
// have room. The middle of what is wider is left out: long names differ at their ends, too.
func named(width int, interval string) *opts.AxisLabel {
	return &opts.AxisLabel{Interval: interval, Width: width, Overflow: "truncate", Formatter: opts.FuncOpts(scripts.Shortened(width))}
}

// xNamed and yNamed return axes with their names centred along them.
func xNamed(name, kind, formatter string) opts.XAxis {
	return opts.XAxis{Name: name, NameLocation: "middle", NameGap: 28, Type: kind, AxisLabel: labels(formatter)}
}

func yNamed(name, kind, formatter string) opts.YAxis {
	return opts.YAxis{Name: name, NameLocation: "middle", NameGap: 60, Type: kind, Scale: opts.Bool(true), AxisLabel: labels(formatter)}
}

// whole returns an axis of whole numbers from lo to hi, with room for the marks of
// the first and the last.
func whole(x opts.XAxis, lo, hi int) opts.XAxis {
	x.Min, x.Max, x.MinInterval = float64(lo)-.4, float64(hi)+.4, 1
	inner(x.AxisLabel)
	return x
}

// inner hides the labels at the ends of an axis, for axes that do not end at round
// numbers.
func inner(l *opts.AxisLabel) { l.ShowMinLabel, l.ShowMaxLabel = opts.Bool(false), opts.Bool(false) }

// dashed returns series options that draw a vertical dashed line at x with a name.
func dashed(x float64, name string) []echarts.SeriesOpts {
	return []echarts.SeriesOpts{
		echarts.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: name, XAxis: x}),
		echarts.WithMarkLineStyleOpts(opts.MarkLineStyle{
			Symbol:    []string{"none", "none"},
			Label:     &opts.Label{Show: opts.Bool(true), Color: grey, Formatter: "{b}", Position: "end", LineHeight: 22}, // above the highest label of the y axis
			LineStyle: &opts.LineStyle{Color: grey, Type: "dashed", Width: 1.5},
		}),
	}
}
