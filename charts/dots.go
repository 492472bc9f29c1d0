package charts

import (
	"errors"
	"fmt"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
)

// DotSeries is a series of Dots: a mark at each x and y. A mark whose x or y is not
// finite is left out.
type DotSeries struct {
	Name  string
	X, Y  []float64
	Names []string // next to the marks; nil: none
}

// DotOptions are the options of Dots.
type DotOptions struct {
	Title   string // default "Compared"
	Caption string
	X, Y    string // what the axes show

	// Rows names the rows of a dot plot, from the top. The marks of a series are
	// placed in them one after the other, and Y is not used.
	Rows []string
}

// Dots draws the numbers of several series as marks, in rows or against each other.
// An axis is logarithmic if its values are positive and span a factor of 4. The figure is a
// go-echarts Scatter chart with a series "dots-i"; a point is [x, y], or [x, number of the
// row, its name], counted from 0.
func Dots(series []DotSeries, options ...DotOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Compared"), Caption: o.Caption}
	if err != nil {
		return failed(f.Title, fmt.Errorf("charts: dots: %w", err))
	}
	var xs, ys [][]float64
	var names []string
	for i, s := range series {
		if len(o.Rows) > 0 {
			s.Y = s.X // of the same length
		}
		if len(s.X) == 0 || len(s.Y) != len(s.X) || len(o.Rows) > 0 && len(s.X) != len(o.Rows) || s.Names != nil && len(s.Names) != len(s.X) {
			return failed(f.Title, fmt.Errorf("charts: dots: series %d has values of x, rows or y, and names that are not of one number", i+1))
		}
		xs, ys, names = append(xs, s.X), append(ys, s.Y), append(names, s.Name)
	}
	across, up := scaling.OfAll(4, xs...), scaling.OfAll(4, ys...)
	x, y := across.X(xNamed(o.X, "value", scripts.ShortNumber)), up.Y(yNamed(o.Y, "value", scripts.ShortNumber))
	l := layout{height: panelHeight, legend: names}
	if len(o.Rows) > 0 {
		y = opts.YAxis{Type: "category", Data: o.Rows, Inverse: opts.Bool(true), SplitLine: &opts.SplitLine{Show: opts.Bool(true)},
			AxisLabel: named(138, "0")}
		l.left, l.height = 156, 110+30*len(o.Rows)
	}
	c := echarts.NewScatter()
	c.SetGlobalOptions(l.with(x, y, scripts.DotTooltip(across.JS, up.JS))...)
	marks := 0
	for i, s := range series {
		var data []opts.ScatterData
		for k := range s.X {
			var d opts.ScatterData
			at := []any{across.Value(s.X[k])}
			if len(o.Rows) > 0 {
				at = append(at, k, o.Rows[k]) // rows can have one name
			} else {
				at = append(at, up.Value(s.Y[k]))
			}
			if s.Names != nil {
				d.Name = s.Names[k]
			}
			if d.Value = at; at[0] != nil && at[1] != nil {
				data = append(data, d)
			}
		}
		marks += len(data)
		c.AddSeries(s.Name, data,
			echarts.WithSeriesId(fmt.Sprintf("dots-%d", i)),
			echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.Symbol, s.SymbolSize = symbols[i%len(symbols)], 11 }),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[i%len(palette)], Opacity: opts.Float(.85)}),
			echarts.WithLabelOpts(opts.Label{Show: opts.Bool(s.Names != nil), Position: "right", Color: inkColor, Formatter: "{b}"}),
			echarts.WithLabelLayoutOpts(opts.LabelLayout{HideOverlap: opts.Bool(true)}))
	}
	if marks == 0 {
		return failed(f.Title, errors.New("charts: dots: there is no value to show"))
	}
	f.Notes = leftOut(orDefault(o.X, "x"), xs...)
	if len(o.Rows) == 0 {
		f.Notes = append(f.Notes, leftOut(orDefault(o.Y, "y"), ys...)...)
	}
	f.charts = []components.Charter{c}
	f.summary = words.Plural(marks, "mark")
	return f
}
