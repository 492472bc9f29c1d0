//go:build e2e

package charts

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"symmom/internal/test/chromium"
)

// longPage saves a page of many charts and returns its path.
func longPage(t *testing.T) string {
	t.Helper()
	r := NewReport("Many")
	for range 12 {
		r.Add(Lambda(syntheticFit(t, 1)))
	}
	path := filepath.Join(t.TempDir(), "many.html")
	must(t, r.Save(path))
	return path
}

// unaided opens a page as readers do; chromium.Open draws all charts.
func unaided(t *testing.T, ctx context.Context, path, fragment string) {
	t.Helper()
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(1200, 700), chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path+fragment)))
}

// until waits for an expression to be true.
func until(t *testing.T, ctx context.Context, what, expression string) {
	t.Helper()
	for end := time.Now().Add(chromium.Patience); !chromium.Eval[bool](t, ctx, expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: never", what)
		}
	}
}

// of is an expression for the chart of the page's i-th element.
func of(i int) string {
	return fmt.Sprintf(`echarts.getInstanceByDom(document.getElementById("chart-%d"))`, i)
}

const charts12 = `Array.from(document.querySelectorAll(".chart"))`

// Charts are drawn when they come near the view, by scrolling or by a link, and the page
// keeps its height; what needs a chart before draws it.
func TestChartsAreDrawnNearTheView(t *testing.T) {
	path := longPage(t)
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	const height = `document.documentElement.scrollHeight`
	count := charts12 + `.filter(el => echarts.getInstanceByDom(el)).length`

	unaided(t, ctx, path, "")
	until(t, ctx, "the first chart", "!!"+of(1))
	until(t, ctx, "the chart below the view", "!!"+of(2))
	before := chromium.Eval[int](t, ctx, height)
	time.Sleep(200 * time.Millisecond) // time for what must not happen
	if n := chromium.Eval[int](t, ctx, count); n > 5 {
		t.Errorf("%d of 12 charts are drawn before anybody scrolls", n)
	}
	chromium.Eval[bool](t, ctx, `(scrollTo(0, 1e6), true)`)
	until(t, ctx, "the last chart", "!!"+of(12))
	if n := chromium.Eval[int](t, ctx, height); n != before {
		t.Errorf("the page was %d pixels high, and is %d after the last chart", before, n)
	}
	if chromium.Eval[bool](t, ctx, "!!"+of(6)) {
		t.Error("a chart that was passed over is drawn")
	}
	csv := savedOf(t, ctx, `main > figure:nth-of-type(6) button`, "chart 6", "CSV", ".csv")
	if len(csv) < 20 || !chromium.Eval[bool](t, ctx, "!!"+of(6)) {
		t.Errorf("the numbers of a chart that was not drawn: %q", csv)
	}
	if svg := savedOf(t, ctx, `main > figure:nth-of-type(7) button`, "chart 7", "SVG", ".svg"); len(svg) < 2000 {
		t.Errorf("the picture of a chart that was not drawn: %q", svg)
	}

	unaided(t, ctx, path, "#chart-9")
	until(t, ctx, "the chart of a link", "!!"+of(9))
	if chromium.Eval[bool](t, ctx, "!!"+of(5)) {
		t.Error("a link to the ninth chart draws the fifth")
	}
	seen.Quiet(t)

	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `delete window.IntersectionObserver`})
	must(t, err)
	unaided(t, ctx, path, "")
	if n := chromium.Eval[int](t, ctx, count); n != 12 {
		t.Errorf("%d charts without IntersectionObserver, want all 12", n)
	}
	seen.Quiet(t)
}

// Another colour scheme and another zoom draw again what is drawn, wherever it is when it
// comes back.
func TestChartsAreDrawnAgain(t *testing.T) {
	path := longPage(t)
	ctx := chromium.Start(t)
	chromium.Scheme(t, ctx, "light")
	unaided(t, ctx, path, "")
	until(t, ctx, "the first chart", "!!"+of(1))
	dark := func(i int) string { return of(i) + ".getModel().option.darkMode" }
	chromium.Eval[bool](t, ctx, `(scrollTo(0, 1e6), true)`)
	until(t, ctx, "the last chart", "!!"+of(12))
	if chromium.Eval[bool](t, ctx, dark(1)+" || "+dark(12)) {
		t.Error("a light page has dark charts")
	}
	chromium.Scheme(t, ctx, "dark")
	until(t, ctx, "the last chart in dark", dark(12))
	if chromium.Eval[bool](t, ctx, dark(1)) {
		t.Error("a chart far away is drawn again at once")
	}
	chromium.Eval[bool](t, ctx, `(scrollTo(0, 0), true)`)
	until(t, ctx, "the first chart in dark", dark(1))

	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(600, 350, chromedp.EmulateScale(2))))
	until(t, ctx, "the first chart, sharp", of(1)+`.getDevicePixelRatio() === 2 && `+of(1)+`.getWidth() < 600`)
}

// Paper has all charts, as wide as it is and in light colours, with the series that are
// seen; and the screen is afterwards as it was.
func TestChartsOnPaper(t *testing.T) {
	fit := syntheticFit(t, 3)
	path := filepath.Join(t.TempDir(), "paper.html")
	must(t, NewReport("Paper").Add(Convergence(fit), Lambda(fit), Lambda(fit), Lambda(fit), Lambda(fit)).Save(path))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Scheme(t, ctx, "dark")
	unaided(t, ctx, path, "")
	until(t, ctx, "the first chart", "!!"+of(1))
	const copies = `Array.from(document.querySelectorAll(".chart > canvas.paper"))`
	// blue counts the pixels that only the lines of a light page have: its blue
	const blue = copies + `.map(c => { const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] === 0 && d[i + 1] === 0x72 && d[i + 2] === 0xb2) n++;
		return n; })`
	fire := func(event string) {
		chromium.Eval[bool](t, ctx, fmt.Sprintf(`dispatchEvent(new Event(%q))`, event))
	}
	fire("beforeprint")
	fire("beforeprint") // some browsers say it twice
	// a chart whose turn comes meanwhile leaves its copy alone
	chromium.Eval[bool](t, ctx, `(document.querySelectorAll(".chart").forEach(el => symmomChart(el)), true)`)
	all := chromium.Eval[[]int](t, ctx, blue)
	if len(all) != 6 {
		t.Fatalf("%d copies, want those of 6 charts", len(all))
	}
	for i, n := range all {
		if n < 100 {
			t.Errorf("%d pixels of copy %d are in the colour of light pages", n, i+1)
		}
	}
	media := func(name string) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		must(t, err)
	}
	media("print")
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(718, 1000)))
	if w := chromium.Eval[int](t, ctx, `document.documentElement.scrollWidth`); w > 718 {
		t.Errorf("a sheet of 718 pixels holds %d", w)
	}
	if s := chromium.Eval[string](t, ctx, copies+`.filter(c => { const b = c.getBoundingClientRect(), p = c.closest(".panel").getBoundingClientRect();
		return !(b.width > 250 && b.height > 150 && Math.abs(p.width - b.width) < 1 && Math.abs(b.width / b.height - c.width / c.height) < .01); }).map(c => c.parentElement.id).join()`); s != "" {
		t.Errorf("charts %s do not fit their places", s)
	}
	if s := chromium.Eval[string](t, ctx, `getComputedStyle(document.documentElement).getPropertyValue("--card") + Array.from(document.querySelectorAll(".keep button")).filter(b => b.getClientRects().length).length`); s != "#ffffff0" {
		t.Errorf("on paper, colour of figures and number of buttons: %q", s)
	}
	media("")
	fire("afterprint")
	if s := chromium.Eval[string](t, ctx, copies+`.length + document.documentElement.className + (`+of(1)+`.getModel().option.darkMode)`); s != "0true" {
		t.Errorf("after printing: %q", s)
	}

	// a series that is not seen is not printed
	chromium.Eval[bool](t, ctx, `(`+of(1)+`.dispatchAction({ type: "legendUnSelect", name: "best start" }), true)`)
	fire("beforeprint")
	if n := chromium.Eval[[]int](t, ctx, blue)[0]; n >= all[0] {
		t.Errorf("%d pixels in the colour of the best start, though it is not seen; %d before", n, all[0])
	}
	seen.Quiet(t)
}

// Words in the cells of tables stay whole where the page is narrow: the table scrolls.
func TestWordsOfTables(t *testing.T) {
	row := []string{"1", "0.32209", "1.76 ms", "2,114", "7 of 10", "converged"}
	path := filepath.Join(t.TempDir(), "words.html")
	must(t, NewReport("Words").Table("t", []string{"rank", "relative error", "time of all starts", "evaluations", "starts at the best", "status"}, [][]string{row}).Save(path))
	ctx := chromium.Start(t)
	chromium.Open(t, ctx, path, 390, "light")
	if h := chromium.Eval[float64](t, ctx, `document.querySelector("tbody tr").getBoundingClientRect().height`); h > 50 {
		t.Errorf("a row of short cells is %.0f pixels high", h)
	}
}
