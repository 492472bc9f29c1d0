package eigen

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// Largest returns the largest eigenvalue of a symmetric positive semidefinite operator of size
// n by the Lanczos process with full reorthogonalization (Golub & Van Loan, section 10.3), to a
// relative change below 1e-8 or for 50 products, and their number: apply writes that with q to
// y, and an error ends it. The start vector is fixed.
func Largest(n int, apply func(y, q []float64) error) (value float64, products int, err error) {
	const maxSteps, tol = 50, 1e-8
	rng := rand.New(rand.NewPCG(1, 0))
	q, y := make([]float64, n), make([]float64, n)
	for i := range q {
		q[i] = rng.NormFloat64()
	}
	linalg.Scale(1/linalg.Norm2(q), q)
	var basis [][]float64
	var alpha, beta []float64
	ritz := 0.0
	for step := range min(n, maxSteps) {
		basis = append(basis, append([]float64(nil), q...))
		if err := apply(y, q); err != nil {
			return 0, 0, err
		}
		products++
		alpha = append(alpha, linalg.Dot(q, y))
		copy(q, y)
		for range 2 { // twice is enough (Parlett)
			for _, b := range basis {
				linalg.Axpy(-linalg.Dot(b, q), b, q)
			}
		}
		t := mat.NewSymDense(step+1, nil)
		for i := range step + 1 {
			t.SetSym(i, i, alpha[i])
			if i > 0 {
				t.SetSym(i-1, i, beta[i-1])
			}
		}
		values, _, ok := Sym(t, false)
		if !ok {
			return 0, 0, errors.New("largest eigenvalue: no convergence")
		}
		last := ritz
		ritz = values[step]
		norm := linalg.Norm2(q)
		if norm <= 1e-14*ritz || step > 0 && math.Abs(ritz-last) <= tol*ritz {
			break
		}
		beta = append(beta, norm)
		linalg.Scale(1/norm, q)
	}
	return ritz, products, nil
}
