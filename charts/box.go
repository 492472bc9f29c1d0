package charts

import (
	"math"

	"symmom/internal/linalg"
)

// box is a rectangle in the plane.
type box struct{ lo, hi [2]float64 }

func emptyBox() box {
	return box{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
}

func (b box) with(at [2]float64) box {
	for i, x := range at {
		b.lo[i], b.hi[i] = math.Min(b.lo[i], x), math.Max(b.hi[i], x)
	}
	return b
}

func (b box) holds(at [2]float64) bool {
	return at[0] >= b.lo[0] && at[0] <= b.hi[0] && at[1] >= b.lo[1] && at[1] <= b.hi[1]
}

// padded widens the box by the given share on every side, to round numbers that
// make good ends of an axis.
func (b box) padded(share float64) box {
	for i := range b.lo {
		width := b.hi[i] - b.lo[i]
		if width <= 0 {
			width = math.Max(math.Abs(b.lo[i]), 1)
		}
		unit := math.Pow(10, math.Floor(math.Log10(width))) / 5
		b.lo[i] = math.Floor((b.lo[i]-share*width)/unit) * unit
		b.hi[i] = math.Ceil((b.hi[i]+share*width)/unit) * unit
	}
	return b
}

// wider reports whether b is enough larger than part to be worth a chart of its
// own.
func (b box) wider(part box) bool {
	return b.hi[0]-b.lo[0] > 1.5*(part.hi[0]-part.lo[0]) || b.hi[1]-b.lo[1] > 1.5*(part.hi[1]-part.lo[1])
}

// near returns a box that holds the means of all panels; far also holds the
// observations.
func (p *projection) near() box {
	b := emptyBox()
	for _, at := range p.marks() {
		b = b.with(at)
	}
	return b.roomy(p.spread()).padded(.3)
}

// roomy widens a box whose means lie in a line or in one point: by twice the spread of
// the observations around them on every side, up to half of its longer side.
func (b box) roomy(spread [2]float64) box {
	longer := math.Max(b.hi[0]-b.lo[0], b.hi[1]-b.lo[1])
	if longer == 0 {
		longer = math.Inf(1)
	}
	for i := range b.lo {
		width := b.hi[i] - b.lo[i]
		if more := math.Min(width+4*spread[i], longer/2) - width; more > 0 && linalg.Finite(more) {
			b.lo[i], b.hi[i] = b.lo[i]-more/2, b.hi[i]+more/2
		}
	}
	return b
}

// spread returns the root mean square distance of the observations from the nearest
// mean, in each of the two coordinates; infinity if there are none.
func (p *projection) spread() [2]float64 {
	marks := p.marks()
	var squares [2]float64
	for _, at := range p.points {
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
	count := float64(len(p.points))
	if count == 0 {
		return [2]float64{math.Inf(1), math.Inf(1)}
	}
	return [2]float64{math.Sqrt(squares[0] / count), math.Sqrt(squares[1] / count)}
}

// marks returns where the means of all panels are drawn.
func (p *projection) marks() (all [][2]float64) {
	for _, panel := range append([][][]float64{p.truth}, p.found...) {
		for _, c := range panel {
			all = append(all, p.ends(c)...)
		}
	}
	return all
}

func (p *projection) far(b box) box {
	for _, at := range p.points {
		b = b.with(at)
	}
	return b.padded(.02)
}
