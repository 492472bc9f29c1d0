package gmm

import (
	"context"
	"math"
)

// Squarem extrapolates two steps of EM to where many would lead: with x1 and x2
// the mixtures one and two steps from x0, r = x1 - x0 and v = (x2 - x1) - r,
//
//	x0 - 2 a r + a^2 v,   a = -|r| / |v| <= -1,
//
// (SQUAREM of Varadhan & Roland 2008, scheme S3) in the logarithms of weights
// and variances, so that they stay positive, and in units of the standard
// deviations. The extrapolation is short at first, four times as long after one
// that succeeded at full length, and shorter after one that did not.
type Squarem struct {
	longest float64
	full    bool // the last was as long as allowed
}

// Extrapolate moves x2 beyond itself. It returns false, with x2 unchanged up to rounding, if
// that makes no difference or ctx is cancelled.
func (s *Squarem) Extrapolate(ctx context.Context, e *EM, x0, x1, x2 *Mixture) bool {
	if s.longest == 0 {
		s.longest = 4
	}
	if x0.Shape != x2.Shape || x1.Shape != x2.Shape {
		return false
	}
	length := lengthOf(x0, x1, x2)
	if !(length > 1) {
		return false
	}
	s.full = length >= s.longest
	length = math.Min(length, s.longest)
	far := x2.Clone()
	overParameters(x0, x1, far, func(_ float64, a, b, c float64) float64 {
		r := b - a
		v := (c - b) - r
		return a + 2*length*r + length*length*v
	})
	var sum float64
	for _, w := range far.Weights {
		sum += w
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return false
	}
	for j := range far.Weights {
		far.Weights[j] /= sum
	}
	if !e.raise(ctx, far) {
		return false
	}
	copyMixture(x2, far)
	return true
}

// lengthOf returns |r| / |v|, which is 1 / |1 - rho| where each step of EM is rho times the one before it. It changes x2 by
// rounding.
func lengthOf(x0, x1, x2 *Mixture) float64 {
	var rr, vv float64
	overParameters(x0, x1, x2, func(weight float64, a, b, c float64) float64 {
		r := b - a
		v := (c - b) - r
		rr += weight * r * r
		vv += weight * v * v
		return c
	})
	return math.Sqrt(rr / vv)
}

// Judge records whether the last extrapolation raised the likelihood.
func (s *Squarem) Judge(better bool) {
	switch {
	case !better:
		s.longest = math.Max(2, s.longest/4)
	case s.full:
		s.longest *= 4
	}
}

// extrapolation is Squarem as an accelerator.
type extrapolation struct {
	Squarem
	em *EM
}

func (s *extrapolation) beyond(ctx context.Context, before, best, next *Mixture) bool {
	return before != nil && s.Extrapolate(ctx, s.em, before, best, next)
}

func (s *extrapolation) judge(better bool) { s.Judge(better) }

// left is the sum of the rises that follow, if each step is rho times the one before it, so that rises are rho^2 times:
// rise rho^2 / (1 - rho^2), which is below rise |r| / (2 |v|). Leaving a plateau steps grow; then it is more.
func (s *extrapolation) left(x0, x1, x2 *Mixture, rise float64) float64 {
	if x0 == nil || x0.Shape != x2.Shape || x1.Shape != x2.Shape {
		return rise
	}
	if length := lengthOf(x0, x1, x2.Clone()); length > 2 {
		return rise * length / 2
	}
	return rise
}

// patience is 2: plain steps may become small long before the end, extrapolated steps do not.
func (s *extrapolation) patience() int { return 2 }

// overParameters calls f with every parameter of three mixtures, in the form in
// which it is extrapolated, and the square of its scale, and sets the parameter of
// the last mixture to the result.
func overParameters(x0, x1, x2 *Mixture, f func(weight, a, b, c float64) float64) {
	n := x1.N
	w := append([]float64(nil), x1.Weights...)
	for j := range w {
		x2.Weights[j] = math.Exp(f(w[j], math.Log(x0.Weights[j]), math.Log(x1.Weights[j]), math.Log(x2.Weights[j])))
		for i := j * n; i < (j+1)*n; i++ {
			x2.Means[i] = f(w[j]/x1.Variance(j, i-j*n), x0.Means[i], x1.Means[i], x2.Means[i])
		}
	}
	switch x1.Shape {
	case Spherical, Diagonal:
		size := len(x1.Cov) / x1.R
		each := float64(n) / float64(size) / 2
		for i := range x2.Cov {
			x2.Cov[i] = math.Exp(f(w[i/size]*each, math.Log(x0.Cov[i]), math.Log(x1.Cov[i]), math.Log(x2.Cov[i])))
		}
	default:
		for i := range x2.Cov {
			j := i / (n * n)
			scale := .5 / (x1.Variance(j, i/n%n) * x1.Variance(j, i%n))
			if x1.Shape == Full {
				scale *= w[j]
			}
			x2.Cov[i] = f(scale, x0.Cov[i], x1.Cov[i], x2.Cov[i])
		}
	}
}
