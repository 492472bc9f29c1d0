package chartjson

import (
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Height returns the height of a chart if it was set in pixels, else otherwise.
func Height(c components.Charter, otherwise int) int {
	if h := pixels(field[opts.Initialization](c, "Initialization").Height); h > 0 {
		return int(h)
	}
	return otherwise
}

// HeightStyle returns the CSS of that height, for a chart in a container. Where the container is
// narrow, a chart whose axes have a common unit is as low as its data: its axes would reach far
// beyond them otherwise.
func HeightStyle(c components.Charter, otherwise int) template.CSS {
	const least = 260
	height := Height(c, otherwise)
	style := fmt.Sprintf("height:%dpx", height)
	x, y, grid := field[[]opts.XAxis](c, "XAxisList"), field[[]opts.YAxis](c, "YAxisList"), field[[]opts.Grid](c, "GridList")
	if len(x) != 1 || len(y) != 1 || len(grid) != 1 || !sameUnit(x[0].AxisLabel) || !sameUnit(y[0].AxisLabel) {
		return template.CSS(style)
	}
	across, down := span(x[0].Min, x[0].Max), span(y[0].Min, y[0].Max)
	if !(across > 0 && down > 0) {
		return template.CSS(style)
	}
	g, ratio := grid[0], down/across
	around := pixels(g.Top) + pixels(g.Bottom) - ratio*(pixels(g.Left)+pixels(g.Right))
	// browsers that do not know cqw keep the first height
	return template.CSS(fmt.Sprintf("%s;height:clamp(%dpx,%.0fpx + %.1fcqw,%dpx)", style, min(least, height), around, 100*ratio, height))
}

// field returns a field of a chart, zero if it has none of the name and type.
func field[T any](c components.Charter, name string) (value T) {
	if v := reflect.Indirect(reflect.ValueOf(c)); v.Kind() == reflect.Struct {
		if f := v.FieldByName(name); f.IsValid() {
			value, _ = f.Interface().(T)
		}
	}
	return value
}

// pixels is the number in "12px", 0 for another unit.
func pixels(text string) float64 {
	n, _ := strconv.Atoi(strings.TrimSuffix(text, "px"))
	return float64(n)
}

func sameUnit(l *opts.AxisLabel) bool {
	return l != nil && strings.Contains(string(l.Formatter), "sameUnit: true")
}

func span(lo, hi any) float64 {
	a, _ := lo.(float64)
	b, _ := hi.(float64)
	return b - a
}
