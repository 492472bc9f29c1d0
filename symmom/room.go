package symmom

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/memory"
	"symmom/internal/observations"
	"symmom/internal/words"
)

// MemoryError is returned where something would take more memory than is free,
// or than LoadOptions.MemoryLimit or Options.MemoryLimit allow, before any of it
// is made.
type MemoryError = memory.Error

// MaxOrder is the highest order of a moment. Numbers to such powers are beyond
// all precision long before.
const MaxOrder = 100

// checkOrder refuses orders that no moment has.
func checkOrder(d int) error {
	if d < 1 || d > MaxOrder {
		return &ArgumentError{Argument: "order", Value: d, Want: fmt.Sprintf("1 to %d (3 is the usual choice)", MaxOrder)}
	}
	return nil
}

// startBytes is what a start leaves beside its factors: its record, and the
// trace of a dozen iterations.
const startBytes = 1 << 10

// checkRoom refuses a search that would not fit in memory. It counts what is
// sure to be made, so that nothing is refused that would do.
func (m *Moment) checkRoom(r int, o Options) error {
	n, rank, starts := float64(m.session.data.N), float64(r), float64(o.Starts)
	if m.form == FormCompressed || m.form == FormAuto {
		n = math.Min(n, 2*rank+10)
	}
	x := 8 * rank * (n + 1)
	run, matrices := float64(2*o.Memory+12)*x, 0.
	if m.form != FormSampled && !o.Nonnegative && o.Solver != SolverLBFGS {
		run, matrices = 12*x, 8*14*rank*rank
	}
	runs := math.Min(starts, float64(o.Threads))
	kept, now := starts*(startBytes+x), runs*(run+matrices)
	remedy, option := "take a lower rank, or allow more memory", "rank"
	if kept > now {
		remedy, option = "take fewer starts, or allow more memory", "Starts"
	}
	what := fmt.Sprintf("decompose: rank %s of %s from %s", words.Count(r), words.Plural(m.session.data.N, "variable"), words.Plural(o.Starts, "start"))
	return memory.Check(what, kept+now, o.MemoryLimit, remedy, option, "MemoryLimit")
}

// LoadMatrix is like the function LoadMatrix of this package, in this environment.
func (e *Environment) LoadMatrix(path string) (*mat.Dense, error) {
	ctx := e.context()
	m, err := observations.LoadMatrix(ctx, path)
	return m, loading(ctx, err)
}

// LoadModel is like the function LoadModel of this package, in this environment.
func (e *Environment) LoadModel(path string) (*Model, error) {
	ctx := e.context()
	m, err := loadModel(ctx, path)
	return m, loading(ctx, err)
}

// loading makes the error of a context that ended ErrInterrupted.
func loading(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("load: %w", ErrInterrupted)
	}
	return err
}
