//go:build e2e

package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	mouse "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drag drags a slider to a share of its length, in some moves of the mouse.
func (l *labPage) drag(slider int, to float64, moves int) {
	l.t.Helper()
	type place struct{ X, Y, W float64 }
	find := func(class string) place {
		l.t.Helper()
		return look[place](l, fmt.Sprintf(`(async () => { const e = document.querySelectorAll(".symmom-controls .%s")[%d]; e.scrollIntoView({block: "center"});
			for (let y; y !== e.getBoundingClientRect().y;) { y = e.getBoundingClientRect().y; await new Promise(r => setTimeout(r, 300)) }
			const r = e.getBoundingClientRect(); return {X: r.x, Y: r.y + r.height / 2, W: r.width} })()`, class, slider))
	}
	bar, handle := find("noUi-base"), find("noUi-handle")
	send := func(kind mouse.DispatchMouseEventType, x float64) {
		l.t.Helper()
		if _, err := chromedp.Call(l.ctx, mouse.DispatchMouseEvent, mouse.DispatchMouseEventParams{
			Type: kind, X: x, Y: handle.Y, Button: mouse.MouseButtonLeft, Buttons: 1, ClickCount: 1}); err != nil {
			l.t.Fatal(err)
		}
	}
	from, until := handle.X+handle.W/2, bar.X+to*bar.W
	send("mouseMoved", from)
	send("mousePressed", from)
	for k := 1; k <= moves; k++ {
		send("mouseMoved", from+(until-from)*float64(k)/float64(moves))
	}
	send("mouseReleased", until)
}

// marks are the values that the chart of a cell shows below the pointer.
func marks(cell int) string {
	return fmt.Sprintf(`(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d].querySelector(".symmom-controls img.symmom-still")?.dataset.marks ?? "")`, cell)
}

// ordinary is the ordinary output of a cell, which is hidden below living controls.
func ordinary(cell int) string {
	return fmt.Sprintf(`document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d].querySelector(".symmom-still-controls")`, cell)
}

func TestLabControls(t *testing.T) {
	l := openLab(t,
		`data := datasets.Uniform(10, 300, 1)
runs := 0
x := widgets.Interact(func(rank int, sigma float64, solver string, on bool, n int) any {
	runs++
	fmt.Println("rank", rank, sigma, solver, on, n)
	if rank == 8 {
		panic("eight")
	}
	return charts.Lambda(data.Moment(3).Decompose(rank))
}, widgets.Slider("rank", 2, 10, 1), widgets.Slider("sigma", 0, 1, .1), widgets.Select("solver", "auto", "lbfgs"), widgets.Check("on", false), widgets.Button("again"))
x`,
		"x",
		"k := widgets.Interact(func(k, frame int) any { runs++; return fmt.Sprint(\"at \", k, \" and \", frame) },\n\twidgets.Slider(\"k\", 0, 1000, 1), widgets.Play(\"frame\", 0, 3, 1).Every(.05))\nk",
	)
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	l.wait("the charts", `document.querySelectorAll(".symmom-controls img.symmom-still").length === 2 && `+below(2)+`.includes("at 0 and 0")`)
	l.picture("controls")
	if shown := look[string](l, `getComputedStyle(`+ordinary(0)+`.closest(".jp-OutputArea-child")).display`); shown != "none" {
		t.Errorf("the ordinary output below the controls is shown (%s)", shown)
	}

	before := look[string](l, marks(0))
	l.drag(0, .5, 10)
	l.wait("rank 6 in both views", below(0)+`.includes("rank\n6") && `+below(0)+`.includes("rank 6 0 auto false 0") && `+below(1)+`.includes("rank 6 0 auto false 0")`)
	l.wait("another chart in both views", marks(0)+` !== "" && `+marks(0)+` !== `+fmt.Sprintf("%q", before)+` && `+marks(0)+` === `+marks(1))
	l.picture("controls-dragged")
	t.Logf("from a key to the chart: %.0f ms", look[float64](l, `(async () => { const handle = document.querySelector(".symmom-controls .noUi-handle");
		const before = `+marks(0)+`, begin = performance.now();
		handle.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
		for (let now = before; now === before || now === ""; now = `+marks(0)+`) { await new Promise(requestAnimationFrame) }
		return performance.now() - begin })()`))
	l.wait("rank 7", below(0)+`.includes("rank 7 0 auto")`)

	// The other kinds.
	l.do(chromedp.Click(`.symmom-controls input[type="checkbox"]`))
	l.wait("the check", below(0)+`.includes("rank 7 0 auto true 0")`)
	l.do(chromedp.Click(`.symmom-controls > button.jupyter-button`))
	look[bool](l, `(() => { const s = document.querySelector(".symmom-controls select"); s.selectedIndex = 1; s.dispatchEvent(new Event("change", {bubbles: true})); return true })()`)
	l.wait("the option and the press", below(0)+`.includes("rank 7 0 lbfgs true 1")`)
	l.do(chromedp.Click(`.symmom-controls .widget-play button`))
	l.wait("the last frame", below(2)+`.includes("at 0 and 3")`)

	// An error is in the place of the result, and the next move replaces it.
	l.do(chromedp.Click(".symmom-controls .noUi-handle"))
	l.key(kb.ArrowRight)
	l.wait("the panic", below(0)+`.includes("panic: eight")`)
	l.picture("controls-panic")
	l.drag(0, .25, 10)
	l.wait("rank 4", below(0)+`.includes("rank 4 0 lbfgs true") && !`+below(0)+`.includes("panic")`)

	// A hundred moves end at the last value, and few of them run the function.
	l.newCell("runs")
	l.command("notebook:run-cell")
	count := `Number(/(\d+)\s*$/.exec(` + below(3) + `)?.[1])`
	l.wait("the number of runs", count+` > 0`)
	runs := look[int](l, count)
	l.drag(4, 1, 100)
	l.wait("the last of the moves", below(2)+`.includes("at 1000 and 3")`)
	look[int](l, notebook+`.activeCellIndex = 3`)
	l.command("notebook:run-cell")
	l.wait("the number of runs", count+` > `+fmt.Sprint(runs))
	t.Logf("100 moves were %d runs", look[int](l, count)-runs)

	// The stored notebook has the last state, without any widget.
	l.wait("the ordinary output", ordinary(0)+`.innerHTML.includes("rank <b>4</b>") && `+ordinary(1)+`.innerHTML.includes("rank <b>4</b>") && `+ordinary(2)+`.innerHTML.includes("at 1000")`)
	l.command("docmanager:save")
	l.wait("the file", `!(`+panel+`).context.model.dirty`)
	env := append(os.Environ(), "HOME="+t.TempDir())
	stored := filepath.Join(t.TempDir(), "stored.html")
	if out, err := inTime(t, env, python(t), "-m", "nbconvert", "--to", "html", "--output", stored, filepath.Join(l.dir, "moments.ipynb")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rank <b>4</b>", "solver <b>lbfgs</b>", "<pre>at 1000 and 3</pre>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("nbconvert's page has no %s", want)
		}
	}

	// A page that is loaded again has the state, and its controls work.
	l.do(chromedp.Reload())
	l.wait("the page", `(`+panel+`)?.sessionContext.session?.kernel?.status === "idle" && document.querySelectorAll(".symmom-controls").length === 3`)
	l.wait("the state", below(0)+`.includes("rank\n4") && `+below(0)+`.includes("rank 4 0 lbfgs true") && `+below(2)+`.includes("at 1000")`)
	l.drag(0, 0, 10)
	l.wait("rank 2 in both views", below(0)+`.includes("rank 2 0 lbfgs true") && `+below(1)+`.includes("rank 2 0 lbfgs true")`)
	l.picture("controls-reloaded")
}

// A notebook that is executed keeps the state that its last cell sets, both in the
// widgets and for viewers that have none.
func TestStoredControls(t *testing.T) {
	env := jupyter(t)
	dir := t.TempDir()
	var cells []dict
	for i, source := range []string{
		"x := widgets.Interact(func(rank int) string { return fmt.Sprint(\"rank is \", rank) }, widgets.Slider(\"rank\", 2, 10, 1))\nx",
		"x.Set(\"rank\", 7);",
	} {
		cells = append(cells, dict{"cell_type": "code", "id": fmt.Sprint("c", i), "source": source, "metadata": dict{}, "outputs": []any{}, "execution_count": nil})
	}
	name := filepath.Join(dir, "x.ipynb")
	if err := os.WriteFile(name, encode(dict{"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": dict{"kernelspec": dict{"name": "symmom", "display_name": "Go (symmom)", "language": "go"}}}), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := inTime(t, env, python(t), "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct {
		Metadata struct {
			Widgets map[string]struct {
				State map[string]struct {
					Name  string         `json:"model_name"`
					State map[string]any `json:"state"`
				} `json:"state"`
			} `json:"widgets"`
		} `json:"metadata"`
		Cells []struct {
			Outputs []struct {
				Data map[string]any `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &stored); err != nil {
		t.Fatal(err)
	}
	state := map[string]string{}
	for _, m := range stored.Metadata.Widgets["application/vnd.jupyter.widget-state+json"].State {
		state[m.Name] += fmt.Sprint(m.State["value"], m.State["outputs"])
	}
	if !strings.Contains(state["IntSliderModel"], "7") || !strings.Contains(state["OutputModel"], "rank is 7") {
		t.Errorf("the state of the widgets is %v", state)
	}
	if out := stored.Cells[0].Outputs; len(out) != 2 || !strings.Contains(fmt.Sprint(out[1].Data["text/html"]), "rank is 7") || !strings.Contains(fmt.Sprint(out[1].Data["text/plain"]), "rank is 7") {
		t.Errorf("the outputs are %v", out)
	}
}
