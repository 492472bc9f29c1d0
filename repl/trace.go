package repl

import (
	"io"
	"regexp"
	"strings"
	"sync"

	"symmom/internal/words"
)

// panicTrace is the interpreter's stderr. While a panic goes up, yaegi writes
// one line there for each function that it leaves; those are kept for the
// error of the cell, and everything else is passed on. yaegi names the first
// statement of a function, not the one that it was at.
type panicTrace struct {
	next  io.Writer
	where func(cell, line string) string // the place, and its line of Go below
	name  func(inner string) string      // of a function for people; "" of one of the session
	mu    sync.Mutex
	lines []string
	more  int // frames that are not kept
}

// maxTrace is the number of frames that are kept, the innermost.
const maxTrace = 50

var panicLine = regexp.MustCompile(`^(\d+)/_\.go:(\d+):\d+: panic: (\S+)\(\.\.\.\)\n$`)

func (t *panicTrace) Write(b []byte) (int, error) {
	m := panicLine.FindSubmatch(b)
	if m == nil {
		return t.next.Write(b)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// The top of a cell is called main too; its place is the error's own.
	name := t.name(string(m[3]))
	switch {
	case name == "" || name == "main":
	case len(t.lines) < maxTrace:
		t.lines = append(t.lines, name+", which begins at "+t.where(string(m[1]), string(m[2])))
	default:
		t.more++
	}
	return len(b), nil
}

func (t *panicTrace) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines, t.more = nil, 0
}

func (t *panicTrace) frames() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	// The body of a cell is a function, too.
	if last := len(lines) - 1; last >= 0 && t.more == 0 && strings.HasPrefix(lines[last], "main.func, ") {
		lines = lines[:last]
	}
	lines = append([]string(nil), lines...)
	if t.more > 0 {
		lines = append(lines, words.Plural(t.more, "frame")+" more")
	}
	return lines
}
