package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/groups"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// mostDensities is how many variables Densities draws unless it is told which.
const mostDensities = 12

// Densities draws the density of each variable within the components of a mixture, times their
// weights, in the colours of Mixture: the given variables, counted from 0, or the 12 whose components
// lie apart most. The figure is a go-echarts Line chart for each variable, with a series "density-j"
// of points [value, density].
func Densities(fit *symmom.Mixture, variables ...int) *Figure {
	const title = "Densities within components"
	fail := func(err error) *Figure { return failed(title, fmt.Errorf("charts: densities: %w", err)) }
	switch {
	case fit == nil:
		return fail(errors.New("the mixture is nil"))
	case fit.N == 0:
		return fail(cmp.Or(fit.Err(), errors.New("the mixture is empty")))
	}
	f := &Figure{Title: title, Caption: "How the values of a variable are distributed within each component, times its weight.",
		summary: fmt.Sprintf("%s, %s", words.Plural(fit.Components, "component"), words.Plural(fit.N, "variable"))}
	if len(variables) == 0 {
		if variables = apart(fit); len(variables) < fit.N {
			f.Notes = append(f.Notes, fmt.Sprintf("%d of the %s are drawn, those whose components lie apart most.", len(variables), words.Plural(fit.N, "variable")))
		}
	}
	colors := colorsOf(fit)
	for _, i := range variables {
		d, err := fit.Density(i)
		if err != nil {
			return fail(err)
		}
		f.charts = append(f.charts, densityChart(d, fit.Weights, colors))
	}
	return f
}

// colorsOf returns the numbers of the components' colours that Mixture draws them in.
func colorsOf(fit *symmom.Mixture) []int {
	p := mixturePlot{fit: fit, colors: groups.Matched(nil, fit.Components, 0)}
	if s := fit.Session(); s.Err() == nil && s.Labels().Err() == nil {
		_ = p.draw() // without them the colours are those of no groups
	}
	return p.colors
}

// apart returns the variables whose means differ most, relative to the deviations within components, in
// their own order.
func apart(fit *symmom.Mixture) []int {
	d := fit.Deviations()
	share := make([]float64, fit.N)
	all := make([]int, fit.N)
	for i := range all {
		all[i] = i
		var mean, between, within float64
		for j, w := range fit.Weights {
			mean += w * fit.Means.At(i, j)
		}
		for j, w := range fit.Weights {
			between += w * (fit.Means.At(i, j) - mean) * (fit.Means.At(i, j) - mean)
			within += w * d.At(i, j) * d.At(i, j)
		}
		if share[i] = between / (between + within); math.IsNaN(share[i]) {
			share[i] = 0
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(share[b], share[a]) })
	all = all[:min(len(all), mostDensities)]
	slices.Sort(all)
	return all
}

func densityChart(d *symmom.NamedMatrix, weights []float64, colors []int) *echarts.Line {
	rows, columns := d.Dims()
	values := mat.Col(nil, 0, d)
	var all [][]float64
	for j := 1; j < columns; j++ {
		column := mat.Col(nil, j, d)
		for c := range column {
			column[c] *= weights[j-1]
		}
		all = append(all, column)
	}
	across, up := scaling.Of(math.Inf(1), values), scaling.FromZero(all...)
	x, y := across.X(xNamed("value", "value", scripts.ShortNumber)), up.Y(yNamed("density", "value", scripts.ShortNumber))
	x.Min, x.Max = across.Tidy(values[0], 6), across.Tidy(values[rows-1], 6)
	inner(x.AxisLabel)
	c := echarts.NewLine()
	c.SetGlobalOptions(layout{height: pairHeight, title: d.ColumnNames[0], legend: d.ColumnNames[1:]}.with(x, y, scripts.PlaneTooltip(across.JS, up.JS))...)
	for j, column := range all {
		var data []opts.LineData // of two cells together: pages are half as large, and look the same
		for i := 0; i+1 < rows; i += 2 {
			data = append(data, opts.LineData{Value: []any{across.Tidy((values[i]+values[i+1])/2, 5), up.Tidy((column[i]+column[i+1])/2, 3)}})
		}
		color := palette[colors[j]%len(palette)]
		c.AddSeries(d.ColumnNames[j+1], data,
			echarts.WithSeriesId(fmt.Sprintf("density-%d", j)),
			echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 5, ShowSymbol: opts.Bool(true)}),
			echarts.WithLineStyleOpts(opts.LineStyle{Color: color, Width: 1.6, Type: lineTypes[colors[j]/len(palette)%len(lineTypes)]}),
			echarts.WithAreaStyleOpts(opts.AreaStyle{Color: color, Opacity: opts.Float(.1)}),
			// invisible marks, which react to the pointer
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color, Opacity: opts.Float(0)}))
	}
	return c
}
