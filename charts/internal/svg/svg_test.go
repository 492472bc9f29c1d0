package svg

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"
)

// painted draws shapes on a white sheet of 100 x 100 units.
func painted(t *testing.T, scale float64, body string) *image.RGBA {
	t.Helper()
	n, err := Parse(`<svg width="100" height="100"><rect width="100" height="100" fill="#fff"/>` + body + `</svg>`)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Raster(n, scale)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ink returns the area that a black drawing covers, in square units.
func ink(m *image.RGBA, scale float64) float64 {
	sum := 0.
	for i := 0; i < len(m.Pix); i += 4 {
		sum += 1 - float64(m.Pix[i])/255
	}
	return sum / scale / scale
}

// Shapes have the areas known from geometry. An edge pixel is painted in 256 steps,
// so one percent is far more than the rounding.
func TestAreas(t *testing.T) {
	ring := math.Pi * (22*22 - 18*18)
	for body, want := range map[string]float64{
		`<rect x="10" y="20" width="30" height="40"/>`:                                                                                  1200,
		`<rect x="10" y="20" width="30" height="40" rx="10"/>`:                                                                          1200 - (4-math.Pi)*100,
		`<circle cx="50" cy="50" r="20"/>`:                                                                                              math.Pi * 400,
		`<ellipse cx="50" cy="50" rx="20" ry="10"/>`:                                                                                    math.Pi * 200,
		`<path d="M70 50A20 20 0 1 1 30 50A20 20 0 1 1 70 50Z"/>`:                                                                       math.Pi * 400,
		`<path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix(20,0,0,20,50,50)"/>`:                                           math.Pi * 400,
		`<path d="M50 50L70 50A20 20 0 0 1 50 70Z"/>`:                                                                                   math.Pi * 100,
		`<path d="m10 10h30v20h-30z m5 5v10h20v-10z"/>`:                                                                                 400,
		`<path d="m10 10h30v20h-30z m5 5h20v10h-20z" fill-rule="evenodd"/>`:                                                             400,
		`<path d="M10 10Q30 50 50 10Z"/>`:                                                                                               2. / 3 * 40 * 20,
		`<path d="M10 10Q20 30 30 10T50 10"/>`:                                                                                          2 * 2. / 3 * 20 * 10,
		`<path d="M10 50C10 10 50 10 50 50Z"/>`:                                                                                         .6 * 40 * 40, // by Green's theorem
		`<polygon points="0 0 40 0 0 30"/>`:                                                                                             600,
		`<polyline points="10 10 60 10" fill="none" stroke="#000" stroke-width="4"/>`:                                                   200,
		`<line x1="10" y1="10" x2="40" y2="50" stroke="#000" stroke-width="2"/>`:                                                        100,
		`<path d="M10 10H60" stroke="#000" stroke-width="4" stroke-dasharray="5,5"/>`:                                                   100,
		`<path d="M10 10H60" stroke="#000" stroke-width="4" stroke-linecap="square"/>`:                                                  216,
		`<circle cx="50" cy="50" r="20" fill="none" stroke="#000" stroke-width="4"/>`:                                                   ring,
		`<g transform="translate(50 50) rotate(30) scale(2)"><rect width="10" height="5"/></g>`:                                         200,
		`<rect width="50" height="50" fill-opacity="0.5"/>`:                                                                             1250,
		`<rect width="50" height="50" fill="rgba(0,0,0,0.25)"/>`:                                                                        625,
		`<defs><clipPath id="c"><path d="M0 0h20v20h-20Z"/></clipPath></defs><g clip-path="url(#c)"><rect width="50" height="10"/></g>`: 200,
		`<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="0"><stop offset="0%" stop-color="#000"/><stop offset="100%" stop-color="#fff"/></linearGradient></defs><rect width="40" height="50" fill="url(#g)"/>`: 1000,
	} {
		if got := ink(painted(t, 4, body), 4); !(math.Abs(got-want) <= .01*want+.5) {
			t.Errorf("%s: area %.1f, want %.1f", body, got, want)
		}
	}
}

func TestTransformsGoInwards(t *testing.T) {
	// a unit square at 10, 0 is rotated and then moved
	m := painted(t, 1, `<rect x="10" y="0" width="4" height="4" transform="translate(50 50) rotate(90)"/>`)
	if r, _, _, _ := m.At(48, 62).RGBA(); r != 0 {
		t.Error("the square is not below the centre")
	}
}

func TestCrispShapesMeetWithoutSeams(t *testing.T) {
	var body strings.Builder
	for i := range 8 {
		fmt.Fprintf(&body, `<rect x="%d" width="1" height="8" fill-opacity="0.5"/>`, i)
	}
	m := painted(t, 1, `<g shape-rendering="crispEdges" transform="scale(10.3)">`+body.String()+`</g>`)
	for x := range 80 {
		if r := m.RGBAAt(x, 20).R; r < 126 || r > 129 {
			t.Errorf("column %d has the grey %d", x, r)
		}
	}
}

func TestTextIsWhereItIsAnchored(t *testing.T) {
	extent := func(m *image.RGBA) (lo, hi int) {
		lo = 1000
		for x := range m.Bounds().Dx() {
			for y := range m.Bounds().Dy() {
				if m.RGBAAt(x, y).R < 128 {
					lo, hi = min(lo, x), max(hi, x)
				}
			}
		}
		return lo, hi
	}
	for anchor, want := range map[string][2]int{"start": {50, 75}, "middle": {37, 62}, "end": {25, 50}} {
		// three H, each .722 em wide
		lo, hi := extent(painted(t, 1, fmt.Sprintf(`<text x="50" y="50" font-size="11.5" text-anchor="%s">HHH</text>`, anchor)))
		if lo < want[0]-2 || lo > want[0]+2 || hi < want[1]-2 || hi > want[1]+2 {
			t.Errorf("%s: from %d to %d, want %v", anchor, lo, hi, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                            "empty",
		`<svg><g></x>`:                "XML",
		`<svg width="0" height="5"/>`: "0 x 5 pixels",
		`<svg width="9" height="9"><foreignObject/></svg>`:                        "<foreignObject>",
		`<svg width="9" height="9"><path d="M0 0 X"/></svg>`:                      "no command",
		`<svg width="9" height="9"><path d="M0"/></svg>`:                          "lacks a number",
		`<svg width="9" height="9"><path d="M0 0L1e999 0"/></svg>`:                "lacks a number",
		`<svg width="9" height="9"><path d="1 2"/></svg>`:                         "unexpected",
		`<svg width="9" height="9"><rect width="3" height="3" fill="mud"/></svg>`: `no colour "mud"`,
		`<svg width="9" height="9"><rect fill="url(#a)"/></svg>`:                  `"a"`,
		`<svg width="9" height="9"><g clip-path="url(#a)"><rect/></g></svg>`:      `no clip path "a"`,
		`<svg width="9" height="9"><g transform="skewX(3)"><rect/></g></svg>`:     "transform",
		`<svg width="9" height="9"><text>a<tspan>b</tspan></text></svg>`:          "<tspan>",
		`<svg width="99999" height="99999"/>`:                                     "pixels",
	} {
		n, err := Parse(text)
		if err == nil {
			_, err = Raster(n, 1)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestCleanKeepsWhatIsSeen(t *testing.T) {
	n, err := Parse(`<svg><style>.a{}</style><g><path d="M0 0" fill="none"/></g>` +
		`<path class="a" ecmeta_data_index="1" d="M0 0" opacity="0"/><path class="a" ecmeta_data_index="1" d="M0 0h1"/>` +
		`<text dominant-baseline="central" style="font-size:20px;font-family:` + "Liberation Sans, Arial, Helvetica, sans-serif" + `;" y="5">a &lt;b&gt;</text>` +
		`<defs><clipPath id="c"><path d="M0 0" fill="none"/></clipPath></defs></svg>`)
	if err != nil {
		t.Fatal(err)
	}
	Clean(n)
	const want = `<svg>
<path d="M0 0h1"/>
<text font-size="20" y="11.93" textLength="51.2" lengthAdjust="spacingAndGlyphs">a &lt;b&gt;</text>
<defs>
<clipPath id="c">
<path d="M0 0" fill="none"/>
</clipPath>
</defs>
</svg>`
	if got := n.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Many circles become dots of the same area at the same positions; the dots of one
// path do not overlap.
func TestDots(t *testing.T) {
	d := "dots 4"
	for i := range 30 { // each overlaps the next
		d += fmt.Sprintf(" %d 200", 30*i+50)
	}
	n := New("svg", "width", "100", "height", "100")
	n.Add(New("rect", "width", "100", "height", "100", "fill", "#fff"), New("path", "d", d, "fill", "#000", "fill-opacity", ".5"))
	Clean(n)
	layers := n.Kids[1].Kids[0].Kids
	if len(layers) != 2 || n.Kids[1].Get("d") != "" {
		t.Fatalf("%d layers: %v", len(layers), n.Kids[1])
	}
	var places []float64
	for _, l := range layers {
		p := &dotPlaces{}
		if err := drawPath(l.Get("d"), p); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(p.x) {
			t.Errorf("x goes back and forth: %v", p.x)
		}
		for i := 1; i < len(p.x); i++ {
			if p.x[i]-p.x[i-1] < 40 {
				t.Errorf("dots of one layer overlap: %v", p.x)
			}
		}
		places = append(places, p.x...)
	}
	slices.Sort(places)
	for i, x := range places {
		if want := float64(30*i + 50); x != want {
			t.Errorf("dot %d at %v tenths, want %v", i, x, want)
		}
	}
	if len(places) != 30 {
		t.Errorf("%d dots, want 30", len(places))
	}
	m, err := Raster(n, 4)
	if err != nil {
		t.Fatal(err)
	}
	// where two overlap, half of the remaining half is covered as well, so the ink
	// is half of each area and only the overlap counts less: a lens of two circles
	// of radius 2 whose centres are 3 apart, 29 times a quarter of it
	lens := 2*4*math.Acos(.75) - 1.5*math.Sqrt(16-9)
	if got, want := ink(m, 4), 30*4*math.Pi*.5-29*lens/4; !(math.Abs(got-want) <= .02*want) {
		t.Errorf("ink %.2f, want %.2f", got, want)
	}
}

// dotPlaces records the positions of lines of length zero.
type dotPlaces struct {
	bounds
	x []float64
}

func (p *dotPlaces) LineTo(x, _ float64) { p.x = append(p.x, x) }

// Squares keep their areas.
func TestSquares(t *testing.T) {
	n := New("svg", "width", "100", "height", "100")
	n.Add(New("rect", "width", "100", "height", "100", "fill", "#fff"), New("path", "d", "squares 4 200 200 230 230 600 400", "fill", "#000"))
	Clean(n)
	if k := len(n.Kids[1].Kids[0].Kids); k != 2 {
		t.Errorf("%d layers, want 2: %v", k, n)
	}
	m, err := Raster(n, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := ink(m, 4); !(math.Abs(got-47) <= .3) { // the first two share one unit
		t.Errorf("area %.2f, want 47", got)
	}
}

// Points in one place reach the full colour after a few layers.
func TestDotsOnTopOfEachOther(t *testing.T) {
	n := New("path", "d", "dots 4"+strings.Repeat(" 70 200", 30), "fill", "#000")
	if dots(n); len(n.Kids[0].Kids) != mostLayers {
		t.Errorf("%d layers, want %d", len(n.Kids[0].Kids), mostLayers)
	}
}

func TestRecolorNotesKnownColours(t *testing.T) {
	second := map[string]string{"#111111": "#eeeeee", "#222222": "#dddddd"}
	a, _ := Parse(`<svg><path fill="#111111" stroke="none"/><path fill="url(#a)"/><g stroke="#222222"/></svg>`)
	if got, ok := Recolor(a, second); !ok || got != "[fill='#111111']{fill:#eeeeee}[stroke='#222222']{stroke:#dddddd}" {
		t.Error(got)
	}
	b, _ := Parse(`<svg><path fill="#111111"/><path fill="#333333"/></svg>`)
	if _, ok := Recolor(b, second); ok {
		t.Errorf("a colour that is not known: %s", b)
	}
}

func TestShadeNotesOtherColours(t *testing.T) {
	a, _ := Parse(`<svg><path fill="#111111" stroke="#222222"/><path fill="url(#a)"/></svg>`)
	b, _ := Parse(`<svg><path fill="#eeeeee" stroke="#222222"/><path fill="url(#b)"/></svg>`)
	Shade(a, b)
	if got := a.String(); strings.Count(got, "style=") != 1 || !strings.Contains(got, `style="--f:#eeeeee"`) {
		t.Error(got)
	}
}
