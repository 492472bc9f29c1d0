// Package scaling chooses how an axis shows values, and at which sizes.
package scaling

import (
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scripts"
	"symmom/internal/linalg"
)

// Scaling is the way in which an axis shows values.
type Scaling int

const (
	Linear Scaling = iota

	// Logarithmic is ECharts' own logarithmic axis.
	Logarithmic

	// Exponents is a linear axis of log10 whose labels are powers of ten. It is for
	// values that ECharts' logarithmic axis cannot show: that axis rounds labels to
	// ten decimals, and steps by ten decades if there are ten or more.
	Exponents
)

// Of chooses a logarithmic axis if the values span the given factor.
func Of(factor float64, values ...[]float64) Scaling {
	lo, hi := math.Inf(1), 0.0
	for _, v := range values {
		for _, x := range v {
			if x > 0 && linalg.Finite(x) {
				lo, hi = math.Min(lo, x), math.Max(hi, x)
			}
		}
	}
	switch {
	case hi == 0 || hi < factor*lo:
		return Linear
	case lo < 1e-9 || hi > 1e9*lo:
		return Exponents
	}
	return Logarithmic
}

// OfAll is Of for values that must all be seen: linear if one is at or below zero.
func OfAll(factor float64, values ...[]float64) Scaling {
	for _, v := range values {
		if slices.ContainsFunc(v, func(x float64) bool { return x <= 0 }) {
			return Linear
		}
	}
	return Of(factor, values...)
}

// Value returns the value to draw for x on the axis, null if the axis cannot show
// x.
func (s Scaling) Value(x float64) any {
	switch {
	case s != Linear && x <= 0:
		return nil
	case s == Exponents:
		x = math.Log10(x)
	}
	if !linalg.Finite(x) {
		return nil
	}
	return x
}

// X and Y make an axis logarithmic.
func (s Scaling) X(x opts.XAxis) opts.XAxis {
	y := s.Y(opts.YAxis{Type: x.Type, AxisLabel: x.AxisLabel})
	x.Type, x.MinInterval = y.Type, y.MinInterval
	return x
}

func (s Scaling) Y(y opts.YAxis) opts.YAxis {
	switch s {
	case Logarithmic:
		y.Type, y.AxisLabel.Formatter = "log", opts.FuncOpts(scripts.PowerOfTen)
	case Exponents:
		y.MinInterval, y.AxisLabel.Formatter = 1, opts.FuncOpts(scripts.TenToThe)
	}
	return y
}

// JS returns a JavaScript expression that converts e, a position on the axis, to
// its value.
func (s Scaling) JS(e string) string {
	if s == Exponents {
		return "Math.pow(10, " + e + ")"
	}
	return e
}

// Sizes returns about 25 numbers of variables from lo to hi in geometric
// progression, including own if it is at least lo.
func Sizes(lo, hi, own int) []int {
	const steps = 24
	var at []int
	for k := range steps + 1 {
		at = append(at, int(math.Round(float64(lo)*math.Pow(float64(hi)/float64(lo), float64(k)/steps))))
	}
	if own >= lo {
		at = append(at, own)
	}
	slices.Sort(at)
	return slices.Compact(at)
}
