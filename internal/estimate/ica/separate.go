package ica

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Limits of the search for independent components.
const (
	settledAt  = 1e-10 // 1 - cosine at which a start ends: an angle of 1e-5
	polishedAt = 1e-9  // the same for the polish: a hundredth of the sampling error of a million observations
	// leastRows and rowsEach are the numbers of observations, in all and for each
	// source, used for the starts of a search if there are more than twice as many:
	// an angle of .01, nearAt, is near enough for the polish over all observations.
	leastRows = 4096
	rowsEach  = 100
	nearAt    = 1e-4
)

// Options control how components are found. All of them must be set.
type Options struct {
	Starts        int // number of random rotations
	Seed          uint64
	Polish        bool // by the fixed point
	MaxIterations int  // of a start, and of the polish
	Threads       int
}

// Result is a rotation of whitened observations to independent components.
type Result struct {
	Rows       []float64 // k x k, orthonormal, the largest |kurtosis| first
	Kurtosis   []float64
	Converged  bool
	Iterations int // of the best start, and of the polish
	Last       int // those of the polish alone, or of the best start if there is none

	other []bool // found by another contrast than the kurtosis
}

// search is a search for the components of x.
type search struct {
	Options
	x    *block.Dense
	all  *moment.Objective // the fourth cumulant of x
	best []float64         // k x k, nil before there is any
	Result
}

// Separate finds the rotation of whitened observations whose components have the
// largest sum of squared kurtoses, by the symmetric higher-order power method on the
// fourth cumulant, and polishes it by the fixed point. When ctx is cancelled it returns
// the best rotation so far, if there is any, and the error of ctx.
func Separate(ctx context.Context, x *block.Dense, o Options) (*Result, error) {
	c := &search{Options: o, x: x}
	c.Polish = o.Polish && x.N > 1
	c.all = c.cumulant(x)
	err := c.rotations(ctx)
	if err == nil && c.Polish {
		err = c.polish(ctx)
	}
	c.Converged = c.Converged && err == nil
	if c.best == nil {
		return nil, err
	}
	_, kurtosis, _ := c.all.TTSV(context.WithoutCancel(ctx), c.best)
	order := make([]int, x.N)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(kurtosis[j]), math.Abs(kurtosis[i])) })
	if c.other != nil {
		c.other = linalg.Picked(c.other, order)
	}
	for _, j := range order {
		c.Rows = append(c.Rows, c.best[j*x.N:(j+1)*x.N]...)
		c.Kurtosis = append(c.Kurtosis, kurtosis[j])
	}
	return &c.Result, err
}

// cumulant returns the fourth cumulant of whitened observations.
func (c *search) cumulant(x *block.Dense) *moment.Objective {
	return moment.NewObjective(&moment.Implicit{Data: x, D: 4, Noise: &moment.Noise{N: x.N, Variance: 1}}, x.N, 1, c.Threads)
}

// few returns the observations used for the starts of a search, and where these end.
func (c *search) few(ctx context.Context) (*block.Dense, float64, error) {
	rows := max(leastRows, rowsEach*c.x.N)
	if !c.Polish || c.x.P <= 2*rows { // the polish uses the others
		return c.x, settledAt, nil
	}
	some, err := block.Pick(ctx, c.x, block.Stratified(c.x.P, rows, c.Seed))
	if err != nil {
		return nil, 0, err
	}
	total := 0.
	for _, w := range some.Nu {
		total += w
	}
	linalg.Scale(1/total, some.Nu) // none if they are equal
	return some, nearAt, nil
}

// random returns random orthonormal rows, k x k, for a start.
func (c *search) random(ctx context.Context, start uint64, k int) ([]float64, error) {
	a, rng := make([]float64, k*k), rand.New(rand.NewPCG(c.Seed, start))
	for independent := 0; independent < k; { // the first time, with probability one
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		var err error
		if independent, err = eigen.Orthonormalize(ctx, a, k, k, c.Threads); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// rotations finds the best rotation from random ones.
func (c *search) rotations(ctx context.Context) error {
	some, near, err := c.few(ctx)
	if err != nil {
		return err
	}
	k, objective := c.x.N, c.all
	if some != c.x {
		objective = c.cumulant(some)
	}
	most := math.Inf(-1)
	for start := range uint64(c.Starts) {
		a, err := c.random(ctx, start, k)
		if err != nil {
			return err
		}
		values, iterations, settled, ok := rotate(ctx, objective, a, k, c.MaxIterations, near)
		if !ok && c.best == nil && iterations > 0 {
			c.best, c.Iterations, c.Last = a, iterations, iterations
		}
		if !ok {
			return ctx.Err()
		}
		if sum := linalg.Dot(values, values); sum > most {
			most, c.best, c.Converged, c.Iterations, c.Last = sum, a, settled, iterations, iterations
		}
	}
	if c.best == nil {
		return errors.New("the fourth cumulant is not finite: leave out values and weights beside which the others vanish")
	}
	return nil
}

// polish refines the best rotation over all observations.
func (c *search) polish(ctx context.Context) error {
	c.Converged, c.Last = false, 0
	_, w, ok := c.all.TTSV(ctx, c.best)
	if !ok {
		return ctx.Err()
	}
	k, by, rest := c.x.N, make([]contrast, c.x.N), normal(w, c.x.Effective())
	for j, kurtosis := range w {
		if !(kurtosis > 0) {
			by[j] = lightTails
		}
	}
	was := slices.Clone(rest)
	if err := c.others(ctx, by, rest); err != nil {
		return err
	}
	order := make([]int, k)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(by[i], by[j]) })
	rows, sorted, may, other := make([]float64, 0, k*k), make([]contrast, k), make([]bool, k), make([]bool, k)
	for i, j := range order {
		rows = append(rows, c.best[j*k:(j+1)*k]...)
		sorted[i], may[i], other[i] = by[j], rest[j], was[j] && !rest[j]
	}
	c.best, c.other = rows, other
	point := newFixedPoint(c.x, sorted, may, c.Threads)
	for c.Last < c.MaxIterations && !c.Converged {
		moved, ok := point.step(ctx, c.best)
		if !ok {
			return ctx.Err()
		}
		c.Iterations++
		c.Last++
		c.Converged = moved < polishedAt
	}
	return nil
}

// rotate turns the orthonormal rows of a by the symmetric power method until they
// move by less than near, and returns K_4 a_j^4 of the last ones; ok is false when
// cancelled.
func rotate(ctx context.Context, cumulant *moment.Objective, a []float64, k, most int, near float64) (values []float64, iterations int, settled, ok bool) {
	for iterations < most && !settled {
		y, _, ok := cumulant.TTSV(ctx, a)
		if !ok {
			return nil, iterations, false, false
		}
		iterations++
		next := slices.Clone(y)
		if !eigen.Nearest(next, k, k) {
			break // no kurtosis
		}
		moved := 0.
		for j := range k {
			moved = math.Max(moved, 1-math.Abs(linalg.Dot(next[j*k:(j+1)*k], a[j*k:(j+1)*k])))
		}
		copy(a, next)
		settled = moved < near
	}
	_, w, ok := cumulant.TTSV(ctx, a)
	return slices.Clone(w), iterations, settled, ok
}
