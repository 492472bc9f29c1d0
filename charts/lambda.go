package charts

import (
	"fmt"
	"strconv"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Lambda draws the weights of a fit's components as bars, in the order of the
// fit; negative ones, which only even orders have, in another colour. The
// chart is one go-echarts Bar chart.
func Lambda(fit *symmom.Fit) *Figure {
	const title = "Weights λ of the components"
	if err := hasModel(fit); err != nil {
		return failed(title, fmt.Errorf("charts: lambda: %w", err))
	}
	lambda := fit.Model.Lambda
	names := make([]string, len(lambda))
	data, up := make([]opts.BarData, len(lambda)), scaling.FromZero(lambda)
	for j, v := range lambda {
		names[j] = strconv.Itoa(j + 1)
		color := blue
		if v < 0 {
			color = vermilion
		}
		data[j] = opts.BarData{Value: up.Value(v), ItemStyle: &opts.ItemStyle{Color: color}}
	}
	c := echarts.NewBar()
	y := up.Y(yNamed("λ", "value", scripts.ShortNumber))
	y.Scale = opts.Bool(false)
	c.SetGlobalOptions(layout{height: 300}.with(xNamed("component", "category", ""), y, scripts.BarTooltip(up.JS))...)
	c.SetXAxis(names)
	c.AddSeries("lambda", data, echarts.WithSeriesId("lambda"), echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.BarMaxWidth = "56" }))
	return &Figure{
		Title:   title,
		Caption: fmt.Sprintf("λ of the %s of unit norm, in the units of %s.", words.Plural(len(lambda), "component"), fit.Model.Kind.Describe(fit.Order)),
		charts:  []components.Charter{c},
		summary: words.Plural(len(lambda), "component"),
	}
}
