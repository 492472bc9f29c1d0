//go:build e2e

package lite

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTour runs a tutorial in the page, with no server left after the page was loaded,
// and what a person does with cells.
func TestTour(t *testing.T) {
	p := serve(t)
	begin := time.Now()
	p.open("00-tour.ipynb")
	p.command("notebook:run-cell") // a text; the next cell is the first of code
	t.Logf("the kernel is idle %.1f s after the page was asked for; %.1f MB came from the server", time.Since(begin).Seconds(), float64(p.bytes.Load())/1e6)
	p.leave()
	begin = time.Now()
	output := p.runAll(5 * time.Minute)
	t.Logf("all cells of the tour took %.1f s", time.Since(begin).Seconds())
	if !strings.Contains(output, "5 components of 500 variables") {
		t.Errorf("the tour says:\n%s", output)
	}
	p.wait("charts", `document.querySelectorAll(".jp-OutputArea img.symmom-still").length >= 4`)
	p.picture("tour")

	at := p.newCell("mat.New")
	p.key(kb.Tab)
	p.wait("the completer", `document.querySelector(".jp-Completer:not(.lm-mod-hidden) .jp-Completer-item")`)
	p.picture("complete")
	if items := look[string](p, `Array.from(document.querySelectorAll(".jp-Completer-item")).map(e => e.innerText).join()`); !strings.Contains(items, "NewDense") {
		t.Errorf("completions: %q", items)
	}
	p.key(kb.Escape)
	p.write("Dense")
	p.key(kb.Tab, chromedp.ModifierShift)
	p.wait("the tooltip", `document.querySelector(".jp-Tooltip")?.innerText.includes("NewDense creates a new Dense matrix")`)
	p.picture("inspect")
	p.key(kb.Escape)
	p.write("(2, 1, nil)")
	p.key(kb.Enter, chromedp.ModifierShift)
	p.wait("the matrix", below(at)+`.includes("2 x 1 matrix")`)

	// An interrupt keeps what a long run has found, with a bar meanwhile.
	at = p.newCell(`long := datasets.Uniform(60, 20000, 1).Moment(3).Implicit().With(symmom.Options{Solver: "lbfgs", Tolerance: -1, RelativeDecrease: -1}).Decompose(6)`)
	p.command("notebook:run-cell")
	p.wait("the bar", `/rank 6 .*  f -/.test(`+below(at)+`)`)
	p.picture("progress")
	p.interrupt(at, "interrupted")
	at = p.newCell("long.Rank")
	p.command("notebook:run-cell")
	p.wait("the fit of the interrupted run", below(at)+`.includes("6")`)

	// Interpreted code can be stopped, and what it needs of the stack does not matter.
	at = p.newCell("n := 0\ndisplay.Show(\"begins\")\nfor { n++ }")
	p.command("notebook:run-cell")
	p.wait("the cell to run", below(at)+`.includes("begins")`)
	p.interrupt(at, "interrupted")
	at = p.newCell("func depth(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn 1 + depth(n-1)\n}\ndepth(20000)")
	p.command("notebook:run-cell")
	p.wait("the recursion", below(at)+`.includes("20000")`)

	// A call that cannot be stopped ends with its session, and the cell reports it.
	p.newCell("import \"gonum.org/v1/gonum/floats\"\nv := make([]float64, 4000*4000)\nfloats.AddConst(1, v)\nd := mat.NewDense(4000, 4000, v)")
	p.command("notebook:run-cell")
	at = p.newCell("display.Show(\"begins\")\nd.Mul(d, d)")
	p.command("notebook:run-cell")
	p.wait("the cell to run", below(at)+`.includes("begins")`)
	// A cell that runs immediately waits for the new session.
	look[bool](p, `(() => { const kernel = (`+panel+`).sessionContext.session.kernel, hear = (_, m) => {
		if (m.header.msg_type !== "error") return;
		kernel.iopubMessage.disconnect(hear);
		kernel.requestExecute({ code: "6*7" }).done.then(reply => window.early = reply.content.status);
	}; kernel.iopubMessage.connect(hear); return true })()`)
	p.interrupt(at, "started again")
	p.wait("what was run at once", `window.early === "ok"`)

	// Input, files of the drive, and errors.
	at = p.newCell("var name string\nfmt.Scanln(&name)\nfmt.Println(\"hello\", name)")
	p.command("notebook:run-cell")
	p.wait("the question", `(() => { const e = document.querySelector("input.jp-Stdin-input"); e?.focus(); return e && document.activeElement === e })()`)
	p.write("Gauss")
	p.key(kb.Enter)
	p.wait("the answer", below(at)+`.includes("hello Gauss")`)
	look[bool](p, `window.jupyterapp.serviceManager.contents.save("table.csv", {type: "file", format: "text", content: "a,b\n1,2\n3,4\n5,7\n"}).then(() => true)`)
	at = p.newCell(`symmom.Load("table.csv").Save("copy.npy"); symmom.Load("copy.npy")`)
	p.command("notebook:run-cell")
	p.wait("the table", below(at)+`.includes("3 observations of 2 variables")`)
	look[bool](p, `window.jupyterapp.serviceManager.contents.save("table.parquet", {type: "file", format: "text", content: "PAR1 and so on PAR1"}).then(() => true)`)
	at = p.newCell(`symmom.Load("table.parquet")`)
	p.command("notebook:run-cell")
	p.wait("the error", below(at)+`.includes("symmom convert IN OUT")`)
	p.picture("end")

	p.waitForKept()
}

// interrupt interrupts the i-th cell and waits for the word that says so.
func (p *page) interrupt(i int, word string) {
	p.t.Helper()
	begin := time.Now()
	p.command("notebook:interrupt-kernel")
	p.wait("the interrupt", below(i)+`.includes("`+word+`")`)
	p.t.Logf("the interrupt took %.2f s", time.Since(begin).Seconds())
}

// TestDigits finds the digits in handwriting.
func TestDigits(t *testing.T) {
	p := serve(t)
	p.open("06-digits.ipynb")
	before := p.bytes.Load()
	begin := time.Now()
	p.open("06-digits.ipynb")
	t.Logf("a second visit: the kernel is idle %.1f s after the page was asked for; %.1f MB came from the server", time.Since(begin).Seconds(), float64(p.bytes.Load()-before)/1e6)
	begin = time.Now()
	output := p.runAll(5 * time.Minute)
	t.Logf("all cells of the digits took %.1f s", time.Since(begin).Seconds())
	scores := regexp.MustCompile(`score against the class means: (\S+)`).FindAllStringSubmatch(output, -1)
	least := []float64{.975, .978} // of the third and the fourth moment, as in package notebooks
	if len(scores) < len(least) {
		t.Fatalf("%d scores:\n%s", len(scores), output)
	}
	for i, bound := range least {
		if score, err := strconv.ParseFloat(scores[i][1], 64); err != nil || score < bound {
			t.Errorf("score %s, want at least %v", scores[i][1], bound)
		}
	}
	p.picture("digits")

	// Controls: a move in the page runs the function of a cell.
	at := p.newCell("widgets.Interact(func(k int) any { return fmt.Sprint(\"k is \", k) }, widgets.Slider(\"k\", 1, 9, 1))")
	p.command("notebook:run-cell")
	p.wait("the control", below(at)+`.includes("k is 1") && document.querySelector(".symmom-controls .noUi-handle")`)
	p.do(chromedp.Click(".symmom-controls .noUi-handle"))
	p.key(kb.ArrowRight)
	p.wait("the next value", below(at)+`.includes("k is 2")`)
	p.picture("controls")
}

// TestConsole runs a cell of the address in the console, the lightest of JupyterLite's pages,
// and opens a tutorial in the page of Notebook 7.
func TestConsole(t *testing.T) {
	p := serve(t)
	begin := time.Now()
	p.do(chromedp.EmulateViewport(900, 700), chromedp.Navigate(p.server.URL+"/repl/index.html?kernel=symmom&code="+url.QueryEscape(`datasets.Uniform(20, 1000, 1).Moment(3).Decompose(3).Rank`)))
	p.wait("the cell", `Array.from(document.querySelectorAll(".jp-OutputArea-output")).some(e => e.innerText.trim() === "3")`)
	t.Logf("the first cell is done %.1f s after the page was asked for", time.Since(begin).Seconds())
	p.picture("console")
	p.do(chromedp.Navigate(p.server.URL + "/notebooks/index.html?path=06-digits.ipynb"))
	p.wait("the kernel", `(`+panel+`)?.sessionContext.session?.kernel?.status === "idle" && document.querySelector(".jp-Notebook .jp-CodeCell")`)
	p.wait("the stored output, as a text of two lines", `/variables\n  warning: 3 columns are constant/.test(document.querySelector(".jp-OutputArea-output")?.innerText)`)
	p.picture("notebook")
}
