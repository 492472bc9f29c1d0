package datasets

import (
	"context"
	"fmt"

	"symmom/internal/data/draw"
	"symmom/symmom"
)

// Uniform draws observations of n variables, each uniform on (0, 1): the paper's
// data without structure (section timing-comp-expl). Seed 0 is seed 1.
func Uniform(n, observations int, seed uint64) *symmom.Session {
	return UniformContext(context.Background(), n, observations, seed)
}

// UniformContext is Uniform until ctx ends; the session then holds ErrInterrupted of
// package symmom.
func UniformContext(ctx context.Context, n, observations int, seed uint64) *symmom.Session {
	if n < 1 || observations < 1 {
		return symmom.Failed(&symmom.ArgumentError{Argument: "n, observations", Value: fmt.Sprintf("%d, %d", n, observations), Want: "at least 1 each"})
	}
	if err := draw.CheckMemory(float64(observations), n); err != nil {
		return symmom.Failed(err)
	}
	v, err := draw.Uniform(ctx, n, observations, seed)
	if err != nil {
		return symmom.Failed(errInterrupted)
	}
	return symmom.FromMatrix(v)
}

var errInterrupted = fmt.Errorf("generate: %w", symmom.ErrInterrupted)
