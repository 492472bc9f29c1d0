package symmom

import (
	"context"
	"fmt"

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

// checkDraw refuses observations to be drawn that would not fit in memory, held
// copies times.
func checkDraw(observations float64, n, copies int) error {
	return memory.Check(fmt.Sprintf("generate: %.4g observations of %s", observations, words.Plural(n, "variable")),
		8*float64(copies)*observations*float64(n), 0, "draw fewer observations", "Observations")
}

// LoadMatrix is the function LoadMatrix of this package, within the host.
func (h *Host) LoadMatrix(path string) (*mat.Dense, error) {
	ctx := h.context()
	m, err := observations.LoadMatrix(ctx, path)
	return m, loading(ctx, err)
}

// LoadModel is the function LoadModel of this package, within the host.
func (h *Host) LoadModel(path string) (*Model, error) {
	ctx := h.context()
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
