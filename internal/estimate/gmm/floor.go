package gmm

import (
	"context"
	"math"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// leastVariance is the lower bound of a component's variance, relative to that of the
// data.
const leastVariance = 1e-6

// mostValues of a variable make its spacing matter: the variance of rounding to one of so many
// values is less than leastVariance of that of the variable.
const mostValues = 1 << 11

// rounding returns the lower bound of a component's variance in each variable that rounding
// leaves: h^2 / (2 pi) for values h apart, so that no density exceeds 1 / h, as none does of a
// probability 1 of one value. It is 0 for a variable of more than mostValues values.
func rounding(x *block.Dense) []float64 {
	out, values := make([]float64, x.N), make([]float64, x.P)
	for i := range out {
		for l := range values {
			values[l] = x.V[l*x.N+i]
		}
		h := spacing(values)
		out[i] = h * h / (2 * math.Pi)
	}
	return out
}

// spacing returns the least distance between two values, which it sorts, of those that occur more than
// once; 0 without any, or if values are too many. Values that occur once may be no answers, but means
// of some that stand for a missing one.
func spacing(values []float64) float64 {
	slices.Sort(values)
	h, last, distinct := math.Inf(1), math.NaN(), 0
	for i := 0; i < len(values); distinct++ {
		k := i + 1
		for k < len(values) && values[k] == values[i] {
			k++
		}
		if k > i+1 {
			if d := values[i] - last; d < h {
				h = d
			}
			last = values[i]
		}
		i = k
	}
	if distinct > mostValues || math.IsInf(h, 1) {
		return 0
	}
	return h
}

// SetFloor sets the lower bound of variances, one for all variables or n: S - diag(floor) of a covariance S
// has no negative eigenvalue. That of a spherical one is their mean.
func (e *EM) SetFloor(floor ...float64) {
	if len(floor) == 1 {
		floor = slices.Repeat(floor, e.n)
	}
	e.floor, e.least = floor, mean(floor)
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

// raise raises all variances of a mixture to the floor. It returns false if cancelled.
func (e *EM) raise(ctx context.Context, g *Mixture) bool {
	n := e.n
	switch g.Shape {
	case Spherical:
		for i, v := range g.Cov {
			g.Cov[i] = math.Max(e.least, v)
		}
	case Diagonal:
		for i, v := range g.Cov {
			g.Cov[i] = math.Max(e.floor[i%n], v)
		}
	default:
		for at := 0; at < len(g.Cov); at += n * n {
			if !e.lift(ctx, g.Cov[at:at+n*n]) {
				return false
			}
		}
	}
	return true
}

// lift raises a covariance to the floor, if it is below in some direction. Of all that are not, the
// result has the highest likelihood. It returns false, with s unchanged, if ctx is cancelled.
func (e *EM) lift(ctx context.Context, s []float64) bool {
	n := e.n
	if e.lower == nil {
		e.lower = make([]float64, n*n)
	}
	if e.least == 0 || above(ctx, e.lower, s, e.floor) {
		return true
	}
	// In units of the floor it is the identity.
	units := make([]float64, n)
	for i, v := range e.floor {
		units[i] = math.Sqrt(v)
	}
	scaled := make([]float64, n*n)
	for i := range n {
		for k := range n {
			scaled[i*n+k] = s[i*n+k] / (units[i] * units[k])
		}
	}
	values, columns, ok, err := eigen.SymContext(ctx, eigen.SymOf(scaled, n), true)
	if err != nil {
		return false
	}
	if !ok || values[0] >= 1 {
		return true
	}
	for k, v := range values {
		values[k] = math.Sqrt(math.Max(v, 1))
	}
	for i := range n {
		row := columns[i*n : (i+1)*n]
		linalg.Multiply(row, row, values)
		linalg.Scale(units[i], row)
	}
	linalg.MulABt(s, columns, columns, n, n, n)
	return true
}

// above reports whether s - diag(floor), n x n, is positive definite, by its Cholesky factor, which it
// leaves in l. It returns false if ctx is cancelled, too.
func above(ctx context.Context, l, s, floor []float64) bool {
	n := len(floor)
	for i := range n {
		if i%rowsBetween == 0 && ctx.Err() != nil {
			return false
		}
		for j := range i + 1 {
			v := s[i*n+j] - linalg.Dot(l[i*n:i*n+j], l[j*n:j*n+j])
			if i != j {
				l[i*n+j] = v / l[j*n+j]
				continue
			}
			if v -= floor[i]; !(v > 0) {
				return false
			}
			l[i*n+i] = math.Sqrt(v)
		}
	}
	return true
}
