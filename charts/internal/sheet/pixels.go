package sheet

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// tracedPixels is the number of pixels up to which every pixel of a picture is an
// element that shows its value under the pointer.
const tracedPixels = 256

// Pixels draws v, cols values per row; full ink is scale. The text contains
// only numbers.
func Pixels(v []float64, scale float64, cols int) template.HTML {
	rows := len(v) / cols
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="picture" viewBox="0 0 %d %d" fill="currentColor" shape-rendering="crispEdges" aria-hidden="true">`, cols, rows)
	if len(v) <= tracedPixels {
		for i, x := range v {
			class := ""
			if x < 0 {
				class = ` class="n"`
			}
			fmt.Fprintf(&b, `<rect%s x="%d" y="%d" width="1" height="1" fill-opacity="%s"><title>row %d, column %d: %.4g</title></rect>`,
				class, i%cols, i/cols, ink(x, scale), i/cols+1, i%cols+1, x)
		}
	} else {
		inkPaths(&b, v, scale, cols)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// InkLevels is the number of grey levels of a large picture.
const InkLevels = 64

// inkPaths draws one path for each level of ink, a run of equal pixels at a time:
// about 12 bytes per run, where an element per pixel would take 80.
func inkPaths(b *strings.Builder, v []float64, scale float64, cols int) {
	paths := make([]strings.Builder, 2*InkLevels+1)
	if scale == 0 {
		return
	}
	level := func(i int) int { return int(math.Round(v[i] / scale * InkLevels)) }
	for i := 0; i < len(v); {
		l, n := level(i), 1
		for (i+n)%cols != 0 && level(i+n) == l {
			n++
		}
		if l != 0 {
			fmt.Fprintf(&paths[l+InkLevels], "M%d %dh%dv1h-%dz", i%cols, i/cols, n, n)
		}
		i += n
	}
	for k := range paths {
		if paths[k].Len() == 0 {
			continue
		}
		class, l := "", k-InkLevels
		if l < 0 {
			class, l = ` class="n"`, -l
		}
		fmt.Fprintf(b, `<path%s fill-opacity="%s" d="%s"/>`, class, ink(float64(l), InkLevels), paths[k].String())
	}
}

// ink formats the opacity |x| / scale.
func ink(x, scale float64) string {
	if scale == 0 {
		return "0"
	}
	return strconv.FormatFloat(math.Round(math.Abs(x)/scale*1000)/1000, 'g', -1, 64)
}
