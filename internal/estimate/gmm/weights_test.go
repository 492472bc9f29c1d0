package gmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// weighted draws observations of three spherical components, with weights that are
// independent of them, lognormal, so that they are worth e^-1 of their number.
func weighted(p, n int, seed uint64) (v, nu []float64) {
	rng := rand.New(rand.NewPCG(seed, 30))
	means := make([]float64, 3*n)
	for i := range means {
		means[i] = 2 * rng.NormFloat64()
	}
	total := 0.
	for range p {
		j := rng.IntN(3)
		for i := range n {
			v = append(v, means[j*n+i]+.7*rng.NormFloat64())
		}
		nu = append(nu, math.Exp(rng.NormFloat64()))
		total += nu[len(nu)-1]
	}
	for l := range nu {
		nu[l] /= total
	}
	return v, nu
}

// The effective numbers of components are those of the responsibilities, one by one, in
// whatever unit the weights are; without weights they are the numbers of observations.
func TestMembers(t *testing.T) {
	const p, n = 1500, 3
	v, nu := weighted(p, n, 1)
	g := Isotropic([]float64{.5, .3, .2}, []float64{1, 0, 0, -1, 1, 0, 0, -2, 1}, 2)
	for _, w := range [][]float64{nu, nil} {
		for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
			e := NewEM(&block.Dense{P: p, N: n, V: v, Nu: w}, nil, 1, 3, shape, 2)
			z := make([]float64, 0, 3*p)
			h := g.Clone()
			e.Responsibilities(t.Context(), h, func(_ int, row []float64, _ float64) { z = append(z, row...) })
			if _, ok := e.Step(t.Context(), h); !ok {
				t.Fatal("no step")
			}
			members := e.members(h) // h has the weights of the sums
			for j, got := range members {
				var sum, square float64
				for l := range p {
					nu := 1.
					if w != nil {
						nu = w[l]
					}
					sum += nu * z[3*l+j]
					square += nu * nu * z[3*l+j]
				}
				if want := sum * sum / square; !(math.Abs(got-want) <= 1e-12*want*p) { // rounding of p terms
					t.Errorf("shape %d, weights %v, component %d: %g, want %g", shape, w != nil, j, got, want)
				}
			}
		}
	}
}

// A component around one observation has no expected likelihood, whatever its weight: of
// observations with weights as of those without, a mixture that has one is taken only if all
// starts end there, and a warning says so. The likelihood counts the
// observations as more than they are worth, which a warning says, too.
func TestWeightedMixture(t *testing.T) {
	slow.Test(t)
	const p, n = 2000, 5
	o := &Options{Starts: 10, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
	fit := func(v, nu []float64, r int) (*Result, string) {
		f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v, Weights: nu}), r, o)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, w := range f.Warnings {
			codes = append(codes, w.Code)
		}
		return f, strings.Join(codes, " ")
	}
	alone := 0
	for seed := range uint64(8) {
		v, nu := weighted(p, n, seed)
		f, codes := fit(v, nu, 4)
		least := slices.Min(f.Members)
		if strings.Contains(codes, diag.LeastVariance) {
			alone++
		}
		if least < 2.5 != strings.Contains(codes, diag.FewMembers) {
			t.Errorf("seed %d: a component of %g observations (%s)", seed, least, codes)
		}
		if !strings.Contains(codes, diag.FewOutliers) {
			t.Errorf("seed %d: no warning of the weights: %s", seed, codes)
		}
		if _, codes = fit(v, nil, 4); strings.TrimLeft(strings.NewReplacer(diag.FewStarts, "", diag.SetAside, "").Replace(codes), " ") != "" { // a component too many is found in several ways, around a few observations too
			t.Errorf("seed %d without weights: %s", seed, codes)
		}
		first := nu[0]
		// All observations but one are near the middle: the outlier has a component.
		for i := range v {
			v[i] = math.Mod(v[i], 1)
		}
		for i := range n {
			v[i] = 50
		}
		for l := range nu {
			nu[l] *= .99 / (1 - first)
		}
		nu[0] = .01
		if f, codes = fit(v, nu, 2); !(math.Abs(slices.Min(f.Members)-1) <= 1e-9) || !strings.Contains(codes, diag.FewMembers) {
			t.Errorf("seed %d: an outlier of weight .01: components of %g observations, warnings %q", seed, f.Members, codes)
		}
	}
	if alone > 2 { // seven if weighted observations count by their weight
		t.Errorf("%d of 8 mixtures have a component around a single observation", alone)
	}
}
