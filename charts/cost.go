package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// CostOptions are the options of Cost. The zero value is the paper's
// figure.
type CostOptions struct {
	Title  string
	Orders []int // d; default 3 and 4
	N      int   // variables of your problem, marked by a dashed line; 0: none
	Rank   int   // r; default 10

	// Observations p, in which the implicit form's cost is linear. 0: as in the
	// paper, which puts d r in place of p.
	Observations int

	MaxN int // end of the axis; default 2000, or 2 N if that is more
}

// Cost draws the paper's first figure (flops): storage and operations per iteration
// against the number of variables n, for the moment of order d held explicitly (n^d
// numbers, r n^d operations) and implicitly (the p n numbers of the observations, p
// n r operations). The figure is two go-echarts Line charts with the series
// "explicit-d" and "implicit-d"; a point is [n, log10 of gigabytes] or [n, log10 of
// operations].
func Cost(options ...CostOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Cost of a moment, explicit and implicit")}
	if err != nil {
		return failed(f.Title, fmt.Errorf("charts: cost: %w", err))
	}
	if len(o.Orders) == 0 {
		o.Orders = []int{3, 4}
	}
	if o.Rank == 0 {
		o.Rank = 10
	}
	for i, d := range o.Orders {
		if d < 2 || d > 12 || slices.Contains(o.Orders[:i], d) {
			return failed(f.Title, fmt.Errorf("charts: cost: %w", &symmom.ArgumentError{Argument: "Orders", Value: o.Orders, Want: "orders from 2 to 12, each once"}))
		}
	}
	for name, v := range map[string]int{"N": o.N, "Rank": o.Rank, "Observations": o.Observations, "MaxN": o.MaxN} {
		if v < 0 {
			return failed(f.Title, fmt.Errorf("charts: cost: %w", &symmom.ArgumentError{Argument: name, Value: v, Want: "0 for the default, or more"}))
		}
	}
	if o.MaxN == 0 {
		o.MaxN = max(2000, 2*o.N)
	}
	o.MaxN = max(o.MaxN, o.N, 20)

	storage := costChart{o: o, name: "storage in GB", unit: "GB", of: func(d, n, p, r float64) (float64, float64) {
		return 8 * math.Pow(n, d) / 1e9, 8 * p * n / 1e9
	}}
	operations := costChart{o: o, name: "operations an iteration", unit: "operations", of: func(d, n, p, r float64) (float64, float64) {
		return r * math.Pow(n, d), p * n * r
	}}
	if o.Observations == 0 { // as in the figure: 10 n 3, that is n d r
		operations.of = func(d, n, p, r float64) (float64, float64) { return r * math.Pow(n, d), p * n }
	}
	f.charts = []components.Charter{storage.draw(), operations.draw()}
	p := words.Plural(o.Observations, "observation")
	if o.Observations == 0 {
		p = "d r in the place of the number of observations, as the paper draws it"
	}
	f.Caption = fmt.Sprintf("The moment of order d of n variables as a tensor of n^d numbers (explicit), and as the observations that it is made of (implicit), for rank %d and %s.", o.Rank, p)
	if o.N > 0 {
		f.Caption += fmt.Sprintf(" The dashed line is at n = %s.", words.Count(o.N))
	}
	f.summary = fmt.Sprintf("%s, up to %s", words.Plural(len(o.Orders), "order"), words.Plural(o.MaxN, "variable"))
	return f
}

// costChart is the chart of one of the two quantities, explicit and implicit.
type costChart struct {
	o          CostOptions
	name, unit string
	of         func(d, n, p, r float64) (explicit, implicit float64)
}

func (q costChart) draw() *echarts.Line {
	o := q.o
	c := echarts.NewLine()
	x := xNamed("variables n", "log", scripts.PowerOfTen)
	least := min(10, cmp.Or(o.N, 10))
	x.Min, x.Max = least, o.MaxN
	// Its last label may be too near to the one of a power of ten.
	if _, decade := math.Modf(math.Log10(float64(o.MaxN))); decade > 0 && decade < .6 {
		x.AxisLabel.ShowMaxLabel = opts.Bool(false)
	}
	at := scaling.Sizes(least, o.MaxN, o.N)
	var names []string
	for k, d := range o.Orders {
		p := float64(o.Observations)
		if p == 0 {
			p = float64(d * o.Rank)
		}
		explicit, implicit := make([]opts.LineData, len(at)), make([]opts.LineData, len(at))
		for i, n := range at {
			e, m := q.of(float64(d), float64(n), p, float64(o.Rank))
			explicit[i].Value, implicit[i].Value = []any{n, scaling.Exponents.Value(e)}, []any{n, scaling.Exponents.Value(m)}
		}
		symbol := symbols[k%len(symbols)]
		for _, s := range []struct {
			name, color string
			data        []opts.LineData
		}{{"explicit", vermilion, explicit}, {"implicit", blue, implicit}} {
			if s.name == "implicit" && o.Observations > 0 && k > 0 {
				continue // the same for any order
			}
			label := fmt.Sprintf("%s, d = %d", s.name, d)
			if s.name == "implicit" && o.Observations > 0 {
				label = fmt.Sprintf("implicit, p = %d", o.Observations)
			}
			names = append(names, label)
			series := []echarts.SeriesOpts{
				echarts.WithSeriesId(fmt.Sprintf("%s-%d", s.name, d)),
				echarts.WithLineChartOpts(opts.LineChart{Symbol: symbol, SymbolSize: 6, ShowSymbol: opts.Bool(true)}),
				echarts.WithLineStyleOpts(opts.LineStyle{Color: s.color, Width: 1.6}),
				echarts.WithItemStyleOpts(opts.ItemStyle{Color: s.color}),
			}
			if k == 0 && s.name == "explicit" && o.N > 0 {
				series = append(series, dashed(float64(o.N), fmt.Sprintf("n = %d", o.N))...)
			}
			c.AddSeries(label, s.data, series...)
		}
	}
	c.SetGlobalOptions(layout{height: panelHeight, legend: names, room: markRoom(o.N)}.with(x,
		scaling.Exponents.Y(yNamed(q.name, "value", "")), scripts.CostTooltip(q.unit, scaling.Exponents.JS))...)
	return c
}
