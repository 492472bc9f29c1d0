package gmm

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// Surrogate goes on from a step of EM over all observations with steps over
// some of them that are at hand, whose sums are corrected by what all of them
// had at the mixture that was last tried there: with T the sums of a step,
//
//	y <- maximum for T_some(y) + [T_all(x) - T_some(x)]
//
// until y moves no more. A mixture stays where it is if and only if it is a
// fixed point of EM over all; what some observations decide is only the way there,
// which takes a few passes where plain EM takes many (the variance-reduced EM
// of Chen, Zhu, Teh & Zhang 2018 with complete inner runs). That the likelihood
// rises is not sure: the next pass shows.
type Surrogate struct {
	all, some *EM
	basis     *moment.Basis // of which some are coordinates, followed by the distance from its span; or nil
	factor    float64       // weight of all divided by the weight of some
	shift     []float64
	sums      []float64
	lifted    []float64
	small     *Mixture
}

// NewSurrogate returns a Surrogate for steps of all, in the coordinates of some.
func NewSurrogate(all, some *EM, basis *moment.Basis) *Surrogate {
	return &Surrogate{all: all, some: some, basis: basis, factor: all.weight / some.weight,
		shift: make([]float64, all.size), sums: make([]float64, all.size), lifted: make([]float64, all.r*all.n)}
}

// Improve continues from g, which all.Step has just computed from before, until
// steps move it by less than tolerance, as measured by Distance, or for at most
// steps steps. It returns false if cancelled or if corrected sums belong to no
// mixture; g is then unchanged or nearer to the end.
func (s *Surrogate) Improve(ctx context.Context, before, g *Mixture, steps int, tolerance float64) bool {
	copy(s.shift, s.all.sums[:s.all.size])
	if !s.add(ctx, s.shift, before, -1) {
		return false
	}
	far := math.Inf(1)
	for step := range steps {
		copy(s.sums, s.shift)
		if !s.add(ctx, s.sums, g, 1) || !s.sound() {
			return step > 0 && ctx.Err() == nil
		}
		last := g.Clone()
		if !s.all.maximize(ctx, g, s.sums) {
			copyMixture(g, last)
			return false
		}
		d := Distance(last, g)
		if d > far { // the sums of some and the correction are inconsistent
			copyMixture(g, last)
			break
		}
		if far = d; d < tolerance {
			break
		}
	}
	return true
}

// Parameters of the steps that use only some observations, between passes over all of them.
const (
	surrogateSteps = 100  // at first, and at most
	surrogateLess  = 4    // divides the number of steps after the likelihood fell
	surrogateEnd   = 1e-3 // of the rise an observation, the distance that ends it
)

// someSteps is a Surrogate as an accelerator.
type someSteps struct {
	*Surrogate
	steps     int
	tolerance float64
}

func (s *someSteps) beyond(ctx context.Context, _, best, next *Mixture) bool {
	step := next.Clone()
	if s.steps > 0 && s.Improve(ctx, best, next, s.steps, s.tolerance) {
		return true
	}
	copyMixture(next, step)
	s.steps /= surrogateLess
	return false
}

func (s *someSteps) judge(better bool) {
	if better {
		s.steps = min(2*s.steps, surrogateSteps)
	} else {
		s.steps /= surrogateLess
	}
}

func (s *someSteps) left(_, _, _ *Mixture, rise float64) float64 { return rise }

func (s *someSteps) patience() int { return 1 }

// copyMixture sets the parameters of g to those of h, which must have the same shape.
func copyMixture(g, h *Mixture) {
	copy(g.Weights, h.Weights)
	copy(g.Means, h.Means)
	copy(g.Cov, h.Cov)
}

// sound reports whether all components have weight.
func (s *Surrogate) sound() bool {
	for j := range s.all.r {
		if !(s.all.terms(s.sums, j)[0] > 0) {
			return false
		}
	}
	return true
}

// add adds sign times the sums of some at g, scaled to those of all.
func (s *Surrogate) add(ctx context.Context, sums []float64, g *Mixture, sign float64) bool {
	s.some.stats = true
	if _, ok := s.some.pass(ctx, s.project(g)); !ok {
		return false
	}
	f, of := sign*s.factor, s.some.sums[:s.some.size]
	if s.basis == nil {
		linalg.Axpy(f, of, sums)
		return true
	}
	// The terms of some have means in coordinates.
	n, r, k := s.all.n, s.all.r, s.basis.K
	sums[0] += f * of[0]
	linalg.Axpy(f, s.some.squares(of), s.all.squares(sums))
	sums[len(sums)-1] += f * of[len(of)-1]
	a := make([]float64, r*k)
	for j := range r {
		copy(a[j*k:(j+1)*k], s.some.terms(of, j)[1:])
	}
	s.basis.Lift(s.lifted, a, r)
	for j := range r {
		small, terms := s.some.terms(of, j), s.all.terms(sums, j)
		terms[0] += f * small[0]
		linalg.Axpy(f, s.lifted[j*n:(j+1)*n], terms[1:1+n])
		terms[1+n] += f * small[2+k]
	}
	return true
}

// project converts a mixture to the coordinates of some.
func (s *Surrogate) project(g *Mixture) *Mixture {
	if s.basis == nil {
		return g
	}
	n, k := s.basis.N, s.basis.K
	if s.small == nil {
		s.small = NewMixture(k+1, g.R, Spherical)
	}
	copy(s.small.Weights, g.Weights)
	copy(s.small.Cov, g.Cov)
	for j := range g.R {
		linalg.MulABt(s.small.Means[j*(k+1):], g.Means[j*n:(j+1)*n], s.basis.Q, 1, k, n)
	}
	return s.small
}

// Distance returns the distance of two mixtures with the same components:
// approximately their Kullback-Leibler divergence for observations whose components
// are known, computed from weights, means and the variances of the variables.
func Distance(a, b *Mixture) (sum float64) {
	for j, w := range b.Weights {
		d := a.Weights[j] - w
		sum += d * d / (2 * math.Max(w, 1e-12))
		for i := range b.N {
			v := b.Variance(j, i)
			m := a.Means[j*b.N+i] - b.Means[j*b.N+i]
			dv := (a.Variance(j, i) - v) / v
			sum += w * (m*m/(2*v) + dv*dv/4)
		}
	}
	return sum
}
