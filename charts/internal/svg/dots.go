package svg

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// mostLayers is the maximum number of points on top of each other; a half-opaque
// colour is full by then.
const mostLayers = 16

// dots splits what page/static.js writes for a path of many circles, "dots width x
// y x y ..." with positions in tenths of a pixel, or of squares. A point becomes a
// line of length zero, with round or square ends. Translucent points darken where
// they overlap, so the points of one path do not.
func dots(n *Node) {
	fields := strings.Fields(n.Get("d"))
	if n.Name != "path" || len(fields) < 4 || fields[0] != "dots" && fields[0] != "squares" {
		return
	}
	width := 10 * number(fields[1], 0)
	ends, clear := "round", width
	if fields[0] == "squares" {
		ends, clear = "square", width*math.Sqrt2
	}
	var points [][2]int
	for i := 2; i+1 < len(fields); i += 2 {
		points = append(points, [2]int{int(number(fields[i], 0)), int(number(fields[i+1], 0))})
	}
	n.Name = "g"
	n.Set("d", "")
	n.Set("stroke", n.Get("fill"))
	n.Set("stroke-opacity", n.Get("fill-opacity"))
	n.Set("fill", "none")
	n.Set("fill-opacity", "")
	n.Set("stroke-linecap", ends)
	scaled := New("g", "transform", "scale(.1)", "stroke-width", strconv.FormatFloat(width, 'f', -1, 64))
	for _, layer := range apart(points, int(math.Ceil(clear))) {
		scaled.Add(New("path", "d", dotPath(layer)))
	}
	n.Add(scaled)
}

// apart divides points into layers in which any two are at least that distance
// apart; the last layer takes the rest.
func apart(points [][2]int, distance int) [][][2]int {
	type cell struct{ layer, x, y int }
	layers := [][][2]int{}
	filled := map[cell][][2]int{}
	distance = max(distance, 1)
	free := func(l int, p [2]int) bool {
		for i := -1; i <= 1; i++ {
			for j := -1; j <= 1; j++ {
				for _, q := range filled[cell{l, floorDiv(p[0], distance) + i, floorDiv(p[1], distance) + j}] {
					if dx, dy := p[0]-q[0], p[1]-q[1]; dx*dx+dy*dy < distance*distance {
						return false
					}
				}
			}
		}
		return true
	}
	for _, p := range points {
		l := 0
		for l < len(layers) && l < mostLayers-1 && !free(l, p) {
			l++
		}
		if l == len(layers) {
			layers = append(layers, nil)
		}
		layers[l] = append(layers[l], p)
		c := cell{l, floorDiv(p[0], distance), floorDiv(p[1], distance)}
		filled[c] = append(filled[c], p)
	}
	return layers
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// dotPath visits the points in stripes, so that the steps are short.
func dotPath(points [][2]int) string {
	stripe := 10000/len(points) + 50
	slices.SortFunc(points, func(a, b [2]int) int {
		if s := floorDiv(a[1], stripe) - floorDiv(b[1], stripe); s != 0 {
			return s
		}
		return 2*(a[0]-b[0]) + sign(a[1]-b[1])
	})
	var b strings.Builder
	var last [2]int
	for i, p := range points {
		b.WriteString("Mm"[min(i, 1):][:1])
		b.WriteString(strconv.Itoa(p[0] - last[0]))
		if dy := p[1] - last[1]; dy >= 0 {
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(dy))
		} else {
			b.WriteString(strconv.Itoa(dy))
		}
		b.WriteString("h0")
		last = p
	}
	return b.String()
}

func sign(x int) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// dotPen turns lines of length zero into circles or squares.
type dotPen struct {
	sink
	radius float64
	square bool
}

func (p *dotPen) MoveTo(float64, float64) {}

func (p *dotPen) LineTo(x, y float64) {
	r := p.radius
	if p.square {
		p.sink.MoveTo(x-r, y-r)
		p.sink.LineTo(x+r, y-r)
		p.sink.LineTo(x+r, y+r)
		p.sink.LineTo(x-r, y+r)
		p.sink.ClosePath()
		return
	}
	p.sink.MoveTo(x-r, y)
	arc(p.sink, x-r, y, r, r, 0, true, true, x+r, y)
	arc(p.sink, x+r, y, r, r, 0, true, true, x-r, y)
	p.sink.ClosePath()
}
