//go:build e2e

package kernel

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	keyboard "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"symmom/internal/test/chromium"
	"symmom/internal/test/s3server"
)

// labPage is JupyterLab in a browser.
type labPage struct {
	t   *testing.T
	ctx context.Context
	dir string // of the notebook, moments.ipynb
}

// openLab starts JupyterLab with a notebook of these cells and opens it. Its server
// is on this machine, and nothing else is requested from the network.
func openLab(t *testing.T, cells ...string) *labPage {
	t.Helper()
	env := jupyter(t)
	dir := t.TempDir()
	write := func(path string, content dict) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, encode(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var list []dict
	for i, c := range cells {
		list = append(list, dict{"cell_type": "code", "id": string(rune('a' + i)), "source": c, "metadata": dict{}, "outputs": []any{}, "execution_count": nil})
	}
	spec := dict{"name": "symmom", "display_name": "Go (symmom)", "language": "go"}
	write(filepath.Join(dir, "moments.ipynb"), dict{"cells": list, "metadata": dict{"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5})
	settings := filepath.Join(dir, "settings", "@jupyterlab")
	write(filepath.Join(settings, "apputils-extension", "notification.jupyterlab-settings"), dict{"fetchNews": "false", "checkForUpdates": false})
	write(filepath.Join(settings, "notebook-extension", "tracker.jupyterlab-settings"), dict{"windowingMode": "none"})
	port := strconv.Itoa(s3server.Take(t))
	address := net.JoinHostPort("127.0.0.1", port)
	server := exec.Command(python(t), "-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1", "--port="+port, "--ServerApp.port_retries=0",
		"--IdentityProvider.token=secret", "--ServerApp.root_dir="+dir, "--expose-app-in-browser")
	server.Env = append(env, "JUPYTERLAB_SETTINGS_DIR="+filepath.Join(dir, "settings"), "JUPYTERLAB_WORKSPACES_DIR="+filepath.Join(dir, "workspaces"))
	log := &safeBuffer{}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		time.Sleep(100 * time.Millisecond)
		if err := server.Process.Signal(os.Interrupt); err != nil { // it asks for confirmation
			t.Log(err)
		}
		kill := time.AfterFunc(20*time.Second, func() { _ = server.Process.Kill() })
		defer kill.Stop()
		_ = server.Wait() // its exit code says that it was interrupted
		if t.Failed() {
			t.Logf("the server printed:\n%s", log)
		}
	})
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			break
		}
		if time.Since(begin) > patience {
			t.Fatalf("JupyterLab does not start:\n%s", log)
		}
	}
	b := &labPage{t, chromium.Start(t), dir}
	b.do(chromedp.EmulateViewport(1200, 1500), chromedp.Navigate("http://"+address+"/lab/tree/moments.ipynb?token=secret"))
	b.wait("the kernel to be idle", `(`+panel+`)?.sessionContext.session?.kernel?.status === "idle" && !document.querySelector(".jp-Dialog") &&
		document.querySelectorAll(".jp-Notebook .jp-CodeCell").length === `+fmt.Sprint(len(cells)))
	return b
}

func (l *labPage) do(steps ...chromedp.Action[chromedp.Void]) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		l.t.Fatal(err)
	}
}

// panel is the open notebook, and notebook its cells.
const (
	panel    = `Array.from(window.jupyterapp?.shell.widgets("main") ?? []).find(w => w.content?.activeCellIndex !== undefined)`
	notebook = panel + `.content`
)

func look[T any](l *labPage, expression string) T {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		l.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true in the page.
func (l *labPage) wait(what, expression string) {
	l.t.Helper()
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(100 * time.Millisecond) {
		if look[bool](l, "!!("+expression+")") {
			return
		}
	}
	l.picture("failed")
	l.t.Fatalf("waited in vain for %s; the notebook says:\n%s", what, look[string](l, `document.querySelector(".jp-Notebook")?.innerText ?? document.body.innerText`))
}

// picture saves a screenshot in SYMMOM_SCREENSHOTS.
func (l *labPage) picture(name string) {
	l.t.Helper()
	dir := os.Getenv("SYMMOM_SCREENSHOTS")
	if dir == "" {
		return
	}
	time.Sleep(time.Second) // the screen settles
	data, err := chromedp.Run(l.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "lab-"+name+".png"), data, 0o644)
	}
	if err != nil {
		l.t.Error(err)
	}
}

// colored returns the number of pixels of an element that are not gray.
func (l *labPage) colored(selector string) int {
	l.t.Helper()
	data, err := chromedp.Run(l.ctx, chromedp.Screenshot(selector))
	if err != nil {
		l.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		l.t.Fatal(err)
	}
	n := 0
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if max(r, g, b)-min(r, g, b) > 0x3000 {
				n++
			}
		}
	}
	return n
}

func (l *labPage) key(keys string, modifiers ...chromedp.Modifier) {
	l.t.Helper()
	l.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// write types text into the cell being edited.
func (l *labPage) write(text string) {
	l.t.Helper()
	if _, err := chromedp.Call(l.ctx, keyboard.InsertText, keyboard.InsertTextParams{Text: text}); err != nil {
		l.t.Fatal(err)
	}
}

// command runs a command from JupyterLab's menus.
func (l *labPage) command(id string) {
	l.t.Helper()
	look[bool](l, fmt.Sprintf(`(window.jupyterapp.commands.execute(%q), true)`, id))
}

// below returns the text below the i-th cell.
func below(i int) string {
	return fmt.Sprintf(`(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d]?.querySelector(".jp-OutputArea")?.innerText ?? "")`, i)
}

// newCell adds a cell at the end and edits it.
func (l *labPage) newCell(text string) {
	l.t.Helper()
	n := look[int](l, `document.querySelectorAll(".jp-Notebook .jp-CodeCell").length`)
	look[bool](l, `(async () => { const p = `+notebook+`; p.activeCellIndex = p.widgets.length - 1;
		await window.jupyterapp.commands.execute("notebook:insert-cell-below"); await window.jupyterapp.commands.execute("notebook:enter-edit-mode"); return true })()`)
	l.wait("a new cell", fmt.Sprintf(`document.querySelectorAll(".jp-Notebook .jp-CodeCell").length === %d && document.activeElement.closest(".jp-Cell.jp-mod-active")`, n+1))
	if text != "" {
		l.write(text)
	}
}

func TestJupyterLab(t *testing.T) {
	l := openLab(t,
		"rows := [][]float64{{1, 2}, {3, 4}, {5, 6}}\nsymmom.FromRows(rows).Summary()",
		"type planet struct {\n\tName string\n\tMoons int\n}\n[]planet{{\"Earth\", 1}, {\"<Mars>\", 2}}",
		"fit := datasets.Uniform(20, 500, 1).Moment(3).Decompose(3)\nfit",
		"charts.Convergence(fit)",
	)
	cells := 4
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	l.wait("all cells", `document.querySelectorAll(".jp-Notebook .jp-CodeCell")[3]?.querySelector(".jp-OutputArea .symmom")`)
	// a chart is drawn once it comes near the view
	look[bool](l, `(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[3].scrollIntoView(), true)`)
	l.wait("the chart", `document.querySelectorAll(".jp-Notebook .jp-CodeCell")[3].querySelector(".jp-OutputArea .symmom-live")`)
	if got := look[[]string](l, `Array.from(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[1].querySelectorAll("td")).map(e => e.innerText)`); fmt.Sprint(got) != "[Earth 1 <Mars> 2]" {
		t.Errorf("the table says %q", got)
	}
	l.wait("the fit", below(2)+`.includes("Fit of rank 3")`)
	n := 0 // until the chart is painted
	for begin := time.Now(); n < 300 && time.Since(begin) < patience; time.Sleep(100 * time.Millisecond) {
		n = l.colored(".jp-OutputArea .symmom-live")
	}
	l.picture("cells")
	if n < 300 {
		t.Errorf("the chart has %d pixels with a color", n)
	}

	l.newCell("mat.New")
	cells++
	l.key(kb.Tab)
	l.wait("the completer", `document.querySelector(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")`)
	l.picture("complete")
	items := look[[]string](l, `Array.from(document.querySelectorAll(".jp-Completer-item")).map(e => e.innerText.trim().replace(/\s+/g, " "))`)
	if all := strings.Join(items, "\n"); !strings.Contains(all, "NewDense") || !strings.Contains(all, "function") {
		t.Errorf("completions: %q", items)
	}
	l.key(kb.Escape)
	l.key("Dens")
	l.key(kb.Tab)
	const visible = `document.querySelector(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")`
	l.wait("the completion", `Array.from(document.querySelectorAll(".cm-line")).some(e => e.innerText === "mat.NewDense") || `+visible)
	if look[bool](l, "!!"+visible) {
		l.key(kb.Enter)
	}
	l.wait("the completion", `Array.from(document.querySelectorAll(".cm-line")).some(e => e.innerText.startsWith("mat.NewDense"))`)
	l.key(kb.Tab, chromedp.ModifierShift)
	l.wait("the tooltip", `document.querySelector(".jp-Tooltip")?.innerText.includes("NewDense creates a new Dense matrix")`)
	l.picture("inspect")
	l.key(kb.Escape)
	l.write("(2, 1, nil)")
	begin := time.Now()
	l.key(kb.Enter, chromedp.ModifierShift)
	l.wait("the matrix", below(cells-1)+`.includes("2 x 1 matrix")`)
	trip := time.Since(begin) // through the browser and back, on a machine that may be busy

	l.newCell("long := datasets.Uniform(60, 20000, 1).Moment(3).Implicit().With(symmom.Options{Solver: \"lbfgs\", Tolerance: -1, RelativeDecrease: -1}).Decompose(6)")
	long := look[int](l, notebook+`.activeCellIndex`)
	l.command("notebook:run-cell")
	l.wait("the bar", `/rank 6 .*  f -/.test(`+below(long)+`)`) // there is something to keep
	l.picture("progress")
	begin = time.Now()
	l.command("notebook:interrupt-kernel")
	l.wait("the interrupt", below(long)+`.includes("interrupted")`)
	if took := time.Since(begin); took > 20*time.Second+3*trip { // the limit itself is tested without a browser
		t.Errorf("the interrupt took %v, a cell with a matrix %v", took, trip)
	}
	l.newCell("long.Rank")
	at := look[int](l, notebook+`.activeCellIndex`)
	l.command("notebook:run-cell")
	l.wait("the fit of the interrupted run", below(at)+`.includes("6")`)
	l.picture("interrupted")

	// Without the long cell, everything again from the start.
	look[bool](l, fmt.Sprintf(`(async () => { const p = `+notebook+`;
		for (let n = p.widgets.length; n > %d; n--) { p.activeCellIndex = n - 1; await window.jupyterapp.commands.execute("notebook:delete-cell") } return true })()`, long))
	l.command("notebook:restart-run-all")
	l.wait("the question", `document.querySelector(".jp-Dialog .jp-mod-accept")`)
	l.do(chromedp.Click(".jp-Dialog .jp-mod-accept"))
	l.wait("the cells to run again", `(() => {
		const prompts = Array.from(document.querySelectorAll(".jp-Notebook .jp-CodeCell .jp-InputPrompt")).map(e => e.innerText);
		return document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status === "idle" && prompts[0] === "[1]:" && prompts[4] === "[5]:" })()`)
	l.wait("the chart", `document.querySelectorAll(".jp-Notebook .jp-CodeCell")[3]?.querySelector(".jp-OutputArea img.symmom-still")`)
	l.picture("again")
}

// Charts have the colours of JupyterLab, whatever the system's colours are.
func TestLabThemes(t *testing.T) {
	l := openLab(t, "fit := datasets.Uniform(20, 500, 1).Moment(3).Decompose(3)\ncharts.Lambda(fit)", "%help")
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	l.wait("the chart", `document.querySelector(".jp-OutputArea .symmom-live")?.shadowRoot.querySelector(".chart[data-drawn]")`)
	l.hover()
	l.wait("the table", below(1)+`.includes("lists the commands")`)
	for _, system := range []string{"light", "dark"} {
		chromium.Scheme(t, l.ctx, system)
		for _, theme := range []string{"Light", "Dark"} {
			look[bool](l, fmt.Sprintf(`window.jupyterapp.commands.execute("apputils:change-theme", {theme: "JupyterLab %s"}).then(() => true)`, theme))
			l.wait("the theme", fmt.Sprintf(`document.body.dataset.jpThemeLight === %q`, fmt.Sprint(theme == "Light")))
			time.Sleep(time.Second) // while style sheets load
			const chart = ".jp-OutputArea .symmom-live"
			bright := l.bright(chart)
			for begin := time.Now(); (bright > .5) != (theme == "Light") && time.Since(begin) < patience; time.Sleep(100 * time.Millisecond) {
				bright = l.bright(chart) // they take longer on a busy machine
			}
			l.picture(strings.ToLower(theme) + "-on-" + system)
			if (bright > .5) != (theme == "Light") {
				t.Errorf("Lab %s on a %s system: %.0f%% of the chart is bright", theme, system, 100*bright)
			}
		}
	}
	if align := look[string](l, `getComputedStyle(document.querySelectorAll(".jp-CodeCell")[1].querySelectorAll("td")[1]).textAlign`); align != "left" {
		t.Errorf("the text of %%help is aligned %s", align)
	}
	if share := look[float64](l, `(() => { const i = document.querySelector(".symmom-live"); return i.clientWidth / i.closest(".jp-OutputArea-output").clientWidth })()`); share < .95 {
		t.Errorf("the chart takes %.0f%% of the width", 100*share)
	}
}

// hover moves the pointer over the first chart until it shows values.
func (l *labPage) hover() {
	l.t.Helper()
	box := look[[]float64](l, `(() => { const c = document.querySelector(".symmom-live").shadowRoot.querySelector(".chart");
		c.scrollIntoView({block: "center"}); const b = c.getBoundingClientRect(); return [b.left, b.top, b.width, b.height] })()`)
	for y := box[1] + 40; y < box[1]+box[3]-60; y += 20 {
		for x := box[0] + 90; x < box[0]+box[2]-30; x += 20 {
			l.do(chromedp.MouseEvent("mouseMoved", x, y))
			if look[bool](l, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(
				Array.from(document.querySelector(".symmom-live").shadowRoot.querySelectorAll(".chart > div")).some(d =>
				getComputedStyle(d).zIndex > 1000 && getComputedStyle(d).visibility === "visible" && /λ = /.test(d.innerText))))))`) {
				l.picture("hover")
				return
			}
		}
	}
	l.t.Error("the pointer finds no value in the chart")
}

// bright returns the share of bright pixels of an element.
func (l *labPage) bright(selector string) float64 {
	l.t.Helper()
	data, err := chromedp.Run(l.ctx, chromedp.Screenshot(selector))
	if err != nil {
		l.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		l.t.Fatal(err)
	}
	n, b := 0, img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, g, _, _ := img.At(x, y).RGBA(); g > 0x8000 {
				n++
			}
		}
	}
	return float64(n) / float64(b.Dx()*b.Dy())
}
