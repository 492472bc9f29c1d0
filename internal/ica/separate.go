package ica

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/eigen"
	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
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
}

// Separate finds the rotation of whitened observations whose components have the
// largest sum of squared kurtoses, by the symmetric higher-order power method on the
// fourth cumulant, and polishes it by the fixed point.
func Separate(ctx context.Context, x *obs.Dense, o Options) (*Result, error) {
	c, k := &Result{}, x.N
	cumulant := func(x *obs.Dense) *moment.Objective {
		return moment.NewObjective(&moment.Implicit{Data: x, D: 4, Noise: &moment.Noise{N: k, Variance: 1}}, k, 1, o.Threads)
	}
	objective, polish, near := cumulant(x), o.Polish && k > 1, settledAt
	all := objective
	if rows := max(leastRows, rowsEach*k); polish && x.P > 2*rows { // the polish uses the others
		some, err := obs.Pick(ctx, x, obs.Stratified(x.P, rows, o.Seed))
		if err != nil {
			return nil, err
		}
		total := 0.
		for _, w := range some.Nu {
			total += w
		}
		linalg.Scale(1/total, some.Nu) // none if they are equal
		objective, near = cumulant(some), nearAt
	}
	var best []float64
	var kurtosis []float64
	most := math.Inf(-1)
	for start := range uint64(o.Starts) {
		a := make([]float64, k*k)
		rng := rand.New(rand.NewPCG(o.Seed, start))
		for independent := 0; independent < k; { // the first time, with probability one
			for i := range a {
				a[i] = rng.NormFloat64()
			}
			var err error
			if independent, err = eigen.Orthonormalize(ctx, a, k, k, o.Threads); err != nil {
				return nil, err
			}
		}
		values, iterations, settled, err := rotate(func(a []float64) ([]float64, []float64, error) {
			y, w, ok := objective.TTSV(ctx, a)
			if !ok {
				return nil, nil, ctx.Err()
			}
			return y, w, nil
		}, a, k, o.MaxIterations, near)
		if err != nil {
			return nil, err
		}
		if sum := linalg.Dot(values, values); sum > most {
			most, best, kurtosis, c.Converged, c.Iterations, c.Last = sum, a, values, settled, iterations, iterations
		}
	}
	if best == nil {
		return nil, errors.New("the fourth cumulant is not finite: leave out values and weights beside which the others vanish")
	}
	if polish {
		if objective != all {
			_, w, ok := all.TTSV(ctx, best)
			if !ok {
				return nil, ctx.Err()
			}
			copy(kurtosis, w)
		}
		point := newFixedPoint(x, positiveFirst(best, kurtosis, k), o.Threads)
		c.Converged, c.Last = false, 0
		for range o.MaxIterations {
			moved, ok := point.step(ctx, best)
			if !ok {
				return nil, ctx.Err()
			}
			c.Iterations++
			c.Last++
			if moved < polishedAt {
				c.Converged = true
				break
			}
		}
		_, w, ok := all.TTSV(ctx, best)
		if !ok {
			return nil, ctx.Err()
		}
		copy(kurtosis, w)
	}
	order := make([]int, k)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch d := math.Abs(kurtosis[j]) - math.Abs(kurtosis[i]); {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	})
	for _, j := range order {
		c.Rows = append(c.Rows, best[j*k:(j+1)*k]...)
		c.Kurtosis = append(c.Kurtosis, kurtosis[j])
	}
	return c, nil
}

// positiveFirst reorders the k rows of a, and their values, so that those with
// positive values come first, and returns their number.
func positiveFirst(a, values []float64, k int) int {
	many := 0
	for j, v := range values {
		if v <= 0 {
			continue
		}
		for i := range k {
			a[j*k+i], a[many*k+i] = a[many*k+i], a[j*k+i]
		}
		values[j], values[many] = values[many], values[j]
		many++
	}
	return many
}

// rotate turns the orthonormal rows of a by the symmetric power method until they
// move by less than near, and returns K_4 a_j^4 of the last ones.
func rotate(product func([]float64) (y, w []float64, err error), a []float64, k, most int, near float64) (values []float64, iterations int, settled bool, err error) {
	for iterations < most && !settled {
		y, _, err := product(a)
		if err != nil {
			return nil, 0, false, err
		}
		iterations++
		next := slices.Clone(y)
		if !decorrelate(next, k, k) {
			break // no kurtosis
		}
		moved := 0.
		for j := range k {
			moved = math.Max(moved, 1-math.Abs(linalg.Dot(next[j*k:(j+1)*k], a[j*k:(j+1)*k])))
		}
		copy(a, next)
		settled = moved < near
	}
	_, w, err := product(a)
	return slices.Clone(w), iterations, settled, err
}
