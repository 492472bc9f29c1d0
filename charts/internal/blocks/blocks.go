// Package blocks draws pictures for terminals, with block characters.
package blocks

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

const (
	Margin = 2 // columns left free at either side
	Gap    = 1 // columns between pictures
)

// New lays out pictures of rows x cols pixels, perRow side by side in width columns.
func New(rows, cols, perRow, width int, color bool) *Grid {
	g := &Grid{color: color, perRow: perRow}
	// a character is about twice as tall as wide
	g.width = max(2, min((width-2*Margin-(g.perRow-1)*Gap)/g.perRow, 2*cols))
	g.height = max(1, int(math.Round(float64(g.width*rows)/float64(2*cols))))
	return g
}

// Grid is a grid of pictures of equal size.
type Grid struct {
	color         bool
	perRow        int
	width, height int // of a picture, in characters
	pictures      [][]string
	labels        [][]string
}

// Add draws v, rows x cols, as lines of text, with scale at full strength.
func (g *Grid) Add(v []float64, rows, cols int, scale float64, label string) {
	if scale == 0 {
		scale = 1
	}
	lines := make([]string, g.height)
	for y := range lines {
		var b strings.Builder
		for x := range g.width {
			if g.color {
				top := shade(v, rows, cols, 2*y, x, 2*g.height, g.width) / scale
				bottom := shade(v, rows, cols, 2*y+1, x, 2*g.height, g.width) / scale
				fmt.Fprintf(&b, "\x1b[38;5;%d;48;5;%dm▀", terminalColor(top), terminalColor(bottom))
			} else {
				b.WriteRune(shadeRune(shade(v, rows, cols, y, x, g.height, g.width) / scale))
			}
		}
		if g.color {
			b.WriteString("\x1b[0m")
		}
		lines[y] = b.String()
	}
	g.pictures = append(g.pictures, lines)
	var l []string
	for _, s := range strings.Split(label, "\n") {
		l = append(l, centered(s, g.width))
	}
	g.labels = append(g.labels, l)
}

// String returns the pictures in rows, each with its labels below.
func (g *Grid) String() string {
	var out []string
	for from := 0; from < len(g.pictures); from += g.perRow {
		to := min(from+g.perRow, len(g.pictures))
		if from > 0 {
			out = append(out, "")
		}
		out = g.row(out, g.pictures[from:to])
		out = g.row(out, g.labels[from:to])
	}
	return strings.Join(out, "\n")
}

func (g *Grid) row(out []string, cells [][]string) []string {
	height := 0
	for _, c := range cells {
		height = max(height, len(c))
	}
	for y := range height {
		parts := make([]string, len(cells))
		for k, c := range cells {
			if parts[k] = strings.Repeat(" ", g.width); y < len(c) {
				parts[k] = c[y]
			}
		}
		line := strings.Repeat(" ", Margin) + strings.Join(parts, strings.Repeat(" ", Gap))
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

// shade returns the mean of the picture over cell (y, x) of a height x width
// raster, from samples at most a pixel apart, each interpolated linearly between
// the centres of the pixels around it.
func shade(v []float64, rows, cols, y, x, height, width int) float64 {
	ny, nx := (rows+height-1)/height, (cols+width-1)/width
	sum := 0.0
	for i := range ny {
		for j := range nx {
			py := (float64(y)+(float64(i)+.5)/float64(ny))/float64(height)*float64(rows) - .5
			px := (float64(x)+(float64(j)+.5)/float64(nx))/float64(width)*float64(cols) - .5
			sum += interpolate(v, rows, cols, py, px)
		}
	}
	return sum / float64(ny*nx)
}

// interpolate interpolates bilinearly; outside the centres the border continues.
func interpolate(v []float64, rows, cols int, y, x float64) float64 {
	y, x = math.Max(0, math.Min(y, float64(rows-1))), math.Max(0, math.Min(x, float64(cols-1)))
	i, j := int(y), int(x)
	ty, tx := y-float64(i), x-float64(j)
	i1, j1 := min(i+1, rows-1), min(j+1, cols-1)
	return (1-ty)*((1-tx)*v[i*cols+j]+tx*v[i*cols+j1]) + ty*((1-tx)*v[i1*cols+j]+tx*v[i1*cols+j1])
}

// negativeColors runs from the darkest grey to orange in the colour cube.
var negativeColors = [...]int{232, 52, 94, 130, 166, 208}

// terminalColor maps -1..1 to the 256-colour palette: 24 greys for positive values,
// orange for values of -.2 and less.
func terminalColor(x float64) int {
	if x < 0 {
		return negativeColors[min(len(negativeColors)-1, int(-x*float64(len(negativeColors)-1)))]
	}
	return 232 + min(23, int(math.Round(x*23)))
}

// shadeRune maps -1..1 to a character; negative values show from -.25 on.
func shadeRune(x float64) rune {
	if x < 0 {
		return [...]rune{' ', '-', '-', '=', '='}[min(4, int(-x*4))]
	}
	return [...]rune{' ', '░', '▒', '▓', '█'}[min(4, int(math.Round(x*4)))]
}

// centered fits a label into width columns, without control characters: a name in a
// data file must not control the terminal.
func centered(s string, width int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
	if uniseg.StringWidth(s) > width {
		cut, used := "", 0
		for g := uniseg.NewGraphemes(s); g.Next() && used+g.Width() < width; {
			cut += g.Str()
			used += g.Width()
		}
		s = cut + "…"
	}
	free := max(0, width-uniseg.StringWidth(s))
	return strings.Repeat(" ", free/2) + s + strings.Repeat(" ", free-free/2)
}
