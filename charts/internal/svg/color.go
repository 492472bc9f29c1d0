package svg

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
)

var namedColors = map[string]uint32{
	"black": 0x000000, "white": 0xffffff, "red": 0xff0000, "green": 0x008000, "lime": 0x00ff00, "blue": 0x0000ff,
	"yellow": 0xffff00, "orange": 0xffa500, "purple": 0x800080, "gray": 0x808080, "grey": 0x808080, "silver": 0xc0c0c0,
	"brown": 0xa52a2a, "pink": 0xffc0cb, "cyan": 0x00ffff, "magenta": 0xff00ff, "navy": 0x000080, "teal": 0x008080,
	"maroon": 0x800000, "olive": 0x808000, "gold": 0xffd700, "crimson": 0xdc143c, "steelblue": 0x4682b4,
	"tomato": 0xff6347, "darkgray": 0xa9a9a9, "darkgrey": 0xa9a9a9, "lightgray": 0xd3d3d3, "lightgrey": 0xd3d3d3,
}

// parseColor parses #rgb, #rrggbb, #rrggbbaa, rgb(), rgba() and the common names;
// the second result is false for "none".
func parseColor(s string, opacity float64) (color.NRGBA, bool, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	opacity = math.Max(0, math.Min(1, opacity))
	at := func(v uint32, alpha float64) (color.NRGBA, bool, error) {
		return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), uint8(math.Round(alpha * opacity * 255))}, true, nil
	}
	if s == "none" || s == "" || s == "transparent" {
		return color.NRGBA{}, false, nil
	}
	if v, ok := namedColors[s]; ok {
		return at(v, 1)
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		v, err := strconv.ParseUint(hex, 16, 64)
		switch {
		case err != nil:
		case len(hex) == 3:
			r, g, b := v>>8, v>>4&15, v&15
			return at(uint32(r<<20|r<<16|g<<12|g<<8|b<<4|b), 1)
		case len(hex) == 6:
			return at(uint32(v), 1)
		case len(hex) == 8:
			return at(uint32(v>>8), float64(v&255)/255)
		}
	}
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") && strings.HasPrefix(s, "rgb") {
		parts := strings.FieldsFunc(s[i+1:len(s)-1], func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
		if len(parts) == 3 || len(parts) == 4 {
			var v [4]float64
			v[3] = 1
			for j, p := range parts {
				v[j] = number(p, 0)
			}
			channel := func(x float64) uint32 { return uint32(math.Max(0, math.Min(255, math.Round(x)))) }
			return at(channel(v[0])<<16|channel(v[1])<<8|channel(v[2]), math.Max(0, math.Min(1, v[3])))
		}
	}
	return color.NRGBA{}, false, fmt.Errorf("svg: no colour %.40q", s)
}
