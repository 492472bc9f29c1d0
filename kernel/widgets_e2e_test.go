//go:build e2e

package kernel

import (
	"fmt"
	"testing"
	"time"

	mouse "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drag drags the slider with this number to a share of its length.
func (l *lab) drag(slider int, to float64) {
	l.t.Helper()
	type point struct{ X, Y, W float64 }
	place := func(selector string) point {
		return look[point](l, fmt.Sprintf(`(() => { const e = document.querySelectorAll(%q)[%d]; e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return {X: r.x, Y: r.y + r.height / 2, W: r.width} })()`, selector, slider))
	}
	bar, handle := place(".symmom-controls .noUi-base"), place(".symmom-controls .noUi-handle")
	send := func(kind mouse.DispatchMouseEventType, x float64) {
		l.t.Helper()
		if _, err := chromedp.Call(l.ctx, mouse.DispatchMouseEvent, mouse.DispatchMouseEventParams{Type: kind, X: x, Y: handle.Y, Button: mouse.MouseButtonLeft, Buttons: 1, ClickCount: 1}); err != nil {
			l.t.Fatal(err)
		}
	}
	from := handle.X + handle.W/2
	send("mouseMoved", from)
	send("mousePressed", from)
	for k := 1; k <= 20; k++ {
		send("mouseMoved", from+(bar.X+to*bar.W-from)*float64(k)/20)
	}
	send("mouseReleased", bar.X+to*bar.W)
}

func TestLabWidgets(t *testing.T) {
	l := openLab(t,
		"data := datasets.Uniform(20, 500, 1)\nx := widgets.Interact(func(rank int, sigma float64, what string, on bool, n int) any {\n\tfmt.Println(\"rank\", rank, sigma, what, on, n)\n\treturn charts.Convergence(data.Moment(3).Decompose(rank))\n}, widgets.Slider(\"rank\", 2, 10, 1), widgets.Play(\"sigma\", 0, 1, .1), widgets.Select(\"what\", \"auto\", \"lbfgs\"), widgets.Check(\"whiten\", false), widgets.Button(\"again\"))\nx",
		"x",
	)
	l.do(chromedp.Click(".jp-Notebook .jp-CodeCell .cm-content"))
	l.command("notebook:run-all-cells")
	l.wait("the widgets", `document.querySelectorAll(".symmom-controls .noUi-handle").length == 4`)
	l.wait("the chart", `document.querySelectorAll(".symmom-controls img.symmom-still").length == 2`)
	l.picture("widgets")
	begin := time.Now()
	l.drag(0, .5)
	l.wait("rank 6", below(0)+`.includes("rank 6 0")`)
	fmt.Println("drag", time.Since(begin))
	l.picture("widgets-dragged")
	l.wait("the other view", below(1)+`.includes("rank 6 0")`)
	l.do(chromedp.Click(".symmom-controls .noUi-handle"))
	begin = time.Now()
	l.key(kb.ArrowRight)
	l.wait("rank 7", below(0)+`.includes("rank 7 0")`)
	fmt.Println("key", time.Since(begin))
	l.picture("widgets-7")
}
