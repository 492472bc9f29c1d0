package charts

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"symmom/charts/internal/sheet"

	"gonum.org/v1/gonum/mat"
)

var (
	svgElement  = regexp.MustCompile(`(?s)<svg class="picture" viewBox="0 0 (\d+) (\d+)".*?</svg>`)
	rectElement = regexp.MustCompile(`<rect( class="n")? x="(\d+)" y="(\d+)" width="1" height="1" fill-opacity="([^"]*)"><title>([^<]*)</title></rect>`)
	pathElement = regexp.MustCompile(`<path( class="n")? fill-opacity="([^"]*)" d="([^"]*)"/>`)
	pathRun     = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`)
)

// raster reads the pictures of a page as values from -1 to 1.
func raster(t *testing.T, page string) [][]float64 {
	t.Helper()
	var all [][]float64
	for _, m := range svgElement.FindAllStringSubmatch(page, -1) {
		cols, _ := strconv.Atoi(m[1])
		rows, _ := strconv.Atoi(m[2])
		v := make([]float64, rows*cols)
		number := func(negative, s string) float64 {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || x < 0 || x > 1 {
				t.Fatalf("opacity %q", s)
			}
			if negative != "" {
				x = -x
			}
			return x
		}
		for _, r := range rectElement.FindAllStringSubmatch(m[0], -1) {
			x, _ := strconv.Atoi(r[2])
			y, _ := strconv.Atoi(r[3])
			v[y*cols+x] = number(r[1], r[4])
		}
		for _, p := range pathElement.FindAllStringSubmatch(m[0], -1) {
			for _, run := range pathRun.FindAllStringSubmatch(p[3], -1) {
				x, _ := strconv.Atoi(run[1])
				y, _ := strconv.Atoi(run[2])
				n, _ := strconv.Atoi(run[3])
				if run[3] != run[4] || x+n > cols {
					t.Fatalf("a run is not a rectangle within its row: %s", run[0])
				}
				for i := range n {
					v[y*cols+x+i] += number(p[1], p[2])
				}
			}
		}
		all = append(all, v)
	}
	return all
}

// wave returns a picture with both signs and a largest value other than 1.
func wave(n int, phase float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 3 * math.Sin(phase+float64(i)*.7)
	}
	return v
}

func TestImagesDrawThePixels(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		tolerance  float64 // of the format of the ink
	}{
		{3, 5, .5e-3},                        // three decimals
		{20, 30, .5/sheet.InkLevels + .5e-3}, // levels, then three decimals
	} {
		n := c.rows * c.cols
		found := mat.NewDense(n, 2, nil)
		found.SetCol(0, wave(n, 1))
		found.SetCol(1, wave(n, 2))
		f := Images(found, c.rows, c.cols, ImageOptions{})
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		got := raster(t, f.Page())
		if len(got) != 2 {
			t.Fatalf("%d pictures", len(got))
		}
		for j := range got {
			col := mat.Col(nil, j, found)
			for i, x := range col {
				if d := math.Abs(got[j][i] - x/largest(col)); !(d <= c.tolerance) {
					t.Fatalf("%d x %d, picture %d, pixel %d: ink %v, want %v", c.rows, c.cols, j, i, got[j][i], x/largest(col))
				}
			}
		}
	}
}

func TestImagesTellTheirValues(t *testing.T) {
	p := Images(mat.NewDense(4, 1, []float64{.5, 0, -.25, 1}), 2, 2, ImageOptions{Names: []string{"mine"}}).Page()
	for _, want := range []string{"row 1, column 1: 0.5", "row 1, column 2: 0<", "row 2, column 1: -0.25", "row 2, column 2: 1<", "<span>mine</span>"} {
		if !strings.Contains(p, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestImagesBesideTheirTruth(t *testing.T) {
	e := func(v ...float64) *mat.Dense { return mat.NewDense(4, len(v)/4, v) }
	// found: noise, -e2, e1; truth: e1, e2
	found := e(
		0, 0, 1,
		0, -1, 0,
		1, 0, 0,
		1, 0, 0)
	truth := e(
		2, 0,
		0, 2,
		0, 0,
		0, 0)
	f := Images(found, 2, 2, ImageOptions{Truth: truth, TruthNames: []string{"first"}})
	want := []struct{ names, note string }{
		{"component 3|first", "cosine 1.0000"},
		{"component 2|truth 2", "cosine 1.0000, sign turned"},
		{"component 1", "no match"},
	}
	check := func(f *Figure) {
		t.Helper()
		if f.Err() != nil || len(f.pictures) != len(want) {
			t.Fatalf("%d pictures, %v", len(f.pictures), f.Err())
		}
		for i, p := range f.pictures {
			var names []string
			for _, im := range p.Images {
				names = append(names, im.Name)
			}
			if got := strings.Join(names, "|"); got != want[i].names || p.Note != want[i].note {
				t.Errorf("picture %d: %q, %q; want %q, %q", i, got, p.Note, want[i].names, want[i].note)
			}
		}
	}
	check(f)
	if got, want := f.String(), `Components as images: 3 images beside 2 (Save("name.html") writes it as a page)`; got != want {
		t.Errorf("String %q, want %q", got, want)
	}
	if r := raster(t, f.Page()); r[2][1] != 1 {
		t.Errorf("the sign was not turned: %v", r[2])
	}
	// more true columns than recovered ones
	want = []struct{ names, note string }{
		{"truth 1", "not found"}, {"component 1|truth 2", "cosine 0.7071"}, {"truth 3", "not found"},
	}
	check(Images(e(0, 0, 1, 1), 2, 2, ImageOptions{Truth: e(
		1, 0, 0,
		0, 0, 1,
		0, 1, 0,
		0, 0, 0)}))
}

func TestImagesOnACommonScale(t *testing.T) {
	m := mat.NewDense(1, 2, []float64{1, 4})
	truth := mat.NewDense(1, 2, []float64{10, 5})
	for _, common := range []bool{false, true} {
		r := raster(t, Images(m, 1, 1, ImageOptions{Truth: truth, CommonScale: common}).Page())
		var got []float64
		for _, v := range r {
			got = append(got, v[0])
		}
		want := "[1 1 1 1]"
		if common {
			want = "[0.25 1 1 0.5]"
		}
		if fmt.Sprint(got) != want {
			t.Errorf("common scale %v: ink %v, want %v", common, got, want)
		}
	}
	// zeros only, so no scale
	for _, size := range []int{2, 20} {
		if r := raster(t, Images(mat.NewDense(size*size, 1, nil), size, size, ImageOptions{}).Page()); r[0][0] != 0 {
			t.Errorf("zero is drawn with ink %v", r[0][0])
		}
	}
}

func TestImagesErrors(t *testing.T) {
	m := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	nan := mat.NewDense(4, 1, []float64{1, math.NaN(), 3, 4})
	for _, c := range []struct {
		f    *Figure
		want string
	}{
		{Images(nil, 2, 2, ImageOptions{}), "found: got nil"},
		{Images(m, 0, 4, ImageOptions{}), "rows, cols: got 0, 4"},
		{Images(m, 2, 3, ImageOptions{}), "got a 4 x 1 matrix, want 6 rows"},
		{Images(nan, 2, 2, ImageOptions{}), "finite"},
		{Images(m, 2, 2, ImageOptions{Truth: nan}), "truth: got column 1 that is not finite"},
		{Images(m, 2, 2, ImageOptions{Truth: mat.NewDense(3, 1, nil)}), "truth: got a 3 x 1 matrix"},
	} {
		if c.f.Err() == nil || !strings.Contains(c.f.Err().Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.f.Err(), c.want)
		}
	}
}
