package gmm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
	"symmom/internal/test/torture"
)

// cancelling is a source that cancels a context at the end of a pass.
type cancelling struct {
	*block.Dense
	cancel func()
}

func (x cancelling) Pass(ctx context.Context, do func(block.Block)) bool {
	ok := x.Dense.Pass(ctx, do)
	x.cancel()
	return ok
}

// What follows a pass stops too: eigenvalues to be raised, which take half a minute for
// 2,000 variables, factors of covariances, and centers.
func TestInterruptedBetweenPasses(t *testing.T) {
	const p, n, r = 40, 60, 2 // covariances of rank below n
	rng := rand.New(rand.NewPCG(7, 7))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
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
		if centers, _ := KMeans(ctx, x, nil, r, 10, rng); centers != nil {
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

// Whatever moment the search is interrupted at, once EM has made its first two steps there
// is a mixture of the shape that was asked for, and the later the better: the likelihood of
// what an interrupted search keeps never falls, except for starts that differ less than the
// search can tell.
func TestInterruptedSearchKeepsItsBest(t *testing.T) {
	slow.Test(t)
	const p, n, r = 3000, 6, 4
	rng := rand.New(rand.NewPCG(3, 5))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for l := range p {
		for i := range n {
			x.V[l*n+i] = rng.NormFloat64() + 3*float64((l%r)*(i+1)%5)
		}
	}
	table := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: x.V})
	for _, shape := range []Shape{Spherical, Full} {
		o := &Options{Shape: shape, Starts: 6, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 1}
		count := &torture.Ending{Context: t.Context(), Left: math.MaxInt}
		whole, err := Fit(count, table, r, o)
		if err != nil {
			t.Fatal(err)
		}
		checks := count.Asked
		e := NewEM(x, nil, 1, r, shape, 1)
		var kept int
		last := math.Inf(-1)
		for at := 0; at < checks; at += 1 + checks/60 {
			out, err := Fit(&torture.Ending{Context: t.Context(), Left: at}, table, r, o)
			if err == nil {
				t.Fatalf("%v: not interrupted at check %d of %d", shape, at, checks)
			}
			if out.Mixture == nil {
				if kept > 0 {
					t.Errorf("%v: at check %d of %d nothing is kept, and there was a mixture before", shape, at, checks)
				}
				continue
			}
			kept++
			if out.Mixture.Shape != shape {
				t.Errorf("%v: the mixture at check %d is %v", shape, at, out.Mixture.Shape)
			}
			now, ok := e.LogLikelihood(t.Context(), out.Mixture)
			if !ok || now < last-sameMixture*p {
				t.Errorf("%v: the mixture at check %d has log-likelihood %v, one before %v", shape, at, now, last)
			}
			last = max(last, now)
		}
		if kept < 12 || last > whole.LogLikelihood+1e-6*p {
			t.Errorf("%v: %d interrupts kept a mixture, the best %v; the whole run finds %v", shape, kept, last, whole.LogLikelihood)
		}
	}
}
