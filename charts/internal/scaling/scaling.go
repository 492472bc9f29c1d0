// Package scaling chooses the scale and the range of an axis.
package scaling

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
)

// Scaling is the way in which an axis shows values. The zero value is linear.
type Scaling struct {
	kind kind

	// For a linear axis: a value x is drawn at (x - origin) / 10^exponent.
	origin   float64
	exponent int
	extra    int // digits by which the values are larger than what the axis spans
}

type kind int

const (
	linear kind = iota
	logarithmic
	exponents
)

var (
	// Logarithmic is ECharts' own logarithmic axis.
	Logarithmic = Scaling{kind: logarithmic}

	// Exponents is a linear axis of log10 whose labels are powers of ten. It is for
	// values that ECharts' logarithmic axis cannot show: that axis rounds labels to
	// ten decimals, steps by ten decades if there are ten or more, and may end beyond
	// the largest float64.
	Exponents = Scaling{kind: exponents}
)

// Linear reports whether the axis is a linear one.
func (s Scaling) Linear() bool { return s.kind == linear }

// Plain reports whether the axis shows the values themselves.
func (s Scaling) Plain() bool { return s.kind == linear && s.origin == 0 && s.exponent == 0 }

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
		return between(ends(values))
	case lo < 1e-9 || hi > 1e9*lo || hi > 1e300:
		return Exponents
	}
	return Logarithmic
}

// OfAll is Of for values that must all be seen: linear if one is at or below zero.
func OfAll(factor float64, values ...[]float64) Scaling {
	for _, v := range values {
		if slices.ContainsFunc(v, func(x float64) bool { return x <= 0 }) {
			return between(ends(values))
		}
	}
	return Of(factor, values...)
}

// Value returns the value to draw for x on the axis, null if the axis cannot show
// x.
func (s Scaling) Value(x float64) any {
	switch {
	case s.kind != linear && x <= 0:
		return nil
	case s.kind == exponents:
		x = log10(x)
	case s.kind == linear:
		x = s.inUnits(x - s.origin)
	}
	if !linalg.Finite(x) {
		return nil
	}
	return x
}

// inUnits returns x / 10^exponent, in two steps where that power has lost digits.
func (s Scaling) inUnits(x float64) float64 {
	if s.exponent < -300 {
		return x * 1e300 / math.Pow(10, float64(s.exponent+300))
	}
	return x / math.Pow(10, float64(s.exponent))
}

// log10 is math.Log10, which is wrong for subnormal numbers on some processors.
func log10(x float64) float64 {
	if x < 1e-300 {
		return math.Log10(x*1e300) - 300
	}
	return math.Log10(x)
}

// X and Y give an axis its kind, its labels and, where it does not show the values
// themselves, a name that says so.
func (s Scaling) X(x opts.XAxis) opts.XAxis {
	y := s.Y(opts.YAxis{Name: x.Name, Type: x.Type, AxisLabel: x.AxisLabel})
	x.Name, x.Type = y.Name, y.Type
	if y.MinInterval != 0 {
		x.MinInterval = y.MinInterval
	}
	return x
}

func (s Scaling) Y(y opts.YAxis) opts.YAxis {
	switch {
	case s.kind == logarithmic:
		y.Type, y.AxisLabel.Formatter = "log", opts.FuncOpts(scripts.PowerOfTen)
	case s.kind == exponents:
		y.MinInterval, y.AxisLabel.Formatter = 1, opts.FuncOpts(scripts.TenToThe)
	case s.exponent != 0:
		y.AxisLabel.Formatter = opts.FuncOpts(scripts.InUnits(s.exponent))
	}
	y.Name += s.offset()
	return y
}

// JS returns a JavaScript expression that converts e, a position on the axis, to
// its value.
func (s Scaling) JS(e string) string {
	switch {
	case s.kind == exponents:
		return "Math.pow(10, " + e + ")"
	case s.kind == linear && !s.Plain():
		return fmt.Sprintf("+(%s * 1e%d + %g).toPrecision(15)", e, s.exponent, s.origin)
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
