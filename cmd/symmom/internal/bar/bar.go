// Package bar shows a command's progress in a terminal.
package bar

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"symmom/paper"
	"symmom/symmom"
)

// Bar is the bar on stderr during a decomposition or a sweep. A nil *Bar shows nothing.
// Where no line can be cleared, in a file or a pipe, it is a line now and then.
type Bar struct {
	out   io.Writer
	bar   *progressbar.ProgressBar // nil until there is something to show
	first int                      // lowest rank, to count finished ranks
	ranks int
	began time.Time
	shown time.Time
	line  time.Duration // after which the next line is due; 0 for a bar
}

// redraw is the interval between updates of the bar: a fast run reports thousands
// of iterations a second.
const redraw = 100 * time.Millisecond

// FirstLine is after what time the first line is due where there is no bar. Each other one
// is due after twice the time of the one before: a log of a day has a dozen. Only tests
// change it.
var FirstLine = 30 * time.Second

// New returns the bar of ranks from to to on w, or nil if quiet.
func New(w io.Writer, quiet bool, from, to int) *Bar {
	if quiet {
		return nil
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" { // which cannot clear a line
		p := begin(w, from, to)
		p.line = FirstLine
		return p
	}
	return begin(unbroken{f}, from, to)
}

// unbroken keeps a terminal from breaking what is wider in two, of which it would clear only
// the second.
type unbroken struct{ w io.Writer }

func (u unbroken) Write(text []byte) (int, error) {
	if _, err := fmt.Fprintf(u.w, "\x1b[?7l%s\x1b[?7h", text); err != nil {
		return 0, err
	}
	return len(text), nil
}

func begin(w io.Writer, from, to int) *Bar {
	return &Bar{out: w, first: from, ranks: to - from + 1, began: time.Now()}
}

// Note shows what is being done before there is anything to count.
func (p *Bar) Note(format string, args ...any) {
	switch {
	case p == nil:
	case p.line > 0:
		p.log(fmt.Sprintf(format, args...))
	default:
		fmt.Fprint(p.out, clearLine+fmt.Sprintf(format, args...)+" ...")
	}
}

// log writes a line if one is due.
func (p *Bar) log(text string) {
	took := time.Since(p.began)
	if took < p.line {
		return
	}
	for p.line <= took {
		p.line *= 2
	}
	fmt.Fprintf(p.out, "after %s: %s\n", rough(took), strings.TrimSpace(text))
}

// RanksAre sets ranks that were not known when the bar was made.
func (p *Bar) RanksAre(from, to int) {
	if p != nil {
		p.first, p.ranks = from, to-from+1
	}
}

const clearLine = "\x1b[2K\r"

// Update implements symmom.Options.Progress.
func (p *Bar) Update(s symmom.Progress) {
	if p == nil || time.Since(p.shown) < redraw && !s.Done {
		return
	}
	p.shown = time.Now()
	if text := outside(s); text != "" {
		p.Note("%s", text)
		return
	}
	if s.Done && (s.String() != "" || math.IsNaN(s.Best)) {
		return // reported by Note instead, or nothing was found
	}
	total, done := p.ranks*s.Starts, (s.Rank-p.first)*s.Starts+s.StartsDone
	left := s.Remaining
	if p.ranks > 1 && done > 0 {
		left = time.Since(p.began) * time.Duration(total-done) / time.Duration(done)
	}
	text := fmt.Sprintf("%d/%d starts, best %.6g, %s ", s.StartsDone, s.Starts, s.Best, timeLeft(left))
	if p.ranks > 1 {
		text = fmt.Sprintf("rank %d, ", s.Rank) + text
	}
	p.describe(text, done, total)
}

// describe shows a text and how much is done.
func (p *Bar) describe(text string, done, total int) {
	if p.line > 0 {
		if done < total { // else the result is next
			p.log(text)
		}
		return
	}
	p.count(total)
	p.bar.Describe(text)
	// The only possible error is in writing to the terminal, which also affects the
	// results and is reported there.
	_ = p.bar.Set(done)
}

// count creates the bar if there is none yet.
func (p *Bar) count(total int) {
	if p.bar != nil {
		return
	}
	fmt.Fprint(p.out, clearLine)
	p.bar = progressbar.NewOptions(total,
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetWidth(20),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "█", SaucerPadding: "░"}),
	)
}

// Cells is Update for the experiments of the paper.
func (p *Bar) Cells(s paper.Progress) {
	if p == nil || time.Since(p.shown) < redraw && s.Done < s.Total {
		return
	}
	p.shown = time.Now()
	const total = 1000
	p.describe(fmt.Sprintf("%s, cell %d/%d: %s, %s ", s.Experiment, min(s.Done+1, s.Total), s.Total, s.Cell, timeLeft(s.Remaining)), int(total*s.Fraction), total)
}

// outside shows what is being done outside the search, where a bar does not help.
func outside(s symmom.Progress) string {
	switch {
	case s.Done:
		return ""
	case s.Phase != symmom.PhasePolish:
		return s.String()
	}
	text := "polish"
	if s.Pass > 0 {
		text += fmt.Sprintf(", pass %d", s.Pass)
	}
	if s.Seen > 0 {
		text += fmt.Sprintf(", %.0f%%", 100*s.Seen)
	}
	return text + fmt.Sprintf(", best %.6g", s.Best)
}

// Stop removes the bar, so that the line is empty for what follows.
func (p *Bar) Stop() {
	if p != nil && p.line == 0 {
		fmt.Fprint(p.out, clearLine)
	}
}

func timeLeft(d time.Duration) string {
	if d < 0 {
		return "time unknown"
	}
	return rough(d) + " left"
}

// rough returns a time in two or three digits.
func rough(d time.Duration) string {
	switch {
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}
