//go:build e2e

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"symmom/internal/test/chromium"
)

// What scripts/site.sh builds, and the packages it installs.
const (
	built   = "../build/site"
	modules = "../.tools/site/node_modules"
	axe     = modules + "/axe-core/axe.min.js"
)

// kinds has a page of each kind.
var kinds = []string{"index.html", "guide/index.html", "guide/overview.html", "tutorials/00-tour.html", "gallery.html",
	"reference/symmom.html", "reference/datasets.html", "paper.html", "benchmarks/results.html"}

// visitor is a browser that looks at the site.
type visitor struct {
	t   *testing.T
	ctx context.Context
	url string // of the site, with a slash

	mu      sync.Mutex
	outside []string // requests to others than the server
}

func visit(t *testing.T) *visitor {
	t.Helper()
	if _, err := os.Stat(filepath.Join(built, "index.html")); err != nil {
		t.Fatalf("%v; make site builds it", err)
	}
	v := &visitor{t: t}
	files := http.FileServer(http.Dir(built))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := os.Stat(filepath.Join(built, filepath.FromSlash(r.URL.Path))); err != nil && !strings.HasPrefix(r.URL.Path, "/lite/") {
			t.Errorf("%s was requested and is not there", r.URL.Path)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	v.url, v.ctx = server.URL+"/", chromium.Start(t)
	if err := chromedp.Listen(v.ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok {
			if u := e.Request.URL; !strings.HasPrefix(u, v.url) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
				v.mu.Lock()
				v.outside = append(v.outside, u)
				v.mu.Unlock()
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(v.ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if len(v.outside) > 0 {
			t.Errorf("requests that left the server: %q", v.outside)
		}
	})
	return v
}

// open shows a page.
func (v *visitor) open(page string, width int64, scheme string) {
	v.t.Helper()
	chromium.Scheme(v.t, v.ctx, scheme)
	v.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(v.url+page))
}

func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, chromium.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		v.t.Fatal(err)
	}
}

// wait waits until an expression is not "", 0 or false.
func (v *visitor) wait(what, expression string) {
	v.t.Helper()
	for begin := time.Now(); time.Since(begin) < chromium.Patience; time.Sleep(20 * time.Millisecond) {
		if chromium.Eval[bool](v.t, v.ctx, "!!("+expression+")") {
			return
		}
	}
	v.t.Fatalf("waited in vain for %s", what)
}

func (v *visitor) shot(name string) {
	v.t.Helper()
	dir := os.Getenv("SYMMOM_SCREENSHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(v.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "site-"+strings.NewReplacer("/", "-", ".html", "").Replace(name)+".png"), data, 0o644)
	}
	if err != nil {
		v.t.Error(err)
	}
}

// A page of each kind fits phones and screens, and has no serious finding of axe.
func TestPages(t *testing.T) {
	v := visit(t)
	for _, page := range kinds {
		grounds := map[string]bool{}
		for _, width := range []int64{360, 800, 1600} {
			for _, scheme := range []string{"light", "dark"} {
				look := fmt.Sprintf("%s-%d-%s", page, width, scheme)
				v.open(page, width, scheme)
				if w := chromium.Eval[int64](t, v.ctx, "document.documentElement.scrollWidth"); w > width {
					t.Errorf("%s is %d pixels wide", look, w)
				}
				grounds[chromium.Eval[string](t, v.ctx, "getComputedStyle(document.body).backgroundColor")] = true
				// axe takes seconds for the largest page, of a kind that another is of, too.
				if page != "reference/symmom.html" || look == page+"-360-light" || look == page+"-1600-dark" {
					chromium.Accessible(t, v.ctx, axe, look)
				}
				v.shot(look)
			}
		}
		if len(grounds) != 2 {
			t.Errorf("%s: light and dark pages stand on %v", page, grounds)
		}
	}
}

// The keyboard reaches the content, the search and what it finds; the switch overrides the system's colours.
func TestSearchAndSwitch(t *testing.T) {
	v := visit(t)
	v.open("tutorials/00-tour.html", 1600, "light")
	v.do(chromedp.KeyEvent("\t"), chromedp.KeyEvent("\r"))
	if at := chromium.Eval[string](t, v.ctx, "document.activeElement.id"); at != "main" {
		t.Errorf("the first link leads to %q, want the content", at)
	}
	const ground = "getComputedStyle(document.body).backgroundColor"
	light := chromium.Eval[string](t, v.ctx, ground)
	chromium.Eval[bool](t, v.ctx, `(document.getElementById("theme").click(), document.getElementById("theme").click(), true)`)
	if got := chromium.Eval[string](t, v.ctx, ground); got == light {
		t.Error("the switch leaves the page light")
	}
	v.open("benchmarks/index.html", 1600, "light")
	if got := chromium.Eval[string](t, v.ctx, ground); got == light {
		t.Error("another page does not keep to the switch")
	}

	v.wait("the scripts of the page", `document.getElementById("open-search")?.hidden === false`)
	v.do(chromedp.KeyEvent("/"))
	v.wait("the search", `document.querySelector("#search[open] input") === document.activeElement`)
	v.do(chromedp.KeyEvent("SuggestRank"))
	v.wait("results", `document.querySelector("#search li a")`)
	chromium.Accessible(t, v.ctx, axe, "the search")
	v.shot("search")
	if first := chromium.Eval[string](t, v.ctx, `document.querySelector("#search li a").href`); first != v.url+"reference/symmom.html#Moment.SuggestRank" {
		t.Errorf("the search for SuggestRank finds %s first", first)
	}
	v.do(chromedp.KeyEvent("\r"))
	v.wait("the page found", `location.hash === "#Moment.SuggestRank" && document.querySelector(":target")`)
	v.wait("the scripts of the page", `document.getElementById("open-search")?.hidden === false`)
	for _, query := range []string{"csv", "suggestrnak", "decimal comma"} { // one with a slip
		v.do(chromedp.KeyEvent("/"))
		v.wait("the search", `document.querySelector("#search[open] input")`)
		found := chromium.Eval[int](t, v.ctx, fmt.Sprintf(`(async () => { const input = document.querySelector("#search input"); input.value = %q;
			for (let i = 0; i < 500 && !document.querySelector("#search li"); i++) { input.dispatchEvent(new Event("input")); await new Promise(d => setTimeout(d, 20)); }
			return document.querySelectorAll("#search li").length; })()`, query))
		if found == 0 {
			t.Errorf("the search for %q finds nothing", query)
		}
		chromium.Eval[bool](t, v.ctx, `new Promise(done => { document.querySelector("#search").close(); document.querySelector("#search ol").replaceChildren();
			requestAnimationFrame(() => requestAnimationFrame(() => done(true))) })`)
	}
}

// Charts tell their values.
func TestChartsTell(t *testing.T) {
	v := visit(t)
	v.open("gallery.html#scree", 1600, "light")
	const img = `document.querySelector("#scree ~ .chart img")`
	v.wait("the chart", img+".complete")
	chromium.Eval[bool](t, v.ctx, `(`+img+`.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })), true)`)
	v.wait("its values", img+".dataset.told > 0")
	value := chromium.Eval[string](t, v.ctx, `(async () => { const img = `+img+`, box = img.getBoundingClientRect(), tip = () => img.previousElementSibling.shadowRoot.querySelector(".tip");
		for (let x = 0; x < box.width; x += 10) for (let y = 0; y < box.height; y += 10) {
			img.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + y }));
			if (!tip().hidden) return tip().textContent;
		} return ""; })()`)
	if value == "" {
		t.Error("no value under the pointer anywhere")
	}
	t.Log(value)
}

// The cell of the first page runs in the browser, and prints what it printed here.
func TestLiveCell(t *testing.T) {
	v := visit(t)
	v.open("index.html", 1600, "light")
	printed := chromium.Eval[string](t, v.ctx, `document.querySelector("#result .output").innerText`)
	if !strings.HasPrefix(printed, "score 0.9") {
		t.Fatalf("the page says %q, want a score", printed)
	}
	chromium.Eval[bool](t, v.ctx, `(document.getElementById("run").click(), true)`)
	const text = `[...document.querySelector("#result iframe").contentDocument?.querySelectorAll(".jp-OutputArea-output") ?? []]`
	v.wait("the score", fmt.Sprintf(text+`.some(e => e.innerText.trim() === %q)`, printed))
	v.wait("the picture", text+`.some(e => e.querySelector("img.symmom-still")?.complete)`)
	v.shot("live")
}

// Links lead somewhere: the build checks them, and here again those of what is served.
func TestBuiltLinks(t *testing.T) {
	s := &site{out: built}
	if err := s.checkLinks(); err != nil {
		t.Error(err)
	}
	if s.links < 1000 {
		t.Errorf("only %d links seen: this test looks at nothing", s.links)
	}
}

func TestValidHTML(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.html", "*/*.html"} {
		names, err := filepath.Glob(filepath.Join(built, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, names...)
	}
	// Reports are charts' own pages.
	pages = slices.DeleteFunc(pages, func(name string) bool {
		return strings.Contains(filepath.ToSlash(name), "/lite/") || strings.Contains(filepath.ToSlash(name), "/pictures/")
	})
	if len(pages) < 30 {
		t.Fatalf("only %d pages", len(pages))
	}
	node, err := filepath.Abs("../.venv/bin/node") // scripts/setup.sh installs it
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, append([]string{filepath.Join(modules, "html-validate", "bin", "html-validate.mjs"),
		"--config", "html-validate.json", "--formatter", "json"}, pages...)...).Output()
	var results []struct {
		FilePath string
		Messages []struct {
			RuleID, Message string
			Line            int
		}
	}
	if bad := json.Unmarshal(out, &results); bad != nil {
		t.Fatalf("html-validate: %v, %v: %.300s", err, bad, out)
	}
	for _, r := range results {
		for _, m := range r.Messages {
			t.Errorf("%s:%d: %s: %s", r.FilePath, m.Line, m.RuleID, m.Message)
		}
	}
}
