//go:build e2e

package charts

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"symmom/charts/internal/chartjson"
	"symmom/datasets"
	"symmom/internal/test/chromium"
	"symmom/symmom"
)

var ten struct {
	once     sync.Once
	figures  []*Figure
	notebook []byte
}

// tenFigures returns figures of the sizes of real work, of ten starts on the
// digits, and the path of a notebook that holds them.
func tenFigures(t *testing.T) (figures []*Figure, path string) {
	t.Helper()
	ten.once.Do(func() {
		ten.figures = makeTen(t)
		ten.notebook = notebook(t, ten.figures)
	})
	if ten.notebook == nil {
		t.Fatal("the figures could not be made")
	}
	path = filepath.Join(t.TempDir(), "ten.ipynb")
	must(t, os.WriteFile(path, ten.notebook, 0o600))
	return ten.figures, path
}

func makeTen(t *testing.T) []*Figure {
	t.Helper()
	digits := datasets.Digits()
	fit := digits.Moment(3).With(symmom.Options{Starts: 10}).Decompose(10)
	must(t, fit.Err())
	other := digits.Moment(4).With(symmom.Options{Starts: 10, Seed: 2}).Decompose(10)
	must(t, other.Err())
	return []*Figure{
		Convergence(fit), Lambda(fit), Images(fit.Model.Factors, 8, 8, ImageOptions{}),
		Convergence(other), Recovery(fit, nil), Images(other.Model.Factors, 8, 8, ImageOptions{Truth: fit.Model.Factors}),
		Convergence(fit, other), otherKinds(), hostileChart(), Convergence(syntheticFit(t, 10)),
	}
}

// notebook returns what a kernel stores: a cell per figure, as a page and as a
// picture.
func notebook(t *testing.T, figures []*Figure) []byte {
	t.Helper()
	type object = map[string]any
	var cells []object
	for i, f := range figures {
		html, png := f.HTML(), base64.StdEncoding.EncodeToString(f.PNG())
		t.Logf("%s: page %d kB, picture %d kB", f.Title, len(html)/1000, len(png)/1000)
		cells = append(cells, object{
			"id": fmt.Sprintf("cell-%d", i), "cell_type": "code", "execution_count": i + 1, "metadata": object{}, "source": "figure",
			"outputs": []object{{
				"output_type": "execute_result", "execution_count": i + 1, "metadata": object{},
				"data": object{
					"text/plain": f.String(), "text/html": html, "image/png": png,
				},
			}},
		})
	}
	b, err := json.Marshal(object{"nbformat": 4, "nbformat_minor": 5, "cells": cells,
		"metadata": object{"kernelspec": object{"name": "symmom", "display_name": "Go (symmom)", "language": "go"}}})
	must(t, err)
	return b
}

func python(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SYMMOM_PYTHON")
	if path == "" {
		t.Fatal("SYMMOM_PYTHON does not name a python with nbconvert; make check does that")
	}
	return path
}

// nbconvert runs Jupyter's converter in the notebook's directory.
func nbconvert(t *testing.T, notebook string, args ...string) {
	t.Helper()
	cmd := exec.Command(python(t), append([]string{"-m", "jupyter", "nbconvert", notebook}, args...)...)
	cmd.Dir = filepath.Dir(notebook)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nbconvert %v: %v\n%s", args, err, out)
	}
}

// peeked moves the pointer across the i-th picture of the page and returns the
// texts that appear. A picture shows none until its marks are decompressed.
func peeked(t *testing.T, ctx context.Context, i int) []string {
	t.Helper()
	return chromium.Eval[[]string](t, ctx, fmt.Sprintf(`(async () => {
		const img = document.querySelectorAll("img.symmom-still")[%d], texts = new Set();
		for (let i = 0; i < 300 && !("told" in img.dataset); i++) await new Promise(done => setTimeout(done, 50));
		const tip = img.previousElementSibling.shadowRoot.querySelector(".tip"), r = img.getBoundingClientRect();
		for (let x = 0; x < r.width; x += 6) for (let y = 0; y < r.height; y += 12) {
			img.dispatchEvent(new PointerEvent("pointermove", { clientX: r.left + x, clientY: r.top + y }));
			if (!tip.hidden) texts.add(tip.innerText);
		}
		return Array.from(texts);
	})()`, i))
}

func TestNotebookOfTenCharts(t *testing.T) {
	figures, path := tenFigures(t)
	info, err := os.Stat(path)
	must(t, err)
	t.Logf("a notebook of ten charts: %.2f MB", float64(info.Size())/1e6)
	if info.Size() > 2e6 {
		t.Errorf("the notebook takes %d bytes, want less than 2 MB", info.Size())
	}

	nbconvert(t, path, "--to", "html")
	html := strings.TrimSuffix(path, ".ipynb") + ".html"
	ctx := chromium.Start(t)
	chromium.Watch(t, ctx) // nbconvert's own page requests scripts from elsewhere, in vain
	chromium.Open(t, ctx, html, 1200, "light")
	if n := chromium.Eval[int](t, ctx, `Array.from(document.querySelectorAll("img.symmom-still")).filter(e => e.complete && e.naturalWidth === 960 && e.clientWidth > 900).length`); n != len(figures) {
		t.Fatalf("%d pictures that fill the width, want %d", n, len(figures))
	}
	if chromium.Eval[bool](t, ctx, `"canary" in window`) {
		t.Error("a name ran in the notebook")
	}

	bars := peeked(t, ctx, 1)
	if len(bars) != 10 {
		t.Errorf("the pointer finds %d bars, want 10: %q", len(bars), bars)
	}
	for j, lambda := range lambdaTexts(figures[1]) {
		if !contains(bars, lambda) {
			t.Errorf("bar %d: no %q in %q", j, lambda, bars)
		}
	}
	if pixels := peeked(t, ctx, 2); len(pixels) < 500 || !strings.HasPrefix(pixels[0], "row ") {
		t.Errorf("the pointer finds %d pixels of ten pictures: %.100q", len(pixels), pixels)
	}
	traces := peeked(t, ctx, 9)
	if len(traces) < 50 || !strings.Contains(strings.Join(traces, "\n"), "gradient norm") {
		t.Errorf("the pointer finds %d points: %.300q", len(traces), traces)
	}
	if names := peeked(t, ctx, 8); !contains(names, hostile+"\n"+hostile+"\n1") {
		t.Errorf("the pointer shows %q", names)
	}

	t.Run("no scripts", func(t *testing.T) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		must(t, err)
		must(t, chromedp.Do(ctx, chromedp.Navigate("file://"+html)))
		blueIsShown(t, ctx)
	})
	t.Run("no styles", func(t *testing.T) {
		b, err := os.ReadFile(html)
		must(t, err)
		// as a viewer that removes scripts and styles
		bare := regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>`).ReplaceAll(b, nil)
		bare = regexp.MustCompile(`(<(?:img|div) [^>]*?)style="[^"]*"`).ReplaceAll(bare, []byte("$1"))
		file := filepath.Join(t.TempDir(), "bare.html")
		must(t, os.WriteFile(file, bare, 0o600))
		must(t, chromedp.Do(ctx, chromedp.Navigate("file://"+file)))
		blueIsShown(t, ctx)
	})
}

// The notebook's colours count, not the system's, and the button saves the picture
// that PNG returns.
func TestStillInANotebook(t *testing.T) {
	f := Convergence(syntheticFit(t, 3))
	path := filepath.Join(t.TempDir(), "notebook.html")
	must(t, os.WriteFile(path, []byte("<!doctype html><meta charset=windows-1252><body data-jp-theme-light=true style='margin:0;width:960px'>"+f.HTML()+"</body>"), 0o600))
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	light, dark := decoded(t, must1(t, f, "light")), decoded(t, must1(t, f, "dark"))
	for _, system := range []string{"light", "dark"} {
		chromium.Open(t, ctx, path, 960, system)
		chromium.Eval[bool](t, ctx, `(async () => { const i = document.querySelector("img"); while (!("told" in i.dataset)) await new Promise(d => setTimeout(d, 20)); return true })()`)
		for _, theme := range []struct {
			light string
			want  image.Image
		}{{"true", light}, {"false", dark}} {
			chromium.Eval[bool](t, ctx, fmt.Sprintf(`(document.body.dataset.jpThemeLight = %q, document.querySelector("div div").shadowRoot.querySelector(".bar").style.display = "none", true)`, theme.light))
			must(t, chromedp.Do(ctx, chromedp.EmulateViewport(960, int64(theme.want.Bounds().Dy()))))
			chromium.Eval[bool](t, ctx, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			must(t, err)
			likeIt(t, "a "+system+" system, light theme "+theme.light, decoded(t, shot), theme.want)
			saved := chromium.Eval[string](t, ctx, savedPNG)
			b, err := base64.StdEncoding.DecodeString(saved)
			must(t, err)
			f.Theme = map[string]string{"true": "light", "false": "dark"}[theme.light]
			likeIt(t, "the PNG saved there", decoded(t, b), decoded(t, f.PNG()))
		}
	}
	if m := seen.Messages(); len(m) > 0 {
		t.Errorf("messages %q", m)
	}
}

// savedPNG presses the button and captures what is saved.
const savedPNG = `new Promise(done => {
	const root = document.querySelector("div div").shadowRoot, click = HTMLAnchorElement.prototype.click;
	HTMLAnchorElement.prototype.click = async function () {
		HTMLAnchorElement.prototype.click = click;
		if (this.download !== "convergence.png") done(this.download);
		const bytes = new Uint8Array(await (await fetch(this.href)).arrayBuffer());
		let text = ""; bytes.forEach(b => text += String.fromCharCode(b));
		done(btoa(text));
	};
	root.querySelector("button").click();
})`

func must1(t *testing.T, f *Figure, theme string) []byte {
	t.Helper()
	g := *f
	g.Theme, g.Scale = theme, 1
	return g.PNG()
}

// likeIt compares Chromium's painting with this package's: text is in a font of the
// machine, and edges may fall on the other side of a pixel.
func likeIt(t *testing.T, what string, got, want image.Image) {
	t.Helper()
	if got.Bounds().Dx() != want.Bounds().Dx() || got.Bounds().Dy() != want.Bounds().Dy() {
		t.Errorf("%s: %v, want %v", what, got.Bounds(), want.Bounds())
		return
	}
	_, mean := compare(t, got, want)
	t.Logf("%s: mean difference %.2f levels", what, mean)
	if mean > 3 {
		t.Errorf("%s: mean difference %.2f levels, want 3 at most", what, mean)
	}
}

// lambdaTexts are the tooltips of a Lambda figure.
func lambdaTexts(f *Figure) (texts []string) {
	b, _ := json.Marshal(f.ECharts()[0].(chartjson.Optioned).JSON()["series"])
	var series []struct{ Data []struct{ Value float64 } }
	_ = json.Unmarshal(b, &series)
	for j, d := range series[0].Data {
		texts = append(texts, fmt.Sprintf("component %d\nλ = %s", j+1, strings.TrimSpace(precise(d.Value))))
	}
	return texts
}

// precise formats a number with six digits, as JavaScript's toPrecision does.
func precise(v float64) string {
	s := fmt.Sprintf("%#.6g", v)
	return strings.TrimSuffix(s, ".")
}

func contains(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

// blueIsShown waits until the colour of the best start is on the screen.
func blueIsShown(t *testing.T, ctx context.Context) {
	t.Helper()
	n := 0
	for end := time.Now().Add(chromium.Patience); n < 100 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		must(t, err)
		n = countColor(t, shot, [3]uint8{0x00, 0x72, 0xb2})
	}
	if n < 100 {
		t.Errorf("%d pixels in the colour of the best start, want 100 or more", n)
	}
}

// webpdf runs nbconvert with the installed Chromium in place of the one that
// playwright downloads.
const webpdf = `
import sys
from nbconvert.nbconvertapp import main
from playwright.async_api import BrowserType
launch, chromium = BrowserType.launch, sys.argv.pop(1)
BrowserType.launch = lambda self, **options: launch(self, executable_path=chromium, **options)
main()`

// --to webpdf prints the page; --to pdf uses LaTeX, with the pictures as files.
func TestNotebookOnPaper(t *testing.T) {
	figures, path := tenFigures(t)
	// By itself nbconvert prints .1 s after the page has loaded, which on a busy machine is
	// before the last pictures are drawn.
	cmd := exec.Command(python(t), "-c", webpdf, chromium.Path(t), path, "--to", "webpdf", "--disable-chromium-sandbox", "--WebPDFExporter.page_render_timeout=3000")
	cmd.Dir = filepath.Dir(path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("nbconvert: %v\n%s", err, out)
	}
	printed, err := os.ReadFile(strings.TrimSuffix(path, ".ipynb") + ".pdf")
	must(t, err)
	drawings := pdfStreams(printed)
	// #0072b2 and #1f262d, as fractions of 255, as in a PDF
	for name, want := range map[string]string{"blue": `0 \.447\d* \.698\d* (RG|rg)`, "ink": `\.121\d* \.149\d* \.176\d* (RG|rg)`} {
		if n := len(regexp.MustCompile(want).FindAllString(drawings, -1)); n < len(figures) {
			t.Errorf("%s is used %d times in the PDF", name, n)
		}
	}
	// each picture is drawn with its text
	out, err := exec.Command(python(t), "-c", `import sys, pypdf
print("\n".join(p.extract_text() for p in pypdf.PdfReader(sys.argv[1]).pages))`, strings.TrimSuffix(path, ".ipynb")+".pdf").Output()
	must(t, err)
	text := squeeze(string(out))
	named := map[string]int{}
	for _, f := range figures {
		named[squeeze(f.Title)]++
	}
	for title, n := range named {
		if got := strings.Count(text, title); got < n {
			t.Errorf("%q stands %d times in the PDF, want %d: %.400s", title, got, n, text)
		}
	}

	nbconvert(t, path, "--to", "latex")
	tex, err := os.ReadFile(strings.TrimSuffix(path, ".ipynb") + ".tex")
	must(t, err)
	for i, f := range figures {
		name := fmt.Sprintf("ten_files/ten_%d_0.png", i)
		if !strings.Contains(string(tex), name) {
			t.Errorf("the LaTeX does not include %s", name)
		}
		if b, err := os.ReadFile(filepath.Join(filepath.Dir(path), name)); err != nil || !bytes.Equal(b, f.PNG()) {
			t.Errorf("%s is not the figure: %d bytes, %v", name, len(b), err)
		}
	}
}

// squeeze removes spaces, which a PDF does not contain: it positions letters.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// pdfStreams returns the text of all compressed streams of a PDF.
func pdfStreams(pdf []byte) string {
	var all strings.Builder
	for _, part := range bytes.Split(pdf, []byte("stream\n"))[1:] {
		z, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue // a font or a picture
		}
		_, _ = io.Copy(&all, z) // other data follows the end of a stream
	}
	return all.String()
}
