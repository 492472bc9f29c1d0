package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/svg"
	"symmom/internal/test/slow"
	"symmom/symmom"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// goldenFigures are drawn into testdata as SVG; add a figure here and run
//
//	go test ./charts -run Golden -update
var goldenFigures = map[string]func(testing.TB) *Figure{
	"convergence":        func(t testing.TB) *Figure { return Convergence(syntheticFit(t, 4)) },
	"convergence-dark":   func(t testing.TB) *Figure { f := Convergence(syntheticFit(t, 2)); f.Theme = "dark"; return f },
	"convergence-600":    func(t testing.TB) *Figure { f := Convergence(syntheticFit(t, 3)); f.Width = 600; return f },
	"lambda":             func(t testing.TB) *Figure { return Lambda(syntheticFit(t, 1)) },
	"images":             func(t testing.TB) *Figure { return waves(8) },
	"hostile-names":      func(t testing.TB) *Figure { return hostileChart() },
	"every-kind-of-axis": func(t testing.TB) *Figure { return otherKinds() },
	"sweep":              func(testing.TB) *Figure { return SweepLines(paperLines(), SweepOptions{TrueRank: 5}) },
	"recovery": func(testing.TB) *Figure {
		s, truth, labels := threeClusters()
		found := mat.DenseCopyOf(truth.Slice(0, 4, 0, 2))
		return RecoveryOf([]Recovered{{"rank 2", found}}, truth, RecoveryOptions{Observations: s, Labels: labels, Plane: axes(4, 0, 3)})
	},
	"recovery-many-points": func(t testing.TB) *Figure { return recoveryOf(t, 1250, 10, 1) },
	"score-matrix-dark": func(t testing.TB) *Figure {
		f := ScoreMatrix(syntheticFit(t, 1).Score(mat.NewDense(4, 2, []float64{1, 0, 1, 1, 0, 1, 0, 0})))
		f.Theme = "dark"
		return f
	},
	"factors": func(testing.TB) *Figure {
		return FactorsOf(mat.NewDense(3, 2, []float64{.5, -.25, 0, 1, -.125, .75}), FactorsOptions{Names: []string{"height", hostile}})
	},
	"mixture": func(t testing.TB) *Figure { // from a file: fits of other kernels differ in the last digits
		fit, err := symmom.LoadMixture(filepath.Join("testdata", "mixture.json"))
		must(t, err)
		plane, err := VariablePlane(3, 0, 1)
		must(t, err)
		return Mixture(fit, MixtureOptions{Observations: twoComponents(t).Session(), Points: 60, Plane: plane})
	},
	"sources-dark": func(testing.TB) *Figure {
		s, kurtosis := threeSources()
		f := SourcesOf(s, kurtosis, SourcesOptions{Points: 100})
		f.Theme = "dark"
		return f
	},
	"cost": func(testing.TB) *Figure { return Cost(CostOptions{N: 500, Observations: 1250}) },
}

// waves returns a figure of pictures, some with both signs.
func waves(side int) *Figure {
	m := mat.NewDense(side*side, 3, nil)
	for i := range side * side {
		for j := range 3 {
			m.Set(i, j, math.Sin(float64(i*(j+1))/5))
		}
	}
	return Images(m, side, side, ImageOptions{Truth: m})
}

// hostileChart returns a figure with the hostile name wherever a chart shows text.
func hostileChart() *Figure {
	line := echarts.NewLine()
	line.SetGlobalOptions(echarts.WithTitleOpts(opts.Title{Title: hostile, Subtitle: hostile}),
		echarts.WithXAxisOpts(opts.XAxis{Name: hostile}), echarts.WithYAxisOpts(opts.YAxis{Name: hostile}))
	line.SetXAxis([]string{hostile, "b"})
	line.AddSeries(hostile, []opts.LineData{{Name: hostile, Value: 1}, {Value: 2}},
		echarts.WithLabelOpts(opts.Label{Show: opts.Bool(true), Formatter: "{b}"}))
	f := Wrap(hostile, line)
	f.Caption, f.Notes = hostile, []string{hostile}
	return f
}

// otherKinds returns a figure of what the other figures lack: a heat map with its
// colour scale, a dashed line, a smooth line with an area, and a pie.
func otherKinds() *Figure {
	heat := echarts.NewHeatMap()
	heat.SetGlobalOptions(
		echarts.WithXAxisOpts(opts.XAxis{Type: "category", Data: []string{"a", "b"}}),
		echarts.WithYAxisOpts(opts.YAxis{Type: "category", Data: []string{"c", "d"}}),
		echarts.WithVisualMapOpts(opts.VisualMap{Min: 0, Max: 1, Calculable: opts.Bool(true), InRange: &opts.VisualMapInRange{Color: []string{"#ffffff", blue}}}))
	heat.AddSeries("h", []opts.HeatMapData{{Value: [3]any{0, 0, .1}}, {Value: [3]any{1, 0, .9}}, {Value: [3]any{0, 1, .5}}, {Value: [3]any{1, 1, 1}}})
	line := echarts.NewLine()
	line.SetXAxis([]string{"a", "b", "c"})
	line.AddSeries("dashed", []opts.LineData{{Value: 1}, {Value: 3}, {Value: 2}}, echarts.WithLineStyleOpts(opts.LineStyle{Type: "dashed"}))
	line.AddSeries("smooth", []opts.LineData{{Value: 2}, {Value: 1}, {Value: 3}}, echarts.WithLineChartOpts(opts.LineChart{Smooth: opts.Bool(true)}),
		echarts.WithAreaStyleOpts(opts.AreaStyle{Opacity: opts.Float(.3)}),
		echarts.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: "here", XAxis: 1}))
	pie := echarts.NewPie()
	pie.AddSeries("p", []opts.PieData{{Name: "one", Value: 1}, {Name: "two", Value: 2}})
	return Wrap("Other kinds", heat, line, pie)
}

func TestGoldenSVG(t *testing.T) {
	slow.Test(t)
	for name, figure := range goldenFigures {
		path := filepath.Join("testdata", name+".svg")
		got := figure(t).SVG()
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: the SVG is not that in testdata, from %q on; if it should not be, look at it and run with -update", name, difference(got, string(want)))
		}
	}
}

// The dark colours that are looked up equal those of a dark drawing.
func TestDarkColoursAreThoseOfADarkDrawing(t *testing.T) {
	slow.Test(t)
	known := 0
	for name, figure := range goldenFigures {
		f := figure(t)
		var drawn [3]*svg.Node
		for k, theme := range []string{"light", "dark", "light"} {
			f.Theme = theme
			n, err := f.static()
			if err != nil {
				t.Fatal(err)
			}
			drawn[k] = n
		}
		svg.Shade(drawn[0], drawn[1])
		rules, ok := svg.Recolor(drawn[2], darkOf())
		if !ok {
			t.Logf("%s is drawn twice", name)
			continue
		}
		known++
		recolored := map[string]string{}
		for _, m := range regexp.MustCompile(`\[([a-z-]+='#[0-9a-f]+)'\]\{[a-z-]+:(#[0-9a-f]+)\}`).FindAllStringSubmatch(rules, -1) {
			recolored[m[1]] = m[2]
		}
		noted := map[string]string{}
		for _, m := range regexp.MustCompile(` (fill|stroke)="(#[0-9a-f]+)"[^>]* style="[^"]*--([fs]):(#[0-9a-f]+)`).FindAllStringSubmatch(drawn[0].String(), -1) {
			if m[1][:1] == m[3] {
				noted[m[1]+"='"+m[2]] = m[4]
			}
		}
		for what, color := range noted {
			if recolored[what] != color {
				t.Errorf("%s: %s' becomes %q, drawn %q", name, what, recolored[what], color)
			}
		}
	}
	if known < 8 {
		t.Errorf("%d figures have only known colours, want most of them", known)
	}
}

// goldenTolerance is in levels of 255: rounding can move a coordinate by a 64th of
// a pixel, which is 4 levels, and may change the palette.
const goldenTolerance = 4 + 2*svg.PaletteError

func TestGoldenPNG(t *testing.T) {
	for _, name := range []string{"convergence", "images", "every-kind-of-axis"} {
		f := goldenFigures[name](t)
		f.Scale = 1
		got := f.PNG()
		path := filepath.Join("testdata", name+".png")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		most, mean := compare(t, decoded(t, got), decoded(t, b))
		if most > goldenTolerance || mean > .1 {
			t.Errorf("%s: a pixel differs by %d levels, all by %.3f; at most %d and .1 are rounding", name, most, mean, goldenTolerance)
		}
	}
}

// compare returns the largest and the mean difference of two pictures, in levels.
func compare(t testing.TB, a, b image.Image) (most int, mean float64) {
	t.Helper()
	if a.Bounds() != b.Bounds() {
		t.Fatalf("pictures of %v and %v", a.Bounds(), b.Bounds())
	}
	r := a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			d := svg.Distance(rgb(a, x, y), rgb(b, x, y))
			most, mean = max(most, d), mean+float64(d)
		}
	}
	return most, mean / float64(r.Dx()*r.Dy())
}

func rgb(m image.Image, x, y int) uint32 {
	r, g, b, _ := m.At(x, y).RGBA()
	return r>>8<<16 | g>>8<<8 | b>>8
}

// difference shows where two texts begin to differ.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(0, i-40):min(len(a), i+80)]
}

// The same figure gives the same bytes, whatever was drawn before it or at the same
// time.
func TestSVGIsStable(t *testing.T) {
	f := Convergence(syntheticFit(t, 3))
	want := f.SVG()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i%2 == 0 {
				otherKinds().SVG()
			}
			if got := f.SVG(); got != want {
				t.Errorf("drawing %d differs at %q", i, difference(got, want))
			}
		}()
	}
	wg.Wait()
}

// elements parses an SVG and counts its elements by name.
func elements(t testing.TB, text string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			counts[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || a.Name.Local == "href" {
					t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestHostileNamesInSVG(t *testing.T) {
	s := hostileChart().SVG()
	for name := range elements(t, s) {
		switch name {
		case "svg", "title", "g", "path", "rect", "text", "defs", "clipPath", "polyline", "circle":
		default:
			t.Errorf("element %s in the picture", name)
		}
	}
	if n := strings.Count(s, "window.canary=1"); n < 7 {
		t.Errorf("the name is shown %d times", n)
	}
	// characters that XML cannot represent are left out
	f := hostileChart()
	f.Title = "a\x00b\x1b[31m\xff"
	elements(t, f.SVG())
}

func decoded(t testing.TB, b []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// svgHeight returns the height of a figure's SVG.
func svgHeight(t testing.TB, f *Figure) float64 {
	t.Helper()
	_, after, _ := strings.Cut(f.SVG(), `height="`)
	var h float64
	if _, err := fmt.Sscanf(after, "%f", &h); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestPNGSize(t *testing.T) {
	f := Lambda(syntheticFit(t, 1))
	f.Width, f.Scale = 500, 1.5
	m := decoded(t, f.PNG())
	if w := m.Bounds().Dx(); w != 750 {
		t.Errorf("%d pixels wide, want 500 times 1.5", w)
	}
	height := svgHeight(t, f)
	if h := m.Bounds().Dy(); !(math.Abs(float64(h)-1.5*height) <= .5) {
		t.Errorf("%d pixels high, the SVG %v units", h, height)
	}
}

// The bars of Lambda have the heights of their values in the PNG: 3, 2 and 1 to
// within a pixel, from the rows in which the middle of each bar is blue.
func TestPNGBarsHaveTheirHeights(t *testing.T) {
	f := Lambda(syntheticFit(t, 1))
	f.Scale = 4
	m := decoded(t, f.PNG())
	blueAt := func(x, y int) bool {
		r, g, b, _ := m.At(x, y).RGBA()
		return r>>8 < 8 && g>>8 > 106 && g>>8 < 122 && b>>8 > 170 && b>>8 < 186
	}
	var heights []int
	inside := false
	for x := range m.Bounds().Dx() {
		n := 0
		for y := range m.Bounds().Dy() {
			if blueAt(x, y) {
				n++
			}
		}
		if n > 50 && !inside {
			heights = append(heights, 0)
		}
		inside = n > 50
		if inside {
			heights[len(heights)-1] = max(heights[len(heights)-1], n)
		}
	}
	if len(heights) != 3 {
		t.Fatalf("%d bars, want 3", len(heights))
	}
	unit := float64(heights[0]) / 3
	for i, want := range []float64{3, 2, 1} {
		if !(math.Abs(float64(heights[i])-want*unit) <= 4) { // one unit of the SVG is 4 pixels
			t.Errorf("bar %d is %d pixels high, want %.1f", i+1, heights[i], want*unit)
		}
	}
}

func TestStaticErrors(t *testing.T) {
	line := echarts.NewLine()
	line.SetGlobalOptions(echarts.WithYAxisOpts(opts.YAxis{AxisLabel: &opts.AxisLabel{Formatter: opts.FuncOpts(`function (v) { throw new Error("no label"); }`)}}))
	line.SetXAxis([]string{"a"})
	line.AddSeries("s", []opts.LineData{{Value: 1}})
	syntax := echarts.NewLine()
	syntax.SetGlobalOptions(echarts.WithYAxisOpts(opts.YAxis{AxisLabel: &opts.AxisLabel{Formatter: opts.FuncOpts(`function (`)}}))
	syntax.AddSeries("s", []opts.LineData{{Value: 1}})
	theme, width, scale := Lambda(syntheticFit(t, 1)), Lambda(syntheticFit(t, 1)), Lambda(syntheticFit(t, 1))
	theme.Theme, width.Width, scale.Scale = "sepia", 10, math.NaN()
	dir := t.TempDir()
	for _, c := range []struct {
		figure *Figure
		want   string
	}{
		{failed("f", errors.New("no data")), "no data"},
		{Wrap("labels", line), `chart 1 of "labels": Error: no label`},
		{Wrap("syntax", syntax), `chart 1 of "syntax": function 1 of the options: SyntaxError`},
		{theme, `theme "sepia" of "Weights λ of the components": want light or dark`},
		{width, "want 240 to 8000 pixels"},
		{scale, "want 0.1 to 16"},
	} {
		path := filepath.Join(dir, "figure.png")
		if err := c.figure.Save(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a file was written: %v", err)
		}
		decoded(t, c.figure.PNG())
		elements(t, c.figure.SVG())
	}
	// the interpreter still works
	if s := Lambda(syntheticFit(t, 1)).SVG(); strings.Contains(s, "charts:") {
		t.Errorf("after errors: %s", s)
	}
}

func TestSaveByExtension(t *testing.T) {
	dir := t.TempDir()
	f := Lambda(syntheticFit(t, 1))
	for name, want := range map[string]string{"a.svg": f.SVG(), "b.PNG": string(f.PNG()), "c.html": f.Page()} {
		if err := f.Save(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s is not the figure: %d bytes, %v", name, len(b), err)
		}
	}
	if err := f.Save(filepath.Join(dir, "a.gif")); err == nil || !strings.Contains(err.Error(), "ends in .html, .svg, .pdf or .png") {
		t.Errorf("error %v", err)
	}
	if err := NewReport("r").Add(f).Save(filepath.Join(dir, "a.svg")); err == nil || !strings.Contains(err.Error(), "save its figures one by one") {
		t.Errorf("error %v", err)
	}
}

// A legend that needs several rows moves the chart down, so that they do not
// overlap; on a page, the legend scrolls instead.
func TestLegendsOfSeveralRowsAddHeight(t *testing.T) {
	slow.Test(t)
	sizes := map[int]float64{}
	for _, n := range []int{2, 40} {
		line := echarts.NewLine()
		line.SetGlobalOptions(echarts.WithLegendOpts(opts.Legend{Type: "scroll", Top: "0"}), echarts.WithGridOpts(opts.Grid{Top: "44px"}))
		line.SetXAxis([]string{"a", "b"})
		for i := range n {
			line.AddSeries(fmt.Sprintf("a series with the number %d", i), []opts.LineData{{Value: i}, {Value: 1}})
		}
		f := Wrap("legend", line)
		s := f.SVG()
		for i := range n {
			if !strings.Contains(s, fmt.Sprintf(">a series with the number %d<", i)) {
				t.Errorf("series %d of %d is not in the legend", i, n)
			}
		}
		sizes[n] = svgHeight(t, f)
	}
	if sizes[40] < sizes[2]+100 {
		t.Errorf("heights %v", sizes)
	}
}

func BenchmarkSVG(b *testing.B) {
	f := Convergence(syntheticFit(b, 10))
	f.SVG()
	for b.Loop() {
		f.SVG()
	}
}

func BenchmarkPNG(b *testing.B) {
	f := Convergence(syntheticFit(b, 10))
	for b.Loop() {
		f.PNG()
	}
}

// Characters that XML cannot hold are left out of a picture.
func TestNamesThatXMLCannotHold(t *testing.T) {
	f := FactorsOf(mat.NewDense(3, 1, []float64{1, 2, 3}), FactorsOptions{Title: "a\x01b", Names: []string{"c\x01\x1bd", "e\ufffef", "g\uffffh"}})
	n, err := f.static()
	must(t, err)
	for _, want := range []string{">ab<", ">cd<", ">ef<", ">gh<"} {
		if !strings.Contains(n.String(), want) {
			t.Errorf("the picture has no %q", want)
		}
	}
	if err := xml.Unmarshal([]byte(f.SVG()), new(struct{})); err != nil {
		t.Error(err)
	}
	_, err = f.png()
	must(t, err)
}

// Labels leave the names of their axes free and are whole, in the widest font that browsers
// use for them, DejaVu Sans: its digits are .636 em wide, its points .318.
func TestLabelsHaveRoom(t *testing.T) {
	width := func(label string) float64 {
		return 12 * (.636*float64(len(label)) - .318*float64(strings.Count(label, ".")))
	}
	var (
		name  = regexp.MustCompile(`transform="matrix\(0,-1,1,0,([\d.]+),`)
		left  = regexp.MustCompile(`text-anchor="end" font-size="12" transform="translate\(([\d.]+) [^>]*>([^<]+)<`)
		below = regexp.MustCompile(`text-anchor="middle" font-size="12" [^>]*transform="translate\(([\d.]+) [^>]*>([^<]+)<`)
		plot  = regexp.MustCompile(`<path d="M\d+ [\d.]+L(\d+) [\d.]+" fill="none" stroke="#e8eaec"`)
	)
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		must(t, err)
		return x
	}
	labels := func(of SweepLine) map[string]bool {
		found := map[string]bool{}
		of.Ranks = []int{8, 9, 10}
		svg := SweepLines([]SweepLine{of}).SVG()
		for i, at := range name.FindAllStringSubmatch(svg, -1) {
			for _, l := range left.FindAllStringSubmatch(strings.Split(svg, "matrix(0,-1,1,0,")[i+1], -1) {
				found[l[2]] = true
				if room := number(l[1]) - width(l[2]) - number(at[1]); room < 2 {
					t.Errorf("label %s leaves %.1f pixels to the name of its axis", l[2], room)
				}
			}
		}
		return found
	}
	for _, c := range []struct {
		errors []float64
		want   string
	}{
		{[]float64{.0098, .0079, .0068}, "0.0085"},
		{[]float64{.00098, .00079, .00068}, "8.5e-4"},
		{[]float64{9.8e-8, 7.9e-8, 6.8e-8}, "8.5e-8"},
		{[]float64{-.0098, -.0079, -.0068}, "-0.0085"},
		{[]float64{.99985, .9998, .9997}, "0.99984"},
		{[]float64{985000, 984000, 970000}, "984000"},
	} {
		if found := labels(SweepLine{RelativeError: c.errors}); !found[c.want] {
			t.Errorf("labels %v, want %s among them", found, c.want)
		}
	}
	fit := syntheticFit(t, 1)
	for i := range fit.Starts[0].Trace {
		fit.Starts[0].Trace[i].Elapsed = time.Duration(i) * 23 * time.Microsecond
	}
	svg := Convergence(fit).SVG()
	edge := number(plot.FindStringSubmatch(svg)[1]) + 28 // as layout says
	seen := 0
	for _, l := range below.FindAllStringSubmatch(svg, -1) {
		seen++
		if over := number(l[1]) + width(l[2])/2 - edge; over > 0 {
			t.Errorf("label %s is cut off by %.1f pixels", l[2], over)
		}
	}
	if seen < 10 || !strings.Contains(svg, ">7e-5<") {
		t.Errorf("%d labels: this test looks at nothing", seen)
	}
}

// A PNG says that it has boxes in the place of letters; the SVG has the letters.
func TestBoxesHaveANote(t *testing.T) {
	height := func(names ...string) (png, svg int, text string) {
		f := FactorsOf(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), FactorsOptions{Names: names})
		picture, _, err := image.DecodeConfig(bytes.NewReader(f.PNG()))
		must(t, err)
		text = f.SVG()
		_, err = fmt.Sscanf(text[strings.Index(text, ` height="`):], ` height="%d"`, &svg)
		must(t, err)
		return picture.Height, svg, text
	}
	png, svg, _ := height("Größe", "λ")
	if png != defaultScale*svg {
		t.Errorf("without boxes: %d pixels, want %d", png, defaultScale*svg)
	}
	more, svg, text := height("Größe", "東京")
	if more <= defaultScale*svg || !strings.Contains(text, "東京") || strings.Contains(text, "boxes") {
		t.Errorf("with boxes: %d pixels of PNG, %d of SVG", more, svg)
	}
}
