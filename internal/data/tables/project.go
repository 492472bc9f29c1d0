package tables

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// ProjectFrom returns the observations minus a point in the coordinates of a basis
// whose coordinates have variance 1. A point far from the origin is subtracted before,
// so that it costs no digits; else after, which takes no copy. Sparse observations, which
// lose their zeros so, may be farther. The rest is what rounding left of the point, or nil.
func ProjectFrom(ctx context.Context, x block.Source, point, rest []float64, b *moment.Basis) (*block.Dense, error) {
	far := 1e3 // deviations: of 16 digits 3 are lost
	if _, zeros := x.(sparse); zeros {
		far = 1e6
	}
	shift, left := make([]float64, b.K), make([]float64, b.K)
	linalg.MulABt(shift, point, b.Q, 1, b.K, b.N)
	if linalg.NormInf(shift) > far {
		x = block.Shifted(x, point)
		clear(shift)
	}
	if rest != nil {
		linalg.MulABt(left, rest, b.Q, 1, b.K, b.N)
		linalg.Axpy(1, left, shift)
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
