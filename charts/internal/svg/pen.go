package svg

import (
	"math"

	"git.sr.ht/~sbinet/gg"
)

// pen transforms a path to pixels; a crisp one rounds to whole pixels.
type pen struct {
	dc    sink
	m     gg.Matrix
	crisp bool
}

func (t pen) at(x, y float64) (float64, float64) {
	x, y = t.m.TransformPoint(x, y)
	if t.crisp {
		return math.Round(x), math.Round(y)
	}
	return x, y
}

func (t pen) MoveTo(x, y float64) { t.dc.MoveTo(t.at(x, y)) }
func (t pen) LineTo(x, y float64) { t.dc.LineTo(t.at(x, y)) }
func (t pen) ClosePath()          { t.dc.ClosePath() }

func (t pen) QuadraticTo(x1, y1, x, y float64) {
	x1, y1 = t.at(x1, y1)
	x, y = t.at(x, y)
	t.dc.QuadraticTo(x1, y1, x, y)
}

func (t pen) CubicTo(x1, y1, x2, y2, x, y float64) {
	x1, y1 = t.at(x1, y1)
	x2, y2 = t.at(x2, y2)
	x, y = t.at(x, y)
	t.dc.CubicTo(x1, y1, x2, y2, x, y)
}

// bounds is the bounding box of a path, with the control points of its curves.
type bounds struct{ x0, y0, x1, y1 float64 }

func (b *bounds) at(x, y float64) {
	b.x0, b.x1 = math.Min(b.x0, x), math.Max(b.x1, x)
	b.y0, b.y1 = math.Min(b.y0, y), math.Max(b.y1, y)
}

func (b *bounds) MoveTo(x, y float64) { b.at(x, y) }
func (b *bounds) LineTo(x, y float64) { b.at(x, y) }
func (b *bounds) ClosePath()          {}

func (b *bounds) QuadraticTo(x1, y1, x, y float64) {
	b.at(x1, y1)
	b.at(x, y)
}

func (b *bounds) CubicTo(x1, y1, x2, y2, x, y float64) {
	b.at(x1, y1)
	b.at(x2, y2)
	b.at(x, y)
}
