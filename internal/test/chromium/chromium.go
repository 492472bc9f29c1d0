//go:build e2e

package chromium

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Patience is how long a test waits for what must come, on a busy machine.
const Patience = 5 * time.Minute

// Path is where the browser is. A machine without one fails the test: what
// these tests show cannot be shown otherwise.
func Path(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	t.Fatal("no Chromium or Chrome in PATH")
	return ""
}

// Start starts Chromium, which ends with the test.
func Start(t *testing.T) context.Context {
	t.Helper()
	path := Path(t)
	o := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		// so that a test can look into a sandboxed frame
		chromedp.Flag("disable-features", "site-per-process,Translate,IsolateSandboxedIframes"))
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), o...)
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(func() { stop(); stopAllocator() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return ctx
}

// Record holds the messages and requests of a page.
type Record struct {
	mu       sync.Mutex
	messages []string
	requests []string
}

// Watch turns the network off and records the tab.
func Watch(t *testing.T, ctx context.Context) *Record {
	t.Helper()
	r := WatchServer(t, ctx, "file://")
	_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true}},
	})
	must(t, err)
	return r
}

// WatchServer records the tab; requests of addresses that begin with origin do not count.
func WatchServer(t *testing.T, ctx context.Context, origin string) *Record {
	t.Helper()
	r := &Record{}
	say := func(list *[]string, format string, args ...any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		*list = append(*list, fmt.Sprintf(format, args...))
	}
	err := chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			say(&r.messages, "console.%s", e.Type)
		case *runtime.EventExceptionThrown:
			say(&r.messages, "exception %s", e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			say(&r.messages, "%s: %s", e.Entry.Level, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, origin) && !strings.HasPrefix(u, "data:") {
				say(&r.requests, "%s", u)
			}
		}
	})
	must(t, err)
	_, err = chromedp.Call(ctx, log.Enable, struct{}{})
	must(t, err)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(t, err)
	return r
}

// Messages are those that the page has written so far.
func (r *Record) Messages() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.messages...)
}

// Quiet fails if there were any messages or requests.
func (r *Record) Quiet(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.messages) > 0 || len(r.requests) > 0 {
		t.Errorf("messages %q, requests %q; want none", r.messages, r.requests)
	}
}

// Eval runs an expression in the page.
func Eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.80s: %v", expression, err)
	}
	return v
}

// Open shows a file at a width and in a colour scheme, with all of its charts drawn, also
// those that are far from the view.
func Open(t *testing.T, ctx context.Context, path string, width int64, scheme string) {
	t.Helper()
	Scheme(t, ctx, scheme)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+path)))
	Eval[bool](t, ctx, `window.symmomChart ? (document.querySelectorAll(".chart").forEach(el => symmomChart(el)), true) : false`)
	// two frames: ECharts paints in the first
	Eval[bool](t, ctx, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// EachLook opens a page at two widths and in both schemes and calls do with a
// description of each. The page must fit the width and look different in the dark.
func EachLook(t *testing.T, ctx context.Context, path string, do func(look string)) {
	t.Helper()
	grounds := map[string]bool{}
	for _, width := range []int64{600, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			look := fmt.Sprintf("%s at %d", scheme, width)
			Open(t, ctx, path, width, scheme)
			if w := Eval[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
				t.Errorf("%s: the page is %d pixels wide", look, w)
			}
			grounds[Eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`)] = true
			do(look)
			keepShot(t, ctx, path, fmt.Sprintf("%d-%s.png", width, scheme))
		}
	}
	if len(grounds) != 2 {
		t.Errorf("light and dark pages stand on %v", grounds)
	}
}

// Keep saves what is on the screen, the whole page, under a name, in the directory that
// SYMMOM_SCREENSHOTS names, for a person to look at.
func Keep(t *testing.T, ctx context.Context, name string) { keepShot(t, ctx, "", name+".png") }

// keepShot saves what is on the screen in the directory that SYMMOM_SCREENSHOTS
// names, for a person to look at.
func keepShot(t *testing.T, ctx context.Context, path, look string) {
	t.Helper()
	dir := os.Getenv("SYMMOM_SCREENSHOTS")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	must(t, err)
	name := strings.ReplaceAll(t.Name(), "/", "-") + "-" + strings.TrimSuffix(filepath.Base(path), ".html") + "-" + look
	must(t, os.WriteFile(filepath.Join(dir, name), shot, 0o644))
}

// shares is an expression for the share of the pixels of every canvas that
// have a colour.
const shares = `Array.from(document.querySelectorAll("canvas")).map(c => {
	const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
	let n = 0;
	for (let i = 3; i < d.length; i += 4) if (d[i] > 0) n++;
	return n / (c.width * c.height);
})`

// CheckCanvases expects a number of charts, none of them blank.
func CheckCanvases(t *testing.T, ctx context.Context, where string, want int) {
	t.Helper()
	painted := Eval[[]float64](t, ctx, shares)
	if len(painted) != want {
		t.Fatalf("%s: %d canvases, want %d", where, len(painted), want)
	}
	for i, s := range painted {
		if s < .005 { // axes, labels and thin lines alone are above half a percent
			t.Errorf("%s: chart %d is blank: %.2g of it painted", where, i+1, s)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
