package tables

import (
	"context"
	"math"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Spread is the covariance of the observations: all of its eigenvalues, or the leading
// ones.
type Spread struct {
	Mean   []float64
	Trace  float64
	Whole  *moment.Packed // the covariance itself, or nil if it was not formed
	Values []float64      // eigenvalues, largest first
	Rows   []float64      // eigenvectors in the data's coordinates, one per row
	Passes int

	lead     int     // so many of them are meant to be accurate
	residual float64 // of one that is not: |C u - value u| / value; or 0
	products int     // that there were
}

// Noise returns the variance that r components of spherical noise leave.
func (s *Spread) Noise(r int) float64 {
	return moment.NoiseVariance(s.Values, s.Trace, len(s.Mean), r)
}

// NoiseOf is Noise without the bias of p observations, of equal weight or so many effective
// ones: their mean and the r-1 leading directions are fitted to them, and each takes with it
// 1/p of the noise in every direction.
func (s *Spread) NoiseOf(r int, p float64) float64 {
	return s.Noise(r) * p / math.Max(1, p-float64(r))
}

// NoiseError returns the standard error of the root of NoiseOf, where the noise is normal: what
// p observations leave open in n-r+1 directions, and by its squares what weak components may
// have taken with them. With c = n/p, one of variance a in noise of variance s has an eigenvalue
// of (a+s)(1+cs/a), c s^2/a beyond a + (1+c) s, if a is above sqrt(c) s; others have none beyond
// the largest of the noise, that of a = sqrt(c) s (Baik & Silverstein 2006).
func (s *Spread) NoiseError(r int, p float64) float64 {
	variance, n := s.NoiseOf(r, p), float64(len(s.Mean))
	if variance == 0 {
		return 0
	}
	left := (n - float64(r) + 1) * math.Max(1, p-float64(r))
	least, taken := math.Sqrt(n/p)*variance, 0.
	for _, v := range s.Values[:min(r-1, len(s.Values))] {
		a := least
		if b := (v - variance - n/p*variance) / 2; b > least {
			a = b + math.Sqrt(b*b-least*least)
		}
		taken += least * least / a
	}
	bias := math.Sqrt(variance+taken*p/left) - math.Sqrt(variance)
	return math.Hypot(math.Sqrt(variance/(2*left)), bias)
}

// Effective returns the effective number of observations (block.Dense.Effective), for which
// those with weights take a pass. On a cluster it is their number.
func (t *Table) Effective(ctx context.Context) (float64, error) {
	p, _ := t.Shape()
	if _, far := t.Storage.(block.Far); far || !t.Weighted() {
		return float64(p), nil
	}
	sum, squares := 0., 0.
	if !t.Storage.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			nu := b.Weight(l)
			sum += nu
			squares += nu * nu
		}
	}) {
		return 0, t.Stopped(ctx)
	}
	return sum * sum / squares, nil
}

// Accuracy of leading eigenvectors: the bound of |C u - value u| / value, see
// eigen.Leading. Exact is for those that are results, Rough for a start that is improved.
const (
	Exact = 1e-8
	Rough = 1e-2
)

// Which way is cheaper is estimated in multiply-adds: p n^2/2 for the whole covariance, at
// most so many variables of it; or so many passes, each of which multiplies the stored
// numbers by twice some columns, and if it reads them from disk takes the time of some
// more. All eigenvectors of a small covariance are found, which takes .05 s. Where no gap
// follows the leading eigenvalues, passes end at a bound, which is lower if each of them
// takes long; products with the whole covariance cost little.
const (
	wholeMost    = 2048
	wholeFar     = 1000 // on a cluster, each part of which returns the whole
	wholeEigen   = 300
	likelyPasses = 8
	readingCosts = 64
	mostPasses   = 100
	mostSlow     = 20
	mostProducts = 1000
	alsoWanted   = 10 // besides twice as many as are accurate: a mixture looks at these
)

// Spread finds the covariance, or for large n its r leading eigenvalues and eigenvectors,
// to an accuracy, and some more as well as they are then known: one pass of p n^2
// operations, or as many passes as it takes. The whole covariance of a spread from before, of
// the same table for another r, is not formed again; nil if there is none.
func (t *Table) Spread(ctx context.Context, r int, accuracy float64, before *Spread, threads int) (*Spread, error) {
	var x block.Source = t.Storage
	_, n := x.Shape()
	if before != nil && before.Whole != nil && before.Trace > 0 && t.wholeIsCheaper(n, min(r, n)) {
		out := *before
		out.Passes, out.lead = 0, min(r, n)
		if n <= wholeEigen { // they are all there
			return &out, nil
		}
		return &out, out.decompose(ctx, wanted(n, r, accuracy), threads)
	}
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
		x = block.Shift(x, near)
		if unit, err = around(ctx, x, unit, threads); err != nil {
			return nil, err
		}
	} else {
		near = nil
	}
	out, err := t.spread(ctx, x, r, accuracy, unit, threads)
	if err != nil {
		return nil, err
	}
	if near != nil {
		linalg.Axpy(1, near, out.Mean)
		out.Passes++
	}
	if out.Trace <= roundedSpread*linalg.Dot(out.Mean, out.Mean) {
		out.Trace = 0
		clear(out.Values)
	}
	return out, nil
}

// around returns a unit in which squares of observations with norms of at most span stay
// in range and keep their digits: the largest norm, or where these are not here the root
// of the mean square.
func around(ctx context.Context, x block.Source, span float64, threads int) (unit float64, err error) {
	_, n := x.Shape()
	if _, far := x.(block.Far); far {
		_, square, err := moment.Mean(ctx, x, span, threads)
		return math.Sqrt(square), err
	}
	var norms block.Norms
	if !x.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			unit = math.Max(unit, norms.Of(b, l, n))
		}
	}) {
		return 0, block.Stopped(ctx, x)
	}
	return unit, nil
}

// roundedSpread is the variance, relative to the square of the mean, below which rounding made
// it of observations that are all the same: (8 eps)^2.
const roundedSpread = 0x1p-98

// farOffset is the share of the mean in the second moment from which on the covariance
// is computed about a point near the mean: three digits would be lost otherwise.
const farOffset = .999

// leastSquare is the smallest square of the largest norm at which small variances keep
// their digits.
const leastSquare = 0x1p-1002

func (t *Table) spread(ctx context.Context, x block.Source, r int, accuracy, unit float64, threads int) (*Spread, error) {
	if unit == 0 {
		unit = 1 // all observations are the same
	}
	_, n := x.Shape()
	want := wanted(n, r, accuracy)
	out := &Spread{Passes: 1, lead: want.K}
	var found *eigen.Pairs
	var err error
	if t.wholeIsCheaper(n, want.K) {
		if out.Mean, out.Whole, err = moment.Covariance(ctx, x, nil, unit, threads); err != nil {
			return nil, err
		}
		out.Trace = out.Whole.Trace()
		return out, out.decompose(ctx, want, threads)
	}
	if out.Mean, out.Trace, err = moment.Mean(ctx, x, unit, threads); err != nil {
		return nil, err
	}
	out.Trace -= linalg.Dot(out.Mean, out.Mean)
	want.Products = mostPasses
	if t.Slow() && !t.Brief() {
		want.Products = mostSlow
	}
	if found, err = moment.Leading(ctx, x, out.Mean, want, unit, threads); err != nil {
		return nil, err
	}
	out.Passes += found.Products
	out.take(found)
	return out, nil
}

// wanted are the eigenvectors to find for r components.
func wanted(n, r int, accuracy float64) eigen.Wanted {
	return eigen.Wanted{K: min(r, n), Also: min(2*r+alsoWanted, n), Accuracy: accuracy, Products: mostProducts}
}

// decompose finds the eigenvectors of the whole covariance.
func (s *Spread) decompose(ctx context.Context, want eigen.Wanted, threads int) error {
	if len(s.Mean) <= wholeEigen {
		all, err := s.Whole.Ritz(ctx)
		if err == nil {
			s.Values, s.Rows = all.Values, all.Q
		}
		return err
	}
	found, err := s.Whole.Leading(ctx, want, threads)
	if err == nil {
		s.take(found)
	}
	return err
}

// take sets the leading eigenvectors.
func (s *Spread) take(found *eigen.Pairs) {
	s.Values, s.Rows, s.residual, s.products = found.Values, found.Rows, found.Residual, found.Products
}

// wholeIsCheaper reports whether the whole covariance of n variables is formed.
func (t *Table) wholeIsCheaper(n, r int) bool {
	if n <= wholeEigen && t.Sparse() == nil {
		return true
	}
	if _, far := t.Storage.(block.Far); far {
		return n <= wholeFar
	}
	p, _ := t.Shape()
	pass := 2 * float64(min(r+eigen.ExtraColumns, n))
	if t.Slow() {
		pass += readingCosts
	}
	return n <= wholeMost && float64(p)*float64(n)*float64(n)/2 <= likelyPasses*pass*t.Stored()
}

// Doubt warns of leading eigenvectors that do not have their accuracy.
func (s *Spread) Doubt() []diag.Warning {
	if s.residual == 0 {
		return nil
	}
	return []diag.Warning{diag.New(diag.FlatSpectrum, "the leading directions of the covariance were not fully found in %s, as others have nearly the same variance: the variances along the first %d are known to a relative error of about %.0g, and such directions may be mixed", words.Plural(s.products, "product"), s.lead, s.residual)}
}
