package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Once replaces long paths that a picture has before, as panels of the same points do, by
// references to the first of them.
func Once(n *Node) {
	again := 0
	once(n, map[string]*Node{}, &again)
}

// once counts the paths that occur again, which have ids.
func once(n *Node, before map[string]*Node, again *int) {
	for i, k := range n.Kids {
		if k.Name != "path" || len(k.Get("d")) < 100 {
			once(k, before, again)
			continue
		}
		text := k.String()
		first := before[text]
		if first == nil {
			before[text] = k
			continue
		}
		if first.Get("id") == "" {
			*again++
			first.Set("id", fmt.Sprintf("p%d", *again))
		}
		n.Kids[i] = New("use", "href", "#"+first.Get("id"))
	}
}

func tenths(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// circle makes a circle of the path in which ECharts draws that symbol.
func circle(n *Node) {
	if n.Name != "path" || n.Get("d") != "M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" {
		return
	}
	m, err := parseTransform(n.Get("transform"))
	if err != nil || m.YX != 0 || m.XY != 0 || m.XX != m.YY {
		return
	}
	hundredths := func(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }
	n.Name, n.Attrs = "circle", append([]Attr{{"cx", hundredths(m.X0)}, {"cy", hundredths(m.Y0)}, {"r", hundredths(m.XX)}}, n.Attrs...)
	n.Set("d", "")
	n.Set("transform", "")
	if w := n.Get("stroke-width"); w != "" {
		n.Set("stroke-width", hundredths(m.XX*number(w, 1)))
	}
}

// unseen is how far a line may pass by a point that it does not need, in pixels.
const unseen = .15

// thin leaves points out of a line that no pixel shows.
func thin(n *Node) {
	d := n.Get("d")
	if n.Name != "path" || n.Get("fill") != "none" || len(d) < 400 {
		return
	}
	var l lines
	if drawPath(d, &l) != nil || l.curved {
		return
	}
	var b strings.Builder
	for _, points := range l.lines {
		for i, p := range needed(points) {
			b.WriteString("ML"[min(i, 1):][:1] + tenths(p[0]) + " " + tenths(p[1]))
		}
	}
	if b.Len() < len(d) {
		n.Set("d", b.String())
	}
}

// lines collects a path's points.
type lines struct {
	lines  [][][2]float64
	curved bool // or closed
}

func (l *lines) MoveTo(x, y float64) { l.lines = append(l.lines, [][2]float64{{x, y}}) }

func (l *lines) LineTo(x, y float64) {
	if k := len(l.lines) - 1; k >= 0 {
		l.lines[k] = append(l.lines[k], [2]float64{x, y})
	}
}

func (l *lines) QuadraticTo(_, _, _, _ float64)   { l.curved = true }
func (l *lines) CubicTo(_, _, _, _, _, _ float64) { l.curved = true }
func (l *lines) ClosePath()                       { l.curved = true }

// needed are the points without which a line would not be the same (Douglas and Peucker,
// 1973).
func needed(p [][2]float64) [][2]float64 {
	last := len(p) - 1
	if last < 2 {
		return p
	}
	far, at := unseen, 0
	a, b := p[0], p[last]
	for i := 1; i < last; i++ {
		if d := distance(p[i], a, b); d > far {
			far, at = d, i
		}
	}
	if at == 0 {
		return [][2]float64{a, b}
	}
	before := needed(p[:at+1])
	return append(before[:len(before)-1:len(before)-1], needed(p[at:])...)
}

// distance is that of p from the line between a and b.
func distance(p, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.
	if s := dx*dx + dy*dy; s > 0 {
		t = min(1, max(0, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/s))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}
