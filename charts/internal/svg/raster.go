package svg

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"git.sr.ht/~sbinet/gg"

	"symmom/charts/internal/typeset"
)

// maxPixels is the maximum size of a picture; a larger one is taken for a mistake.
const maxPixels = 1 << 28

// Raster paints a picture of the elements and attributes that this project and
// ECharts write; any other element is an error. scale is in pixels per unit.
func Raster(root *Node, scale float64) (*image.RGBA, error) {
	w := int(math.Round(number(root.Get("width"), 0) * scale))
	h := int(math.Round(number(root.Get("height"), 0) * scale))
	if w < 1 || h < 1 || w*h > maxPixels {
		return nil, fmt.Errorf("svg: cannot paint %d x %d pixels", w, h)
	}
	dc := gg.NewContext(w, h)
	if err := newPainter(root, pixels{dc}).kids(root, initial(gg.Identity().Scale(scale, scale))); err != nil {
		return nil, err
	}
	m, ok := dc.Image().(*image.RGBA)
	if !ok {
		return nil, fmt.Errorf("svg: painted a %T", dc.Image())
	}
	return m, nil
}

// initial is the state in which painting begins.
func initial(m gg.Matrix) state {
	return state{m: m, fill: "#000", stroke: "none", fillOpacity: 1, strokeOpacity: 1, opacity: 1, strokeWidth: 1, fontSize: 12, miter: 4}
}

func newPainter(root *Node, on surface) *painter {
	p := &painter{dc: on, ids: map[string]*Node{}, clipOf: map[string]*Node{}}
	p.index(root)
	return p
}

// state holds the inherited properties of an element.
type state struct {
	m                                   gg.Matrix
	fill, stroke, dash, cap, join       string
	anchor, weight, rule, order         string
	fillOpacity, strokeOpacity, opacity float64
	strokeWidth, fontSize, miter        float64
	crisp                               bool
	clips                               []clip
}

type painter struct {
	dc    surface
	ids   map[string]*Node
	clips []clip // the current ones

	clipOf map[string]*Node // by shape
}

func (p *painter) kids(n *Node, s state) error {
	for _, k := range n.Kids {
		if err := p.node(k, s); err != nil {
			return err
		}
	}
	return nil
}

func (p *painter) node(n *Node, s state) error {
	if err := s.inherit(n); err != nil {
		return err
	}
	if id, ok := reference(n.Get("clip-path")); ok {
		c := p.ids[id]
		if c == nil {
			return fmt.Errorf("svg: no clip path %q", id)
		}
		s.clips = append(s.clips[:len(s.clips):len(s.clips)], clip{c, s.m})
	}
	switch n.Name {
	case "g":
		return p.kids(n, s)
	case "defs", "title", "desc", "style", "clipPath", "metadata":
		return nil
	case "text":
		return p.text(n, s)
	case "path", "rect", "polygon", "polyline", "line", "circle", "ellipse":
		return p.shape(n, s)
	}
	return fmt.Errorf("svg: no way to paint <%s>", n.Name)
}

// inherit applies the presentation attributes of an element.
func (s *state) inherit(n *Node) error {
	for _, a := range n.Attrs {
		v := a.Value
		switch a.Name {
		case "transform":
			m, err := parseTransform(v)
			if err != nil {
				return err
			}
			s.m = m.Multiply(s.m)
		case "fill":
			s.fill = v
		case "stroke":
			s.stroke = v
		case "fill-opacity":
			s.fillOpacity = number(v, 1)
		case "stroke-opacity":
			s.strokeOpacity = number(v, 1)
		case "opacity": // of single shapes; the shapes of a group do not overlap here
			s.opacity *= number(v, 1)
		case "stroke-width":
			s.strokeWidth = number(v, 1)
		case "stroke-dasharray":
			s.dash = v
		case "stroke-linecap":
			s.cap = v
		case "stroke-linejoin":
			s.join = v
		case "stroke-miterlimit":
			s.miter = number(v, 4)
		case "fill-rule":
			s.rule = v
		case "paint-order":
			s.order = v
		case "shape-rendering":
			s.crisp = v == "crispEdges"
		case "text-anchor":
			s.anchor = v
		case "font-weight":
			s.weight = v
		case "font-size":
			s.fontSize = number(v, 12)
		}
	}
	return nil
}

// reference returns the id in url(#id).
func reference(s string) (string, bool) {
	id, ok := strings.CutPrefix(s, "url(#")
	return strings.TrimSuffix(id, ")"), ok
}

func (p *painter) shape(n *Node, s state) error {
	if d := n.Get("d"); (s.cap == "round" || s.cap == "square") && strings.HasSuffix(d, "h0") {
		s.fill, s.fillOpacity, s.stroke = s.stroke, s.strokeOpacity, "none"
		return p.paint(s, func(to sink) error {
			return drawPath(d, &dotPen{sink: to, radius: s.strokeWidth / 2, square: s.cap == "square"})
		})
	}
	return p.paint(s, func(to sink) error { return outline(n, to) })
}

// outline draws a shape's path.
func outline(n *Node, to sink) error {
	get := func(name string) float64 { return number(n.Get(name), 0) }
	switch n.Name {
	case "path":
		return drawPath(n.Get("d"), to)
	case "rect":
		x, y, w, h := get("x"), get("y"), get("width"), get("height")
		rx := math.Min(get("rx"), math.Min(w, h)/2)
		if rx == 0 {
			return drawPath(fmt.Sprintf("M%v %vh%vv%vh%vz", x, y, w, h, -w), to)
		}
		return drawPath(fmt.Sprintf("M%v %vh%va%v %v 0 0 1 %v %vv%va%v %v 0 0 1 %v %vh%va%v %v 0 0 1 %v %vv%va%v %v 0 0 1 %v %vz",
			x+rx, y, w-2*rx, rx, rx, rx, rx, h-2*rx, rx, rx, -rx, rx, 2*rx-w, rx, rx, -rx, -rx, 2*rx-h, rx, rx, rx, -rx), to)
	case "line":
		return drawPath(fmt.Sprintf("M%v %vL%v %v", get("x1"), get("y1"), get("x2"), get("y2")), to)
	case "polygon":
		return drawPath("M"+n.Get("points")+"Z", to)
	case "polyline":
		return drawPath("M"+n.Get("points"), to)
	case "circle", "ellipse":
		rx, ry := get("rx"), get("ry")
		if n.Name == "circle" {
			rx, ry = get("r"), get("r")
		}
		return drawPath(fmt.Sprintf("M%v %va%v %v 0 1 1 %v 0a%v %v 0 1 1 %v 0Z", get("cx")-rx, get("cy"), rx, ry, 2*rx, rx, ry, -2*rx), to)
	}
	return fmt.Errorf("svg: <%s> has no outline", n.Name)
}

// paint fills and strokes an outline.
func (p *painter) paint(s state, outline func(sink) error) error {
	if err := p.clip(s.clips); err != nil {
		return err
	}
	dc := p.dc
	t := pen{dc: dc, m: s.m, crisp: s.crisp}
	stroke := func() error {
		c, some, err := parseColor(s.stroke, s.strokeOpacity*s.opacity)
		if err != nil || !some || s.strokeWidth == 0 {
			return err
		}
		size := math.Sqrt(math.Abs(s.m.XX*s.m.YY - s.m.XY*s.m.YX))
		dc.SetColor(c)
		dc.SetLineWidth(s.strokeWidth * size)
		dc.SetLineJoin(gg.LineJoinRound)
		if s.join == "bevel" {
			dc.SetLineJoin(gg.LineJoinBevel)
		}
		switch s.cap {
		case "round":
			dc.SetLineCapRound()
		case "square":
			dc.SetLineCapSquare()
		default:
			dc.SetLineCapButt()
		}
		dc.SetDash(dashes(s.dash, size)...)
		dc.ClearPath()
		if err := outline(t); err != nil {
			return err
		}
		dc.Stroke()
		return nil
	}
	fill := func() error {
		c, shading, some, err := p.fillStyle(s, outline)
		if err != nil || !some {
			return err
		}
		dc.setFill(c, shading)
		dc.SetFillRuleWinding()
		if s.rule == "evenodd" {
			dc.SetFillRuleEvenOdd()
		}
		dc.ClearPath()
		if err := outline(t); err != nil {
			return err
		}
		dc.Fill()
		return nil
	}
	steps := []func() error{fill, stroke}
	if strings.HasPrefix(s.order, "stroke") {
		steps[0], steps[1] = stroke, fill
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func dashes(s string, size float64) []float64 {
	if s == "" || s == "none" {
		return nil
	}
	var d []float64
	sum := 0.0
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		v := math.Max(0, number(f, 0)) * size
		d, sum = append(d, v), sum+v
	}
	if sum == 0 {
		return nil
	}
	return d
}

func (p *painter) fillStyle(s state, outline func(sink) error) (c color.NRGBA, g *gradient, some bool, err error) {
	if id, ok := reference(s.fill); ok {
		g, some, err = p.gradient(id, s, outline)
		return c, g, some, err
	}
	c, some, err = parseColor(s.fill, s.fillOpacity*s.opacity)
	return c, nil, some && c.A > 0, err
}

// gradient is a linear one, in the coordinates of the surface.
type gradient struct {
	x1, y1, x2, y2 float64
	stops          []stop
}

type stop struct {
	offset float64
	color  color.NRGBA
}

// gradient paints a linear gradient, in the coordinates of the shape or as
// fractions of its bounding box, which is exact for horizontal and vertical
// gradients.
func (p *painter) gradient(id string, s state, outline func(sink) error) (*gradient, bool, error) {
	n := p.ids[id]
	if n == nil || n.Name != "linearGradient" {
		return nil, false, fmt.Errorf("svg: no way to fill with %q", id)
	}
	x1, y1 := number(n.Get("x1"), 0), number(n.Get("y1"), 0)
	x2, y2 := number(n.Get("x2"), 1), number(n.Get("y2"), 0)
	if n.Get("gradientUnits") != "userSpaceOnUse" {
		box := &bounds{x0: math.Inf(1), y0: math.Inf(1), x1: math.Inf(-1), y1: math.Inf(-1)}
		if err := outline(box); err != nil || box.x0 > box.x1 {
			return nil, false, err
		}
		w, h := box.x1-box.x0, box.y1-box.y0
		x1, y1, x2, y2 = box.x0+x1*w, box.y0+y1*h, box.x0+x2*w, box.y0+y2*h
	}
	x1, y1 = s.m.TransformPoint(x1, y1)
	x2, y2 = s.m.TransformPoint(x2, y2)
	g := &gradient{x1: x1, y1: y1, x2: x2, y2: y2}
	for _, k := range n.Kids {
		c, some, err := parseColor(k.Get("stop-color"), number(k.Get("stop-opacity"), 1)*s.fillOpacity*s.opacity)
		if err != nil {
			return nil, false, err
		}
		if !some {
			c = color.NRGBA{}
		}
		offset := number(strings.TrimSuffix(k.Get("offset"), "%"), 0)
		if strings.HasSuffix(k.Get("offset"), "%") {
			offset /= 100
		}
		g.stops = append(g.stops, stop{offset, c})
	}
	return g, true, nil
}

// text paints a line of text, at any size and angle.
func (p *painter) text(n *Node, s state) error {
	if len(n.Kids) > 0 {
		return fmt.Errorf("svg: no way to paint <%s> in a text", n.Kids[0].Name)
	}
	bold := isBold(s.weight)
	x, y := number(n.Get("x"), 0), number(n.Get("y"), 0)
	switch w := typeset.Width(n.Text, s.fontSize, bold); s.anchor {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	s.crisp = false
	if err := p.clip(s.clips); err != nil {
		return err
	}
	letters := func(t sink) error {
		at := x
		for _, g := range typeset.Glyphs(n.Text, bold) {
			for i, o := range g.Segments {
				q := o.Points
				for j := range q {
					q[j] = [2]float64{at + q[j][0]*s.fontSize, y + q[j][1]*s.fontSize}
				}
				switch o.Op {
				case 'M':
					if i > 0 {
						t.ClosePath()
					}
					t.MoveTo(q[0][0], q[0][1])
				case 'L':
					t.LineTo(q[0][0], q[0][1])
				case 'Q':
					t.QuadraticTo(q[0][0], q[0][1], q[1][0], q[1][1])
				case 'C':
					t.CubicTo(q[0][0], q[0][1], q[1][0], q[1][1], q[2][0], q[2][1])
				}
			}
			if len(g.Segments) > 0 {
				t.ClosePath()
			}
			at += g.Advance * s.fontSize
		}
		return nil
	}
	beneath := s // a halo
	beneath.fill, s.stroke = "none", "none"
	if err := p.paint(beneath, letters); err != nil {
		return err
	}
	c, _, some, err := p.fillStyle(s, letters)
	if err != nil || !some || p.dc.write(n.Text, x, y, s.fontSize, bold, s.m, c) {
		return err
	}
	return p.paint(s, letters)
}
