//go:build e2e

package lite

import (
	"flag"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"symmom/internal/test/chromium"
)

// scripts/nightly.sh visits sets them.
var (
	mbit    = flag.Float64("mbit", 0, "megabits a second that the browser lets each page and each worker load; 0: as many as come")
	latency = flag.Duration("latency", 40*time.Millisecond, "of a request, with -mbit")
)

// TestVisits visits pages twice, each in a browser that knows nothing: the second time
// the program is not loaded again. With -mbit it measures visits over a slow line.
func TestVisits(t *testing.T) {
	cell := "/repl/index.html?kernel=symmom&code=" + url.QueryEscape(`datasets.Uniform(20, 1000, 1).Moment(3).Decompose(3).Rank`)
	for _, c := range []struct{ name, address, what, done string }{
		{"console", cell, "its first cell is done", `Array.from(document.querySelectorAll(".jp-OutputArea-output")).some(e => e.innerText.trim() === "3")`},
		{"lab", "/lab/index.html?path=00-tour.ipynb", "its kernel is idle", `(` + panel + `)?.sessionContext.session?.kernel?.status === "idle" && document.querySelector(".jp-Notebook .jp-CodeCell")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := serve(t)
			if *mbit > 0 {
				chromium.SlowLine(t, p.ctx, *mbit, *latency)
			}
			loaded := make([]float64, 2)
			for visit, name := range []string{"first", "second"} {
				p.do(chromedp.Navigate("about:blank"))
				before, begin := p.bytes.Load(), time.Now()
				p.do(chromedp.EmulateViewport(1200, 900), chromedp.Navigate(p.server.URL+c.address))
				p.wait("the "+name+" visit", c.done)
				took := time.Since(begin).Seconds()
				loaded[visit] = float64(p.bytes.Load()-before) / 1e6
				t.Logf("%s visit: %s %.1f s after the page was asked for; %.2f MB came from the server", name, c.what, took, loaded[visit])
				if *mbit > 0 && took < .9*loaded[visit]*8 / *mbit {
					t.Errorf("%.2f MB in %.1f s are too many for %v Mbit/s", loaded[visit], took, *mbit)
				}
				p.waitForKept()
			}
			if loaded[1] > loaded[0]/10 {
				t.Errorf("the second visit loaded %.2f MB, the first %.2f", loaded[1], loaded[0])
			}
		})
	}
}
