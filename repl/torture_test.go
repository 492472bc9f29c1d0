package repl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
	"symmom/internal/test/slow"
	"symmom/repl/internal/yaegi"
)

// A function without end must not end the process: Go has no way to recover
// from a stack that is too large.
func TestEndlessRecursion(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "func f(n int) int { return f(n+1) + 1 }\ntype T struct{ n int }\nfunc (t T) Next() int { return T{t.n + 1}.Next() }\nx := 1")
	for _, source := range []string{"f(0)", "T{}.Next()", "func() { var g func(); g = func() { g() }; g() }()"} {
		if e := s.fails(t, source); !strings.Contains(e.Message, "stack overflow") {
			t.Errorf("%s: %v", source, e)
		}
	}
	if got := s.must(t, "x++\nx"); got != "2" {
		t.Errorf("after that x is %s", got)
	}
	// Deep, but with an end.
	if got := s.must(t, "func down(n int) int { if n == 0 { return 0 }; return 1 + down(n-1) }\ndown(20000)"); got != "20000" {
		t.Error(got)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Cells leave little behind in the interpreter. Thousands of several kinds.
func TestManyCells(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "import \"strings\"\nx := 0\nvar words []string")
	kinds := []string{
		"x = x + %d - %[1]d\nx",
		"for i := range 10 { x += i }\nx -= 45",
		"y := []int{%d, 2}\nlen(y)",
		"func f(n int) int { return n + %d }\nf(1)",
		"strings.Repeat(\"a\", 3) + \"%d\"",
		"func() { defer func() { recover() }(); panic(%d) }()",
		"if x > %d { words = append(words, \"w\") }",
		"undefined%d",
	}
	at500 := uint64(0)
	for i := range manyCells {
		source := kinds[i%len(kinds)]
		if strings.Contains(source, "%") {
			source = fmt.Sprintf(source, i)
		}
		if _, err := s.Eval(t.Context(), source); err != nil && !strings.Contains(err.Error(), "undefined: undefined") {
			t.Fatal(source, err)
		}
		if i == 499 {
			at500 = heap()
		}
	}
	end := heap()
	perCell := float64(int64(end)-int64(at500)) / (manyCells - 500)
	t.Logf("heap %.1f MB after 500 cells, %.1f MB after %d: %.0f bytes a cell", float64(at500)/1e6, float64(end)/1e6, manyCells, perCell)
	// Measured: see the log. A cell of 20 kB would make 90 MB of 4,500.
	if perCell > 20e3 {
		t.Errorf("a cell leaves %.0f bytes behind", perCell)
	}
}

// Interrupts at random moments: each ends the cell in time, keeps the state
// and leaves no goroutine behind.
func TestTwoHundredInterrupts(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, `import ("sync"; "time")
n, rounds := 0, 0
var mu sync.Mutex
var wg sync.WaitGroup
func spin() { for k := 0; ; { k++ } }
closure := func(k int) int { return k + 1 }
ch := make(chan int)`)
	s.must(t, "1")
	before := runtime.NumGoroutine()
	cells := []string{
		"for { n++ }",
		"spin()",
		"time.Sleep(time.Hour)",
		"<-ch",
		"ch <- 1",
		"select {}",
		"select { case <-ch: case ch <- 1: case <-make(chan bool): }",
		"mu.Lock()\nmu.Lock()",
		"wg.Add(1)\nwg.Wait()",
		"for range 3 { go spin() }\nspin()",
		"go func() { <-ch }()\nfor { time.Sleep(time.Millisecond) }",
		"for v := range ch { n = v }",
		"func() { defer func() { recover() }(); for { n++ } }()",
		"for i := range 1000000000 { n += i }",
	}
	r := rand.New(rand.NewPCG(1, 2))
	longestStop := time.Duration(0)
	for i := range 200 {
		source := cells[i%len(cells)]
		ctx, cancel := context.WithCancel(t.Context())
		after := time.Duration(r.IntN(20000)) * time.Microsecond
		var watch *clock.Watch
		time.AfterFunc(after, func() { watch = clock.Start(); cancel() })
		_, err := s.Eval(ctx, source)
		if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("%s after %v: %v", source, after, err)
		}
		_, d := watch.Took()
		longestStop = max(longestStop, d)
		if d > sessiontest.Promised {
			t.Errorf("%s: took %v to stop", source, d)
		}
		if got := s.must(t, "rounds++\nmu = sync.Mutex{}\nwg = sync.WaitGroup{}\nclosure(rounds)"); got != fmt.Sprint(i+2) {
			t.Fatalf("after %s: %s, want %d", source, got, i+2)
		}
	}
	t.Logf("the longest took %v", longestStop)
	for begin := time.Now(); runtime.NumGoroutine() > before && time.Since(begin) < sessiontest.Enough; {
		time.Sleep(10 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines, %d before\n%s", after, before, buf[:runtime.Stack(buf, true)])
	}
}

// A cell that has panicked leaves no function in the interpreter: with it
// would stay a copy of all variables, for each such cell.
func TestPanicLeavesNoFunction(t *testing.T) {
	s := newSession(t)
	held := func() (n int) {
		places, lock := yaegi.Globals(s.interp)
		lock.RLock()
		defer lock.RUnlock()
		if len(*places) == 0 {
			t.Fatal("the interpreter has another form")
		}
		for _, v := range *places {
			if yaegi.PlainFunc(v) != nil {
				n++
			}
		}
		return n
	}
	s.must(t, "x := 1")
	before := held()
	for _, source := range []string{"panic(x)", "func() { panic(x) }()", "var p *int; *p = 1"} {
		if _, err := s.Eval(t.Context(), source); err == nil {
			t.Errorf("%s: no error", source)
		}
	}
	if after := held(); after != before {
		t.Errorf("%d functions are held, before %d", after, before)
	}
	// A variable that is a function is nobody's remains.
	s.must(t, "f := func() { x++ }")
	if _, err := s.Eval(t.Context(), "f(); panic(f)"); err == nil {
		t.Error("no error")
	}
	s.must(t, "f()")
	if got := s.must(t, "x"); got != "3" {
		t.Errorf("x is %v, want 3", got)
	}
}
