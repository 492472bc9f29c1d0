//go:build e2e

package charts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"symmom/charts/internal/assets"
	"symmom/internal/test/chromium"
)

// livePage writes a page as a notebook has it: outputs with figures, the first of which has the
// library.
func livePage(t *testing.T, figures ...*Figure) (path string) {
	t.Helper()
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><meta charset=utf-8><title>notebook</title><body data-jp-theme-light=true><main style='max-width:1000px;margin:auto'><h1>Notebook</h1><h2>Figures</h2>")
	for i, f := range figures {
		html := f.HTML()
		if i == 0 {
			html = strings.Replace(html, "<!--once "+library+"-->", assets.Library(), 1)
		}
		fmt.Fprintf(&page, "<div id=cell-%d>%s</div>\n", i, html)
	}
	page.WriteString("</main>")
	path = filepath.Join(t.TempDir(), "notebook.html")
	must(t, os.WriteFile(path, []byte(page.String()), 0o600))
	return path
}

// liveChart waits until a chart of the i-th figure is drawn, and returns its box.
const liveChart = `(async () => {
	const cell = document.getElementById("cell-%d"), frame = () => new Promise(requestAnimationFrame);
	cell.scrollIntoView();
	let chart;
	while (!(chart = cell.querySelector(".symmom-live")?.shadowRoot.querySelector(".chart[data-drawn]"))) await frame();
	await frame(); await frame();
	const b = chart.getBoundingClientRect();
	return [b.left, b.top, b.width, b.height];
})()`

// shownTip is the text of the tooltip that is seen.
const shownTip = `(async () => {
	for (let i = 0; i < 3; i++) {
		await new Promise(requestAnimationFrame);
		for (const h of document.querySelectorAll(".symmom-live")) for (const d of h.shadowRoot.querySelectorAll(".chart > div"))
			if (getComputedStyle(d).zIndex > 1000 && getComputedStyle(d).visibility === "visible") return d.innerText;
	}
	return "";
})()`

// In a notebook the charts are live: values under the pointer, a rectangle zooms, the legend
// hides series, in the colours of the notebook; and neither names nor the scripts leave anything
// in the page.
func TestLiveInANotebook(t *testing.T) {
	path := livePage(t, Mixture(twoComponents(t)), hostileChart(), Convergence(syntheticFit(t, 3)), FactorsOf(twoComponents(t).Means, FactorsOptions{Kind: "heatmap", Names: []string{"__proto__", "b", "c"}}))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Open(t, ctx, path, 1200, "light")
	box := chromium.Eval[[]float64](t, ctx, fmt.Sprintf(liveChart, 0))
	mouse := func(kind input.DispatchMouseEventType, x, y float64, o ...chromedp.MouseOption) {
		t.Helper()
		must(t, chromedp.Do(ctx, chromedp.MouseEvent(kind, box[0]+x, box[1]+y, o...)))
	}
	// picture is that of the chart, with the pointer elsewhere
	picture := func() string {
		t.Helper()
		mouse(input.DispatchMouseEventTypeMouseMoved, -box[0]+1, -box[1]+1)
		return chromium.Eval[string](t, ctx, `new Promise(done => setTimeout(() => done(document.querySelector(".symmom-live").shadowRoot.querySelector("canvas").toDataURL()), 300))`)
	}

	tip := ""
	for y := 40.; y < box[3]-60 && tip == ""; y += 9 {
		for x := 90.; x < box[2]-30 && tip == ""; x += 30 {
			mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
			tip = chromium.Eval[string](t, ctx, shownTip)
		}
	}
	if !strings.HasPrefix(tip, "component ") || !strings.Contains(tip, ", ") {
		t.Errorf("the pointer finds %q, want a component and a place", tip)
	}

	whole := picture()
	left := func(p *input.DispatchMouseEventParams) { p.Button, p.Buttons = input.MouseButtonLeft, 1 }
	mouse(input.DispatchMouseEventTypeMouseMoved, 120, 80)
	mouse(input.DispatchMouseEventTypeMousePressed, 120, 80, left, chromedp.ClickCount(1))
	for i := range 5 {
		mouse(input.DispatchMouseEventTypeMouseMoved, 140+20*float64(i), 100+20*float64(i), left)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, 220, 180, left, chromedp.ClickCount(1))
	if picture() == whole {
		t.Error("dragging a rectangle does not zoom")
	}
	for n := 1; n <= 2; n++ {
		mouse(input.DispatchMouseEventTypeMousePressed, 200, 150, left, chromedp.ClickCount(n))
		mouse(input.DispatchMouseEventTypeMouseReleased, 200, 150, left, chromedp.ClickCount(n))
	}
	if picture() != whole {
		t.Error("a double click does not show all again")
	}
	mouse(input.DispatchMouseEventTypeMousePressed, 40, 12, left, chromedp.ClickCount(1))
	mouse(input.DispatchMouseEventTypeMouseReleased, 40, 12, left, chromedp.ClickCount(1))
	if picture() == whole {
		t.Error("the legend hides nothing")
	}

	for i := 1; i < 4; i++ {
		chromium.Eval[[]float64](t, ctx, fmt.Sprintf(liveChart, i))
	}
	if chromium.Eval[bool](t, ctx, `"canary" in window || "echarts" in window || "symmom" in window || !("__proto__" in Object.prototype) || "width" in {}`) {
		t.Error("names or scripts have changed the page")
	}
	for _, theme := range []string{"true", "false"} {
		got := chromium.Eval[string](t, ctx, fmt.Sprintf(`(document.body.dataset.jpThemeLight = %q, new Promise(done => setTimeout(() => done(getComputedStyle(document.querySelector(".symmom-live")).backgroundColor), 300)))`, theme))
		if want := map[string]string{"true": "rgb(255, 255, 255)", "false": "rgb(27, 31, 36)"}[theme]; got != want {
			t.Errorf("with the light theme %s the figure is on %s, want %s", theme, got, want)
		}
		chromium.Accessible(t, ctx, "../.tools/site/node_modules/axe-core/axe.min.js", "light theme "+theme)
		chromium.Keep(t, ctx, "live-"+theme)
	}
	seen.Quiet(t)
}

// Without the library a figure stays the picture that it is.
func TestStillWithoutTheLibrary(t *testing.T) {
	html := Convergence(syntheticFit(t, 3)).HTML()
	if strings.Count(html, "<!--once "+library+"-->") != 1 || strings.Contains(html, "symmom-library") {
		t.Error("the figure does not ask for the library in a comment")
	}
	path := filepath.Join(t.TempDir(), "notebook.html")
	must(t, os.WriteFile(path, []byte("<!doctype html><meta charset=utf-8><body>"+html), 0o600))
	ctx := chromium.Start(t)
	chromium.Open(t, ctx, path, 1200, "light")
	if texts := peeked(t, ctx, 0); len(texts) < 10 || chromium.Eval[bool](t, ctx, `!!document.querySelector(".symmom-live")`) {
		t.Errorf("the pointer finds %q", texts)
	}
}
