package gmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// Where starts of other seeds find a mixture of a higher expected likelihood, the fit mostly says that
// few of its own found it; of clusters that lie apart it does not.
func TestFewStarts(t *testing.T) {
	slow.Test(t)
	const p, n, r = 500, 4, 3
	fit := func(v []float64, seed uint64, shape Shape) (f *Result, warned bool) {
		o := &Options{Shape: shape, Starts: 10, Seed: seed, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
		f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v}), r, o)
		if err != nil {
			t.Fatal(err)
		}
		return f, slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return w.Code == diag.FewStarts })
	}
	better, silent := 0, 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 47))
		apart, one := make([]float64, p*n), make([]float64, p*n)
		for i := range one {
			one[i] = rng.NormFloat64()
			apart[i] = one[i]
			if i/n%r == i%n { // cluster j is far out along variable j
				apart[i] += 12
			}
		}
		if _, warned := fit(apart, 1, Spherical); warned {
			t.Errorf("seed %d: few starts found clusters that lie apart", seed)
		}
		f, warned := fit(one, 1, Full)
		expected := func(f *Result) float64 { return f.LogLikelihood - f.Mixture.Optimism(n, p, f.Members) }
		for other := range uint64(6) {
			if g, _ := fit(one, other+2, Full); expected(g) > expected(f)+.5 { // far above what the tolerance leaves, 1e-6 p a step
				if better++; !warned {
					silent++
				}
				break
			}
		}
	}
	if better < 3 || silent > better/3 {
		t.Errorf("no warning in %d of the %d fits where another seed finds a better mixture", silent, better)
	}
}

// Three components for four groups of unequal shapes, where most draws of k-means++ lead Lloyd's rounds to
// one clustering. EM from observations drawn at random, 20 times, finds what the starts missed without a
// word: 14 of these 48 mixtures if all starts take the rounds, 5 if every other one does, 1 with scattered starts.
func TestStartsDiffer(t *testing.T) {
	slow.Test(t)
	const p, n, r, groups = 150, 4, 3, 4
	missed := 0
	for seed := range uint64(48) {
		rng := rand.New(rand.NewPCG(seed, 48))
		shape := []Shape{Diagonal, Full}[seed%2]
		normals := func(n int) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			return v
		}
		centers, shapes := normals(groups*n), normals(groups*n*n)
		v := make([]float64, p*n)
		for l := range p {
			e, j := normals(n), rng.IntN(groups)
			for i := range n {
				v[l*n+i] = 2 * centers[j*n+i]
				for k := range n {
					v[l*n+i] += shapes[(j*n+i)*n+k] * e[k]
				}
			}
		}
		o := &Options{Shape: shape, Starts: 10, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
		f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v}), r, o)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEM(&block.Dense{P: p, N: n, V: v}, nil, 1, r, shape, 1)
		e.SetFloor(1e-6)
		best := math.Inf(-1)
		for range 20 {
			var means []float64
			for range r {
				l := rng.IntN(p)
				means = append(means, v[l*n:(l+1)*n]...)
			}
			g, a := Isotropic([]float64{1. / r, 1. / r, 1. / r}, means, 5), &Ascent{EM: e, Steps: 500, Rise: 1e-5 * p}
			if a.Run(t.Context(), g) {
				best = max(best, a.LogLikelihood-g.Optimism(n, p, a.Members))
			}
		}
		warned := slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return w.Code == diag.FewStarts })
		if !warned && best > f.LogLikelihood-f.Mixture.Optimism(n, p, f.Members)+.5 {
			missed++
		}
	}
	if missed > 3 { // halfway
		t.Errorf("%d of 48 fits say nothing of a better mixture", missed)
	}
}

// A search whose starts are left open goes on where few of them found the best mixture, and ends as one that
// asks for as many; where they agree it does not.
func TestStartsGoOn(t *testing.T) {
	slow.Test(t)
	const p, n, r = 600, 3, 8
	rng := rand.New(rand.NewPCG(11, 60))
	hard, easy := make([]float64, p*n), make([]float64, p*n) // without groups, and with three
	for i := range hard {
		hard[i] = rng.Float64()
		easy[i] = rng.NormFloat64()
		if i/n%n == i%n {
			easy[i] += 15
		}
	}
	fit := func(v []float64, r int, open bool, starts int) *Result {
		o := &Options{Shape: Diagonal, Starts: starts, Open: open, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
		f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v}), r, o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := fit(easy, 3, true, 10); f.Tried > 11 {
		t.Errorf("%d starts for clusters that lie apart, %d of which found them", f.Tried, f.Hits)
	}
	few, on := fit(hard, r, false, roundStarts), fit(hard, r, true, 10)
	if on.Tried <= 11 || !(on.LogLikelihood > few.LogLikelihood-.01) {
		t.Errorf("log-likelihood %g after %d starts, %g after five of each kind", on.LogLikelihood, on.Tried, few.LogLikelihood)
	}
	many := fit(hard, r, false, on.Tried/2)
	if many.Tried != on.Tried || many.Start != on.Start || math.Abs(many.LogLikelihood-on.LogLikelihood) > .01 {
		t.Errorf("%s: %g after %d starts, asked for %s: %g after %d", on.Start, on.LogLikelihood, on.Tried, many.Start, many.LogLikelihood, many.Tried)
	}
}
