//go:build e2e

package charts

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/chromium"
)

// savedWith presses a button of the page's figure and returns the file that is saved.
func savedWith(t *testing.T, ctx context.Context, where, text, ending string) []byte {
	t.Helper()
	return savedOf(t, ctx, "main > figure button", where, text, ending)
}

// savedOf presses that of the buttons, which a selector chooses, that has a text.
func savedOf(t *testing.T, ctx context.Context, buttons, where, text, ending string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(chromium.Eval[string](t, ctx, fmt.Sprintf(`(async () => {
		const click = HTMLAnchorElement.prototype.click, make = URL.createObjectURL;
		const saved = new Promise(done => {
			let blob;
			URL.createObjectURL = b => make.call(URL, blob = b);
			HTMLAnchorElement.prototype.click = function () { done([this.download, blob]); };
		});
		Array.from(document.querySelectorAll(%q)).find(b => b.textContent === %q).click();
		const [name, blob] = await saved;
		HTMLAnchorElement.prototype.click = click;
		URL.createObjectURL = make;
		if (!name.endsWith(%q)) return "the file is called " + name;
		let bytes = "";
		new Uint8Array(await blob.arrayBuffer()).forEach(b => bytes += String.fromCharCode(b));
		return btoa(bytes);
	})()`, buttons, text, ending)))
	if err != nil {
		t.Fatalf("%s: %s: %v", where, text, err)
	}
	return b
}

// The buttons of a page save figures as they are seen there.
func TestFiguresAreSavedAsSeen(t *testing.T) {
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	for _, name := range []string{"convergence", "images", "hostile names", "score matrix"} {
		f := shownFigures[name](t)
		path := filepath.Join(t.TempDir(), "figure.html")
		must(t, f.Save(path))
		for scheme, width := range map[string]int64{"light": 1200, "dark": 600} {
			chromium.Open(t, ctx, path, width, scheme)
			where := name + ", " + scheme
			shot, err := chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS("main > figure")))
			must(t, err)
			on, saved := decoded(t, shot), half(decoded(t, savedWith(t, ctx, where, "PNG", ".png")))
			// without its border and, on the page, the buttons
			const border = 12
			size := image.Rect(0, 0, min(on.Bounds().Dx(), saved.Bounds().Dx())-2*border, min(on.Bounds().Dy(), saved.Bounds().Dy())-2*border)
			if on.Bounds().Dx()-saved.Bounds().Dx() > 1 || on.Bounds().Dy()-saved.Bounds().Dy() > 60 {
				t.Fatalf("%s: the figure of %v is saved as %v", where, on.Bounds(), saved.Bounds())
			}
			part := func(of image.Image) *image.RGBA {
				m := image.NewRGBA(size)
				draw.Draw(m, size, of, image.Pt(border, border), draw.Src)
				return m
			}
			// Letters and edges may begin half a pixel elsewhere; other colours, or another
			// size, make 20 and more.
			if _, mean := compare(t, part(saved), part(on)); mean > 7 {
				t.Errorf("%s: mean difference %.2f levels, want 7 at most", where, mean)
			}
			var svg struct {
				Text []string `xml:"text"`
			}
			if err := xml.Unmarshal(savedWith(t, ctx, where, "SVG", ".svg"), &svg); err != nil {
				t.Errorf("%s: the SVG: %v", where, err)
			}
			for _, want := range []string{f.Title, f.Caption} {
				if !strings.Contains(squeeze(strings.Join(svg.Text, " ")), squeeze(want)) {
					t.Errorf("%s: the SVG has the texts %q, and not %q", where, svg.Text, want)
				}
			}
		}
		seen.Quiet(t)
	}
}

// half returns a picture of half the size: pixels of the screen for those of a PNG.
func half(m image.Image) image.Image {
	small := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx()/2, m.Bounds().Dy()/2))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var sum [3]uint32
			for k := range 4 {
				r, g, b, _ := m.At(2*x+k%2, 2*y+k/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			small.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	return small
}

// The numbers that are saved are those of the results, whatever the axis.
func TestSavedNumbers(t *testing.T) {
	ctx := chromium.Start(t)
	many := SweepLine{Name: "=1+1, \"a\"", Ranks: []int{1, 2, 3}, RelativeError: []float64{.1, 1e-12, 3e-16}}
	fit := syntheticFit(t, 1)
	factors := mat.NewDense(2, 1, []float64{-.25, .5})
	tiny := mat.NewDense(2, 1, []float64{-2.5e-13, 5e-13})
	path := filepath.Join(t.TempDir(), "figure.html")
	for _, c := range []struct {
		figure *Figure
		head   string
		want   [][]string // cells of the columns after the chart, but the id
	}{
		{Lambda(fit), "component,λ", nil},
		{SweepLines([]SweepLine{many}), "rank,relative error  f / ‖X‖²", [][]string{{"'=1+1, \"a\"", "", "1", "0.1"}, {"'=1+1, \"a\"", "", "2", "1e-12"}, {"'=1+1, \"a\"", "", "3", "3e-16"}}},
		{FactorsOf(factors, FactorsOptions{Kind: "bars", Names: []string{"a", "b"}}), "entry", [][]string{{"component 1", "a", "-0.25"}, {"component 1", "b", "0.5"}}},
		{FactorsOf(tiny, FactorsOptions{Kind: "bars", Names: []string{"a", "b"}}), "entry", [][]string{{"component 1", "a", "-2.5e-13"}, {"component 1", "b", "5e-13"}}},
		{FactorsOf(tiny, FactorsOptions{Kind: "heatmap", Names: []string{"a", "b"}}), "component,entry", [][]string{{"entry", "a, component 1", "1", "-2.5e-13"}, {"entry", "b, component 1", "1", "5e-13"}}},
		{Dots([]DotSeries{{Name: "s", X: []float64{1}, Y: []float64{2}}}), "value (x),value (y)", [][]string{{"s", "", "1", "2"}}},
		{FactorsOf(factors, FactorsOptions{Kind: "heatmap", Names: []string{"a", "b"}}), "component,entry", [][]string{{"entry", "a, component 1", "1", "-0.25"}, {"entry", "b, component 1", "1", "0.5"}}},
	} {
		must(t, c.figure.Save(path))
		chromium.Open(t, ctx, path, 1000, "light")
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(savedWith(t, ctx, c.figure.Title, "CSV", ".csv"), []byte("\ufeff")))).ReadAll()
		must(t, err)
		if head := strings.Join(rows[0], ","); head != "chart,series,id,item,"+c.head {
			t.Errorf("%s: columns %s", c.figure.Title, head)
		}
		want := c.want
		for j, l := range fit.Model.Lambda {
			if c.want == nil {
				want = append(want, []string{"lambda", "", strconv.Itoa(j + 1), strconv.FormatFloat(l, 'f', -1, 64)})
			}
		}
		for i, row := range rows[1:] {
			if got := append([]string{row[1]}, row[3:]...); !slices.Equal(got, want[i]) {
				t.Errorf("%s: row %d is %q, want %q", c.figure.Title, i+1, got, want[i])
			}
		}
	}
}
