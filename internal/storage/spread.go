package storage

import (
	"context"
	"math"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
)

// Spread is the covariance of the observations: all of its eigenvalues, or the leading
// ones.
type Spread struct {
	Mean   []float64
	Trace  float64
	Basis  *moment.Basis // of the coordinates it was computed in, or nil for all
	Values []float64     // eigenvalues, largest first
	Rows   []float64     // eigenvectors in the data's coordinates, one per row
	Passes int
}

// Noise returns the variance that r components of spherical noise leave.
func (s *Spread) Noise(r int) float64 {
	return moment.NoiseVariance(s.Values, s.Trace, len(s.Mean), r)
}

// The whole covariance is formed, and all of its eigenvalues are found, if that takes
// at most this many operations, p n^2 and about 20 n^3, or if data on disk have at
// most this many variables: there a pass costs more than the operations in it.
const (
	wholeSpread     = 1e9
	wholeSpreadDisk = 200
)

// Spread finds the covariance, or for large n its restriction to a basis of its
// leading directions: one pass of p n^2 operations, or four passes.
func (t *Table) Spread(ctx context.Context, r, threads int) (*Spread, error) {
	var x obs.Source = t.Storage
	p, n := x.Shape()
	unit, err := t.Extent(ctx)
	if err != nil {
		return nil, err
	}
	if unit > 0 && !(unit*unit >= leastSquare && unit*unit <= math.MaxFloat64/float64(n)) {
		return nil, OutOfRange(t.Source, unit)
	}
	// Far from the origin E[v v'] - m m' would lose the significant digits.
	near, offset := t.about()
	if offset > farOffset {
		x = obs.Shift(x, near)
		if unit, err = around(ctx, x, unit, threads); err != nil {
			return nil, err
		}
	} else {
		near = nil
	}
	out, err := t.spread(ctx, x, r, p, n, unit, threads)
	if err == nil && near != nil {
		linalg.Axpy(1, near, out.Mean)
		out.Passes++
	}
	return out, err
}

// around returns a unit in which squares of observations with norms of at most span stay
// in range and keep their digits: the largest norm, or where these are not here the root
// of the mean square.
func around(ctx context.Context, x obs.Source, span float64, threads int) (unit float64, err error) {
	_, n := x.Shape()
	if _, far := x.(obs.Far); far {
		_, square, err := moment.Mean(ctx, x, span, threads)
		return math.Sqrt(square), err
	}
	var norms obs.Norms
	if !x.Pass(ctx, func(b obs.Block) {
		for l := range b.Rows {
			unit = math.Max(unit, norms.Of(b, l, n))
		}
	}) {
		return 0, obs.Stopped(ctx, x)
	}
	return unit, nil
}

// farOffset is the share of the mean in the second moment from which on the covariance
// is computed about a point near the mean: three digits would be lost otherwise.
const farOffset = .999

// leastSquare is the smallest square of the largest norm at which small variances keep
// their digits.
const leastSquare = 0x1p-1002

func (t *Table) spread(ctx context.Context, x obs.Source, r, p, n int, unit float64, threads int) (out *Spread, err error) {
	if unit == 0 {
		unit = 1 // all observations are the same
	}
	out = &Spread{Passes: 1}
	k := 2*r + 10
	whole := (float64(p)+20*float64(n))*float64(n)*float64(n) <= wholeSpread
	if t.Array() == nil {
		whole = n <= wholeSpreadDisk
	}
	if 2*k < n && !whole {
		if out.Basis, err = moment.NewBasis(ctx, x, nil, k, r, unit, threads); err != nil {
			return nil, err
		}
		out.Passes += 1 + out.Basis.Passes
	}
	mean, cov, err := moment.Covariance(ctx, x, out.Basis, unit, threads)
	if err != nil {
		return nil, err
	}
	ritz, err := cov.Ritz(ctx)
	if err != nil {
		return nil, err
	}
	out.Values = ritz.Values
	if out.Basis == nil {
		out.Mean, out.Rows, out.Trace = mean, ritz.Q, cov.Trace()
		return out, nil
	}
	out.Rows = make([]float64, ritz.K*n)
	out.Basis.Lift(out.Rows, ritz.Q, ritz.K)
	var square float64
	if out.Mean, square, err = moment.Mean(ctx, x, unit, threads); err != nil {
		return nil, err
	}
	out.Trace = square
	for _, v := range out.Mean {
		out.Trace -= v * v
	}
	return out, nil
}
