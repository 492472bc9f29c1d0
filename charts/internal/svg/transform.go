package svg

import (
	"fmt"
	"math"
	"strings"

	"git.sr.ht/~sbinet/gg"
)

// parseTransform parses a list of transformations; the first is the outermost.
func parseTransform(s string) (gg.Matrix, error) {
	m := gg.Identity()
	rest := strings.TrimSpace(s)
	for rest != "" {
		name, after, ok := strings.Cut(rest, "(")
		inside, next, closed := strings.Cut(after, ")")
		if !ok || !closed {
			return m, fmt.Errorf("svg: transform %.60q", s)
		}
		var v []float64
		for _, f := range strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' }) {
			v = append(v, number(f, math.NaN()))
		}
		t, ok := transformation(strings.Trim(name, " ,"), v)
		if !ok {
			return m, fmt.Errorf("svg: transform %.60q", s)
		}
		m = t.Multiply(m)
		rest = strings.TrimSpace(next)
	}
	return m, nil
}

func transformation(name string, v []float64) (gg.Matrix, bool) {
	for _, x := range v {
		if math.IsNaN(x) {
			return gg.Matrix{}, false
		}
	}
	n := len(v)
	switch {
	case name == "matrix" && n == 6:
		return gg.Matrix{XX: v[0], YX: v[1], XY: v[2], YY: v[3], X0: v[4], Y0: v[5]}, true
	case name == "translate" && n == 1:
		return gg.Translate(v[0], 0), true
	case name == "translate" && n == 2:
		return gg.Translate(v[0], v[1]), true
	case name == "scale" && n == 1:
		return gg.Scale(v[0], v[0]), true
	case name == "scale" && n == 2:
		return gg.Scale(v[0], v[1]), true
	case name == "rotate" && n == 1:
		return gg.Rotate(v[0] * math.Pi / 180), true
	case name == "rotate" && n == 3:
		return gg.Translate(-v[1], -v[2]).Multiply(gg.Rotate(v[0] * math.Pi / 180)).Multiply(gg.Translate(v[1], v[2])), true
	}
	return gg.Matrix{}, false
}
