//go:build e2e

package charts

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"symmom/internal/test/chromium"
	"symmom/symmom"
)

type seriesData struct {
	ID, Name string
	Points   [][]*float64
	Pixels   [][]float64 // where the points are drawn
	Width    float64     // of the chart
	Height   float64
}

// drawn reads the data of the i-th chart from ECharts' own data store, after all
// processing, with the pixel of each point.
func drawn(t *testing.T, ctx context.Context, i int) []seriesData {
	t.Helper()
	return chromium.Eval[[]seriesData](t, ctx, fmt.Sprintf(`(() => {
		const chart = echarts.getInstanceByDom(document.getElementById("chart-%d"));
		return chart.getModel().getSeries().map(s => {
			const data = s.getData(), line = data.getLayout("points"), points = [], pixels = [];
			for (let k = 0; k < data.count(); k++) {
				const v = data.getRawDataItem(k).value, x = data.get(data.mapDimension("x"), k), y = data.get(data.mapDimension("y"), k);
				points.push(Array.isArray(v) ? v : [x, y]);
				pixels.push(line ? [line[2 * k], line[2 * k + 1]] : [data.getItemLayout(k).x, data.getItemLayout(k).y]);
			}
			return { ID: s.id, Name: s.name, Points: points, Pixels: pixels, Width: chart.getWidth(), Height: chart.getHeight() };
		});
	})()`, i))
}

func TestPageInChromium(t *testing.T) {
	fit := syntheticFit(t, 4)
	report := NewReport("Offline").Add(Convergence(fit), Lambda(fit),
		Images(fit.Model.Factors, 2, 2, ImageOptions{Truth: fit.Model.Factors})).Table("t", []string{"a"}, [][]string{{"1"}})
	path := filepath.Join(t.TempDir(), "report.html")
	must(t, report.Save(path))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	colors := map[string]bool{}
	chromium.EachLook(t, ctx, path, func(look string) {
		chromium.CheckCanvases(t, ctx, look, 3)
		checkTraces(t, drawn(t, ctx, 1), fit, false)
		checkTraces(t, drawn(t, ctx, 2), fit, true)
		checkBars(t, drawn(t, ctx, 3), fit)
		if n := chromium.Eval[int](t, ctx, `Array.from(document.querySelectorAll("svg.picture")).filter(s => s.getBoundingClientRect().width > 40).length`); n != 6 {
			t.Errorf("%s: %d pictures, want 6", look, n)
		}
		colors[chromium.Eval[string](t, ctx, `echarts.getInstanceByDom(document.getElementById("chart-1")).getOption().series[0].lineStyle.color`)] = true
		seen.Quiet(t)
	})
	if len(colors) != 2 {
		t.Errorf("light and dark pages draw the best start in %v", colors)
	}
}

// checkTraces compares the lines with the fit, and their positions with the data.
func checkTraces(t *testing.T, series []seriesData, fit *symmom.Fit, seconds bool) {
	t.Helper()
	if len(series) != len(fit.Starts) {
		t.Fatalf("%d lines, want %d", len(series), len(fit.Starts))
	}
	for _, s := range series {
		var k int
		if _, err := fmt.Sscanf(s.ID, "fit-0-start-%d", &k); err != nil {
			t.Fatal(err)
		}
		trace := fit.Starts[k].Trace
		if len(s.Points) != len(trace) {
			t.Fatalf("%s has %d points, want %d", s.ID, len(s.Points), len(trace))
		}
		for i, p := range trace {
			x := float64(p.Evaluations)
			if seconds {
				x = math.Round(p.Elapsed.Seconds()*1e6) / 1e6
			}
			if got := s.Points[i]; *got[0] != x || *got[1] != 1+p.Objective/fit.NormSquared.Value {
				t.Errorf("%s point %d is (%v, %v)", s.ID, i, *got[0], *got[1])
			}
			px := s.Pixels[i]
			if px[0] < 0 || px[0] > s.Width || px[1] < 0 || px[1] > s.Height {
				t.Errorf("%s point %d is outside of the chart at %v", s.ID, i, px)
			}
			// the traces fall: each point is to the right of the previous one and
			// below it
			if i > 0 && (px[0] <= s.Pixels[i-1][0] || px[1] <= s.Pixels[i-1][1]) {
				t.Errorf("%s point %d is at %v, the one before at %v", s.ID, i, px, s.Pixels[i-1])
			}
		}
		// equal factors are equal steps on the logarithmic axis; positions are
		// accurate to half a pixel or better
		n := len(trace) - 1
		step, whole := s.Pixels[1][1]-s.Pixels[0][1], s.Pixels[n][1]-s.Pixels[0][1]
		if !(math.Abs(whole/float64(n)-step) <= .5) {
			t.Errorf("%s: first step %.2f pixels, mean step %.2f", s.ID, step, whole/float64(n))
		}
	}
}

func checkBars(t *testing.T, series []seriesData, fit *symmom.Fit) {
	t.Helper()
	if len(series) != 1 || len(series[0].Points) != fit.Rank {
		t.Fatalf("bars: %+v", series)
	}
	for j, p := range series[0].Points {
		if *p[0] != float64(j) || *p[1] != fit.Model.Lambda[j] {
			t.Errorf("bar %d is at %v with %v, want %v", j, *p[0], *p[1], fit.Model.Lambda[j])
		}
	}
}

func TestResizeAndSchemeChangeInChromium(t *testing.T) {
	path := filepath.Join(t.TempDir(), "convergence.html")
	must(t, Convergence(syntheticFit(t, 2)).Save(path))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Open(t, ctx, path, 1600, "light")
	const state = `(() => { const c = echarts.getInstanceByDom(document.getElementById("chart-1"));
		return { Width: c.getWidth(), Color: c.getOption().legend[0].textStyle.color }; })()`
	type look struct {
		Width float64
		Color string
	}
	wide := chromium.Eval[look](t, ctx, state)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(600, 900)))
	chromium.Scheme(t, ctx, "dark")
	var narrow look
	for end := time.Now().Add(chromium.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		narrow = chromium.Eval[look](t, ctx, state)
		if narrow.Width < 600 && narrow.Color != wide.Color {
			break
		}
	}
	if narrow.Width >= 600 || narrow.Width < 400 || narrow.Color == wide.Color {
		t.Errorf("at 1600 pixels, light: %+v; then at 600, dark: %+v", wide, narrow)
	}
	seen.Quiet(t)
}

// hoverAll shows the tooltip of every point of every chart and returns the texts.
const hoverAll = `(() => {
	const texts = [];
	document.querySelectorAll(".chart").forEach(el => {
		const chart = echarts.getInstanceByDom(el);
		chart.getModel().getSeries().forEach((s, i) => {
			for (let k = 0; k < s.getData().count(); k++) {
				chart.dispatchAction({ type: "showTip", seriesIndex: i, dataIndex: k });
				texts.push(Array.from(el.children).map(c => c.innerText || "").join(""));
			}
		});
	});
	return texts;
})()`

func TestHostileNamesInChromium(t *testing.T) {
	r := hostileReport(t)
	dir := t.TempDir()
	path, framed := filepath.Join(dir, "page.html"), filepath.Join(dir, "notebook.html")
	must(t, r.Save(path))
	must(t, os.WriteFile(framed, []byte("<!doctype html><body>"+r.HTML()), 0o600))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)

	chromium.Open(t, ctx, path, 1200, "light")
	texts := chromium.Eval[[]string](t, ctx, hoverAll)
	found := 0
	for _, s := range texts {
		if strings.Contains(s, hostile) {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d of %d tooltips show the name as text, want those of the 2 points that have it: %q", found, len(texts), texts)
	}
	if c := chromium.Eval[bool](t, ctx, `"canary" in window`); c {
		t.Error("a name ran as a script")
	}
	if n := chromium.Eval[int](t, ctx, `document.querySelectorAll("img").length`); n != 0 {
		t.Errorf("a name became %d elements", n)
	}
	if got := chromium.Eval[string](t, ctx, `document.title + document.querySelector("h1").textContent + document.querySelector("td").textContent`); got != hostile+hostile+hostile {
		t.Errorf("the page shows %q", got)
	}
	seen.Quiet(t)

	// the policy also holds for what is added later: an element inserted into the
	// page runs nothing and fetches nothing
	chromium.Eval[bool](t, ctx, `(() => { document.body.insertAdjacentHTML("beforeend", "<img src=https://example.com/x onerror=window.canary=1>"); return true; })()`)
	for end := time.Now().Add(chromium.Patience); len(seen.Messages()) < 2 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond) // time for requests that must not happen
	if c := chromium.Eval[bool](t, ctx, `"canary" in window`); c {
		t.Error("the policy let an event handler run")
	}
	blocked := 0
	for _, m := range seen.Messages() {
		if strings.Contains(m, "violates the following Content Security Policy directive") && strings.Contains(m, "blocked") {
			blocked++
		}
	}
	if blocked != 2 || len(seen.Messages()) != 2 {
		t.Errorf("the policy blocked %d things, want the handler and the image: %q", blocked, seen.Messages())
	}
}

// In a notebook the frame is isolated: ECharts is decompressed and draws, without
// any exchange with the page around it.
func TestFrameInChromium(t *testing.T) {
	f := Convergence(syntheticFit(t, 3))
	f.Live = true
	path := filepath.Join(t.TempDir(), "notebook.html")
	// another charset: the frame must not depend on it
	must(t, os.WriteFile(path, []byte("<!doctype html><meta charset=windows-1252><body>"+f.HTML()+"</body>"), 0o600))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Open(t, ctx, path, 1000, "light")
	// the content of a sandboxed frame cannot be read from outside, so look at the
	// screen: only the best start's thick line and its legend have this colour,
	// about a hundred pixels in each chart
	n := 0
	for end := time.Now().Add(chromium.Patience); n < 200 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		must(t, err)
		n = countColor(t, shot, [3]uint8{0x00, 0x72, 0xb2})
	}
	if n < 200 {
		t.Errorf("%d pixels in the colour of the best start, want 200 or more", n)
	}
	if chromium.Eval[bool](t, ctx, `"echarts" in window || "symmomDraw" in window`) {
		t.Error("the frame reached the page around it")
	}
	seen.Quiet(t)
}

// Names are text in every figure, including the tooltips.
func TestHostileFiguresInChromium(t *testing.T) {
	r := NewReport(hostile)
	for _, name := range []string{"sweep", "recovery grid", "score matrix", "factors as bars", "starts", "methods", "dots", "hostile names"} {
		r.Add(shownFigures[name](t))
	}
	must(t, r.Err())
	path := filepath.Join(t.TempDir(), "page.html")
	must(t, r.Save(path))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	chromium.Open(t, ctx, path, 1200, "dark")
	found := 0
	for _, s := range chromium.Eval[[]string](t, ctx, hoverAll) {
		if strings.Contains(s, hostile) {
			found++
		}
	}
	// 3 points of a sweep, 3 panels of a true mean, 2 cells, 3 bars, 2 bars, 3
	// charts of a method, and at least a dot and 2 points
	if found < 19 {
		t.Errorf("%d tooltips show the name as text", found)
	}
	if chromium.Eval[bool](t, ctx, `"canary" in window || document.querySelectorAll("img").length > 0`) {
		t.Error("a name became part of the page")
	}
	seen.Quiet(t)
}
