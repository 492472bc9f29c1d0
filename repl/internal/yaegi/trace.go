package yaegi

import (
	"io"
	"regexp"
	"strings"
	"sync"

	"symmom/internal/text/words"
)

// PanicTrace is the interpreter's stderr. While a panic unwinds, yaegi writes a line
// there for each function; these lines are kept for the error of the cell, and
// everything else is passed on. yaegi reports the first statement of a function, not
// the one that was running.
type PanicTrace struct {
	Next  io.Writer
	Where func(cell, line string) string // describes a position, with its source line below
	Name  func(inner string) string      // a function's readable name; "" for one of the session's own

	// Of returns where the lines of the running goroutine are kept.
	Of func() *Frames

	// Unwinds is called in the goroutine of the panic before a function is unwound, with
	// the place where it begins, and may end the goroutine.
	Unwinds func(cell, line string)
}

// Frames are the functions that a panic has unwound.
type Frames struct {
	mu    sync.Mutex
	lines []string
	more  int // number of frames not kept
}

// MaxTrace is the maximum number of frames that are kept, the innermost ones.
const MaxTrace = 50

// A function of a cell, or of a package that runs from source.
var panicLine = regexp.MustCompile(`^(?:(\d+)|[\w./-]+)/_\.go:(\d+):\d+: panic: (\S+)\(\.\.\.\)\n$`)

// Write keeps the lines of a panic and passes on the rest.
func (t *PanicTrace) Write(b []byte) (int, error) {
	m := panicLine.FindSubmatch(b)
	if m == nil {
		return t.Next.Write(b)
	}
	t.Unwinds(string(m[1]), string(m[2]))
	if m[1] == nil { // of a package: like a session's own function, it says nothing of the cell
		return len(b), nil
	}
	// The top level of a cell is called main too; its position is that of the error.
	if name := t.Name(string(m[3])); name != "" && name != "main" {
		t.Of().add(name + ", which begins at " + t.Where(string(m[1]), string(m[2])))
	}
	return len(b), nil
}

func (t *Frames) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) < MaxTrace {
		t.lines = append(t.lines, line)
	} else {
		t.more++
	}
}

// Reset discards the lines of an earlier panic.
func (t *Frames) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines, t.more = nil, 0
}

// List returns the functions, the innermost first.
func (t *Frames) List() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	// The body of a cell is a function too.
	if last := len(lines) - 1; last >= 0 && t.more == 0 && strings.HasPrefix(lines[last], "main.func, ") {
		lines = lines[:last]
	}
	lines = append([]string(nil), lines...)
	if t.more > 0 {
		lines = append(lines, words.Plural(t.more, "frame")+" more")
	}
	return lines
}
