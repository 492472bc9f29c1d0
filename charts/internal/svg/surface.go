package svg

import (
	"image/color"

	"git.sr.ht/~sbinet/gg"
)

// surface is what is painted on: pixels or a page.
type surface interface {
	sink
	ClearPath()
	ResetClip()
	Clip()
	SetFillRuleWinding()
	SetFillRuleEvenOdd()
	SetLineWidth(float64)
	SetLineJoin(gg.LineJoin)
	SetLineCapButt()
	SetLineCapRound()
	SetLineCapSquare()
	SetDash(...float64)
	SetColor(color.Color) // of strokes
	Stroke()
	setFill(color.NRGBA, *gradient) // the colour if there is no gradient
	Fill()
	label(text string, x, y, size float64, bold bool, m gg.Matrix) // of glyphs that are painted
}

// pixels are a surface.
type pixels struct{ *gg.Context }

func (p pixels) label(string, float64, float64, float64, bool, gg.Matrix) {}

func (p pixels) setFill(c color.NRGBA, g *gradient) {
	if g == nil {
		p.SetFillStyle(gg.NewSolidPattern(c))
		return
	}
	style := gg.NewLinearGradient(g.x1, g.y1, g.x2, g.y2)
	for _, s := range g.stops {
		style.AddColorStop(s.offset, s.color)
	}
	p.SetFillStyle(style)
}
