package charts

import (
	"fmt"
	"math"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/box"
	"symmom/charts/internal/groups"
	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// ordered reports whether a column is a series: observations two apart differ by more than
// neighbours do, in the mean of their squares. Those of no order differ alike, also if they come
// group by group.
func ordered(columns mat.Matrix) bool {
	const more = 1.5
	p, k := columns.Dims()
	for j := range k {
		x, near, far := mat.Col(nil, j, columns), 0., 0.
		for l := 2; l < p; l++ {
			if one, two := x[l]-x[l-1], x[l]-x[l-2]; linalg.Finite(one, two) {
				near, far = near+one*one, far+two*two
			}
		}
		if far > more*near {
			return true
		}
	}
	return false
}

// sourcePairs draws the distributions of the first k sources, and pairs of the first three.
func (f *Figure) sourcePairs(sources mat.Matrix, kurtosis []float64, names []string, k int, o SourcesOptions) *Figure {
	const pairs, most = 3, 2000
	p, _ := sources.Dims()
	for j := range k {
		values := slices.DeleteFunc(mat.Col(nil, j, sources), func(x float64) bool { return !linalg.Finite(x) })
		f.Notes = append(f.Notes, leftOut(names[j], mat.Col(nil, j, sources))...)
		if len(values) > 0 {
			f.charts = append(f.charts, distribution(j, sourceTitle(j, names, kurtosis), values))
		}
	}
	points := o.Points
	if points <= 0 {
		points = most
	}
	drawn := p - o.First
	var index []int
	for i := range min(points, drawn) {
		index = append(index, o.First+i*drawn/min(points, drawn))
	}
	var g *groups.Groups
	if o.Observations != nil && o.Observations.Observations() == p {
		g = groups.Of(o.Observations, index)
	}
	for a := range min(k, pairs) {
		for b := a + 1; b < min(k, pairs); b++ {
			f.charts = append(f.charts, pair(sources, Plane{XName: names[a], YName: names[b]}, a, b, index, g, unitHeight))
		}
	}
	if k > pairs {
		f.Notes = append(f.Notes, fmt.Sprintf("Pairs are those of the first %d sources.", pairs))
	}
	if len(index) < p && k > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of the %s are drawn in pairs, evenly over the table.", words.Count(len(index)), words.Plural(p, "observation")))
	}
	f.Caption = orDefault(o.Caption, sourcesCaption)
	if g != nil && o.Caption == "" && k > 1 {
		f.Caption += fmt.Sprintf(" Colours are the groups of %s.", g.Label)
	}
	return f
}

// Heights in pixels: of pairs of variables and distributions; of pairs whose axes have the same unit,
// which would be narrow otherwise.
const pairHeight, unitHeight = 300, 440

// distribution draws how many values lie in each of equal intervals: of the rules of Sturges and
// of Freedman and Diaconis, the one that has more.
func distribution(j int, title string, values []float64) *echarts.Line {
	slices.Sort(values)
	n := len(values)
	lo, hi := values[0], values[n-1]
	bins := 1 + int(math.Ceil(math.Log2(float64(n))))
	if width := 2 * (values[3*n/4] - values[n/4]) / math.Cbrt(float64(n)); width > 0 {
		bins = max(bins, int(min(60, math.Ceil((hi-lo)/width))))
	}
	if lo == hi {
		lo, hi = lo-.5, hi+.5
	}
	edge := func(i int) float64 { return lo + (hi-lo)*float64(i)/float64(bins) }
	counts := make([]int, bins)
	for _, x := range values {
		counts[min(bins-1, int(float64(bins)*(x-lo)/(hi-lo)))]++
	}
	data := []opts.LineData{}
	for i, c := range counts {
		data = append(data, opts.LineData{Value: []any{edge(i), c, edge(i + 1)}})
	}
	data = append(data, opts.LineData{Value: []any{hi, counts[bins-1], hi}})
	c := echarts.NewLine()
	x, y := xNamed("value", "value", scripts.ShortNumber), yNamed("observations", "value", scripts.ShortNumber)
	x.Min, x.Max, y.Scale = lo, hi, opts.Bool(false)
	inner(x.AxisLabel)
	c.SetGlobalOptions(layout{height: pairHeight, title: title}.with(x, y, scripts.IntervalTooltip)...)
	color := palette[j%len(palette)]
	c.AddSeries("", data, echarts.WithSeriesId(fmt.Sprintf("source-%d", j)),
		echarts.WithLineChartOpts(opts.LineChart{Step: "end", Symbol: "circle", SymbolSize: 5, ShowSymbol: opts.Bool(true)}),
		echarts.WithLineStyleOpts(opts.LineStyle{Color: color, Width: 1.2}),
		echarts.WithAreaStyleOpts(opts.AreaStyle{Color: color, Opacity: opts.Float(.3)}),
		echarts.WithItemStyleOpts(opts.ItemStyle{Color: color, Opacity: opts.Float(0)}))
	return c
}

// pair draws two columns against each other, in the colours of groups unless there are none.
func pair(columns mat.Matrix, plane Plane, a, b int, index []int, g *groups.Groups, height int) *echarts.Scatter {
	all := box.Empty()
	at := func(l int) [2]float64 { return [2]float64{columns.At(l, a), columns.At(l, b)} }
	for _, l := range index {
		if linalg.Finite(columns.At(l, a), columns.At(l, b)) {
			all = all.With(at(l))
		}
	}
	x, y, scale := plane.axes(all.Padded(.02))
	title := plane.XName + " and " + plane.YName
	series := []string{title}
	if g != nil {
		series = append(slices.Clone(g.Names), g.Rest)
	}
	data := make([][]opts.ScatterData, len(series))
	for i, l := range index {
		j := 0
		if g != nil {
			if j = g.Of[i]; j < 0 {
				j = len(g.Names)
			}
		}
		if linalg.Finite(columns.At(l, a), columns.At(l, b)) {
			data[j] = append(data[j], opts.ScatterData{Value: scale.At(at(l))})
		}
	}
	c, legend := echarts.NewScatter(), []string(nil)
	for j := range data {
		if len(data[j]) == 0 {
			continue
		}
		dot, style := dots(j)
		if g != nil {
			legend = append(legend, series[j])
			if j == len(g.Names) {
				style.Color = grey
			}
		}
		c.AddSeries(series[j], data[j], echarts.WithSeriesId(fmt.Sprintf("data-%d", j)), echarts.WithScatterChartOpts(dot), echarts.WithItemStyleOpts(style))
	}
	c.SetGlobalOptions(layout{height: height, title: title, legend: legend}.with(x, y, scripts.PlaneTooltip(scale[0].JS, scale[1].JS))...)
	return c
}
