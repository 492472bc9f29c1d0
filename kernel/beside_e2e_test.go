//go:build e2e

package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// JupyterLab sends what a person does with controls to a subshell, so they work while a cell
// runs, which one of them ends here; so do completion and a console beside the notebook.
func TestLabBesideALongCell(t *testing.T) {
	l := openLab(t,
		`stop := make(chan bool)
x := widgets.Interact(func(n int) any { if n == 9 { close(stop) }; return fmt.Sprint("now ", n) }, widgets.Slider("n", 0, 9, 1))
x`,
		"<-stop\n\"it has ended\"",
	)
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	prompt := `document.querySelectorAll(".jp-Notebook .jp-CodeCell")[1].querySelector(".jp-InputPrompt").innerText`
	l.wait("the control, and a running cell", below(0)+`.includes("now 0") && `+prompt+` === "[*]:"`)
	l.drag(0, .5, 10)
	l.wait("another value", below(0)+`.includes("now 5") || `+below(0)+`.includes("now 4")`)
	if got := look[string](l, prompt); got != "[*]:" {
		t.Errorf("the cell does not run any more: %s", got)
	}
	l.wait("the status of the kernel", `(`+panel+`).sessionContext.session.kernel.status === "busy"`)
	l.picture("beside-a-long-cell")
	l.newCell("")
	l.write("mat.NewDen")
	l.command("completer:invoke-notebook")
	l.wait("a completion", `document.querySelector(".jp-Completer")?.innerText.includes("NewDense") || document.querySelectorAll(".jp-Notebook .jp-CodeCell")[2].innerText.includes("mat.NewDense")`)
	l.picture("completion-beside-a-long-cell")
	l.drag(0, 1, 10)
	l.wait("the end of the cell", below(1)+`.includes("it has ended")`)
}

// Jupyter's own client runs cells in a subshell while the main shell fits a model.
func TestSubshellsOfJupyterClient(t *testing.T) {
	env := jupyter(t)
	out, err := inTime(t, env, python(t), filepath.Join("testdata", "subshells.py")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nok\n") {
		t.Errorf("%v\n%s", err, out)
	}
	fmt.Fprintf(os.Stderr, "%s", out)
}
