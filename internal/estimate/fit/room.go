package fit

import (
	"fmt"
	"math"

	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// startBytes is the memory of a start in addition to its factors: its record, and the
// trace of a dozen iterations.
const startBytes = 1 << 10

// pairBytes is the memory of half a pair of L-BFGS in addition to its vector.
const pairBytes = 32

// CheckRoom returns an error if a search at rank r would not fit in memory. It counts
// only what is certain to be allocated, so that nothing is refused that would fit.
func (m *Moment) CheckRoom(r int, o *Options) error {
	n, rank, starts := float64(m.Table.N), float64(r), float64(o.Starts)
	polish := 0. // of a solution of the compressed problem
	if m.Form == Compressed || m.Form == Auto {
		if run, pairs := m.runBytes(n, rank, o); !m.Warm && m.Table.Forgotten() == nil {
			polish = run + pairs
		}
		n = math.Min(n, 2*rank+10)
	}
	run, pairs := m.runBytes(n, rank, o)
	runs := math.Min(starts, float64(o.Threads))
	kept, now := starts*(startBytes+8*rank*(n+1)), math.Max(runs*(run+pairs), polish)
	remedy, option := "take a lower rank, or allow more memory", "rank"
	switch {
	case kept > now:
		remedy, option = "take fewer starts, or allow more memory", "Starts"
	case pairs > run:
		remedy, option = "keep fewer correction pairs, or allow more memory", "Corrections"
	}
	what := fmt.Sprintf("decompose: rank %s of %s from %s", words.Count(r), words.Plural(m.Table.N, "variable"), words.Plural(o.Starts, "start"))
	return memory.Check(what, kept+now, o.MemoryLimit, remedy, option, "MemoryLimit")
}

// runBytes returns the memory of a run in n variables, and what pairs of L-BFGS add to it.
func (m *Moment) runBytes(n, rank float64, o *Options) (run, pairs float64) {
	x := 8 * rank * (n + 1)
	run = 12*x + 8*3*rank*rank // with the matrices of the objective
	switch corrections := float64(o.Corrections); {
	case m.Form == Sampled: // Adam keeps none
	case o.LBFGS && o.Nonnegative:
		pairs = 2*corrections*(x+pairBytes) + 8*6*corrections*corrections // with the matrices of L-BFGS-B
	case o.LBFGS:
		pairs = 2 * corrections * (x + pairBytes)
	case o.Nonnegative:
		run = 24*x + 8*14*rank*rank
	default:
		run = 12*x + 8*14*rank*rank
	}
	return run, pairs
}
