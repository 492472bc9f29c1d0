package symmom

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// ownVariances draws p observations of groups of equal weight, whose means are standard normal
// and whose variables have standard deviations of their own in each, |N(0, 1)|.
func ownVariances(p, n, groups int, seed uint64) (*mat.Dense, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 57))
	means, deviations := mat.NewDense(n, groups, nil), mat.NewDense(n, groups, nil)
	for i := range n {
		for c := range groups {
			means.Set(i, c, rng.NormFloat64())
			deviations.Set(i, c, math.Abs(rng.NormFloat64()))
		}
	}
	x := mat.NewDense(p, n, nil)
	for l := range p {
		c := rng.IntN(groups)
		for i := range n {
			x.Set(l, i, means.At(i, c)+deviations.At(i, c)*rng.NormFloat64())
		}
	}
	return x, means
}

// The means of groups with variances of their own are in the entries of distinct indices, and
// not in the whole moment.
func TestDistinctRecovers(t *testing.T) {
	x, means := ownVariances(20000, 15, 5, 1)
	s := FromMatrix(x)
	for d, least := range map[int]float64{3: .99, 4: .99} {
		fit := s.Moment(d).Distinct().Decompose(5)
		if err := fit.Err(); err != nil {
			t.Fatal(err)
		}
		score := fit.Score(means)
		t.Log(fit, score.Value, fit.Evaluations, fit.Warnings)
		if !(score.Value > least) {
			t.Errorf("order %d: score %g, want above %g", d, score.Value, least)
		}
		plain := s.Moment(d).Decompose(5)
		t.Log(plain, plain.Score(means).Value)
	}
}
