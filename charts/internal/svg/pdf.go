package svg

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"git.sr.ht/~sbinet/gg"
)

// PDF writes a picture as a document of one page, 3/4 point a unit, as Raster paints it. Text is
// drawn by its outlines, and is there once more, invisible, to be found and copied.
func PDF(root *Node) ([]byte, error) {
	w, h := number(root.Get("width"), 0), number(root.Get("height"), 0)
	if w < 1 || h < 1 {
		return nil, fmt.Errorf("svg: cannot write a page of %g x %g", w, h)
	}
	d := &document{alphas: map[string]string{}}
	const point = .75
	fmt.Fprintf(&d.content, "%s 0 0 -%s 0 %s cm q\n", decimal(point), decimal(point), decimal(point*h))
	p := newPainter(root, d)
	if err := p.kids(root, initial(gg.Identity())); err != nil {
		return nil, err
	}
	d.content.WriteString("Q\n")
	title := ""
	for _, k := range root.Kids {
		if k.Name == "title" {
			title = k.Text
		}
	}
	return d.bytes(point*w, point*h, title)
}

// document is the surface of a page.
type document struct {
	content, path bytes.Buffer
	x, y          float64           // where the path is
	alphas        map[string]string // name of a graphics state by its opacity
	states        []string          // definitions of these, and of shadings
	shadings      []string

	fill, stroke color.NRGBA
	shading      *gradient
	evenOdd      bool
	width        float64
	join, cap    int
	dash         []float64
}

func decimal(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64) }

func (d *document) op(name string, v ...float64) {
	for _, x := range v {
		d.path.WriteString(decimal(x) + " ")
	}
	d.path.WriteString(name + "\n")
}

func (d *document) ClearPath()          { d.path.Reset() }
func (d *document) MoveTo(x, y float64) { d.op("m", x, y); d.x, d.y = x, y }
func (d *document) LineTo(x, y float64) { d.op("l", x, y); d.x, d.y = x, y }
func (d *document) ClosePath()          { d.op("h") }

func (d *document) QuadraticTo(x1, y1, x, y float64) {
	d.CubicTo(d.x+2./3*(x1-d.x), d.y+2./3*(y1-d.y), x+2./3*(x1-x), y+2./3*(y1-y), x, y)
}

func (d *document) CubicTo(x1, y1, x2, y2, x, y float64) {
	d.op("c", x1, y1, x2, y2, x, y)
	d.x, d.y = x, y
}

func (d *document) ResetClip() { d.content.WriteString("Q q\n") }

func (d *document) Clip() {
	if d.path.Len() == 0 { // everything is clipped
		d.op("re", 0, 0, 0, 0)
	}
	d.paint("W n")
}

func (d *document) paint(how string) {
	if d.path.Len() > 0 {
		d.content.Write(d.path.Bytes())
		d.content.WriteString(how + "\n")
	}
	d.path.Reset()
}

func (d *document) SetColor(c color.Color)             { d.stroke = color.NRGBAModel.Convert(c).(color.NRGBA) }
func (d *document) SetLineWidth(w float64)             { d.width = w }
func (d *document) SetLineCapButt()                    { d.cap = 0 }
func (d *document) SetLineCapRound()                   { d.cap = 1 }
func (d *document) SetLineCapSquare()                  { d.cap = 2 }
func (d *document) SetDash(dashes ...float64)          { d.dash = dashes }
func (d *document) SetFillRuleWinding()                { d.evenOdd = false }
func (d *document) SetFillRuleEvenOdd()                { d.evenOdd = true }
func (d *document) setFill(c color.NRGBA, g *gradient) { d.fill, d.shading = c, g }

func (d *document) SetLineJoin(j gg.LineJoin) {
	d.join = 1
	if j == gg.LineJoinBevel {
		d.join = 2
	}
}

// look sets a colour and its opacity.
func (d *document) look(c color.NRGBA, operator string) {
	alpha := decimal(float64(c.A) / 255)
	name := d.alphas[alpha]
	if name == "" {
		name = "G" + strconv.Itoa(len(d.alphas))
		d.alphas[alpha] = name
		d.states = append(d.states, fmt.Sprintf("/%s << /CA %s /ca %s >>", name, alpha, alpha))
	}
	fmt.Fprintf(&d.content, "/%s gs %s %s\n", name, rgb(c), operator)
}

func rgb(c color.NRGBA) string {
	return decimal(float64(c.R)/255) + " " + decimal(float64(c.G)/255) + " " + decimal(float64(c.B)/255)
}

func (d *document) Stroke() {
	d.look(d.stroke, "RG")
	var dashes []string
	for _, x := range d.dash {
		dashes = append(dashes, decimal(x))
	}
	fmt.Fprintf(&d.content, "%s w %d J %d j [%s] 0 d\n", decimal(d.width), d.cap, d.join, strings.Join(dashes, " "))
	d.paint("S")
}

func (d *document) Fill() {
	rule := ""
	if d.evenOdd {
		rule = "*"
	}
	if g := d.shading; g != nil && d.path.Len() > 0 {
		d.shadings = append(d.shadings, g.shading(len(d.shadings)))
		d.look(color.NRGBA{A: 255}, "rg")
		d.content.WriteString("q\n")
		d.paint("W" + rule + " n")
		fmt.Fprintf(&d.content, "/S%d sh Q\n", len(d.shadings)-1)
		return
	}
	d.look(d.fill, "rg")
	d.paint("f" + rule)
}

// shading defines a gradient. Its colours are opaque.
func (g *gradient) shading(i int) string {
	var functions, bounds, encode []string
	for k := 1; k < len(g.stops); k++ {
		a, b := g.stops[k-1], g.stops[k]
		functions = append(functions, fmt.Sprintf("<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [%s] /C1 [%s] >>", rgb(a.color), rgb(b.color)))
		encode = append(encode, "0 1")
		if k > 1 {
			bounds = append(bounds, decimal(a.offset))
		}
	}
	return fmt.Sprintf("/S%d << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [%s %s %s %s] /Extend [true true] /Function << /FunctionType 3 /Domain [0 1] /Functions [%s] /Bounds [%s] /Encode [%s] >> >>",
		i, decimal(g.x1), decimal(g.y1), decimal(g.x2), decimal(g.y2), strings.Join(functions, " "), strings.Join(bounds, " "), strings.Join(encode, " "))
}

// label adds invisible text, in a font with the widths of the one that is drawn.
func (d *document) label(text string, x, y, size float64, bold bool, m gg.Matrix) {
	font := "F0"
	if bold {
		font = "F1"
	}
	x, y = m.TransformPoint(x, y)
	fmt.Fprintf(&d.content, "BT /%s %s Tf 3 Tr %s %s %s %s %s %s Tm (", font, decimal(size),
		decimal(m.XX), decimal(m.YX), decimal(-m.XY), decimal(-m.YY), decimal(x), decimal(y))
	for _, r := range text {
		switch {
		case r == '−':
			r = '-'
		case r < 32 || r > 255 || r > 126 && r < 160:
			r = '?'
		}
		if strings.ContainsRune(`()\`, r) {
			d.content.WriteByte('\\')
		}
		d.content.WriteByte(byte(r))
	}
	d.content.WriteString(") Tj ET\n")
}

// bytes returns the file.
func (d *document) bytes(width, height float64, title string) ([]byte, error) {
	var packed, name, file bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(d.content.Bytes()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	for _, u := range utf16.Encode([]rune("\ufeff" + title)) {
		fmt.Fprintf(&name, "%04X", u)
	}
	font := func(name string) string {
		return "<< /Type /Font /Subtype /Type1 /BaseFont /" + name + " /Encoding /WinAnsiEncoding >>"
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /Font << /F0 %s /F1 %s >> /ExtGState << %s >> /Shading << %s >> >> >>",
			decimal(width), decimal(height), font("Helvetica"), font("Helvetica-Bold"), strings.Join(d.states, " "), strings.Join(d.shadings, " ")),
		fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.String()),
		fmt.Sprintf("<< /Title <%s> /Producer (symmom) >>", name.String()),
	}
	file.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var at []int
	for i, o := range objects {
		at = append(at, file.Len())
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&file, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&file, "trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return file.Bytes(), nil
}
