package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
	"symmom/internal/test/slow"
)

// interrupt evaluates a cell, cancels its context some time after it has begun, and
// returns how long the cell went on from then.
func (s *testSession) interrupt(t testing.TB, source string, after time.Duration) (Result, time.Duration) {
	t.Helper()
	printed := len(s.err.String())
	return s.interruptWhen(t, "print(\"begun\")\n"+source, func(ctx context.Context) {
		sessiontest.Comes(ctx, func() bool { return s.err.String()[printed:] == "begun" })
		time.Sleep(after)
	})
}

// interruptWhen evaluates a cell and cancels its context when begun returns.
func (s *testSession) interruptWhen(t testing.TB, source string, begun func(context.Context)) (Result, time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var watch *clock.Watch
	go func() { begun(ctx); watch = clock.Start(); cancel() }()
	r, err := s.Eval(ctx, source)
	if !errors.Is(err, ErrInterrupted) {
		t.Fatalf("%s\n%v, want an interrupt", source, err)
	}
	_, own := watch.Took()
	return r, own
}

func TestInterruptStopsInterpretedCode(t *testing.T) {
	s := newSession(t)
	s.must(t, "import (\"time\"; \"sync\"; \"fmt\")\nn, after := 0, 0\nfunc loop() { for { n++ } }\nvar mu sync.Mutex")
	for _, source := range []string{
		"for {}",
		"loop()",
		"for { n++ }\nafter = 1",
		"<-make(chan int)\nafter = 1",
		"make(chan int) <- 1",
		"select {}",
		"select { case <-make(chan int): case make(chan int) <- 1: }",
		"time.Sleep(time.Hour)\nafter = 1",
		"for { time.Sleep(time.Millisecond); n++ }",
		"for { fmt.Print(\"\") }",
		"for c := range make(chan int) { n = c }",
		"func() { defer func() { after = 0 }(); for { n++ } }()",
	} {
		if _, d := s.interrupt(t, source, 30*time.Millisecond); d > sessiontest.Promised {
			t.Errorf("%s\ntook %v to stop", source, d)
		}
		if got := s.must(t, "n += 1; after"); got != "0" {
			t.Errorf("%s\nwent on after the interrupt", source)
		}
	}
}

// A compiled call that computes and knows no context cannot be stopped. The cell ends
// anyway, later ones wait for the call, and what remains of the cell never goes on.
func TestInterruptOfACompiledCall(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "import (\"math/big\"; \"time\")\nafter := 0")
	n, took := int64(200_000), time.Duration(0)
	for ; took < 2*(grace+patience); n *= 2 { // how long it takes depends on the processor
		begin := time.Now()
		new(big.Int).MulRange(1, n)
		took = time.Since(begin)
	}
	_, d := s.interrupt(t, fmt.Sprintf("new(big.Int).MulRange(1, %d)\nafter = 1", n), 10*time.Millisecond)
	if d > sessiontest.Promised {
		t.Errorf("took %v to give up", d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	waits := func() bool { return strings.Contains(s.err.String(), "waiting for a compiled call") }
	go func() { sessiontest.Comes(ctx, waits); cancel() }()
	if _, err := s.Eval(ctx, "1"); !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "still under way") || !waits() {
		t.Errorf("%v, stderr %q", err, s.err.String())
	}
	if got := s.must(t, "time.Sleep(50*time.Millisecond)\nafter"); got != "0" {
		t.Errorf("after = %s: the interrupted cell went on", got)
	}
}

// pipe makes r in the session, and after, and returns the other end of r.
func (s *testSession) pipe(t *testing.T) *io.PipeWriter {
	t.Helper()
	s.must(t, "import (\"time\"; \"io\")\nr, w := io.Pipe()\nafter := 0")
	got, err := s.Eval(t.Context(), "w")
	if err != nil {
		t.Fatal(err)
	}
	return got.Values[0].(*io.PipeWriter)
}

// half returns when one of the two bytes that a call waits for is read: then it is
// within that call.
func half(t *testing.T, w io.Writer) func(context.Context) {
	return func(context.Context) {
		if _, err := w.Write([]byte{1}); err != nil {
			t.Error(err)
		}
	}
}

// A call that waits is left behind: the session goes on at once, and the statements that
// follow in the cell never run.
func TestAfterACompiledCall(t *testing.T) {
	s := newSession(t)
	w := s.pipe(t)
	s.interruptWhen(t, "func() { io.ReadFull(r, make([]byte, 2)); after = 1 }()\nafter = 2", half(t, w))
	if got := s.must(t, "after"); got != "0" || strings.Contains(s.err.String(), "waiting for a compiled call") || !strings.Contains(s.err.String(), "io.ReadFull is abandoned") {
		t.Errorf("after = %s, stderr %q", got, s.err.String())
	}
	w.Close()
	if got := s.must(t, "func() { time.Sleep(50*time.Millisecond) }()\nafter"); got != "0" {
		t.Errorf("after = %s: the interrupted cell went on later", got)
	}
}

func TestInterruptBeforeTheCell(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Eval(ctx, "x := 1"); !errors.Is(err, ErrInterrupted) {
		t.Errorf("%v", err)
	}
	if e := s.fails(t, "x"); !strings.Contains(e.Message, "undefined") {
		t.Error(e)
	}
}

func TestManyInterrupts(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "n := 0")
	for i := range 20 {
		s.interrupt(t, "for { n++ }", time.Duration(i)*time.Millisecond)
	}
	if got := s.must(t, "n > 0"); got != "true" {
		t.Error(got)
	}
}

// endless declares types whose methods do not return.
const endless = `type Deep struct{ n int }
func (d Deep) String() string { return fmt.Sprintf("Deep(%v)", d) }
type Failure struct{ n int }
func (f Failure) Error() string { return fmt.Sprintf("Failure(%v)", f) }
type Busy struct{ n int }
func (b Busy) String() string { for { b.n++ }; return "" }
kept := 7`

// TestEndlessMethods: the methods by which values are formatted end neither the process
// nor the session, wherever it formats them.
func TestEndlessMethods(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, endless+"\nvar d, b any = Deep{1}, 1")
	const overflow = "stack overflow: a function calls itself"
	r, err := s.Eval(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Call(t.Context(), func() { _ = r.String() }); err == nil || !strings.Contains(err.Error(), overflow) {
		t.Errorf("a value: %v", err)
	}
	if _, err := s.Eval(t.Context(), "panic(Failure{1})"); err == nil || !strings.Contains(err.Error(), overflow) {
		t.Errorf("a panic: %v", err)
	}
	texts := 0
	if _, err := s.EvalScript(t.Context(), "", "d", func(r Result) { _ = r.String(); texts++ }); err == nil || !strings.Contains(err.Error(), overflow) || texts > 0 {
		t.Errorf("a script: %v; %d texts after the methods were stopped", err, texts)
	}
	if got := s.must(t, "%who"); !strings.Contains(got, "kept") || !strings.Contains(got, "7") || !strings.Contains(got, "cannot be shown: "+overflow) {
		t.Errorf("%%who:\n%s", got)
	}
	s.must(t, "d, b = nil, Busy{1}")
	if i, ok := s.Inspect("b", 1, 0); !ok || !strings.Contains(i.Text(), "var b any") {
		t.Errorf("an inspection that takes too long: %v, %v", i, ok)
	}
	if _, d := s.interrupt(t, "%who", 30*time.Millisecond); d > sessiontest.Promised {
		t.Errorf("%%who took %v to stop", d)
	}
	if got := s.must(t, "kept"); got != "7" {
		t.Errorf("kept is %s after all that", got)
	}
}
