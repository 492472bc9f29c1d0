package repl

import (
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// TestMemoryRunsOut: a cell that takes more and more is stopped, the session goes on, and a
// cell that makes as much and keeps nothing is not stopped.
func TestMemoryRunsOut(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "import \"strings\"\nx := 1\nvar kept [][]byte\nvar text string")
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	debug.SetMemoryLimit(int64(metric("/memory/classes/total:bytes")) + 400<<20)
	for _, source := range []string{
		"for { kept = append(kept, make([]byte, 1<<20)) }",
		"func() { var own [][]byte; for { own = append(own, []byte(strings.Repeat(\"x\", 1<<20))) } }()",
		"func() { m := map[int]string{}; for i := 0; ; i++ { m[i] = strings.Repeat(\"x\", 1<<16) } }()",
		"go func() { for { kept = append(kept, make([]byte, 1<<20)) } }(); select {}",
	} {
		e := s.fails(t, source)
		if !strings.Contains(e.Message, "out of memory: values take") {
			t.Errorf("%s\n%v", source, e)
		}
		if got := s.must(t, "kept = nil; x"); got != "1" {
			t.Errorf("x is %s", got)
		}
		debug.FreeOSMemory()
	}
	if got := s.must(t, "for i := range 3000 { text = strings.Repeat(\"x\", 1<<20); x += i - i }\nx"); got != "1" {
		t.Errorf("x is %s", got)
	}
}
