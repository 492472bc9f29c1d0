package moment

import "context"

// Tensor is a moment held in some form.
type Tensor interface {
	Name() string  // of the form
	Order() int    // d
	N() int        // dimension
	Unit() float64 // the observations are divided by it in the tensor held
	Worker(r, threads int) Worker

	// OverDistinct reports whether only entries whose indices all differ count: the others are
	// 0, and are left out of the inner products of a model, too.
	OverDistinct() bool
}

// Worker computes products with a tensor for one start at a time; it owns the
// scratch, so that an evaluation allocates nothing.
type Worker interface {
	// TTSV writes y_j = X a_j^(d-1) for every column; y and a are r x n, one column of
	// the paper per row. It returns false, with y invalid, if ctx is cancelled.
	TTSV(ctx context.Context, y, a []float64) bool
}
