package svg

import (
	"image/color"

	"git.sr.ht/~sbinet/gg"
)

// surface is what is painted on: pixels or a page. Its state is set before a path begins.
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
	// write writes text, or reports that its outline is to be painted.
	write(text string, x, y, size float64, bold bool, m gg.Matrix, c color.NRGBA) bool
}

// pixels are a surface.
type pixels struct{ *gg.Context }

func (p pixels) write(string, float64, float64, float64, bool, gg.Matrix, color.NRGBA) bool {
	return false
}

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
