package charts

import (
	"math"
	"strconv"
	"testing"

	"symmom/charts/internal/svg"
	"symmom/datasets"
)

// light is the red, green and blue of a colour as linear light, 0 to 1.
type light [3]float64

func lightOf(t *testing.T, hex string) (c light) {
	t.Helper()
	for i := range c {
		v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		// the transfer function of sRGB
		if c[i] = float64(v) / 255; c[i] <= .04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+.055)/1.055, 2.4)
		}
	}
	return c
}

func (c light) times(m [3][3]float64) (out light) {
	for i := range out {
		for j := range c {
			out[i] += m[i][j] * c[j]
		}
	}
	return out
}

// contrast returns the contrast ratio of WCAG 2, 1 to 21.
func contrast(a, b light) float64 {
	y := func(c light) float64 { return .2126*c[0] + .7152*c[1] + .0722*c[2] + .05 }
	return math.Max(y(a)/y(b), y(b)/y(a))
}

// oklab converts a colour to Ottosson's OKLab, in which distance corresponds to
// perceived difference: black and white are 1 apart.
func (c light) oklab() light {
	for i := range c {
		c[i] = math.Max(c[i], 0) // simulations leave the cube
	}
	cone := c.times([3][3]float64{{.4122214708, .5363325363, .0514459929}, {.2119034982, .6806995451, .1073969566}, {.0883024619, .2817188376, .6299787005}})
	for i := range cone {
		cone[i] = math.Cbrt(cone[i])
	}
	return cone.times([3][3]float64{{.2104542553, .7936177850, -.0040720468}, {1.9779984951, -2.4285922050, .4505937099}, {.0259040371, .7827717662, -.8086757660}})
}

// eyes describe vision without one kind of cone, by Machado, Oliveira and Fernandes
// (2009), with the minimum distance that two colours must then have. For some of
// them it was .035 with the previous palette.
var eyes = map[string]struct {
	see   [3][3]float64
	least float64
}{
	"all cones":    {[3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .12},
	"deuteranopia": {[3][3]float64{{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}}, .085},
	"protanopia":   {[3][3]float64{{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}}, .085},
}

func TestPaletteIsDistinct(t *testing.T) {
	dark := make([]string, len(palette))
	for i, c := range palette {
		dark[i] = darkOf()[c]
	}
	if len(palette) < 10 {
		t.Fatalf("%d colours, want one for each of ten components", len(palette))
	}
	for ground, colors := range map[string][]string{pageColor: palette, darkOf()[pageColor]: dark} {
		for i, c := range colors {
			a := lightOf(t, c)
			if got := contrast(a, lightOf(t, ground)); got < 3 {
				t.Errorf("%s on %s: contrast %.2f, want 3", c, ground, got)
			}
			for name, eye := range eyes {
				for _, other := range colors[:i] {
					x, y := a.times(eye.see).oklab(), lightOf(t, other).times(eye.see).oklab()
					if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < eye.least {
						t.Errorf("%s and %s on %s, %s: %.3f apart, want %.3f", c, other, ground, name, d, eye.least)
					}
				}
			}
		}
	}
}

// The dots of ten components keep their colours in a PNG as well, which has 256.
func TestPNGKeepsTheColoursOfDots(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 30, Components: 10, PerComponent: 60, Sigma: .05, Congruence: .3, Seed: 3})
	f := RecoveryOf([]Recovered{{}}, m.Means, RecoveryOptions{Observations: m.Session, Labels: m.Labels})
	picture := decoded(t, f.PNG())
	for j, c := range palette {
		v, err := strconv.ParseUint(c[1:], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		var want uint32
		for shift := 0; shift <= 16; shift += 8 { // over white
			want |= uint32(dotOpacity*float64(v>>shift&255)+(1-dotOpacity)*255) << shift
		}
		n := 0
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				if svg.Distance(rgb(picture, x, y), want) <= 12 {
					n++
				}
			}
		}
		if n < 500 { // 60 dots of about 20 pixels, many partly covered
			t.Errorf("component %d: %d pixels of its colour %06x", j+1, n, want)
		}
	}
}
