package fit

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/math/solve"
	"symmom/internal/system/memory"
)

// What the solvers take, as the runtime counts it, is what is asked for before: at least
// nine tenths, as only what is certain counts, and not more.
func TestRoomForPairs(t *testing.T) {
	const n, r = 3, 2
	for _, c := range []struct {
		nonnegative bool
		memory      int
	}{{true, 1000}, {false, 200000}} {
		var before, after runtime.MemStats
		settings := solve.Settings{Memory: c.memory, MaxEvaluations: 1}
		if c.nonnegative {
			settings.Lower = make([]float64, r*(n+1))
		}
		x0 := make([]float64, r*(n+1))
		runtime.ReadMemStats(&before)
		if _, err := solve.LBFGS(func(x, g []float64) (float64, bool) { clear(g); g[0] = 1; return 1, true }, x0, settings); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		taken := float64(after.TotalAlloc - before.TotalAlloc)
		asked := roomFor(t, &Options{Starts: 1, Threads: 1, Corrections: c.memory, Nonnegative: c.nonnegative, LBFGS: true}, n, r)
		if asked > taken || asked < .9*taken {
			t.Errorf("%+v: asked for %.0f bytes, took %.0f", c, asked, taken)
		}
	}
}

// roomFor returns the bytes that a search is refused for, of a limit of one.
func roomFor(t *testing.T, o *Options, n, r int) float64 {
	t.Helper()
	o.MemoryLimit = 1
	m := New(tables.New(&load.Set{Info: load.Info{P: 4, N: n}, Values: make([]float64, 4*n)}), 3)
	m.Form = Implicit
	var refused *memory.Error
	if err := m.CheckRoom(r, o); !errors.As(err, &refused) {
		t.Fatalf("%+v: %v, want a refusal", o, err)
	}
	return refused.Bytes
}

// No number of pairs overflows, or counts where none are kept, and where they are what takes
// the memory the message says so.
func TestRoomForAnyMemory(t *testing.T) {
	m := New(tables.New(&load.Set{Info: load.Info{P: 4, N: 3}, Values: make([]float64, 12)}), 3)
	for _, corrections := range []int{math.MaxInt >> 23, math.MaxInt/4 - 5, math.MaxInt / 2, math.MaxInt} {
		for form, o := range map[Form]*Options{Implicit: {Nonnegative: true, LBFGS: true}, Explicit: {LBFGS: true}, Auto: {}, Sampled: {}} {
			m.Form, o.Starts, o.Threads, o.Corrections = form, 1, 1, corrections
			err := m.CheckRoom(2, o)
			if kept := o.LBFGS; kept != (err != nil) || kept && !strings.HasSuffix(err.Error(), "keep fewer correction pairs, or allow more memory") {
				t.Errorf("%d pairs, form %v: %v", corrections, form, err)
			}
		}
	}
}

// The run that polishes a compressed solution is counted, in all variables; one that does not polish has none.
func TestRoomForPolishing(t *testing.T) {
	const n, r = 100000, 5
	m := New(tables.New(&load.Set{Info: load.Info{P: 1, N: n}, Values: make([]float64, n)}), 3)
	for _, form := range []Form{Auto, Compressed} {
		m.Form, m.Warm = form, false
		o := &Options{Starts: 1, Threads: 1, MemoryLimit: 12 * 8 * r * n}
		if err := m.CheckRoom(r, o); err == nil || !strings.Contains(err.Error(), "take a lower rank") {
			t.Errorf("form %v: %v, want a refusal", form, err)
		}
		o.MemoryLimit *= 2
		if err := m.CheckRoom(r, o); err != nil {
			t.Errorf("form %v: %v", form, err)
		}
		m.Warm = true
		o.MemoryLimit = 1
		if err := m.CheckRoom(r, o); err != nil {
			t.Errorf("form %v: %v without polishing", form, err)
		}
	}
}
