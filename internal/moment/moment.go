// Package moment evaluates the objective of the symmetric decomposition of a
// moment tensor,
//
//	f(lambda, A) = || X - sum_j lambda_j a_j^(x d) ||^2,   X = sum_l nu_l v_l^(x d),
//
// and its gradient, from the observations (Implicit, algorithm 2 of Sherman & Kolda)
// or from the dense tensor (Explicit, algorithm 1). The two differ only in the
// tensor-times-same-vector products Y; everything else is in Objective.
package moment

import "context"

// Tensor is a moment held in some form.
type Tensor interface {
	Name() string  // of the form
	Order() int    // d
	N() int        // dimension
	Unit() float64 // the observations are divided by it in the tensor held
	Worker(r, threads int) Worker
}

// Worker computes products with a tensor for one start at a time; it owns the
// scratch, so that an evaluation allocates nothing.
type Worker interface {
	// TTSV writes y_j = X a_j^(d-1) for every column; y and a are r x n, one column of
	// the paper per row. It returns false, with y invalid, if ctx is cancelled.
	TTSV(ctx context.Context, y, a []float64) bool
}
