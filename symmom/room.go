package symmom

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/memory"
	"symmom/internal/observations"
)

// MemoryError is returned if something would take more memory than is free, or than
// LoadOptions.MemoryLimit or Options.MemoryLimit allow, before any of it is
// allocated.
type MemoryError = memory.Error

// MaxOrder is the highest order of a moment. Precision is lost long before.
const MaxOrder = 100

// checkOrder refuses orders that no moment has.
func checkOrder(d int) error {
	if d < 1 || d > MaxOrder {
		return &ArgumentError{Argument: "order", Value: d, Want: fmt.Sprintf("1 to %d (3 is the usual choice)", MaxOrder)}
	}
	return nil
}

// LoadMatrix is like the function LoadMatrix of this package, in this environment.
func (e *Environment) LoadMatrix(path string) (*mat.Dense, error) {
	ctx := e.context()
	m, err := observations.LoadMatrix(ctx, path)
	if err != nil {
		m = &mat.Dense{}
	}
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
