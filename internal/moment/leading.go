package moment

import (
	"context"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Leading finds the leading eigenvalues and eigenvectors of the covariance of observations
// with a mean: a pass and 4 p n (K + 10) operations for each product.
func Leading(ctx context.Context, x block.Source, mean []float64, want eigen.Wanted, unit float64, threads int) (*eigen.Pairs, error) {
	m := append([]float64(nil), mean...)
	linalg.Scale(1/unit, m)
	want.Size = linalg.Dot(m, m)
	return leading(ctx, &Implicit{Data: x, D: 2}, m, want, unit, threads, func() error { return block.Stopped(ctx, x) })
}

// Leading finds the leading eigenvalues and eigenvectors of a packed second moment: 2 n^2
// (K + 10) operations for each product.
func (t *Packed) Leading(ctx context.Context, want eigen.Wanted, threads int) (*eigen.Pairs, error) {
	return leading(ctx, t, nil, want, t.unit, threads, ctx.Err)
}

// LeadingOf finds the leading eigenvalues and eigenvectors of a second moment held in any form;
// why returns the error of a product that was not completed.
func LeadingOf(ctx context.Context, t Tensor, want eigen.Wanted, unit float64, threads int, why func() error) (*eigen.Pairs, error) {
	return leading(ctx, t, nil, want, unit, threads, why)
}

// leading finds those of the second moment t minus that of m; why returns the error of a
// product that was not completed.
func leading(ctx context.Context, t Tensor, m []float64, want eigen.Wanted, unit float64, threads int, why func() error) (*eigen.Pairs, error) {
	var second *Objective
	out, err := eigen.Leading(ctx, t.N(), want, threads, func(q []float64, rows int) ([]float64, error) {
		if second == nil || second.r != rows {
			second = NewObjective(t, rows, unit, threads)
		}
		y, _, ok := second.TTSV(ctx, q)
		if !ok {
			return nil, why()
		}
		if m != nil {
			for i, n := 0, len(m); i < rows*n; i += n {
				linalg.Axpy(-linalg.Dot(m, q[i:i+n]), m, y[i:i+n])
			}
		}
		return y, nil
	})
	if err != nil {
		return nil, err
	}
	orient(out.Rows, t.N())
	linalg.Scale(unit*unit, out.Values)
	return out, nil
}
