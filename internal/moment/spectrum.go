package moment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// LargestEigenvalue returns the largest eigenvalue of the second moment V D_nu V' by
// the Lanczos process with full reorthogonalization (Golub & Van Loan, section 10.3),
// one pass over the data per step, to a relative change below 1e-8 or for 50 steps.
// The start vector is fixed and the process is homogeneous: the data times c give c^2
// times the result, if span, the unit of intermediate results, is also multiplied by
// c. It returns the number of passes too, and ctx's error if cancelled.
func LargestEigenvalue(ctx context.Context, x block.Source, span float64, threads int) (value float64, passes int, err error) {
	return LargestOf(ctx, &Implicit{Data: x, D: 2}, span, threads, func() error { return block.Stopped(ctx, x) })
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
func Span(ctx context.Context, x block.Source) (float64, error) {
	span := 0.0
	_, n := x.Shape()
	step := linalg.BlockRows(n)
	var wide []float64
	if !x.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += step {
			span = math.Max(span, linalg.NormInf(b.Values(lo, min(lo+step, b.Rows), n, &wide)))
		}
	}) {
		return 0, block.Stopped(ctx, x)
	}
	return span, nil
}

// spectrumOps bounds the work on a full spectrum, in multiply-adds, and fewNumbers what is
// held of observations fewer than variables, which has a copy if they are not in memory.
const (
	spectrumOps = 1e10
	fewNumbers  = 1 << 24
)

// fewer reports whether there are fewer observations than variables, so that the
// eigenvalues are those of the observations' inner products, and zeros.
func fewer(x block.Source) bool {
	p, n := x.Shape()
	_, far := x.(block.Far)
	return p < n && p <= fewNumbers/n && !far
}

// SpectrumIsCheap reports whether all eigenvalues can be computed in seconds.
func SpectrumIsCheap(x block.Source) bool {
	rows, variables := x.Shape()
	p, n := float64(rows), float64(variables)
	least := n
	if fewer(x) {
		least = p
	}
	return p*n*least <= spectrumOps && least*least*least <= spectrumOps
}

// Spectrum returns all eigenvalues of the second moment V D_nu V', largest first, see
// NewSecond. It returns ctx's error if cancelled.
func Spectrum(ctx context.Context, x block.Source) (*Second, error) {
	span, err := Span(ctx, x)
	if err != nil {
		return nil, err
	}
	return NewSecond(ctx, x, span)
}

// spectrumOfFew returns the eigenvalues of D_nu^(1/2) V'V D_nu^(1/2), which are those of
// the second moment, and zeros up to n of them.
func spectrumOfFew(ctx context.Context, x block.Source, span float64) ([]float64, error) {
	all, err := block.Gather(ctx, x)
	if err != nil {
		return nil, err
	}
	var wide []float64
	p, n, v := all.P, all.N, all.Values(0, all.P, &wide)
	g := make([]float64, p*p)
	const rows = 16
	t := &parallel.Pool{Threads: parallel.Threads(0), Job: func(_, i int) {
		lo, hi := i*rows, min((i+1)*rows, p)
		part := append([]float64(nil), v[lo*n:hi*n]...)
		linalg.Scale(1/span, part) // no product is beyond n times the largest value
		linalg.MulABt(g[lo*p:hi*p], part, v, hi-lo, p, n)
	}}
	t.Run(ctx, (p+rows-1)/rows)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	root := func(l int) float64 { return math.Sqrt(all.Share() * block.Block{Nu: all.Nu}.Weight(l)) }
	m := mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			m.SetSym(i, j, root(i)*root(j)*g[i*p+j]/span)
		}
	}
	values, _, err := descending(ctx, m, false, span)
	return append(values, make([]float64, n-p)...), err
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
	values, columns, err := descending(ctx, m, vectors, t.unit)
	if err != nil {
		return nil, nil, err
	}
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

// descending returns the eigenvalues of a second moment in a unit, largest first, in the
// units of the data, and, if vectors is set, the eigenvectors as eigen.SymContext does.
func descending(ctx context.Context, m *mat.SymDense, vectors bool, unit float64) (values, columns []float64, err error) {
	values, columns, ok, err := eigen.SymContext(ctx, m, vectors)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, fmt.Errorf("eigenvalues of the second moment: no convergence")
	}
	slices.Reverse(values)
	linalg.Scale(unit*unit, values)
	return values, columns, nil
}
