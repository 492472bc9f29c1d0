package moment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/linalg"
)

// LargestEigenvalue returns the largest eigenvalue of the second moment
// V D_nu V' by the Lanczos process with full reorthogonalisation (Golub & Van
// Loan, section 10.3), one pass over the data a step, to a relative change
// below 1e-8 or after 50 steps. The start vector is fixed and the process is
// homogeneous: the data times c gives c^2 times the result, for a span, the
// unit of the arithmetic on the way, times c. It returns the passes it took,
// and ctx's error when cancelled.
func LargestEigenvalue(ctx context.Context, x *Data, span float64, threads int) (value float64, passes int, err error) {
	const maxSteps, tol = 50, 1e-8
	n := x.N
	second := NewObjective(&Implicit{Data: x, D: 2}, 1, span, threads)
	rng := rand.New(rand.NewPCG(1, 0))
	q := make([]float64, n)
	for i := range q {
		q[i] = rng.NormFloat64()
	}
	linalg.Scale(1/linalg.Norm2(q), q)
	var basis [][]float64
	var alpha, beta []float64
	ritz := 0.0
	for step := range min(n, maxSteps) {
		basis = append(basis, append([]float64(nil), q...))
		y, _, ok := second.TTSV(ctx, q)
		if !ok {
			return 0, 0, ctx.Err()
		}
		passes++
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
		var eig mat.EigenSym
		if !eig.Factorize(t, false) {
			return 0, 0, fmt.Errorf("largest eigenvalue of the second moment: no convergence")
		}
		last := ritz
		ritz = eig.Values(nil)[step]
		norm := linalg.Norm2(q)
		if norm <= 1e-14*ritz || step > 0 && math.Abs(ritz-last) <= tol*ritz {
			break
		}
		beta = append(beta, norm)
		linalg.Scale(1/norm, q)
	}
	return ritz * span * span, passes, nil
}

// Span returns the largest absolute value of the data. It returns ctx's error
// when cancelled.
func Span(ctx context.Context, x *Data) (float64, error) {
	span := 0.0
	for lo := 0; lo < x.P; lo += 4096 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		span = math.Max(span, linalg.NormInf(x.rows(lo, min(lo+4096, x.P))))
	}
	return span, nil
}

// Spectrum returns all eigenvalues of the second moment V D_nu V', the largest
// first. p n^2 operations and n^2 memory; n^3 for the eigenvalues. It returns
// ctx's error when cancelled.
func Spectrum(ctx context.Context, x *Data) ([]float64, error) {
	n := x.N
	s := make([]float64, n*n)
	block := linalg.BlockRows(n)
	weighted := make([]float64, block*n)
	for lo := 0; lo < x.P; lo += block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+block, x.P)
		w := weighted[:(hi-lo)*n]
		copy(w, x.rows(lo, hi))
		linalg.Scale(x.share(), w)
		for l, nu := range x.weights(lo, hi) {
			linalg.Scale(nu, w[l*n:(l+1)*n])
		}
		linalg.AddAtB(s, w, x.rows(lo, hi), n, n, hi-lo)
	}
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(n, s), false) {
		return nil, fmt.Errorf("eigenvalues of the second moment: no convergence")
	}
	v := eig.Values(nil)
	for i, j := 0, len(v)-1; i < j; i, j = i+1, j-1 {
		v[i], v[j] = v[j], v[i]
	}
	return v, nil
}
