package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
	"symmom/internal/test/slow"
)

// waitingCells wait in the system for what never comes.
var waitingCells = map[string]string{
	"serve":     `http.ListenAndServe("127.0.0.1:0", nil)`,
	"server":    `(&http.Server{Addr: "127.0.0.1:0"}).ListenAndServe()`,
	"accept":    `for { c, err := silent.Accept(); x = 7; _, _ = c, err }`,
	"interface": `var l net.Listener = silent; l.Accept()`,
	"value":     `accept := silent.Accept; accept()`,
	"function":  `get := http.Get; get("http://" + mute.Addr().String())`,
	"argument":  "func read(f func(string) ([]byte, error)) { f(fifo); x = 8 }\nread(os.ReadFile)",
	"own":       `type A interface{ Accept() (net.Conn, error) }; var a A = silent; a.Accept()`,
	"concrete":  `l, _ := net.ListenTCP("tcp", nil); type A interface{ Accept() (net.Conn, error) }; var a A = l; a.Accept()`,
	"promoted":  `type L struct{ net.Listener }; type A interface{ Accept() (net.Conn, error) }; var a A = L{silent}; a.Accept()`,
	"embedded":  `type L struct{ net.Listener }; L{silent}.Accept()`,
	"get":       `http.Get("http://" + mute.Addr().String())`,
	"client":    `var c http.Client; c.Get("http://" + mute.Addr().String())`,
	"read":      `c, _ := net.Dial("tcp", mute.Addr().String()); io.ReadAll(c)`,
	"scanner":   `c, _ := net.Dial("tcp", mute.Addr().String()); for sc := bufio.NewScanner(c); sc.Scan(); { x = 7 }`,
	"fscan":     `c, _ := net.Dial("tcp", mute.Addr().String()); var n int; fmt.Fscan(c, &n)`,
	"decoder":   `c, _ := net.Dial("tcp", mute.Addr().String()); var n int; json.NewDecoder(c).Decode(&n)`,
	"pipe":      `r, _ := io.Pipe(); io.ReadAll(r)`,
	"write":     `_, w := io.Pipe(); fmt.Fprintln(w, "hello")`,
	"buffered":  `_, w := io.Pipe(); b := bufio.NewWriterSize(w, 16); for { fmt.Fprintln(b, "hello") }`,
	"os":        `r, w, _ := os.Pipe(); b := make([]byte, 1); r.Read(b); w.Close()`,
	"fifo":      `os.ReadFile(fifo)`,
	"cond":      `func() { var m sync.Mutex; c := sync.NewCond(&m); c.L.Lock(); defer c.L.Unlock(); c.Wait() }()`,
	"within":    "func wait() { silent.Accept(); x = 8 }\nwait()",
	"once":      `var once sync.Once; once.Do(func() { silent.Accept() })`,
	"deferred":  `func() { defer silent.Accept(); panic("x") }()`,
	"goroutine": `done := make(chan bool); go func() { silent.Accept(); x = 9; close(done) }(); <-done`,
	"copy":      `r, _ := io.Pipe(); io.Copy(own{}, r)`,
	"sleep":     `time.Sleep(time.Hour)`,
}

const waitingSetup = `import ("bufio"; "encoding/json"; "fmt"; "io"; "net"; "net/http"; "os"; "sync"; "time")
x, written := 1, 0
type own struct{}
func (own) Write(b []byte) (int, error) { written++; return len(b), nil }
silent, _ := net.Listen("tcp", "127.0.0.1:0") // to which nobody connects
mute, _ := net.Listen("tcp", "127.0.0.1:0") // which answers nobody
f := func() int { return 10 * x }`

// A cell that waits in the system is ended by one interrupt, and the session goes on with
// its state.
func TestInterruptBlocked(t *testing.T) {
	for name, source := range waitingCells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			s.must(t, waitingSetup)
			if strings.Contains(source, "fifo") {
				s.must(t, "fifo := "+quotedFIFO(t))
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var watch *clock.Watch
			time.AfterFunc(300*time.Millisecond, func() { watch = clock.Start(); cancel() })
			if _, err := s.Eval(ctx, source+"\nx = 5"); !errors.Is(err, ErrInterrupted) {
				t.Fatalf("%v", err)
			}
			if _, own := watch.Took(); own > sessiontest.Promised {
				t.Errorf("took %v", own)
			}
			if got := s.must(t, "x++; f()"); got != "20" {
				t.Errorf("f() is %s", got)
			}
			if n := strings.Count(s.err.String(), "is abandoned"); n > 1 || strings.Contains(s.err.String(), "waiting for a compiled call") {
				t.Errorf("stderr %q", s.err.String())
			}
			// What waited for a connection has one now.
			s.must(t, "for range 3 { c, err := net.Dial(\"tcp\", silent.Addr().String()); if err == nil { c.Close() } }\ntime.Sleep(20*time.Millisecond)")
			if got := s.must(t, "func twice(n int) int { return 2 * n }\nfunc() int { n := 0; for i := range 1000 { n += twice(i) }; return n }()"); got != "999000" {
				t.Errorf("%q", got)
			}
			if got := s.must(t, "[]int{x, written}"); got != "[2 0]" {
				t.Errorf("x and written are %s: the cell went on", got)
			}
		})
	}
}

// Two hundred calls are left behind, and end one by one while later cells run: no code of
// their cells runs after them. The race detector watches this test.
func TestTwoHundredLeftBehind(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, waitingSetup+"\nvar c net.Conn\nvar err error\nn, counter := 0, 0\nvar b [8]byte\nvar ends []net.Conn\nfunc again() int { counter++; return counter }")
	cells := []string{
		"n, err = c.Read(b[:])\nx = 5",
		"func() { n, err = c.Read(b[:]); x = 6 }()",
		"io.Copy(own{}, c)\nx = 7",
		"n, err = io.ReadFull(c, b[:]); counter = -1",
		"go func() { n, err = c.Read(b[:]); x = 8 }()\nn, err = c.Read(b[:])\nx = 9",
		"func() { defer func() { recover(); x = 10 }(); for { c.Read(b[:]); counter-- } }()",
		"for sc := bufio.NewScanner(c); sc.Scan(); { counter = -1 }",
	}
	for i := range 200 {
		s.must(t, "c, err = net.Dial(\"tcp\", silent.Addr().String())\nserved, _ := silent.Accept()\nends = append(ends, served)")
		source := cells[i%len(cells)]
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		r, err := s.Eval(ctx, source)
		cancel()
		if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("cell %d: %s: %v, %v; n and err are %s", i, source, r, err, s.must(t, "fmt.Sprint(n, err)"))
		}
		// An earlier one ends while this cell runs.
		s.must(t, "if i := len(ends) - 10; i >= 0 { fmt.Fprintln(ends[i], \"woken\"); ends[i].Close() }\nfor range 100 { again() }")
	}
	if got := s.must(t, "for _, c := range ends { c.Close() }\ntime.Sleep(100*time.Millisecond)\n[]int{x, n, written, counter}"); got != "[10 0 0 20000]" {
		t.Errorf("x, n, written and counter are %s: code of interrupted cells went on", got)
	}
	if got := s.must(t, "err == nil"); got != "true" {
		t.Errorf("err is %s", s.must(t, "err"))
	}
}

// compilingCells take long to compile, one part of them longer than others.
func compilingCells() []string {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n * manyCells / 5000 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return []string{
		lines(20_000, "y%d := x\n"),
		lines(20_000, "func g%[1]d(a int) int { return a + %[1]d }\n"),
		lines(20_000, "if x < 0 { x = %d }\n"),
		lines(5_000, "type T%d struct{ a int }\n"),
		"func big() {\n" + lines(20_000, "y%[1]d := x\n_ = y%[1]d\n") + "}",
		"z := []int{" + lines(200_000, "%d, ") + "}",
		"z := []int{" + lines(20_000, "x + %d, ") + "}",
		"z := map[string]int{" + lines(20_000, "\"k%d\": 1, ") + "}",
	}
}

var interrupts = flag.Int("interrupts", 60, "how many interrupts TestInterruptsAtRandom makes")

// Interrupts at random moments of cells that wait in the system, compute and compile: the
// session answers in a second, and its state is kept.
func TestInterruptsAtRandom(t *testing.T) {
	slow.Test(t)
	cells := append(slices.Sorted(maps.Values(waitingCells)), compilingCells()...)
	cells = append(cells, "for { counter += 0 }", "<-make(chan int)", "select {}", "for range 8 { go func() { for { } }() }; for { }")
	s := newSession(t)
	s.must(t, waitingSetup+"\ncounter := 0\nfifo := "+quotedFIFO(t))
	r := rand.New(rand.NewPCG(uint64(*interrupts), 3))
	var longest, waited time.Duration
	ended := 0
	for i := range *interrupts {
		source := cells[r.IntN(len(cells))]
		ctx, cancel := context.WithCancel(t.Context())
		watch := make(chan *clock.Watch, 1)
		after := time.Duration(r.IntN(400_000)) * time.Microsecond
		time.AfterFunc(after, func() { watch <- clock.Start(); cancel() })
		_, err := s.Eval(ctx, source)
		now := time.Now()
		cancel()
		if err == nil { // it was compiled, and ended, before
			ended++
			<-watch
		} else if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("%.60s after %v: %v", source, after, err)
		} else {
			wall, own := (<-watch).Took()
			longest, waited = max(longest, own), max(waited, wall)
			if own > sessiontest.Promised {
				t.Errorf("%.60s: after %v it took %v, %v by the clock", source, after, own, wall)
			}
		}
		if got := s.must(t, "counter++\ncounter"); got != fmt.Sprint(i+1) {
			t.Fatalf("after %.60s the counter is %s, want %d", source, got, i+1)
		}
		waited = max(waited, time.Since(now))
	}
	if got := s.must(t, "written"); got != "0" {
		t.Errorf("written is %s: code of an interrupted cell went on", got)
	}
	if strings.Contains(s.err.String(), "waiting for a compiled call") {
		t.Errorf("later cells waited: %s", s.err.String())
	}
	t.Logf("%d interrupts, %d cells ended before; the longest answer took %v of its own and %v by the clock, the next cell with it", *interrupts, ended, longest, waited)
}

// late is a context that is cancelled when it was asked for its error some times.
type late struct {
	context.Context
	asked int
}

func (c *late) Err() error {
	if c.asked--; c.asked < 0 {
		return context.Canceled
	}
	return nil
}

// A cell that is interrupted in any phase before it runs leaves nothing half done: what its
// code shares with that of later cells is there.
func TestInterruptBeforeAnyPhase(t *testing.T) {
	const source = "func twice[T int | float64](x T) T { return 2 * x }\ntype T struct{ n int }\nfunc (t T) Next() T { return T{twice(t.n)} }\n" +
		"var w strings.Builder\nio.WriteString(&w, \"abc\")\nr := strings.NewReader(\"def\")\nio.Copy(&w, r)\nfmt.Sprint(w.String(), twice(1.5)) + fmt.Sprint(T{3}.Next())"
	interrupted := 0
	for after := range 200 {
		s := newSession(t)
		s.must(t, "import (\"io\"; \"strings\"; \"fmt\")")
		_, err := s.Eval(&late{t.Context(), after}, source)
		if err != nil && !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		if got := s.must(t, source); got != "abcdef3{6}" {
			t.Fatalf("after an interrupt in step %d: %s", after, got)
		}
		if err == nil {
			break
		}
		interrupted++
	}
	if interrupted < 10 {
		t.Errorf("%d interrupts", interrupted)
	}
}
