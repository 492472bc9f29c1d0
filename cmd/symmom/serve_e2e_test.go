//go:build e2e

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"symmom/internal/test/chromium"
)

// served is a run of symmom serve.
type served struct {
	dir, address, base string
	cmd                *exec.Cmd
	lines              *bufio.Scanner
}

// scripts/nightly.sh serve makes the table 500,000 x 500.
var (
	perComponent = flag.Int("per-component", 2000, "observations of each of the four components of the table that is served")
	variables    = flag.Int("variables", 40, "of that table")
)

// serve starts the command on a table in the directory.
func serve(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{dir: t.TempDir()}
	if slices.Contains(args, "--topics") {
		s.symmom(t, "generate", "documents", "--topics", "8", "--documents", "5000", "--out", "data.npy")
	} else {
		s.symmom(t, "generate", "gmm", "--n", strconv.Itoa(*variables), "--components", "4", "--per-component", strconv.Itoa(*perComponent), "--sigma", "0.1", "--congruence", "0.5", "--out", "data.npy", "--truth", "means.npy")
	}
	s.cmd = exec.Command("symmom", append([]string{"serve", "data.npy", "--no-open"}, args...)...)
	s.cmd.Dir, s.cmd.Stderr = s.dir, os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.lines = bufio.NewScanner(out)
	for s.address == "" && s.lines.Scan() {
		if line := strings.TrimSpace(s.lines.Text()); strings.HasPrefix(line, "http://") {
			s.address = line
		}
	}
	s.base, _, _ = strings.Cut(s.address, "?")
	if s.base == "" {
		t.Fatal("no address was printed")
	}
	return s
}

// symmom runs another command there, and returns what it prints.
func (s *served) symmom(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("symmom", args...)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("symmom %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// until waits until an expression holds in the page.
func until(t *testing.T, ctx context.Context, what, expression string) {
	t.Helper()
	for end := time.Now().Add(chromium.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if chromium.Eval[bool](t, ctx, "!!("+expression+")") {
			return
		}
	}
	t.Fatalf("%s: not in %v; the page says %q", what, chromium.Patience, chromium.Eval[string](t, ctx, "document.body.innerText"))
}

const message = `document.getElementById("message").textContent`

// curve are the points that are drawn of each start.
const curve = `echarts.getInstanceByDom(document.getElementById("curve")).getOption().series.map(s => s.data)`

// set sets a control as a person does who leaves it.
func set(t *testing.T, ctx context.Context, control, value string) {
	t.Helper()
	chromium.Eval[bool](t, ctx, fmt.Sprintf(`(() => { const el = document.getElementById("control-%s"); el.value = %q; el.dispatchEvent(new Event("change")); return true; })()`, control, value))
}

// A person sees the search of ten starts that would take hours, stops it, keeps the
// best, chooses again, and ends the server.
func TestServeInChromium(t *testing.T) {
	s := serve(t, "--rank", "4", "--form", "implicit", "--solver", "lbfgs", "--tol", "0", "--ftol", "0", "--starts", "10", "--truth", "means.npy", "--save", "last.json")
	ctx := chromium.Start(t)
	seen := chromium.WatchServer(t, ctx, s.base)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.address)); err != nil {
		t.Fatal(err)
	}
	if at := chromium.Eval[string](t, ctx, "location.href + document.cookie"); at != s.base {
		t.Errorf("the address is %s, want %s, and no cookie for scripts", at, s.base)
	}
	until(t, ctx, "the search", `Number(document.getElementById("evaluations").textContent.replace(/,/g, "")) > 300`)
	if w := chromium.Eval[[]int](t, ctx, `[echarts.getInstanceByDom(document.getElementById("curve")).getWidth(), document.getElementById("curve").clientWidth]`); w[0] != w[1] || w[1] < 600 {
		t.Errorf("the curve is drawn %d pixels wide on %d", w[0], w[1])
	}
	for _, line := range chromium.Eval[[][][]float64](t, ctx, curve) {
		for i, p := range line {
			if i > 0 && (p[0] < line[i-1][0] || p[1] > line[i-1][1]+1e-12) {
				t.Fatalf("the curve rises from %v to %v", line[i-1], p)
			}
		}
	}
	chromium.Keep(t, ctx, "serve-running")
	chromium.Eval[bool](t, ctx, `document.getElementById("stop").click() || true`)
	begin := time.Now()
	until(t, ctx, "the stop", message+`.startsWith("Interrupted: the best so far is kept, order 3, rank 4")`)
	t.Logf("stopped after %.2f s", time.Since(begin).Seconds())
	until(t, ctx, "the report", `document.querySelector("#frames iframe:not(.coming)")?.contentDocument.body.innerText.includes("The search was interrupted: this is the best fit so far.")`)
	chromium.Keep(t, ctx, "serve-stopped")
	const undrawn = `document.getElementById("undrawn").textContent`
	if text := chromium.Eval[string](t, ctx, undrawn); text != "" {
		t.Errorf("of ten starts: %q", text)
	}
	many := chromium.Eval[string](t, ctx, `(() => {
		symmomCurve.clear();
		const lines = Array.from({ length: 1500 }, (_, i) => ({ start: i, polish: false }));
		symmomCurve.add(lines, lines.map((_, i) => [i, 1, i === 1200 ? -2 : -1]));
		return `+undrawn+`;
	})()`)
	if want := " 101 of 1,500 starts are drawn, the best among them; the table below has all."; many != want {
		t.Errorf("of 1,500 starts: %q, want %q", many, want)
	}
	for scale, want := range map[string]string{"1e-13": "e-13", "1e6": "e6"} { // whatever the scale of f
		labels := chromium.Eval[[]string](t, ctx, fmt.Sprintf(`(() => {
			symmomCurve.clear();
			symmomCurve.add([{ polish: false }], [[0, 1, -1.01 * %[1]s], [0, 2, -1.02 * %[1]s], [0, 3, -1.03 * %[1]s]]);
			return echarts.getInstanceByDom(document.getElementById("curve")).getModel().getComponent("yAxis").axis.getViewLabels().map(l => l.formattedLabel);
		})()`, scale))
		if len(labels) < 3 || len(slices.Compact(slices.Clone(labels))) < len(labels) || !strings.Contains(labels[1], want) {
			t.Errorf("labels of f around %s: %q", scale, labels)
		}
	}

	// what is exported loads again, with the same relative error
	var fit struct {
		Origin struct {
			Relative float64 `json:"relative_error"`
		}
	}
	for _, name := range []string{"model.json", "model.npz"} {
		coded := chromium.Eval[string](t, ctx, fmt.Sprintf(`fetch("/export/%s").then(a => a.arrayBuffer()).then(b => { let s = ""; new Uint8Array(b).forEach(x => s += String.fromCharCode(x)); return btoa(s); })`, name))
		data, err := base64.StdEncoding.DecodeString(coded)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "model.json" {
			if err := json.Unmarshal(data, &fit); err != nil {
				t.Fatal(err)
			}
		}
		var got struct {
			Relative float64 `json:"relative_error"`
		}
		if err := json.Unmarshal([]byte(s.symmom(t, "evaluate", "data.npy", "--model", name, "--json")), &got); err != nil {
			t.Fatal(err)
		}
		if d := got.Relative - fit.Origin.Relative; fit.Origin.Relative == 0 || d > 1e-9 || d < -1e-9 { // two roundings of f
			t.Errorf("%s: relative error %v, on the page %v", name, got.Relative, fit.Origin.Relative)
		}
	}

	// a page of another port of this machine is of the same site: the browser sends it
	// the cookie, and yet it can neither read nor change anything
	before := chromium.Eval[string](t, ctx, message)
	seen.Quiet(t)
	foreign(t, ctx, s.base)
	if err := chromedp.Do(ctx, chromedp.Navigate(s.base)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, "the page again, which the cookie opens", message+" === "+strconv.Quote(before))

	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, "the end", message+`.startsWith("symmom has ended")`)
	var rest []string
	for s.lines.Scan() {
		rest = append(rest, s.lines.Text())
	}
	if text := strings.Join(rest, "\n"); !strings.Contains(text, "The last fit: order 3, rank 4, relative error") || !strings.Contains(text, "Wrote last.json") {
		t.Errorf("at the end: %s", text)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("ended with %v, though no fit ran", err)
	}
	s.symmom(t, "evaluate", "data.npy", "--model", "last.json")
}

// foreign has a page of another origin try all ways to use the server.
func foreign(t *testing.T, ctx context.Context, base string) {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>other</title><iframe name=hole></iframe>")
	}))
	t.Cleanup(other.Close)
	if err := chromedp.Do(ctx, chromedp.Navigate(other.URL)); err != nil {
		t.Fatal(err)
	}
	got := chromium.Eval[[]string](t, ctx, fmt.Sprintf(`(async () => {
		const base = %q, got = [];
		const ask = async (what, path, options) => {
			const a = await fetch(base + path, Object.assign({ credentials: "include" }, options)).catch(() => null);
			got.push(what + ": " + (a === null ? "refused" : a.type === "opaque" ? "opaque" : "answered " + a.status));
		};
		await ask("read", "events", {});
		await ask("choose", "choose", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"values":{"rank":2}}' });
		await ask("choose without asking first", "choose", { method: "POST", mode: "no-cors", body: '{"values":{"rank":2},"again":true}' });
		const form = document.createElement("form");
		form.method = "POST"; form.action = base + "choose"; form.enctype = "text/plain"; form.target = "hole";
		form.innerHTML = "<input name='{\"values\":{\"rank\":2},\"again\":true,\"x\":\"' value='\"}'>";
		document.body.append(form);
		form.submit();
		await new Promise(done => { const script = document.createElement("script"); script.src = base + "live.js"; script.onload = () => { got.push("script: loaded"); done(); }; script.onerror = () => { got.push("script: refused"); done(); }; document.body.append(script); });
		return got;
	})()`, base))
	want := []string{"read: refused", "choose: refused", "choose without asking first: refused", "script: refused"}
	if !slices.Equal(got, want) {
		t.Errorf("another origin: %q, want %q", got, want)
	}
}

// The page says of a score what the command's warning says.
func TestServeTruthOfOtherCoordinates(t *testing.T) {
	s := serve(t, "--rank", "4", "--standardize", "--truth", "means.npy")
	ctx := chromium.Start(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.address)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, "the fit", `document.getElementById("result-name").textContent === "The fit: order 3, rank 4, standardized"`)
	if text := chromium.Eval[string](t, ctx, `document.getElementById("warnings").innerText`); !strings.Contains(text, "--truth means.npy is compared with what was found in standardized data") {
		t.Errorf("warnings: %s", text)
	}
	chromium.Keep(t, ctx, "serve-truth")
}

// A person sweeps, takes a rank of the table, and sees relative errors of its search.
func TestServeSweepInChromium(t *testing.T) {
	s := serve(t, "--rank", "4", "--starts", "3")
	ctx := chromium.Start(t)
	seen := chromium.WatchServer(t, ctx, s.base)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.address)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, "the fit", `document.getElementById("result-name").textContent === "The fit: order 3, rank 4"`)
	set(t, ctx, "ranks", "2,3")
	chromium.Eval[bool](t, ctx, `document.querySelector("[data-task=sweep]").click() || true`)
	until(t, ctx, "the table", `document.getElementById("ranks-rows").rows.length === 2 && document.getElementById("search").hidden`)
	if text := chromium.Eval[string](t, ctx, `document.getElementById("ranks-command").textContent`); text != "symmom sweep data.npy --order 3 --ranks 2,3 --starts 3" {
		t.Errorf("to make it again: %s", text)
	}
	chromium.Keep(t, ctx, "serve-sweep")
	chromium.Eval[bool](t, ctx, `document.querySelector("#ranks-rows button").click() || true`)
	until(t, ctx, "the rank that was taken", `document.getElementById("result-name").textContent === "The fit: order 3, rank 2" && !document.getElementById("search").hidden`)
	ends := chromium.Eval[[]float64](t, ctx, curve+`.map(line => Math.pow(10, line[line.length - 1][1]))`)
	line := chromium.Eval[string](t, ctx, `document.getElementById("result-line").textContent`)
	if best := fmt.Sprintf("Relative error %.4g", slices.Min(ends)); !strings.HasPrefix(line, best[:len(best)-1]) {
		t.Errorf("the curves end at %g, the fit: %s", ends, line)
	}
	seen.Quiet(t)
}

// A person looks at topics, moves the slider, stops, asks for more words, and ends the server.
func TestServeTopicsInChromium(t *testing.T) {
	s := serve(t, "--topics", "3", "--save", "last.json", "--html", "last.html")
	ctx := chromium.Start(t)
	seen := chromium.WatchServer(t, ctx, s.base)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.address)); err != nil {
		t.Fatal(err)
	}
	found := func(what, name string) {
		t.Helper()
		until(t, ctx, what, fmt.Sprintf(`document.getElementById("result-name").textContent.startsWith(%q) && document.querySelector("#frames iframe:not(.coming)")?.title === "the report: " + %[1]q`, name))
	}
	const words = `document.querySelector("#frames iframe:not(.coming)").contentDocument.querySelector("tbody td:last-child").textContent.split(", ").length`
	found("the first topics", "3 topics")
	if n := chromium.Eval[int](t, ctx, words); n != 8 {
		t.Errorf("%d words of a topic", n)
	}
	set(t, ctx, "words", "5")
	until(t, ctx, "fewer words", words+` === 5`)
	chromium.Eval[bool](t, ctx, `(document.querySelector("[data-name=topics] input[type=range]").focus(), true)`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		t.Fatal(err)
	}
	found("a key", "4 topics")
	for _, width := range []int64{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			look := fmt.Sprintf("serve-topics-%d-%s", width, scheme)
			chromium.Scheme(t, ctx, scheme)
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
				t.Fatal(err)
			}
			if w := chromium.Eval[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
				t.Errorf("the page is %d pixels wide on %d", w, width)
			}
			chromium.Accessible(t, ctx, "../../.tools/site/node_modules/axe-core/axe.min.js", look)
			chromium.Keep(t, ctx, look)
		}
	}
	set(t, ctx, "topics", "90")
	until(t, ctx, "a longer run", message+`.startsWith("Finding 90 topics") && document.getElementById("doing").textContent !== ""`)
	chromium.Eval[bool](t, ctx, `document.getElementById("stop").click() || true`)
	until(t, ctx, "the stop", `document.getElementById("stop").disabled && /^(Interrupted|Stopped)/.test(`+message+`)`)
	set(t, ctx, "topics", "5")
	found("after it", "5 topics")
	seen.Quiet(t)
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, "the end", message+`.startsWith("symmom has ended")`)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("ended with %v, though nothing ran", err)
	}
	if out := s.symmom(t, "topics", "data.npy", "--model", "last.json"); !strings.Contains(out, "topics         5") {
		t.Errorf("saved: %s", out)
	}
	if page, err := os.ReadFile(filepath.Join(s.dir, "last.html")); err != nil || !strings.Contains(string(page), "symmom topics data.npy --topics 5 --top 5") {
		t.Errorf("the last page: %v", err)
	}
}

// A person chooses with the keyboard, wrong and in a hurry.
func TestServeChoicesInChromium(t *testing.T) {
	s := serve(t, "--rank", "4")
	ctx := chromium.Start(t)
	seen := chromium.WatchServer(t, ctx, s.base)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(360, 800), chromedp.Navigate(s.address)); err != nil {
		t.Fatal(err)
	}
	fitted := func(what, name string) {
		t.Helper()
		until(t, ctx, what, fmt.Sprintf(`document.getElementById("result-name").textContent === "The fit: " + %q && document.querySelector("#frames iframe:not(.coming)")?.title === "the report: " + %q`, name, name))
	}
	fitted("the first fit", "order 3, rank 4")
	chromium.Keep(t, ctx, "serve-narrow")
	if w := chromium.Eval[int](t, ctx, "document.documentElement.scrollWidth"); w > 360 {
		t.Errorf("the page is %d pixels wide", w)
	}
	if n := chromium.Eval[[]string](t, ctx, `Array.from(document.querySelectorAll("input, select, button")).filter(el => !(el.labels && el.labels.length) && !el.getAttribute("aria-label") && !el.textContent.trim()).map(el => el.outerHTML)`); len(n) > 0 {
		t.Errorf("without a label: %q", n)
	}
	chromium.Eval[bool](t, ctx, `(symmomCurve.clear(), symmomCurve.add([{ start: 0 }, { start: 1 }, { start: 0, polish: true }], [[0, 1, -1], [1, 1, -2], [2, 1, -3]]), true)`)
	for _, width := range []int64{320, 400, 700} { // the name of the axis is below the legend
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
			t.Fatal(err)
		}
		until(t, ctx, fmt.Sprintf("room for the legend on %d pixels", width), `(() => {
			const el = document.getElementById("curve"), c = echarts.getInstanceByDom(el), m = c.getModel();
			const legend = c.getViewOfComponentModel(m.getComponent("legend")).group.getBoundingRect();
			return c.getWidth() === el.clientWidth && m.getComponent("grid").coordinateSystem.getRect().y >= legend.y + legend.height + 30;
		})()`)
	}
	for _, width := range []int64{360, 800, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			look := fmt.Sprintf("serve-%d-%s", width, scheme)
			chromium.Scheme(t, ctx, scheme)
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
				t.Fatal(err)
			}
			chromium.Accessible(t, ctx, "../../.tools/site/node_modules/axe-core/axe.min.js", look)
			chromium.Keep(t, ctx, look)
		}
	}
	chromium.Eval[bool](t, ctx, `document.getElementById("control-rank").focus() || true`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Tab)); err != nil {
		t.Fatal(err)
	}
	fitted("a key", "order 3, rank 5")

	// Charts of the report are drawn as the page around it scrolls; and who looks at one, far
	// down, sees it in the next report at once.
	const last = `(() => { const w = document.querySelector("#frames iframe").contentWindow, all = w.document.querySelectorAll(".chart");
		return [w, all[all.length - 1]]; })()`
	chromium.Eval[bool](t, ctx, `(`+last+`[1].scrollIntoView(), true)`)
	until(t, ctx, "the last chart", last+`.reduce((w, el) => w.echarts.getInstanceByDom(el))`)
	chromium.Eval[bool](t, ctx, `(new MutationObserver(() => {
		const f = document.querySelector("#frames iframe:not(.coming)"), top = f.getBoundingClientRect().top;
		const seen = Array.from(f.contentDocument.querySelectorAll(".chart")).filter(el => top + el.getBoundingClientRect().bottom > 1 && top + el.getBoundingClientRect().top < innerHeight - 1);
		window.atOnce = [seen.length, seen.filter(el => f.contentWindow.echarts.getInstanceByDom(el)).length];
	}).observe(document.getElementById("frames"), { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] }), true)`)
	set(t, ctx, "rank", "6")
	fitted("seen from below", "order 3, rank 6")
	if n := chromium.Eval[[]int](t, ctx, "atOnce"); n[0] == 0 || n[0] != n[1] {
		t.Errorf("of %d charts in view, the next report comes with %d", n[0], n[1])
	}
	set(t, ctx, "rank", "5")
	fitted("as before", "order 3, rank 5")

	for _, c := range []struct{ control, value, says, good string }{
		{"rank", "0", `want a whole number, 1 to 1,000,000,000`, "5"},
		{"rank", "100000", "of memory", "5"},
		{"columns", "1,x", `column "x": `, ""},
		{"columns", "39-41", "out of range", ""},
	} {
		set(t, ctx, c.control, c.value)
		until(t, ctx, c.control+" "+c.value, fmt.Sprintf(`document.getElementById("control-%s-error").textContent.includes(%q)`, c.control, c.says))
		fitted("what was there before", "order 3, rank 5")
		chromium.Keep(t, ctx, "serve-wrong-"+c.control)
		set(t, ctx, c.control, c.good)
		until(t, ctx, c.control+" "+c.good, fmt.Sprintf(`document.getElementById("control-%s-error").textContent === "" && %s.startsWith("Done: ")`, c.control, message))
	}
	chromium.Eval[bool](t, ctx, `document.querySelector(".list").open = true`)
	chromium.Eval[bool](t, ctx, `Array.from(document.querySelectorAll(".boxes input")).slice(0, 6).forEach(b => b.click()) || true`)
	fitted("six boxes", "order 3, rank 5, 6 columns")
	set(t, ctx, "weights", "column 1") // of both signs
	until(t, ctx, "weights that are variables", `document.getElementById("control-columns-error").textContent.includes("holds the weights")`)
	set(t, ctx, "columns", "2-20")
	until(t, ctx, "negative weights", `document.getElementById("control-weights-error").textContent.includes("weight")`)
	chromium.Keep(t, ctx, "serve-weights")
	set(t, ctx, "weights", "all equal")
	fitted("a range", "order 3, rank 5, 19 columns")

	// a hundred moves of the slider end at the last
	chromium.Eval[bool](t, ctx, `(async () => {
		const el = document.querySelector("[data-name=rank] input[type=range]");
		for (let i = 0; i < 100; i++) { el.value = 1 + i % 9; el.dispatchEvent(new Event("input")); if (i % 5 === 0) await new Promise(done => setTimeout(done, 3)); }
		el.value = 7; el.dispatchEvent(new Event("input"));
		return true;
	})()`)
	fitted("a hundred moves", "order 3, rank 7, 19 columns")
	again := chromium.Eval[string](t, ctx, `document.querySelector("#frames iframe").contentDocument.querySelector("pre").textContent`)
	var columns []string
	for j := 2; j <= 20; j++ {
		columns = append(columns, fmt.Sprintf("column %d", j))
	}
	parts := strings.Split(again, "'") // around what has spaces
	if want := "symmom decompose data.npy --order 3 --rank 7 --columns "; len(parts) != 3 || parts[0] != want || parts[1] != strings.Join(columns, ",") || parts[2] != "" {
		t.Fatalf("to make it again: %s, want %sand columns 2 to 20 by the names on the page", again, want)
	}
	var fit struct {
		Relative float64 `json:"relative_error"`
	}
	if err := json.Unmarshal([]byte(s.symmom(t, append(strings.Fields(parts[0])[1:], parts[1], "--json")...)), &fit); err != nil {
		t.Fatal(err)
	}
	if line := chromium.Eval[string](t, ctx, `document.getElementById("result-line").textContent`); !strings.HasPrefix(line, fmt.Sprintf("Relative error %.6g,", fit.Relative)) {
		t.Errorf("the command makes a fit of relative error %.6g, the page one of: %s", fit.Relative, line)
	}
	if svg := chromium.Eval[string](t, ctx, `(async () => {
		const frame = document.querySelector("#frames iframe"), figure = frame.contentDocument.querySelectorAll("main > figure")[1];
		const saved = new Promise(done => { frame.contentWindow.HTMLAnchorElement.prototype.click = function () { done(this); }; });
		Array.from(figure.querySelectorAll("button")).find(b => b.textContent === "SVG").click();
		return (await saved).download;
	})()`); svg != "convergence.svg" {
		t.Errorf("a figure is saved as %s", svg)
	}
	seen.Quiet(t)
}
