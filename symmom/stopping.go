package symmom

import (
	"math"

	"symmom/internal/moment"
)

// rounding of f relative to it: an evaluation sums terms of both signs, of
// which the largest are of its size.
const rounding = 8 * 0x1p-52

// papers tells whether runs stop by the paper's rule, that of L-BFGS-B: the
// gradient as it is, and decreases relative to max(|f|, 1).
func (c *decomposition) papers() bool {
	return c.o.Solver == SolverLBFGS && c.o.Scale == ScaleNone
}

// residual returns a lower bound of ||X - M||^2 where f is its shifted value,
// exact where ||X||^2 is.
func (c *decomposition) residual(f float64) float64 { return math.Max(0, c.alpha+f) }

// cosine is that of the angle between the residual X - M and the range of its
// Jacobian: the criterion of Bates & Watts (1981), in which no unit plays a part.
// It is 0 where a step could not lower f by more than its rounding. Under
// bounds it is the largest of the angles with single columns, those of the
// projected gradient.
func (c *decomposition) cosine(newton *moment.GaussNewton, x []float64, f float64, g []float64) float64 {
	residual, least := c.residual(f), rounding*math.Abs(f)
	enough := math.Max(c.o.Tolerance*c.o.Tolerance*residual, least)
	decrease := newton.Decrease(x, g, enough, c.o.Nonnegative)
	if decrease <= least {
		return 0
	}
	return math.Min(1, math.Sqrt(decrease/residual)) // residual 0: 1
}

// bound finds ||X||^2 of the problem before it is solved, or where that is an
// estimate a lower bound. Results have it anyway; the error is that of an
// interrupt.
func (c *decomposition) bound() error {
	if c.papers() {
		return nil
	}
	c.begin(PhaseNorm)
	norm, err := c.m.norm(c.ctx, c.o)
	if err != nil {
		return err
	}
	const doubt = 3 // standard errors
	c.alpha = math.Max(c.alpha, (norm.Value-doubt*norm.StdErr)*math.Pow(c.m.cache.span/c.unit, 2*float64(c.m.order)))
	return nil
}

// squares returns ||X||^2 of a moment in coordinates, of the problem's unit, or
// 0 where finding it would take more operations than the search.
func (c *decomposition) squares(in *coordinates) (float64, error) {
	d := c.m.order
	switch t := in.tensor.(type) {
	case *moment.Packed:
		return t.NormSquared() * math.Pow(t.Unit()/c.unit, 2*float64(d)), nil
	case *moment.Implicit:
		w, ok := t.Data.(*moment.Data)
		if _, projected := c.m.problem(c.r, c.o).inBasis(w.N); ok && float64(w.N)*float64(w.P)*float64(w.P) <= math.Max(projected, 1e9) {
			return moment.NormSquared(c.ctx, w, d, c.unit, c.o.Threads)
		}
	}
	return 0, nil
}
