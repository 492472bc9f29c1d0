package gmm

import (
	"context"
	"math/rand/v2"
	"testing"

	"symmom/internal/obs"
)

// cancelling is a source that cancels a context at the end of a pass.
type cancelling struct {
	*obs.Dense
	cancel func()
}

func (x cancelling) Pass(ctx context.Context, do func(obs.Block)) bool {
	ok := x.Dense.Pass(ctx, do)
	x.cancel()
	return ok
}

// What follows a pass stops too: eigenvalues to be raised, which take half a minute for
// 2,000 variables, factors of covariances, and centers.
func TestInterruptedBetweenPasses(t *testing.T) {
	const p, n, r = 40, 60, 2 // covariances of rank below n
	rng := rand.New(rand.NewPCG(7, 7))
	x := &obs.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	for _, shape := range []Shape{Tied, Full} {
		ctx, cancel := context.WithCancel(t.Context())
		e := NewEM(cancelling{x, cancel}, nil, 1, r, shape, 2)
		e.SetFloor(1e-6)
		if shape == Tied { // otherwise a pass of its own, which cancels before the step
			total := make([]float64, n*n)
			for l := range p {
				for i := range n {
					for j := range n {
						total[i*n+j] += x.V[l*n+i] * x.V[l*n+j]
					}
				}
			}
			e.SetSecond(total)
		}
		g := Isotropic([]float64{.5, .5}, x.V[:r*n], 1)
		if _, ok := e.Step(ctx, g); ok || ctx.Err() == nil {
			t.Errorf("%v: the step was completed after the interrupt", shape)
		}
		best := Isotropic([]float64{.5, .5}, x.V[:r*n], 1)
		if (&Ascent{EM: e, Steps: 3}).Run(ctx, best) {
			t.Errorf("%v: the ascent was completed", shape)
		}
		if e.density.set(ctx, &Mixture{N: n, R: 1, Shape: Full, Weights: []float64{1}, Means: make([]float64, n), Cov: identity(n)}, n) {
			t.Errorf("%v: a density was prepared", shape)
		}
		if centers, _ := KMeans(ctx, x, r, 10, rng); centers != nil {
			t.Error("there are centers after the interrupt")
		}
	}
}

func identity(n int) []float64 {
	c := make([]float64, n*n)
	for i := range n {
		c[i*n+i] = 1
	}
	return c
}
