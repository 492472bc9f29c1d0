package fit

import (
	"math"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
)

// rounding is the rounding error of f relative to f: an evaluation sums terms of both
// signs, the largest of which are of its size. A residual that small counts as zero.
const (
	rounding = 8 * 0x1p-52
	exactFit = 1e-13
)

// leastDamping of J'J is that of its own rounding.
const leastDamping = 1e-13

// boundedTolerance is by how much less than the tolerance the cosine of single columns is to
// be where Gauss-Newton steps end within bounds: a whole step is many columns. With the
// tolerance itself some ended above L-BFGS-B, by up to 6e-6 of f.
const boundedTolerance = 3

// residual returns a lower bound of ||X - M||^2 for the shifted value f. It is exact
// if ||X||^2 is.
func (c *search) residual(f float64) float64 { return math.Max(0, c.alpha+f) }

// cosine returns the cosine of the angle between the residual X - M and the range of
// its Jacobian: the criterion of Bates & Watts (1981), which does not depend on any
// unit. It is 0 if ||X||^2 is not known well enough and a step could not lower f by
// more than its rounding. Under bounds it is what the best step along a single column
// lowers f by, as a cosine; and so it is where that is above tolerance.
func (c *search) cosine(gn *ktensor.GaussNewton, x []float64, f float64, g []float64, tolerance float64) float64 {
	residual, least := c.residualAbove(f), 0.
	if !c.exact {
		least = rounding * math.Abs(f)
	}
	decrease := gn.Decrease(x, g, c.damping(x, f), math.Max(tolerance*tolerance*residual, least), c.o.Nonnegative)
	if decrease <= least {
		return 0
	}
	return math.Min(1, math.Sqrt(decrease/residual))
}

// residualAbove is residual, but not below what counts as an exact fit.
func (c *search) residualAbove(f float64) float64 {
	return math.Max(c.residual(f), exactFit*math.Abs(f))
}

// damping is that of a cosine: along directions which J moves less, the rounding of the
// gradient would be a step that lowers f by more than the tolerance.
func (c *search) damping(x []float64, f float64) float64 {
	tolerance := c.o.Tolerance
	if !(tolerance > 0) {
		tolerance = 1e-4
	}
	return math.Max(leastDamping, rounding*c.open(x)/(tolerance*tolerance*c.residualAbove(f)))
}

// ignores reports whether J'J, so damped, does not know all directions. Two terms at an angle
// of t have a condition of about 1/t^2, and the eight columns of J in their plane,
// derivatives of a curve at t and at 0, a direction of length t^3.
func (c *search) ignores(x []float64, f, condition float64) bool {
	return math.Pow(condition, 3)*c.damping(x, f) > 1
}

// open is what rounding leaves open of f.
func (c *search) open(x []float64) float64 {
	return c.m.leftOpen(c.r, x[:c.r], x[c.r:], 1)
}

// settled reports whether a run that ended where rounding hides the direction of
// descent is as good as converged: another step would lower f by less than its
// rounding, and by little compared with the residual. Within bounds so is one that is
// within the tolerance, as it was to go on below it.
func (c *search) settled(res solve.Result) bool {
	if c.o.Nonnegative && res.Stationarity <= c.o.Tolerance && res.Status != solve.Interrupted && res.Status != solve.NotFinite {
		return true
	}
	const little = 1e-2 // as a cosine: 1e-4 of f
	decrease := res.Stationarity * res.Stationarity * c.residual(res.F)
	hidden := math.Max(rounding*math.Abs(res.F), c.open(res.X))
	return !c.o.papers() && c.o.Tolerance > 0 && res.Stationarity <= little && decrease <= hidden &&
		(res.Status == solve.LineSearchFailed || res.Status == solve.Stalled)
}

// bound finds ||X||^2 of the problem before it is solved, or a lower bound if that is
// an estimate, for a form. Results need it anyway. Its error is that of norm.
func (c *search) bound(form Form) error {
	if c.o.papers() {
		return nil
	}
	c.begin(progress.Norm)
	norm, err := c.m.norm(c.ctx, c.o, form)
	if err != nil {
		return err
	}
	least := norm.Value - doubtful*norm.StdErr
	if norm.Doubtful {
		least = 0
	}
	least = math.Max(least, norm.least)
	c.exact = norm.Exact()
	c.alpha = math.Max(c.alpha, least*math.Pow(c.m.known()/c.unit, 2*float64(c.m.Order)))
	return nil
}

// squares finds ||X||^2 of a moment in coordinates, unless that takes more operations
// than the search.
func (c *search) squares(in *coordinates) (err error) {
	d := c.m.Order
	c.alpha, c.exact = 0, false
	switch t := in.tensor.(type) {
	case *moment.Packed:
		c.exact = true
		c.alpha = t.NormSquared() * math.Pow(t.Unit()/c.unit, 2*float64(d))
	case *moment.Implicit:
		w, ok := t.Data.(*block.Dense)
		if _, projected := c.m.problem(c.r, c.o).inBasis(w.N); ok && float64(w.N)*float64(w.P)*float64(w.P) <= math.Max(projected, 1e9) {
			c.exact = true
			if t.Noise != nil {
				c.alpha, err = norm.SquaredDebiased(c.ctx, w, d, t.Noise, c.unit, c.o.Threads)
			} else {
				c.alpha, err = norm.Squared(c.ctx, w, d, c.unit, c.o.Threads)
			}
		}
	}
	return err
}
