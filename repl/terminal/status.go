package terminal

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"symmom/internal/text/plaintable"
	"symmom/repl"
)

// statusLine is the line at the bottom of a terminal that shows the progress of a
// long call. A nil statusLine, without a terminal, does nothing.
type statusLine struct {
	file *os.File

	mu      sync.Mutex
	shown   bool
	midLine bool // what a cell printed last did not end with a newline
	drawn   time.Time
	curve   curve
}

// eraseLine removes the line, including what a narrower window has made of it.
const eraseLine = "\r\x1b[J"

// A tenth of a second between two updates is enough for the eye.
const redraw = 100 * time.Millisecond

func newStatusLine(w io.Writer) *statusLine {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" { // which cannot erase a line
		return nil
	}
	return &statusLine{file: f}
}

// progress draws the line, and removes it with the last call.
func (l *statusLine) progress(p repl.Progress) {
	if p.Done {
		l.clear()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.curve.add(p)
	// Short runs stay quiet.
	if time.Since(l.drawn) < redraw || p.Elapsed < 2*redraw {
		return
	}
	l.drawn = time.Now()
	width := cmp.Or(plaintable.Width(l.file), 80)
	if !l.shown {
		l.newline()
	}
	l.shown = true
	// The cursor waits in the first column: if the window becomes narrower and the
	// terminal breaks the line in two, it stays on the first of them. The line
	// itself is never broken, even if the width is out of date.
	fmt.Fprintf(l.file, eraseLine+"\x1b[?7l%.*s\x1b[?7h\r", width-4, progressText(p, &l.curve, width-4))
}

// progressText describes the progress of a call in a line of the given width. The
// curve of its value gets the remaining columns.
func progressText(p repl.Progress, c *curve, width int) string {
	head, tail := p.Doing+"  ", p.Elapsed.Round(time.Second).String()
	if p.Label == "" {
		return head + tail + "  (Ctrl-C stops)"
	}
	tail = fmt.Sprintf("%s %.6g  %s", p.Label, p.Value, tail)
	if p.Remaining >= 0 {
		tail += fmt.Sprintf(", %s left", p.Remaining.Round(time.Second))
	}
	tail += "  (Ctrl-C stops)"
	if spark := c.sparkline(min(sparks, width-len(head)-len(tail)-2)); spark != "" {
		tail = spark + "  " + tail
	}
	return head + tail
}

func (l *statusLine) clear() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hide()
}

// endLine moves the cursor to the first column.
func (l *statusLine) endLine() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hide()
	l.newline()
}

func (l *statusLine) newline() {
	if l.midLine {
		fmt.Fprintln(l.file)
		l.midLine = false
	}
}

func (l *statusLine) hide() {
	if l.shown {
		fmt.Fprint(l.file, eraseLine)
		l.shown = false
	}
}

// beside returns a writer to w that first removes the line, which is on stream.
func (l *statusLine) beside(stream, w io.Writer) io.Writer {
	file, ok := stream.(*os.File)
	switch {
	case !ok:
		return &besideStatus{l, w}
	default:
		return &besideFile{besideStatus{l, w}, file}
	}
}

type besideStatus struct {
	line *statusLine
	w    io.Writer
}

func (b *besideStatus) Write(p []byte) (int, error) {
	if b.line == nil {
		return b.w.Write(p)
	}
	b.line.mu.Lock()
	defer b.line.mu.Unlock()
	b.line.hide()
	if len(p) > 0 {
		b.line.midLine = p[len(p)-1] != '\n'
	}
	return b.w.Write(p)
}

// besideFile is the writer that beside returns for a file.
type besideFile struct {
	besideStatus
	file *os.File
}

// File returns the file, with the line removed (repl.Config).
func (b *besideFile) File() *os.File {
	b.line.clear()
	return b.file
}
