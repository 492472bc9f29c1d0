//go:build e2e

package kernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// in is the selector of a part of the controls below a cell.
func in(cell int, part string) string {
	return fmt.Sprintf(`.jp-Notebook > :nth-child(1 of .jp-Cell) ~ .jp-Cell:nth-child(%d of .jp-Cell) .symmom-controls %s, .jp-Notebook .jp-WindowedPanel-viewport > .jp-Cell:nth-child(%d of .jp-Cell) .symmom-controls %s`, cell+1, part, cell+1, part)
}

// focus gives a part of the controls the keyboard.
func (l *labPage) focus(cell int, part string) {
	l.t.Helper()
	l.wait(part, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e?.scrollIntoView({block: "center"}); e?.focus(); return e && document.activeElement === e })()`, in(cell, part)))
}

// choose chooses an option. An arrow would move to another cell: JupyterLab takes it first.
func (l *labPage) choose(cell, nth, option int) {
	l.t.Helper()
	look[bool](l, fmt.Sprintf(`(() => { const s = document.querySelectorAll(%q)[%d]; s.selectedIndex = %d; s.dispatchEvent(new Event("change", {bubbles: true})); return true })()`, in(cell, "select"), nth, option))
}

// title is the title of the chart below a cell's controls.
func title(cell int) string {
	return strings.Replace(marks(cell), "dataset.marks", "dataset.title", 1)
}

// drawn is the chart, with its texts.
func drawn(cell int) string {
	return fmt.Sprintf(`atob(document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d].querySelector(".symmom-controls img.symmom-still")?.src.split(",")[1] ?? "")`, cell)
}

// Each kind of control by the keyboard and the mouse, and what happens to a text that is
// refused.
func TestLabByHand(t *testing.T) {
	l := openLab(t,
		"fit := datasets.Uniform(6, 300, 1).Moment(3).Decompose(3)\ncharts.Explore(fit)",
		`x := widgets.Interact(func(name, solver string, on bool, frame, again int) any {
	return fmt.Sprintf("%q %s %t %d %d", name, solver, on, frame, again)
}, widgets.Text("name", func(s string) error {
	if s == "Euler" {
		return fmt.Errorf("want somebody else")
	}
	if s == "panic" {
		panic("nobody")
	}
	return nil
}), widgets.Select("solver", "auto", "lbfgs", "adam"), widgets.Check("on", false), widgets.Play("frame", 0, 3, 1).Every(.05), widgets.Button("again"))
x`,
		`widgets.Text("alone", nil)`,
	)
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	l.wait("the controls", title(0)+` === "Rank 3" && `+below(1)+`.includes('"" auto false 0 0') && document.querySelectorAll(".widget-text input").length === 2`)
	l.picture("byhand")

	l.focus(1, `input[type="text"]`)
	l.key("Gauss")
	l.key(kb.Enter)
	l.wait("the text", below(1)+`.includes('"Gauss" auto false 0 0')`)
	for text, says := range map[string]string{"Euler": "want somebody else", "panic": "panic: nobody"} {
		l.focus(1, `input[type="text"]`)
		look[bool](l, `(document.activeElement.select(), true)`)
		l.key(text)
		l.key(kb.Enter)
		l.wait("why the text is refused", below(1)+fmt.Sprintf(`.includes(%q)`, says))
		l.wait("the text before", fmt.Sprintf(`document.querySelector(%q).value === "Gauss"`, in(1, `input[type="text"]`)))
		l.picture("byhand-" + strings.ToLower(text))
	}
	l.choose(1, 0, 1)
	l.wait("the option", below(1)+`.includes('"Gauss" lbfgs false 0 0') && !`+below(1)+`.includes("want somebody else")`)
	l.focus(1, `input[type="checkbox"]`)
	l.key(" ")
	l.wait("the check", below(1)+`.includes('"Gauss" lbfgs true 0 0')`)
	l.focus(1, `> button.jupyter-button`)
	l.key(kb.Enter)
	l.wait("the press", below(1)+`.includes('"Gauss" lbfgs true 0 1')`)
	l.do(chromedp.Click(in(1, ".widget-play button")))
	l.wait("the last frame", below(1)+`.includes('"Gauss" lbfgs true 3 1')`)
	l.picture("byhand-all")

	// Explore: component, rank, projection and turn.
	l.choose(0, 0, 1)
	l.wait("a component", title(0)+` === "Rank 3, component 1"`)
	l.picture("explore-component")
	l.focus(0, ".noUi-handle")
	l.key(kb.ArrowRight)
	l.wait("a rank", title(0)+` === "Rank 4, component 1"`)
	l.choose(0, 1, 1)
	l.wait("another plane", drawn(0)+`.includes("random plane")`)
	before := look[string](l, marks(0))
	l.do(chromedp.Click(in(0, ".widget-play button")))
	l.wait("the plane to turn", drawn(0)+`.includes("turned by")`)
	l.do(chromedp.Click(in(0, ".widget-play button")))
	l.wait("other points", marks(0)+` !== "" && `+marks(0)+` !== `+fmt.Sprintf("%q", before))
	l.picture("explore-turned")
}
