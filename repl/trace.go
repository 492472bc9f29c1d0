package repl

import (
	"io"
	"regexp"
	"strings"
	"sync"
)

// panicTrace is the interpreter's stderr. While a panic goes up, yaegi writes
// one line there for each function that it leaves; those are kept for the
// error of the cell, and everything else is passed on.
type panicTrace struct {
	next  io.Writer
	where func(cell, line string) string
	mu    sync.Mutex
	lines []string
}

// maxTrace is the number of frames that are kept.
const maxTrace = 20

var panicLine = regexp.MustCompile(`^(\d+)/_\.go:(\d+):\d+: panic: (\S+)\(\.\.\.\)\n$`)

func (t *panicTrace) Write(b []byte) (int, error) {
	m := panicLine.FindSubmatch(b)
	if m == nil {
		return t.next.Write(b)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// The top of a cell is called main too; its place is the error's own.
	if name := clean(string(m[3])); name != "main" && !strings.HasPrefix(name, "main."+supportName) && len(t.lines) < maxTrace {
		t.lines = append(t.lines, name+", "+t.where(string(m[1]), string(m[2])))
	}
	return len(b), nil
}

func (t *panicTrace) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = nil
}

func (t *panicTrace) frames() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	// The body of a cell is a function, too.
	if last := len(lines) - 1; last >= 0 && strings.HasPrefix(lines[last], "main.func, ") {
		lines = lines[:last]
	}
	return append([]string(nil), lines...)
}
