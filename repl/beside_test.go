package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"symmom/internal/system/origin"
	"symmom/internal/test/sessiontest"
)

// beside evaluates a cell beside others.
func (s *testSession) beside(t *testing.T, source string) string {
	t.Helper()
	r, err := s.Eval(Beside(t.Context()), source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return r.String()
}

// runs starts a cell that sends to ready, and returns when it has.
func (s *testSession) runs(t *testing.T, ctx context.Context, source string) (ends <-chan error) {
	t.Helper()
	s.must(t, "ready, stop := make(chan bool), make(chan bool)")
	done := make(chan error, 1)
	go func() {
		_, err := s.Eval(ctx, source)
		done <- err
	}()
	s.beside(t, "<-ready")
	return done
}

// A cell beside another one has its variables, those that it has just declared included, and
// declares its own.
func TestCellsRunSideBySide(t *testing.T) {
	s := newSession(t)
	ends := s.runs(t, t.Context(), "type point struct{ X int }; x := 20; ready <- true; <-stop; z := x")
	for _, c := range [][2]string{{"x + 1", "21"}, {"y := x", ""}, {"point{y}.X", "20"}, {"func f(n int) int { return n * y }; f(3)", "60"},
		{"_ + 1", "61"}, {"%cd\ny", "20"}} {
		if got := s.beside(t, c[0]); got != c[1] {
			t.Errorf("%s is %q, want %q", c[0], got, c[1])
		}
	}
	if _, err := s.Eval(Beside(t.Context()), "z"); err == nil {
		t.Error("a variable is there before it is declared")
	}
	if _, err := s.Eval(Beside(t.Context()), "%reset"); err == nil {
		t.Error("everything was forgotten while a cell ran")
	}
	s.beside(t, "close(stop)")
	if err := <-ends; err != nil {
		t.Error(err)
	}
	if got := s.must(t, "z + y"); got != "40" {
		t.Errorf("afterwards the sum is %s, want 40", got)
	}
}

// The interpreter stops as a whole: an interrupt of one cell ends those beside it, whether
// they wait, compute or call, and cells that follow run.
func TestInterruptEndsWhatRunsBeside(t *testing.T) {
	for _, running := range []string{"<-stop", "for {}", "select {}", "time.Sleep(time.Hour)", "func() { defer func() { for {} }(); for {} }()"} {
		s := newSession(t)
		s.must(t, `import "time"`)
		ctx, cancel := context.WithCancel(t.Context())
		ends := s.runs(t, ctx, "ready <- true; "+running)
		other := make(chan error, 1)
		go func() {
			_, err := s.Eval(Beside(t.Context()), "ready <- true; for {}")
			other <- err
		}()
		s.beside(t, "<-ready")
		cancel()
		for _, err := range []error{<-ends, <-other} {
			if !errors.Is(err, ErrInterrupted) {
				t.Errorf("%s: the error is %v, want %v", running, err, ErrInterrupted)
			}
		}
		if got := s.must(t, "1 + 1"); got != "2" || s.beside(t, "1 + 2") != "3" {
			t.Errorf("after %s cells do not run: %s", running, got)
		}
	}
}

// What ends a cell by itself does not end those beside it.
func TestPanicsAndExitsEndTheirOwnCell(t *testing.T) {
	s := newSession(t)
	ends := s.runs(t, t.Context(), "func inner() { panic(`so`) }; ready <- true; <-stop; inner()")
	var exit *ExitError
	if _, err := s.Eval(Beside(t.Context()), `import "os"; os.Exit(3)`); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("os.Exit gave %v", err)
	}
	var e *Error
	if _, err := s.Eval(Beside(t.Context()), "func own() { panic(`mine`) }\nown()"); !errors.As(err, &e) || e.Line != 2 || len(e.Trace) != 1 || !strings.Contains(e.Trace[0], "own") {
		t.Errorf("a panic gave %v, %+v", err, e)
	}
	s.beside(t, "close(stop)")
	if err := <-ends; !errors.As(err, &e) || len(e.Trace) != 1 || !strings.Contains(e.Trace[0], "inner") {
		t.Errorf("a panic gave %v, %+v", err, e)
	}
}

// byOrigin is a stream that keeps what cells print apart.
type byOrigin struct {
	sync.Mutex
	printed map[any]string
}

type originKey struct{}

func (b *byOrigin) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	b.printed[origin.Context().Value(originKey{})] += string(p)
	return len(p), nil
}

// What a cell prints, also in goroutines, has the cell's context as its origin.
func TestOutputHasTheOriginOfItsCell(t *testing.T) {
	out := &byOrigin{printed: map[any]string{}}
	own, err := New(Config{Stdin: strings.NewReader(""), Stdout: out, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	s := &testSession{Session: own}
	as := func(name string) context.Context { return context.WithValue(t.Context(), originKey{}, name) }
	ends := s.runs(t, as("first"), "ready <- true; <-stop; fmt.Print(1)")
	if _, err := s.Eval(Beside(as("second")), "fmt.Print(2); done := make(chan bool); go func() { fmt.Print(3); close(done) }(); _ = <-done\n%time 4"); err != nil {
		t.Error(err)
	}
	s.beside(t, "close(stop)")
	if err := <-ends; err != nil {
		t.Error(err)
	}
	if got := out.printed["second"]; !strings.HasPrefix(got, "23time: ") {
		t.Errorf("the second cell has printed %q", got)
	}
	if got := out.printed["first"]; got != "1" {
		t.Errorf("the first cell has printed %q", got)
	}
}

// Cells of any kind run side by side, and each has the results that it has alone. For the race
// detector.
func TestManyCellsSideBySide(t *testing.T) {
	cells := []func(n int) (source, want string){
		func(n int) (string, string) { return fmt.Sprintf("%d + 1", n), fmt.Sprint(n + 1) },
		func(n int) (string, string) {
			return fmt.Sprintf("func f%d(a int) int { if a < 2 { return 1 }; return a * f%[1]d(a-1) }; f%[1]d(5)", n), "120"
		},
		func(n int) (string, string) {
			return fmt.Sprintf("type t%d struct{ A, B int }; func (t t%[1]d) Sum() int { return t.A + t.B }; var v%[1]d interface{ Sum() int } = t%[1]d{%[1]d, 1}; v%[1]d.Sum()", n), fmt.Sprint(n + 1)
		},
		func(n int) (string, string) {
			return fmt.Sprintf("func g%d[T any](a ...T) []T { return append(a, a...) }; len(g%[1]d(1, 2)) + len(g%[1]d(`a`))", n), "6"
		},
		func(n int) (string, string) {
			return fmt.Sprintf("c%d := make(chan int); for i := range 3 { go func() { c%[1]d <- i }() }; <-c%[1]d + <-c%[1]d + <-c%[1]d", n), "3"
		},
		func(n int) (string, string) {
			return fmt.Sprintf("m%d := map[string][]float64{`a`: {1, 2}}; s%[1]d := 0.; for _, l := range m%[1]d { for _, x := range l { s%[1]d += x } }; s%[1]d", n), "3"
		},
		func(n int) (string, string) {
			return fmt.Sprintf("func() (r any) { defer func() { r = recover() }(); var l []int; return l[%d] }() != nil", n), "true"
		},
		func(n int) (string, string) {
			return "fmt.Sprint(mat.NewDense(1, 1, []float64{2}).At(0, 0), math.Sqrt(4))", "2 2"
		},
		func(n int) (string, string) {
			return fmt.Sprintf("import \"strings\"; k%d := strings.Repeat(`a`, 3); func() string { return k%[1]d + `b` }()", n), "aaab"
		},
	}
	s := newSession(t)
	const lanes = 3
	const rounds = 30 // more cells than that need more places than there are to spare
	var wait sync.WaitGroup
	for lane := range lanes {
		wait.Go(func() {
			ctx := t.Context()
			if lane > 0 {
				ctx = Beside(ctx)
			}
			for i := range rounds {
				n := 1 + lanes*i + lane
				source, want := cells[(i+lane)%len(cells)](n)
				r, err := s.Eval(ctx, source)
				if err != nil {
					t.Errorf("%s\n%v", source, err)
					return
				}
				if got := r.String(); got != want {
					t.Errorf("%s is %q, want %q", source, got, want)
				}
			}
		})
	}
	wait.Wait()
}

// Cells beside one another may be interrupted at any time, and none runs on.
func TestInterruptsAtRandomSideBySide(t *testing.T) {
	s := newSession(t)
	s.must(t, `import "time"; n := 0`)
	for i := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		var began sessiontest.Buffer
		for lane := range 3 {
			wait.Go(func() {
				use := ctx
				if lane > 0 {
					use = Beside(ctx)
				}
				for {
					fmt.Fprint(&began, "x")
					if _, err := s.Eval(use, fmt.Sprintf("for i := range 1 + 100000 * (%d %% 2) { _ = i }; func() int { return %d }()", i+lane, lane)); err != nil {
						if !errors.Is(err, ErrInterrupted) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		sessiontest.Comes(ctx, func() bool { return len(began.String()) > i%7 })
		cancel()
		wait.Wait()
		if got := s.must(t, "1 + 1"); got != "2" {
			t.Fatalf("after %d interrupts 1 + 1 is %q", i+1, got)
		}
	}
}
