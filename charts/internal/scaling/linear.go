package scaling

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"symmom/internal/math/linalg"
)

// FromZero is the linear axis of bars, which begin at zero.
func FromZero(values ...[]float64) Scaling {
	lo, hi := ends(values)
	return between(math.Min(lo, 0), math.Max(hi, 0))
}

// between chooses the origin and the unit of a linear axis. ECharts rounds ticks to ten
// decimals and overflows near the largest numbers; labels have room for seven characters, and
// are equal where the values differ by less.
func between(lo, hi float64) (s Scaling) {
	size := math.Max(math.Abs(lo), math.Abs(hi))
	if !linalg.Finite(size) || size == 0 {
		return s
	}
	span, narrow := hi-lo, 1e-4
	if size >= 1e6 || size < 1e-3 {
		narrow = .05 // labels have an exponent
	}
	if span > 0 && span < narrow*size {
		step := int(math.Ceil(math.Log10(span)))
		s.origin, _ = strconv.ParseFloat(fmt.Sprintf("%.0fe%d", math.Floor(lo/math.Pow(10, float64(step))), step), 64)
		size = math.Max(hi-s.origin, lo-s.origin)
	}
	if span == 0 {
		span = size
	}
	s.extra = max(0, int(math.Log10(size/span)))
	const least, most = 1e-7, 1e300
	if span < least || size > most {
		s.exponent = int(math.Floor(log10(size)))
	}
	return s
}

// ends returns the least and the greatest of the finite values, infinities if there are none.
func ends(values [][]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		for _, x := range v {
			if linalg.Finite(x) {
				lo, hi = math.Min(lo, x), math.Max(hi, x)
			}
		}
	}
	return lo, hi
}

// offset is what the name of an axis has behind it: " − 0.41406" if only the differences from
// that are drawn.
func (s Scaling) offset() string {
	if s.origin == 0 {
		return ""
	}
	sign, text := " − ", strconv.FormatFloat(math.Abs(s.origin), 'f', -1, 64)
	if s.origin < 0 {
		sign = " + "
	}
	if len(text) > 17 {
		text = strings.Replace(strconv.FormatFloat(math.Abs(s.origin), 'g', -1, 64), "e+", "e", 1)
	}
	return sign + text
}

// Tidy is Value rounded to so many digits of the range of the axis, null if x is not finite.
func (s Scaling) Tidy(x float64, digits int) any {
	v, ok := s.Value(x).(float64)
	if !ok {
		return nil
	}
	return Significant(v, digits+s.extra)
}

// Significant returns x rounded to that many digits, null if x is not finite.
func Significant(x float64, digits int) any {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil || !linalg.Finite(short) {
		return nil
	}
	return short
}

// Plane is the axes of a chart of points.
type Plane [2]Scaling

// OfBox returns the axes from lo to hi.
func OfBox(lo, hi [2]float64) Plane { return Plane{between(lo[0], hi[0]), between(lo[1], hi[1])} }

// Alike gives both axes the unit of the one with the larger numbers.
func (p Plane) Alike() Plane {
	p[0].exponent = max(p[0].exponent, p[1].exponent)
	p[1].exponent = p[0].exponent
	return p
}

// At returns where a point is drawn, rounded to six digits, more than a page can show.
func (p Plane) At(at [2]float64) []any { return []any{p[0].Tidy(at[0], 6), p[1].Tidy(at[1], 6)} }
