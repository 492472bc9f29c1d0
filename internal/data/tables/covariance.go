package tables

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
)

// Covariance returns that of a table whose mean is 0, as noise that a cumulant does not have:
// n x n, or, where there are fewer than half as many observations, these times the roots of
// their weights. With its powers it may take limit bytes of memory (memory.Limit). One pass.
func (t *Table) Covariance(ctx context.Context, limit uint64) (*moment.Noise, error) {
	p, n := float64(t.P), float64(t.N)
	_, far := t.Storage.(block.Far)
	few := 2*p < n && !far
	bytes := 32 * n * n
	if few {
		bytes = 16*p*n + 24*p*p
	}
	if err := memory.Check("cumulant: the covariance", bytes, limit, "whiten the data to fewer coordinates"); err != nil {
		return nil, err
	}
	if !few {
		unit, err := t.Extent(ctx)
		if err != nil {
			return nil, err
		}
		_, cov, err := moment.Covariance(ctx, t.Storage, nil, unit, 0)
		if err != nil {
			return nil, err
		}
		return &moment.Noise{N: t.N, Full: cov.Dense()}, nil
	}
	root := make([]float64, 0, t.P*t.N)
	var wide []float64
	if !t.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			nu := t.Share()
			if b.Nu != nil {
				nu *= b.Nu[l]
			}
			root = append(root, b.Values(l, l+1, t.N, &wide)...)
			linalg.Scale(math.Sqrt(nu), root[len(root)-t.N:])
		}
	}) {
		return nil, t.Stopped(ctx)
	}
	return &moment.Noise{N: t.N, Root: root}, nil
}
