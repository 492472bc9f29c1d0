package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/numbers"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// FactorsOptions are the options of Factors. The zero value is the default.
type FactorsOptions struct {
	Title string // default "Factors"

	// Kind is "bars", a chart for each component with a bar for each variable,
	// "heatmap", variables down and components across, or "": bars for up to 12
	// variables and 12 components.
	Kind string

	// Variables limits how many are drawn, those with the largest entries; default
	// 40, negative: all.
	Variables int

	Names []string // of the variables; default those of the model, or "variable 1", ...

	before int // components before the first column, of bars
}

// Factors draws the columns of a fit's factor matrix A, n x r, with the names
// of the variables. See FactorsOf.
func Factors(fit *symmom.Fit, options ...FactorsOptions) *Figure {
	o, err := atMostOne(options)
	title := orDefault(o.Title, "Factors")
	if err == nil {
		err = hasModel(fit)
	}
	if err != nil {
		return failed(title, fmt.Errorf("charts: factors: %w", err))
	}
	if o.Names == nil {
		o.Names = fit.Model.Names
	}
	return FactorsOf(fit.Model.Factors, o)
}

// FactorsOf draws the columns of an n x r matrix. The bars are a go-echarts
// Bar chart for each column, with a series "factor-j"; the heat map is one
// HeatMap of cells [column, row, entry, label] in the series "weak" and "strong".
func FactorsOf(factors mat.Matrix, options ...FactorsOptions) *Figure {
	const bars = 12
	o, err := atMostOne(options)
	if err != nil {
		return failed(orDefault(o.Title, "Factors"), fmt.Errorf("charts: factors: %w", err))
	}
	f := &Figure{Title: orDefault(o.Title, "Factors")}
	fail := func(err error) *Figure { return failed(f.Title, fmt.Errorf("charts: factors: %w", err)) }
	if linalg.IsNil(factors) {
		return fail(&symmom.ArgumentError{Argument: "factors", Value: "nil", Want: "an n x r matrix, one component a column"})
	}
	n, r := factors.Dims()
	if n < 1 || r < 1 {
		return fail(&symmom.ArgumentError{Argument: "factors", Value: fmt.Sprintf("a %d x %d matrix", n, r), Want: "at least one variable and one component"})
	}
	if o.Kind != "" && o.Kind != "bars" && o.Kind != "heatmap" {
		return fail(&symmom.ArgumentError{Argument: "Kind", Value: fmt.Sprintf("%q", o.Kind), Want: `"bars", "heatmap" or ""`})
	}
	if !linalg.Finite(largest(columns(factors)...)) {
		return fail(errors.New("the factors are not all finite"))
	}
	shown, down, notes := shownRows(factors, o.Names, o.Variables)
	f.Notes = notes
	f.summary = fmt.Sprintf("%s of %s", words.Plural(r, "component"), words.Plural(n, "variable"))
	f.Caption = "The columns of the factor matrix A: how much of each variable is in each component."
	if o.Kind == "bars" || o.Kind == "" && len(shown) <= bars && r <= bars {
		f.charts = factorBars(factors, shown, down, o.before)
		return f
	}
	f.charts = []components.Charter{factorMap("component", numbered(r), factors, shown, down)}
	return f
}

// shownRows returns the rows of a matrix to draw, with their names, and says if they are not all:
// 40 if the limit is 0, all if it is negative.
func shownRows(m mat.Matrix, given []string, limit int) (rows []int, names, notes []string) {
	const most = 40
	n, _ := m.Dims()
	switch {
	case limit == 0:
		limit = most
	case limit < 0:
		limit = n
	}
	rows = largestRows(m, limit)
	if len(rows) < n {
		notes = append(notes, fmt.Sprintf("%s of %s are drawn, those with the largest entries, in the order of the data.", words.Count(len(rows)), words.Plural(n, "variable")))
	}
	all := namesOf(given, n, "variable")
	for _, i := range rows {
		names = append(names, all[i])
	}
	return rows, names, notes
}

// largestRows returns the indices of at most limit rows, those with the largest
// entries, in ascending order.
func largestRows(m mat.Matrix, limit int) []int {
	n, r := m.Dims()
	size := make([]float64, n)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
		for j := range r {
			size[i] = math.Max(size[i], math.Abs(m.At(i, j)))
		}
	}
	if n > limit {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
		rows = rows[:limit]
		slices.Sort(rows)
	}
	return rows
}

// factorBars draws a chart for each column, that of a component after those before, on a
// common scale, with the variables from the top down.
func factorBars(m mat.Matrix, rows []int, names []string, before int) []components.Charter {
	_, r := m.Dims()
	lo, hi := 0.0, 0.0
	across := scaling.FromZero(columns(m)...)
	reach := largest(columns(m)...)
	at := func(i, j int) float64 {
		return scaling.Significant(across.Value(numbers.Zeroed(m.At(i, j), reach)).(float64), 5).(float64)
	}
	for _, i := range rows {
		for j := range r {
			lo, hi = math.Min(lo, at(i, j)), math.Max(hi, at(i, j))
		}
	}
	var all []components.Charter
	for j := range r {
		data := make([]opts.BarData, len(rows))
		for k, i := range rows {
			v := at(i, j)
			color := blue
			if v < 0 {
				color = vermilion
			}
			data[k] = opts.BarData{Value: v, ItemStyle: &opts.ItemStyle{Color: color}}
		}
		x := across.X(xNamed("entry", "value", scripts.ShortNumber))
		x.Min, x.Max = roundDown(lo), -roundDown(-hi)
		inner(x.AxisLabel)
		y := opts.YAxis{Type: "category", Data: names, Inverse: opts.Bool(true),
			AxisLabel: named(118, "0")}
		c, name := echarts.NewBar(), fmt.Sprintf("component %d", before+j+1)
		c.SetGlobalOptions(layout{height: 84 + 22*len(rows), title: name, left: 136, room: 4}.with(x, y, scripts.EntryTooltip(across.JS))...)
		c.AddSeries(name, data, echarts.WithSeriesId(fmt.Sprintf("factor-%d", j)),
			echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.BarMaxWidth = "14" }))
		all = append(all, c)
	}
	return all
}

// roundDown returns a round number equal to x or slightly below it.
func roundDown(x float64) float64 {
	if x == 0 || !linalg.Finite(x) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))) / 2
	return math.Floor(x/unit) * unit
}

// numbered returns the numbers up to r.
func numbered(r int) (out []string) {
	for j := range r {
		out = append(out, fmt.Sprint(j+1))
	}
	return out
}

// factorMap draws the rows of a matrix whose columns are what, by number or by name.
func factorMap(what string, across []string, m mat.Matrix, rows []int, names []string) *echarts.HeatMap {
	_, r := m.Dims()
	reach := 0.0
	for j := range r {
		for _, i := range rows {
			reach = math.Max(reach, math.Abs(m.At(i, j)))
		}
	}
	var weak, strong []opts.HeatMapData
	for j := range r {
		for k, i := range rows {
			v := numbers.Zeroed(m.At(i, j), reach)
			cell := opts.HeatMapData{Name: names[k] + ", " + what + " " + across[j], Value: []any{j, k, scaling.Significant(v, 5), numbers.Brief(v, reach)}}
			if math.Abs(v) > .6*reach {
				strong = append(strong, cell)
			} else {
				weak = append(weak, cell)
			}
		}
	}
	if reach == 0 {
		reach = 1
	}
	c := heatMap(what, across, names, []string{vermilion, faintColor, blue}, -reach, reach, "entry")
	if reach < 1e-30 || reach > 1e30 { // the ends of the scale are float32
		for _, cells := range [][]opts.HeatMapData{weak, strong} {
			for i, cell := range cells {
				v := cell.Value.([]any)
				cells[i].Value = append(v, m.At(rows[v[1].(int)], v[0].(int))/reach)
			}
		}
		scale := &c.VisualMapList[0]
		scale.Min, scale.Max, scale.Dimension = -1, 1, "4"
	}
	addCells(c, "entry", weak, strong)
	return c
}
