package kernel

import (
	"cmp"
	"fmt"
	"html"
	"strings"
	"sync"
	"time"

	"symmom/internal/text/words"
	"symmom/repl"
)

// bar shows the progress of a long call, in the output of its cell.
type bar struct {
	kernel *kernel
	show   func(repl.Display)

	mu    sync.Mutex
	shown int64 // number of the visible bar; 0: none
	drawn time.Time
	last  repl.Progress
}

const (
	redraw = 100 * time.Millisecond // minimum between updates
	quiet  = 300 * time.Millisecond // shorter runs have no bar
)

// progress is called by the call again and again.
func (b *bar) progress(p repl.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = p
	if p.Done {
		if p.Stopped {
			b.finish("stopped")
		} else {
			b.finish("done")
		}
		return
	}
	if p.Elapsed < quiet || time.Since(b.drawn) < redraw {
		return
	}
	b.drawn = time.Now()
	d := repl.Display{Update: b.shown != 0}
	if b.shown == 0 {
		b.shown = b.kernel.bars.Add(1)
	}
	d.ID = b.id()
	d.Bundle = drawing(p)
	b.show(d)
}

func (b *bar) id() string { return fmt.Sprintf("progress-%s-%d", b.kernel.session[:8], b.shown) }

// end is called when the cell has ended. A bar that is still visible belongs to an
// interrupted run.
func (b *bar) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finish("stopped")
}

// redirect has show display the bar, until restore is called.
func (b *bar) redirect(show func(repl.Display)) (restore func()) {
	swap := func(to func(repl.Display)) func(repl.Display) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.finish("stopped")
		before := b.show
		b.show = to
		return before
	}
	before := swap(show)
	return func() { swap(before) }
}

// finish replaces the bar with one line.
func (b *bar) finish(how string) {
	if b.shown == 0 {
		return
	}
	p := b.last
	text := fmt.Sprintf("%s: %s, %s", how, cmp.Or(p.Did, p.Doing), words.Duration(p.Elapsed))
	b.show(repl.Display{Update: true, ID: b.id(), Bundle: repl.Bundle{
		"text/plain": text,
		"text/html":  `<div style="font-family:var(--jp-code-font-family,monospace);font-size:90%;opacity:.75;white-space:pre-wrap">` + html.EscapeString(text) + `</div>`,
	}})
	b.shown = 0
}

// drawing returns the bar: what is being done, and the share that is done as a length.
func drawing(p repl.Progress) repl.Bundle {
	const width = 30
	share := min(max(p.Share, 0), 1)
	if p.Remaining >= 0 && p.Elapsed > 0 {
		share = max(share, float64(p.Elapsed)/float64(p.Elapsed+p.Remaining))
	}
	full := min(int(share*width), width)
	words := p.Doing
	if p.Label != "" {
		words += fmt.Sprintf("  %s %.8g", p.Label, p.Value)
	}
	words += "  " + p.Elapsed.Round(100*time.Millisecond).String()
	if p.Remaining >= 0 {
		words += fmt.Sprintf("  about %s left", p.Remaining.Round(time.Second))
	}
	page := fmt.Sprintf(`<div style="font-family:var(--jp-code-font-family,monospace);font-size:90%%;white-space:pre-wrap">`+
		`<div style="width:20em;height:.5em;border-radius:.25em;background:rgba(128,128,128,.25)">`+
		`<div style="width:%.1f%%;height:100%%;border-radius:.25em;background:#2a78b8"></div></div>%s</div>`,
		100*share, html.EscapeString(words))
	return repl.Bundle{
		"text/plain": "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] " + words,
		"text/html":  page,
	}
}
