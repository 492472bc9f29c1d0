package repl

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"symmom/internal/test/sessiontest"
	"symmom/internal/test/slow"
	"symmom/repl/internal/display"
)

// TestEndlessTexts: methods that put their own text into another end soon when they are
// stopped. The texts of 100,000 calls, each of which has that of the one before in it,
// would be gigabytes, and without end where all quotes of the one before are quoted.
func TestEndlessTexts(t *testing.T) {
	slow.Test(t)
	for _, methods := range []string{
		`func (d Deep) String() string { return fmt.Sprintf("Deep(%v)", d) }`,
		`func (d Deep) GoString() string { return fmt.Sprintf("Deep(%#v)", d) }
func (d Deep) String() string { return d.GoString() }`,
		`func (d Deep) Format(f fmt.State, verb rune) { fmt.Fprintf(f, "Deep(%v)", d) }`,
		`func (d Deep) MarshalText() ([]byte, error) { return json.Marshal(d) }
func (d Deep) String() string { b, _ := json.Marshal(d); return string(b) }`,
	} {
		s := newSession(t)
		s.must(t, "import \"encoding/json\"\nvar _ = json.Valid\ntype Deep struct{ n int }\n"+methods)
		r, err := s.Eval(t.Context(), "Deep{1}")
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = s.Call(t.Context(), func() { _ = display.New(r.Values) })
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "stack overflow: a function calls itself") {
			t.Errorf("%s\n%v", methods, err)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 300 {
			t.Fatalf("%s\n%d MB were allocated", methods, made)
		}
	}
}

// TestManyGoroutines: the stacks of goroutines that wait are no recursion.
func TestManyGoroutines(t *testing.T) {
	s := newSession(t)
	s.must(t, fmt.Sprintf(`c := make(chan int)
for range %d {
	go func() { <-c }()
}
for range 500000 {
}
close(c)`, manyGoroutines))
}

type link struct{ next *link }

// chain returns values that collections visit one after the other.
func chain() (first *link) {
	for range 5_000_000 {
		first = &link{first}
	}
	return first
}

// TestEndlessOnOneProcessor: the collections of garbage that tell how large the stacks are
// take long there, and the stack does not grow much in the meantime.
func TestEndlessOnOneProcessor(t *testing.T) {
	slow.Test(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := newSession(t)
	s.must(t, endless+"\nfunc f(n int) int { return f(n+1) + 1 }\nvar d any = Deep{1}")
	defer runtime.KeepAlive(chain())
	var most atomic.Uint64
	go func() {
		stacks := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
		for t.Context().Err() == nil {
			metrics.Read(stacks)
			most.Store(max(most.Load(), stacks[0].Value.Uint64()))
			time.Sleep(time.Millisecond)
		}
	}()
	for try := 1; ; try++ { // a busy machine may delay what ends the cell
		most.Store(0)
		if e := s.fails(t, "f(0)"); !strings.Contains(e.Message, "stack overflow") {
			t.Error(e)
		}
		got := most.Load() >> 20
		if got <= 1000 {
			break
		}
		if try == 12 {
			t.Fatalf("stacks of %d MB", got)
		}
	}
	if _, took := s.interrupt(t, "fmt.Sprint(d)", 200*time.Millisecond); took > sessiontest.Promised {
		t.Errorf("an interrupt took %v", took)
	}
	if got := s.must(t, "kept"); got != "7" {
		t.Errorf("kept is %s", got)
	}
}

// TestStacksOfEarlierCells: stacks that an earlier cell has left do not count against a
// cell before they are collected.
func TestStacksOfEarlierCells(t *testing.T) {
	slow.Test(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := newSession(t)
	s.must(t, "func f(n int) int { return f(n+1) + 1 }\nfunc down(n int) int { if n == 0 { return 0 }; return 1 + down(n-1) }")
	defer runtime.KeepAlive(chain())
	for range 12 {
		go runtime.GC()
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		s.Eval(ctx, "f(0)")
		cancel()
		if got := s.must(t, "down(40000)"); got != "40000" {
			t.Error(got)
		}
	}
}
