//go:build e2e

package lite

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	keyboard "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"symmom/internal/test/chromium"
)

// site is what scripts/lite.sh builds.
const site = "../build/lite"

// page is JupyterLite in a browser.
type page struct {
	t      *testing.T
	ctx    context.Context
	server *httptest.Server
	bytes  atomic.Int64 // sent by the server
	asked  atomic.Int64 // when the server was asked or answered last, in nanoseconds
	gone   atomic.Bool  // the server answers no more
}

// counted counts the bytes of an answer.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// serve starts a plain static server and a browser.
func serve(t *testing.T) *page {
	t.Helper()
	if _, err := os.Stat(filepath.Join(site, "lab", "index.html")); err != nil {
		t.Fatalf("%v; make lite builds it", err)
	}
	p := &page{t: t}
	files := http.FileServer(http.Dir(site))
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.gone.Load() {
			// The browser asks whether there are newer scripts of workers.
			if strings.HasPrefix(r.URL.Path, "/extensions/symmom-lite/static/") && strings.HasSuffix(r.URL.Path, ".js") {
				files.ServeHTTP(w, r)
				return
			}
			if r.URL.Path != "/service-worker.js" {
				t.Errorf("%s was requested after the page was loaded", r.URL.Path)
			}
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		p.asked.Store(time.Now().UnixNano())
		files.ServeHTTP(counted{w, &p.bytes}, r)
		p.asked.Store(time.Now().UnixNano())
	}))
	t.Cleanup(p.server.Close)
	p.ctx = chromium.Start(t)
	return p
}

// open opens a notebook and waits for its kernel.
func (p *page) open(notebook string) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(1200, 1500), chromedp.Navigate(p.server.URL+"/lab/index.html?path="+notebook))
	p.wait("the kernel", `(`+panel+`)?.sessionContext.session?.kernel?.status === "idle" && document.querySelector(".jp-Notebook .jp-CodeCell")`)
}

// leave has the server answer no more, once the page has asked for nothing for some
// seconds: on a busy machine parts of it load after the kernel is idle.
func (p *page) leave() {
	p.t.Helper()
	for begin := time.Now(); time.Since(time.Unix(0, p.asked.Load())) < 3*time.Second; time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > chromium.Patience {
			p.t.Fatal("the page asks the server again and again")
		}
	}
	p.gone.Store(true)
}

// waitForKept waits until the program is kept for the next visit.
func (p *page) waitForKept() {
	p.t.Helper()
	p.wait("the program to be kept for the next visit (Chromium keeps nothing where the disk is nearly full)",
		`(caches.open("symmom").then(c => c.keys()).then(keys => window.kept = keys.length), window.kept === 1)`)
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, chromium.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// panel is the open notebook, and notebook its cells.
const (
	panel    = `Array.from(window.jupyterapp?.shell.widgets("main") ?? []).find(w => w.content?.activeCellIndex !== undefined)`
	notebook = panel + `.content`
)

func look[T any](p *page, expression string) T {
	p.t.Helper()
	return chromium.Eval[T](p.t, p.ctx, expression)
}

// wait waits until an expression is true in the page.
func (p *page) wait(what, expression string) {
	p.t.Helper()
	p.waitLong(what, expression, chromium.Patience)
}

func (p *page) waitLong(what, expression string, patience time.Duration) {
	p.t.Helper()
	for begin := time.Now(); time.Since(begin) < patience; {
		// The page looks itself, for a second at a time.
		if look[bool](p, `new Promise(done => { const begin = Date.now(), look = () => {
			if (`+expression+`) done(true); else if (Date.now() - begin > 1000) done(false); else setTimeout(look, 10); }; look(); })`) {
			return
		}
	}
	p.picture("failed")
	p.t.Fatalf("waited in vain for %s; the page says:\n%s", what, look[string](p, `document.querySelector(".jp-Notebook")?.innerText ?? document.body.innerText`))
}

// picture saves a screenshot in SYMMOM_SCREENSHOTS.
func (p *page) picture(name string) {
	p.t.Helper()
	dir := os.Getenv("SYMMOM_SCREENSHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "lite-"+name+".png"), data, 0o644)
	}
	if err != nil {
		p.t.Error(err)
	}
}

func (p *page) key(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// write types text into the cell being edited.
func (p *page) write(text string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, keyboard.InsertText, keyboard.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
}

// command runs a command of the menus.
func (p *page) command(id string) {
	p.t.Helper()
	look[bool](p, fmt.Sprintf(`(window.jupyterapp.commands.execute(%q), true)`, id))
}

// below is the text below the i-th cell of code.
func below(i int) string {
	return fmt.Sprintf(`(%s.widgets.filter(w => w.model.type === "code")[%d]?.outputArea.node.innerText ?? "")`, notebook, i)
}

// newCell adds a cell at the end, edits it, and returns its number.
func (p *page) newCell(text string) int {
	p.t.Helper()
	n := look[int](p, `(async () => { const p = `+notebook+`; p.activeCellIndex = p.widgets.length - 1;
		await window.jupyterapp.commands.execute("notebook:insert-cell-below"); await window.jupyterapp.commands.execute("notebook:enter-edit-mode");
		return p.widgets.filter(w => w.model.type === "code").length })()`)
	p.wait("a new cell", `document.activeElement.closest(".jp-Cell.jp-mod-active")`)
	if text != "" {
		p.write(text)
	}
	return n - 1
}

// runAll runs all cells, with the server gone, and returns what is below them.
func (p *page) runAll(patience time.Duration) string {
	p.t.Helper()
	look[bool](p, `(window.jupyterapp.commands.execute("notebook:clear-all-cell-outputs").then(() => window.jupyterapp.commands.execute("notebook:run-all-cells")), true)`)
	p.waitLong("all cells", `(() => { const cells = `+notebook+`.widgets.filter(w => w.model.type === "code" && w.model.sharedModel.source.trim() !== "");
		return cells.every(c => c.model.executionCount > 0 && c.model.executionState !== "running") && (`+panel+`).sessionContext.session.kernel.status === "idle" })()`, patience)
	if failed := look[[]string](p, notebook+`.widgets.filter(w => w.model.type === "code").flatMap(w => w.model.outputs.toJSON()).filter(o => o.output_type === "error").map(o => o.evalue)`); len(failed) > 0 {
		p.t.Errorf("cells failed: %q", failed)
	}
	return strings.Join(look[[]string](p, notebook+`.widgets.filter(w => w.model.type === "code").flatMap(w => w.model.outputs.toJSON()).map(o => [o.text ?? o.data?.["text/plain"] ?? ""].flat().join(""))`), "\n")
}
