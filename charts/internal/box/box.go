// Package box holds rectangles and ellipses in the plane of a chart.
package box

import (
	"math"

	"symmom/internal/math/linalg"
)

// Box is a rectangle in the plane.
type Box struct{ Lo, Hi [2]float64 }

// Empty returns a box that holds nothing.
func Empty() Box {
	return Box{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
}

// With returns the box widened to hold a point.
func (b Box) With(at [2]float64) Box {
	for i, x := range at {
		b.Lo[i], b.Hi[i] = math.Min(b.Lo[i], x), math.Max(b.Hi[i], x)
	}
	return b
}

// Holds reports whether a point lies within the box.
func (b Box) Holds(at [2]float64) bool {
	return at[0] >= b.Lo[0] && at[0] <= b.Hi[0] && at[1] >= b.Lo[1] && at[1] <= b.Hi[1]
}

// Padded widens the box by the given share on every side, to round numbers that
// make good ends of an axis.
func (b Box) Padded(share float64) Box {
	for i := range b.Lo {
		width := b.Hi[i] - b.Lo[i]
		if width <= 0 {
			width = math.Max(math.Abs(b.Lo[i]), 1)
		}
		unit := math.Pow(10, math.Floor(math.Log10(width))) / 5
		b.Lo[i] = math.Floor((b.Lo[i]-share*width)/unit) * unit
		b.Hi[i] = math.Ceil((b.Hi[i]+share*width)/unit) * unit
	}
	return b
}

// Spans returns how much longer the longer side is than the other, infinity if that is 0.
func (b Box) Spans() float64 {
	x, y := b.Hi[0]-b.Lo[0], b.Hi[1]-b.Lo[1]
	return math.Max(x, y) / math.Min(x, y)
}

// Wider reports whether b is enough larger than part to be worth a chart of its
// own.
func (b Box) Wider(part Box) bool {
	return b.Hi[0]-b.Lo[0] > 1.5*(part.Hi[0]-part.Lo[0]) || b.Hi[1]-b.Lo[1] > 1.5*(part.Hi[1]-part.Lo[1])
}

// Roomy widens a box whose means lie in a line or in one point: by twice the spread of
// the observations around them on every side, up to half of its longer side.
func (b Box) Roomy(spread [2]float64) Box {
	longer := math.Max(b.Hi[0]-b.Lo[0], b.Hi[1]-b.Lo[1])
	if longer == 0 {
		longer = math.Inf(1)
	}
	for i := range b.Lo {
		width := b.Hi[i] - b.Lo[i]
		if more := math.Min(width+4*spread[i], longer/2) - width; more > 0 && linalg.Finite(more) {
			b.Lo[i], b.Hi[i] = b.Lo[i]-more/2, b.Hi[i]+more/2
		}
	}
	return b
}

// Spread returns the root mean square distance of points from the nearest mark, in each
// of the two coordinates; infinity if there are none.
func Spread(points, marks [][2]float64) [2]float64 {
	var squares [2]float64
	for _, at := range points {
		var nearest [2]float64
		least := math.Inf(1)
		for _, m := range marks {
			x, y := at[0]-m[0], at[1]-m[1]
			if d := x*x + y*y; d < least {
				least, nearest = d, [2]float64{x * x, y * y}
			}
		}
		squares[0], squares[1] = squares[0]+nearest[0], squares[1]+nearest[1]
	}
	count := float64(len(points))
	if count == 0 {
		return [2]float64{math.Inf(1), math.Inf(1)}
	}
	return [2]float64{math.Sqrt(squares[0] / count), math.Sqrt(squares[1] / count)}
}

// EllipsePoints is the number of corners of an ellipse; the first is also the last.
const EllipsePoints = 48

// Ellipse returns the points at a number of standard deviations from a mean, for a
// covariance [xx xy; xy yy].
func Ellipse(mean [2]float64, xx, xy, yy, deviations float64) [][2]float64 {
	// The covariance is L L' with L = [a 0; b c].
	a := math.Sqrt(math.Max(0, xx))
	b := 0.
	if a > 0 {
		b = xy / a
	}
	c := math.Sqrt(math.Max(0, yy-b*b))
	points := make([][2]float64, EllipsePoints+1)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%EllipsePoints) / EllipsePoints)
		points[i] = [2]float64{mean[0] + deviations*a*cos, mean[1] + deviations*(b*cos+c*sin)}
	}
	return points
}
