package repl

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/yaegi"
)

// What follows is called by cells, under the name of supportName.

// show receives the values of the expression at the end of a cell.
func (s *Session) show(values ...any) {
	s.mu.Lock()
	shown := s.shown
	s.mu.Unlock()
	if shown != nil {
		shown(values)
	}
}

// runBody calls the body of a cell.
func (s *Session) runBody(body func()) {
	returned := false
	defer func() {
		if !returned {
			yaegi.Release(s.interp, body)
		}
	}()
	body()
	returned = true
}

// next is called when a unit of the cell has run. An interrupt ends the cell
// there, if not before.
func (s *Session) next(i int) {
	if i < len(s.running) {
		s.commit(s.running[i])
		s.reached = i + 1
	}
	if s.cellContext().Err() != nil {
		panic(ErrInterrupted)
	}
}

// sleep is time.Sleep, but an interrupt ends it, and the cell with it.
func (s *Session) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.interrupts():
		panic(ErrInterrupted)
	}
}

// patiently calls try until it succeeds, less and less often, or until an
// interrupt comes.
func (s *Session) patiently(try func() bool) {
	if try() {
		return
	}
	interrupted := s.interrupts()
	for pause := 10 * time.Microsecond; !try(); pause = min(2*pause, 5*time.Millisecond) {
		select {
		case <-interrupted:
			panic(ErrInterrupted)
		case <-time.After(pause):
		}
	}
}

// lock, readLock and wait are those of package sync, with an end.
func (s *Session) lock(m interface {
	sync.Locker
	TryLock() bool
}) {
	s.patiently(m.TryLock)
}

func (s *Session) readLock(m *sync.RWMutex) { s.patiently(m.TryRLock) }

// wait leaves nothing behind when it is interrupted: it looks at the counter
// instead of waiting in a goroutine for one that may never come to zero.
func (s *Session) wait(wg *sync.WaitGroup) {
	s.patiently(func() bool { return waitCount(wg) == 0 })
	wg.Wait() // tells the race detector that it happened
}

var placeInCell = regexp.MustCompile(`^(\d+)/_\.go:(\d+):\d+$`)

// panicked reports a panic in a goroutine that a cell started at where.
func (s *Session) panicked(where string, r any) {
	r = boxed.PanicValue(r)
	if r == any(ErrInterrupted) {
		return
	}
	if m := placeInCell.FindStringSubmatch(where); m != nil {
		where = s.where(m[1], m[2])
	}
	s.panickedIn("the goroutine started at "+where, r)
}

// panickedIn reports a panic outside the goroutine of the cell. A call of
// os.Exit ends the cell that runs.
func (s *Session) panickedIn(place string, r any) {
	r = boxed.PanicValue(r)
	if r == any(ErrInterrupted) {
		return
	}
	if e, ok := r.(exitRequest); ok {
		if s.exit(e.code) {
			return
		}
		r = fmt.Sprintf("%v: no cell runs that it could end", e)
	}
	fmt.Fprintf(s.config.Stderr, "panic in %s: %v\n", place, r)
}

// goCall calls a function in a goroutine of its own.
func (s *Session) goCall(where string, f func()) {
	s.goroutines.Add(1)
	go func() {
		defer s.goroutines.Add(-1)
		defer func() {
			if r := recover(); r != nil {
				s.panicked(where, r)
			}
		}()
		f()
	}()
}

// printBuiltin is print and println.
func (s *Session) printBuiltin(line bool, args ...any) {
	var b strings.Builder
	for i, x := range args {
		if line && i > 0 {
			b.WriteByte(' ')
		}
		if w, ok := x.(verbatim); ok {
			b.WriteString(string(w))
			continue
		}
		b.WriteString(printed(reflect.ValueOf(boxed.Raw(x))))
	}
	if line {
		b.WriteByte('\n')
	}
	fmt.Fprint(s.config.Stderr, b.String())
}

// printedInterface is what print writes of an interface. Of one that holds
// something Go writes two addresses; here it is the value.
func printedInterface(x any) any {
	if x == nil {
		return verbatim("(0x0,0x0)")
	}
	return x
}

// verbatim is printed as it is.
type verbatim string

// printed is a value as print writes it.
func printed(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nil"
	case v.CanFloat():
		return printedFloat(v.Float())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	case v.Kind() == reflect.String, v.Kind() == reflect.Bool, v.CanInt(), v.CanUint():
		return fmt.Sprint(v)
	case v.Kind() == reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case v.Kind() == reflect.Pointer, v.Kind() == reflect.Map, v.Kind() == reflect.Chan, v.Kind() == reflect.Func, v.Kind() == reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	}
	return "(" + v.Type().String() + ")"
}

func printedFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// clearValue is clear.
func clearValue(x any) {
	if v := reflect.ValueOf(x); v.IsValid() {
		v.Clear()
	}
}

// sortSlice is slices.Sort for a slice of any type whose items are ordered.
func sortSlice(x any) {
	switch x := x.(type) {
	case []int:
		slices.Sort(x)
		return
	case []float64:
		slices.Sort(x)
		return
	case []string:
		slices.Sort(x)
		return
	}
	v := reflect.ValueOf(x)
	sort.SliceStable(x, func(i, j int) bool {
		a, b := v.Index(i), v.Index(j)
		switch {
		case a.CanInt():
			return a.Int() < b.Int()
		case a.CanUint():
			return a.Uint() < b.Uint()
		case a.CanFloat():
			return cmp.Less(a.Float(), b.Float())
		}
		return a.String() < b.String()
	})
}

// pull is iter.Pull for iter.Pull of the cells, which keeps the values.
func (s *Session) pull(seq func(yield func() bool)) (next func(), stop func()) {
	step, stop := iter.Pull(func(yield func(struct{}) bool) {
		seq(func() bool { return yield(struct{}{}) })
	})
	return func() { step() }, stop
}
