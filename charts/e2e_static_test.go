//go:build e2e

package charts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"symmom/charts/internal/svg"
	"symmom/internal/test/chromium"
)

var textElement = regexp.MustCompile(`(?s)<text .*?</text>`)

// Chromium and this package paint the same SVG alike. Text is left out: Chromium
// uses a font of the machine. An edge may fall on the other side of a pixel's
// centre, so a few pixels may differ by a lot.
func TestPNGIsWhatChromiumPaints(t *testing.T) {
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	for name, figure := range goldenFigures {
		text := textElement.ReplaceAllString(figure(t).SVG(), "")
		n, err := svg.Parse(text)
		must(t, err)
		mine, err := svg.Raster(n, 1)
		must(t, err)
		path := filepath.Join(t.TempDir(), "figure.html")
		_, inner, _ := strings.Cut(text, "?>")
		must(t, os.WriteFile(path, []byte(`<!doctype html><meta charset="utf-8"><style>body{margin:0}svg{display:block}</style>`+inner), 0o600))
		must(t, chromedp.Do(ctx, chromedp.EmulateViewport(int64(mine.Rect.Dx()), int64(mine.Rect.Dy())), chromedp.Navigate("file://"+path)))
		shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		must(t, err)
		theirs := decoded(t, shot)
		_, mean := compare(t, mine, theirs)
		far := 0
		for y := range mine.Rect.Dy() {
			for x := range mine.Rect.Dx() {
				if svg.Distance(rgb(mine, x, y), rgb(theirs, x, y)) > 64 {
					far++
				}
			}
		}
		share := float64(far) / float64(mine.Rect.Dx()*mine.Rect.Dy())
		t.Logf("%s: mean difference %.3f levels, %.4f%% of the pixels differ by more than 64", name, mean, 100*share)
		if mean > .5 || share > .001 {
			t.Errorf("%s: mean difference %.3f levels, %.3f%% of the pixels differ by more than 64", name, mean, 100*share)
		}
	}
	seen.Quiet(t)
}

// An SVG needs nothing else: opened on its own, even with hostile names, it shows
// text and runs nothing.
func TestHostileSVGInChromium(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figure.svg")
	must(t, hostileChart().Save(path))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Open(t, ctx, path, 1000, "light")
	if chromium.Eval[bool](t, ctx, `"canary" in window`) {
		t.Error("a name ran as a script")
	}
	texts := chromium.Eval[[]string](t, ctx, `Array.from(document.querySelectorAll("text")).map(e => e.textContent)`)
	n := 0
	for _, s := range texts {
		if strings.Contains(s, hostile) {
			n++
		}
	}
	// the title of the figure, that of the chart with its second line, legend, two
	// axes, a category, a label, caption and note
	if n != 10 {
		t.Errorf("%d texts show the name: %q", n, texts)
	}
	seen.Quiet(t)
}
