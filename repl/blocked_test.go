package repl

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"symmom/internal/clock"
	"symmom/repl/internal/sessiontest"
)

// waitingCells wait in the system for what never comes.
var waitingCells = map[string]string{
	"serve":     `http.ListenAndServe("127.0.0.1:0", nil)`,
	"server":    `(&http.Server{Addr: "127.0.0.1:0"}).ListenAndServe()`,
	"accept":    `for { c, err := silent.Accept(); x = 7; _, _ = c, err }`,
	"interface": `var l net.Listener = silent; l.Accept()`,
	"value":     `accept := silent.Accept; accept()`,
	"embedded":  `type L struct{ net.Listener }; L{silent}.Accept()`,
	"get":       `http.Get("http://" + silent.Addr().String())`,
	"client":    `var c http.Client; c.Get("http://" + silent.Addr().String())`,
	"read":      `c, _ := net.Dial("tcp", silent.Addr().String()); io.ReadAll(c)`,
	"scanner":   `c, _ := net.Dial("tcp", silent.Addr().String()); for sc := bufio.NewScanner(c); sc.Scan(); { x = 7 }`,
	"fscan":     `c, _ := net.Dial("tcp", silent.Addr().String()); var n int; fmt.Fscan(c, &n)`,
	"decoder":   `c, _ := net.Dial("tcp", silent.Addr().String()); var n int; json.NewDecoder(c).Decode(&n)`,
	"pipe":      `r, _ := io.Pipe(); io.ReadAll(r)`,
	"write":     `_, w := io.Pipe(); fmt.Fprintln(w, "hello")`,
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
silent, _ := net.Listen("tcp", "127.0.0.1:0")
f := func() int { return 10 * x }`

// A cell that waits in the system is ended by one interrupt, and the session goes on with
// its state.
func TestInterruptBlocked(t *testing.T) {
	for name, source := range waitingCells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			s.must(t, waitingSetup)
			if name == "fifo" {
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
			if n := strings.Count(s.err.String(), "is left behind"); n > 1 || strings.Contains(s.err.String(), "waiting for a compiled call") {
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
