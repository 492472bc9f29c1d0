package svg

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
	"git.sr.ht/~sbinet/gg"

	"symmom/charts/internal/typeset"
)

// PDF writes a picture as a document of one page, 3/4 point a unit, as Raster paints it. Text
// has the letters of its font, of which the document holds those that it uses.
func PDF(root *Node) ([]byte, error) {
	const point = .75
	size := fpdf.SizeType{Wd: point * number(root.Get("width"), 0), Ht: point * number(root.Get("height"), 0)}
	if size.Wd < point || size.Ht < point {
		return nil, fmt.Errorf("svg: cannot write a page of %g x %g points", size.Wd, size.Ht)
	}
	d := &page{Fpdf: fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: size}), size: size}
	d.AddUTF8FontFromBytes("liberation", "", liberationsansregular.TTF)
	d.AddUTF8FontFromBytes("liberation", "B", liberationsansbold.TTF)
	d.SetCatalogSort(true)
	d.SetCreationDate(time.Unix(0, 0).UTC()) // the same picture is the same document
	d.SetModificationDate(time.Unix(0, 0).UTC())
	d.SetProducer("symmom", false)
	for _, k := range root.Kids {
		if k.Name == "title" {
			d.SetTitle(k.Text, true)
		}
	}
	d.AddPage()
	d.RawWriteStr("q")
	if err := newPainter(root, d).kids(root, initial(gg.Identity().Scale(point, point))); err != nil {
		return nil, err
	}
	d.RawWriteStr("Q")
	var file bytes.Buffer
	err := d.Output(&file)
	return file.Bytes(), err
}

// page is a surface, on which every path is painted at once.
type page struct {
	*fpdf.Fpdf
	size    fpdf.SizeType
	rule    string // of the next fill
	shading *gradient
}

func (d *page) ClearPath() {}
func (d *page) ResetClip() { d.RawWriteStr("Q q") }
func (d *page) Clip()      { d.RawWriteStr("W n") }
func (d *page) Stroke()    { d.DrawPath("S") }

func (d *page) CubicTo(x1, y1, x2, y2, x, y float64) { d.CurveBezierCubicTo(x1, y1, x2, y2, x, y) }

func (d *page) QuadraticTo(x1, y1, x, y float64) {
	x0, y0 := d.GetXY()
	d.CubicTo(x0+2./3*(x1-x0), y0+2./3*(y1-y0), x+2./3*(x1-x), y+2./3*(y1-y), x, y)
}

func (d *page) SetLineCapButt()           { d.SetLineCapStyle("butt") }
func (d *page) SetLineCapRound()          { d.SetLineCapStyle("round") }
func (d *page) SetLineCapSquare()         { d.SetLineCapStyle("square") }
func (d *page) SetDash(dashes ...float64) { d.SetDashPattern(dashes, 0) }
func (d *page) SetFillRuleWinding()       { d.rule = "" }
func (d *page) SetFillRuleEvenOdd()       { d.rule = "*" }

func (d *page) SetLineJoin(j gg.LineJoin) {
	d.SetLineJoinStyle(map[gg.LineJoin]string{gg.LineJoinRound: "round", gg.LineJoinBevel: "bevel"}[j])
}

func (d *page) SetColor(c color.Color) {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	d.SetAlpha(float64(n.A)/255, "")
	d.SetDrawColor(int(n.R), int(n.G), int(n.B))
}

func (d *page) setFill(c color.NRGBA, g *gradient) {
	d.shading = g
	if g != nil {
		c.A = 255 // its colours are opaque
		d.RawWriteStr("q")
	}
	d.SetAlpha(float64(c.A)/255, "")
	d.SetFillColor(int(c.R), int(c.G), int(c.B))
}

// Fill paints a gradient in bands of one colour, each from where it begins to the edge of the
// page, so that no gap shows.
func (d *page) Fill() {
	g := d.shading
	if g == nil {
		d.DrawPath("f" + d.rule)
		return
	}
	d.RawWriteStr("W" + d.rule + " n")
	for k := 1; k < len(g.stops); k++ {
		a, b := g.stops[k-1], g.stops[k]
		mix := func(t float64, a, b uint8) int { return int(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
		bands := 1
		for _, c := range [][2]uint8{{a.color.R, b.color.R}, {a.color.G, b.color.G}, {a.color.B, b.color.B}} {
			bands = max(bands, int(c[0])-int(c[1]), int(c[1])-int(c[0]))
		}
		for i := range bands {
			t := (float64(i) + .5) / float64(bands)
			d.SetFillColor(mix(t, a.color.R, b.color.R), mix(t, a.color.G, b.color.G), mix(t, a.color.B, b.color.B))
			at := a.offset + float64(i)/float64(bands)*(b.offset-a.offset)
			x, w := edge(at, g.x1, g.x2, d.size.Wd)
			y, h := edge(at, g.y1, g.y2, d.size.Ht)
			d.Rect(x, y, w, h, "F")
		}
	}
	d.RawWriteStr("Q")
}

// edge is the range from a fraction of the way from a to b to the edge that lies behind b.
func edge(t, a, b, size float64) (from, length float64) {
	switch at := a + t*(b-a); {
	case t == 0 || a == b:
		return 0, size
	case a < b:
		return at, size - at
	default:
		return 0, at
	}
}

// write writes a line of text with its letters, unless the font lacks one.
func (d *page) write(text string, x, y, size float64, bold bool, m gg.Matrix, c color.NRGBA) bool {
	if !typeset.Has(text, bold) {
		return false
	}
	style := ""
	if bold {
		style = "B"
	}
	d.setFill(c, nil)
	d.SetTextColor(int(c.R), int(c.G), int(c.B))
	d.SetFont("liberation", style, size)
	x, y = m.TransformPoint(x, y)
	d.TransformBegin()
	d.Transform(fpdf.TransformMatrix{A: m.XX, B: -m.YX, C: -m.XY, D: m.YY, E: x, F: d.size.Ht - y})
	d.Text(0, d.size.Ht, text)
	d.TransformEnd()
	return true
}
