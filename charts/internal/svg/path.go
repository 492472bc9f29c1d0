package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sink receives a path in user coordinates.
type sink interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	QuadraticTo(x1, y1, x, y float64)
	CubicTo(x1, y1, x2, y2, x, y float64)
	ClosePath()
}

// arity is the number of arguments of each path command.
var arity = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

// drawPath parses the d attribute of a path (SVG 1.1, section 8.3).
func drawPath(d string, to sink) error {
	p := pathReader{s: d}
	var x, y, x0, y0 float64 // current point, start of the subpath
	var cx, cy float64       // last control point
	var last byte
	for {
		c, ok := p.command(last)
		if !ok {
			if p.rest() != "" {
				return fmt.Errorf("svg: path: unexpected %.20q", p.rest())
			}
			return nil
		}
		upper := c &^ 0x20
		n, known := arity[upper]
		if !known {
			return fmt.Errorf("svg: path: no command %q", c)
		}
		var a [7]float64
		for i := range n {
			v, ok := p.number(upper == 'A' && (i == 3 || i == 4))
			if !ok {
				return fmt.Errorf("svg: path: %q lacks a number at %.20q", c, p.rest())
			}
			a[i] = v
		}
		if c != upper { // relative
			switch upper {
			case 'H':
				a[0] += x
			case 'V':
				a[0] += y
			case 'A':
				a[5], a[6] = a[5]+x, a[6]+y
			default:
				for i := 0; i+1 < n; i += 2 {
					a[i], a[i+1] = a[i]+x, a[i+1]+y
				}
			}
		}
		switch upper {
		case 'M':
			x, y = a[0], a[1]
			x0, y0 = x, y
			to.MoveTo(x, y)
		case 'L':
			x, y = a[0], a[1]
			to.LineTo(x, y)
		case 'H':
			x = a[0]
			to.LineTo(x, y)
		case 'V':
			y = a[0]
			to.LineTo(x, y)
		case 'C':
			to.CubicTo(a[0], a[1], a[2], a[3], a[4], a[5])
			cx, cy, x, y = a[2], a[3], a[4], a[5]
		case 'S':
			x1, y1 := x, y
			if l := last &^ 0x20; l == 'C' || l == 'S' {
				x1, y1 = 2*x-cx, 2*y-cy
			}
			to.CubicTo(x1, y1, a[0], a[1], a[2], a[3])
			cx, cy, x, y = a[0], a[1], a[2], a[3]
		case 'Q':
			to.QuadraticTo(a[0], a[1], a[2], a[3])
			cx, cy, x, y = a[0], a[1], a[2], a[3]
		case 'T':
			if l := last &^ 0x20; l == 'Q' || l == 'T' {
				cx, cy = 2*x-cx, 2*y-cy
			} else {
				cx, cy = x, y
			}
			x, y = a[0], a[1]
			to.QuadraticTo(cx, cy, x, y)
		case 'A':
			arc(to, x, y, a[0], a[1], a[2], a[3] != 0, a[4] != 0, a[5], a[6])
			x, y = a[5], a[6]
		case 'Z':
			to.ClosePath()
			x, y = x0, y0
		}
		last = c
	}
}

type pathReader struct {
	s string
	i int
}

func (p *pathReader) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n,", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *pathReader) rest() string { return p.s[p.i:] }

// command reads a letter; numbers without a letter repeat the last command, a move
// as a line.
func (p *pathReader) command(last byte) (byte, bool) {
	p.space()
	if p.i >= len(p.s) {
		return 0, false
	}
	c := p.s[p.i]
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		p.i++
		return c, true
	}
	switch last {
	case 0, 'z', 'Z':
		return 0, false
	case 'M':
		return 'L', true
	case 'm':
		return 'l', true
	}
	return last, true
}

func (p *pathReader) number(flag bool) (float64, bool) {
	p.space()
	start, dot, exp := p.i, false, false
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case flag && p.i > start:
			goto done
		case c >= '0' && c <= '9':
		case (c == '-' || c == '+') && (p.i == start || p.s[p.i-1]|0x20 == 'e'):
		case c == '.' && !dot && !exp:
			dot = true
		case c|0x20 == 'e' && p.i > start && !exp:
			exp = true
		default:
			goto done
		}
		p.i++
	}
done:
	v, err := strconv.ParseFloat(p.s[start:p.i], 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// arc draws an elliptical arc as cubic curves of at most a quarter each,
// which are within 3e-4 of the radius (SVG 1.1, appendix F.6).
func arc(to sink, x1, y1, rx, ry, rotation float64, large, sweep bool, x2, y2 float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || x1 == x2 && y1 == y2 {
		to.LineTo(x2, y2)
		return
	}
	sin, cos := math.Sincos(rotation * math.Pi / 180)
	dx, dy := (x1-x2)/2, (y1-y2)/2
	x, y := cos*dx+sin*dy, -sin*dx+cos*dy
	if l := x*x/(rx*rx) + y*y/(ry*ry); l > 1 { // too small to reach: scaled up until they do
		rx, ry = rx*math.Sqrt(l), ry*math.Sqrt(l)
	}
	q := (rx*rx*ry*ry - rx*rx*y*y - ry*ry*x*x) / (rx*rx*y*y + ry*ry*x*x)
	q = math.Sqrt(math.Max(0, q))
	if large == sweep {
		q = -q
	}
	cx, cy := q*rx*y/ry, -q*ry*x/rx
	mx, my := cos*cx-sin*cy+(x1+x2)/2, sin*cx+cos*cy+(y1+y2)/2
	from := math.Atan2((y-cy)/ry, (x-cx)/rx)
	turn := math.Atan2((-y-cy)/ry, (-x-cx)/rx) - from
	if sweep && turn < 0 {
		turn += 2 * math.Pi
	} else if !sweep && turn > 0 {
		turn -= 2 * math.Pi
	}
	n := max(1, int(math.Ceil(math.Abs(turn)/(math.Pi/2)-1e-9)))
	step := turn / float64(n)
	k := 4. / 3 * math.Tan(step/4)
	at := func(u, v float64) (float64, float64) {
		return mx + cos*rx*u - sin*ry*v, my + sin*rx*u + cos*ry*v
	}
	for i := range n {
		s1, c1 := math.Sincos(from + float64(i)*step)
		s2, c2 := math.Sincos(from + float64(i+1)*step)
		ax, ay := at(c1-k*s1, s1+k*c1)
		bx, by := at(c2+k*s2, s2-k*c2)
		ex, ey := at(c2, s2)
		if i == n-1 {
			ex, ey = x2, y2
		}
		to.CubicTo(ax, ay, bx, by, ex, ey)
	}
}
