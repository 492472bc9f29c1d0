package storage

import (
	"context"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
)

// ProjectFrom returns the observations minus a point in the coordinates of a basis
// whose coordinates have variance 1. A point far from the origin is subtracted before,
// so that it costs no digits; else after, which takes no copy. Sparse observations, which
// lose their zeros so, may be farther.
func ProjectFrom(ctx context.Context, x obs.Source, point []float64, b *moment.Basis) (*obs.Dense, error) {
	far := 1e3 // deviations: of 16 digits 3 are lost
	if _, zeros := x.(sparse); zeros {
		far = 1e6
	}
	shift := make([]float64, b.K)
	linalg.MulABt(shift, point, b.Q, 1, b.K, b.N)
	if linalg.NormInf(shift) > far {
		return b.Project(ctx, obs.Shifted(x, point), 0)
	}
	out, err := b.Project(ctx, x, 0)
	if err != nil {
		return nil, err
	}
	for l := 0; l < len(out.V); l += b.K {
		linalg.Axpy(-1, shift, out.V[l:l+b.K])
	}
	return out, nil
}
