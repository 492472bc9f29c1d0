package moment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/eigen"
	"symmom/internal/linalg"
	"symmom/internal/obs"
)

// LargestEigenvalue returns the largest eigenvalue of the second moment V D_nu V' by
// the Lanczos process with full reorthogonalization (Golub & Van Loan, section 10.3),
// one pass over the data per step, to a relative change below 1e-8 or for 50 steps.
// The start vector is fixed and the process is homogeneous: the data times c give c^2
// times the result, if span, the unit of intermediate results, is also multiplied by
// c. It returns the number of passes too, and ctx's error if cancelled.
func LargestEigenvalue(ctx context.Context, x obs.Source, span float64, threads int) (value float64, passes int, err error) {
	return LargestOf(ctx, &Implicit{Data: x, D: 2}, span, threads, func() error { return obs.Stopped(ctx, x) })
}

// LargestOf is like LargestEigenvalue for a second moment held in any form; why
// returns the error of a product that was not completed.
func LargestOf(ctx context.Context, t Tensor, span float64, threads int, why func() error) (value float64, products int, err error) {
	second := NewObjective(t, 1, span, threads)
	value, products, err = eigen.Largest(t.N(), func(y, q []float64) error {
		v, _, ok := second.TTSV(ctx, q)
		if !ok {
			return why()
		}
		copy(y, v)
		return nil
	})
	return value * span * span, products, err
}

// Span returns the largest absolute value of the data. It returns ctx's error if
// cancelled.
func Span(ctx context.Context, x obs.Source) (float64, error) {
	span := 0.0
	_, n := x.Shape()
	step := linalg.BlockRows(n)
	var wide []float64
	if !x.Pass(ctx, func(b obs.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += step {
			span = math.Max(span, linalg.NormInf(b.Values(lo, min(lo+step, b.Rows), n, &wide)))
		}
	}) {
		return 0, obs.Stopped(ctx, x)
	}
	return span, nil
}

// spectrumOps bounds the work on a full spectrum, in multiply-adds.
const spectrumOps = 1e10

// SpectrumIsCheap reports whether all eigenvalues can be computed in seconds.
func SpectrumIsCheap(x obs.Source) bool {
	rows, variables := x.Shape()
	p, n := float64(rows), float64(variables)
	return p*n*n <= spectrumOps && n*n*n <= spectrumOps
}

// Spectrum returns all eigenvalues of the second moment V D_nu V', largest first, see
// NewSecond. It returns ctx's error if cancelled.
func Spectrum(ctx context.Context, x obs.Source) (*Second, error) {
	span, err := Span(ctx, x)
	if err != nil {
		return nil, err
	}
	return NewSecond(ctx, x, span)
}

// eigen returns the eigenvalues of a packed matrix, largest first, in the units of the
// data, and, if vectors is set, the eigenvectors, one per row.
func (t *Packed) eigen(ctx context.Context, vectors bool) (values, rows []float64, err error) {
	n, at := t.n, 0
	m := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, t.x[at])
			at++
		}
	}
	values, columns, ok, err := eigen.SymContext(ctx, m, vectors)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, fmt.Errorf("eigenvalues of the second moment: no convergence")
	}
	slices.Reverse(values)
	linalg.Scale(t.unit*t.unit, values)
	if vectors {
		rows = make([]float64, n*n)
		for i := range n {
			for j := range n {
				rows[i*n+j] = columns[j*n+n-1-i]
			}
		}
	}
	return values, rows, nil
}
