package topics

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// The range in which a concentration is looked for, from a factor of ten to the next in so many steps, and
// to a relative change of concentrationAccuracy.
const (
	leastConcentration    = .01
	mostConcentration     = 1000
	concentrationSteps    = 3
	concentrationAccuracy = .01
)

// solution is a decomposition of M3 at a concentration.
type solution struct {
	a0, explained float64
	v, lambda     []float64
	stretch       float64
}

// solve decomposes M3 from several random rotations, or from given ones.
func (w *whitened) solve(ctx context.Context, a0 float64, from []float64, o Options) (*solution, error) {
	third, stretch := w.at(a0)
	best := &solution{a0: a0, stretch: stretch, explained: math.Inf(-1)}
	starts := o.Starts
	if from != nil {
		starts = 1
	}
	for start := range uint64(starts) {
		v := append([]float64(nil), from...)
		if from == nil {
			var err error
			if v, err = rotation(ctx, o.Seed, start, w.k); err != nil {
				return nil, err
			}
		}
		lambda, explained, ok := turn(ctx, third, v, w.k, o.Threads)
		if !ok {
			return nil, ctx.Err()
		}
		if explained > best.explained {
			best.explained, best.v, best.lambda = explained, v, lambda
		}
	}
	return best, nil
}

// search finds the concentration at which orthonormal terms explain most of M3, on a grid and then
// by the golden section. What they leave is a consistent criterion: at any other concentration M3
// has products of different topics.
func (w *whitened) search(ctx context.Context, o Options) (*solution, error) {
	var best *solution
	step := math.Pow(10, 1./concentrationSteps)
	try := func(a0 float64, from []float64) (*solution, error) {
		s, err := w.solve(ctx, a0, from, o)
		if err == nil && (best == nil || s.explained > best.explained) {
			best = s
		}
		return s, err
	}
	from := []float64(nil)
	for a0 := leastConcentration; a0 < mostConcentration*1.001; a0 *= step {
		s, err := try(a0, from)
		if err != nil {
			return nil, err
		}
		from = s.v
	}
	lo, hi := best.a0/step, best.a0*step
	const golden = .618033988749895
	at := [2]float64{lo * math.Pow(hi/lo, 1-golden), lo * math.Pow(hi/lo, golden)}
	var found [2]*solution
	for hi/lo > 1+concentrationAccuracy {
		for i := range at {
			if found[i] == nil {
				var err error
				if found[i], err = try(at[i], best.v); err != nil {
					return nil, err
				}
			}
		}
		if found[0].explained > found[1].explained {
			hi, at[1], found[1] = at[1], at[0], found[0]
			at[0], found[0] = lo*math.Pow(hi/lo, 1-golden), nil
		} else {
			lo, at[0], found[0] = at[0], at[1], found[1]
			at[1], found[1] = lo*math.Pow(hi/lo, golden), nil
		}
	}
	return w.solve(ctx, best.a0, nil, o)
}

// dirichlet estimates the weights of known topics (k x n), and the concentration, of which it
// returns 0 if the moments have none: with P the left inverse of the topics that gives words
// the weight of their frequency,
//
//	P M1 = alpha / a0,   P X2 P' = (alpha alpha' + diag alpha) / (a0 (a0+1)).
func dirichlet(ctx context.Context, d *Documents, mu []float64, k, threads int) (weights []float64, a0 float64, err error) {
	_, n := d.Shape()
	scaled := append([]float64(nil), mu...) // M D, D = 1/M1
	for j := range k {
		for i, m := range d.means[1] {
			if m > 0 {
				scaled[j*n+i] /= m
			} else {
				scaled[j*n+i] = 0
			}
		}
	}
	gram := make([]float64, k*k)
	linalg.MulABt(gram, scaled, mu, k, k, n)
	ridge := 0.
	for j := range k {
		ridge = math.Max(ridge, gram[j*k+j])
	}
	for j := range k {
		gram[j*k+j] += 1e-12 * ridge // of topics that are the same
	}
	if !linalg.Cholesky(gram, k, k) {
		return nil, 0, nil
	}
	p := scaled
	linalg.CholeskySolve(gram, k, k, p, n)
	weights = make([]float64, k)
	linalg.MulABt(weights, d.means[1], p, 1, k, n)
	two := d.places(2)
	second, err := moment.NewPacked(ctx, &moment.Projected{Source: two, Basis: &moment.Basis{N: n, K: k, Q: p}, Threads: threads}, nil, 2, 1, threads)
	if err != nil {
		return nil, 0, err
	}
	trace, squares := two.factor()*second.Trace(), linalg.Dot(weights, weights)
	for j := range k {
		for i, m := range d.means[2] {
			trace -= m * p[j*n+i] * p[j*n+i]
		}
	}
	shares(weights)
	if a0 = (1 - trace) / (trace - squares); !(a0 > 0) || math.IsInf(a0, 0) {
		a0 = 0
	}
	return weights, a0, nil
}
