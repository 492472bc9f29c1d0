package solve

import (
	"gonum.org/v1/gonum/floats"

	"symmom/internal/math/linalg"
)

// ConjugateGradients solves systems with a positive definite matrix that is known by its
// products (N&W algorithm 5.3). It allocates nothing after it is made.
type ConjugateGradients struct {
	Product      func(out, x []float64)
	Precondition func(out, x []float64) // about the inverse of the matrix
	Steps        int                    // at most
	Tolerance    float64                // of the residual's square, in the norm of the preconditioner
	Stopped      func() bool            // ends the work early; or nil

	residual, direction, better, product []float64
}

// NewConjugateGradients makes the solver for a number of unknowns. Its fields are to be set.
func NewConjugateGradients(size int) *ConjugateGradients {
	return &ConjugateGradients{residual: make([]float64, size), direction: make([]float64, size), better: make([]float64, size), product: make([]float64, size)}
}

// Solve writes about the solution for the right-hand side b, times scale, to x. A direction
// without curvature, which rounding leaves, ends it.
func (c *ConjugateGradients) Solve(x, b []float64, scale float64) {
	clear(x)
	floats.ScaleTo(c.residual, scale, b)
	c.Precondition(c.better, c.residual)
	copy(c.direction, c.better)
	rho := linalg.Dot(c.residual, c.better)
	enough := c.Tolerance * rho
	for range c.Steps {
		if !(rho > enough) || c.Stopped != nil && c.Stopped() { // also NaN
			return
		}
		c.Product(c.product, c.direction)
		curvature := linalg.Dot(c.direction, c.product)
		if !(curvature > 0) {
			return
		}
		linalg.Axpy(rho/curvature, c.direction, x)
		linalg.Axpy(-rho/curvature, c.product, c.residual)
		c.Precondition(c.better, c.residual)
		old := rho
		rho = linalg.Dot(c.residual, c.better)
		linalg.Scale(rho/old, c.direction)
		linalg.Axpy(1, c.better, c.direction)
	}
}
