package datasets

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/torture"
	"symmom/symmom"
)

func TestMeansHaveTheCongruence(t *testing.T) {
	for _, c := range []float64{-.2, 0, .5, .95} {
		m := GaussianMixture(MixtureOptions{N: 30, Components: 5, PerComponent: 2, Congruence: c})
		if m.Err() != nil {
			t.Fatal(m.Err())
		}
		var gram mat.Dense
		gram.Mul(m.Means.T(), m.Means)
		for i := range 5 {
			for j := range 5 {
				want := c
				if i == j {
					want = 1
				}
				if !(math.Abs(gram.At(i, j)-want) <= 1e-14) {
					t.Errorf("congruence %g: <mu_%d, mu_%d> = %g", c, i, j, gram.At(i, j))
				}
			}
		}
		// Without noise every observation is its component's mean.
		x := m.Session.Matrix()
		for l, j := range m.Labels {
			if !mat.Equal(x.Dense.RowView(l), m.Means.ColView(j)) {
				t.Fatalf("observation %d is not mean %d", l, j)
			}
		}
	}
}

func TestMixtureNoise(t *testing.T) {
	const sigma, p, n = .3, 4000, 20
	m := GaussianMixture(MixtureOptions{N: n, Components: 2, Observations: p, Sigma: sigma, Weights: []float64{1, 3}, Seed: 5})
	if m.Err() != nil {
		t.Fatal(m.Err())
	}
	x, second := m.Session.Matrix(), 0
	var sum float64
	for l, j := range m.Labels {
		second += j
		for i := range n {
			e := x.At(l, i) - m.Means.At(i, j)
			sum += e * e / (p * n)
		}
	}
	// Four deviations: sigma^2 sqrt(2/(p n)) of the variance, sqrt(.1875/p) of the share.
	if !(math.Abs(sum-sigma*sigma) <= 4*sigma*sigma*math.Sqrt(2./(p*n))) {
		t.Errorf("variance %g, want %g", sum, sigma*sigma)
	}
	if share := float64(second) / p; !(math.Abs(share-.75) <= 4*math.Sqrt(.1875/p)) {
		t.Errorf("share of the second component %g, want .75", share)
	}
	if !strings.Contains(m.String(), "2 components, 4,000 observations of 20 variables") {
		t.Errorf("shows %q", m)
	}
	equal := GaussianMixture(MixtureOptions{N: 2, Components: 2, Observations: 1000})
	ones := 0
	for _, j := range equal.Labels {
		ones += j
	}
	if ones < 430 || ones > 570 { // 4.4 deviations of sqrt(250)
		t.Errorf("%d of 1000 in the second of two equal components", ones)
	}
}

func TestGeneratorsRepeat(t *testing.T) {
	g := MixtureOptions{N: 4, Components: 2, PerComponent: 3, Sigma: .1}
	a, b := GaussianMixture(g), GaussianMixture(g)
	g.Seed = symmom.DefaultSeed
	c := GaussianMixture(g)
	g.Seed = 2
	d := GaussianMixture(g)
	if a.Session.Fingerprint() != b.Session.Fingerprint() || a.Session.Fingerprint() != c.Session.Fingerprint() {
		t.Error("the same seed, other data")
	}
	if a.Session.Fingerprint() == d.Session.Fingerprint() || Uniform(2, 2, 1).Fingerprint() == Uniform(2, 2, 2).Fingerprint() {
		t.Error("another seed, the same data")
	}
	u := Uniform(3, 1000, 1).Summary()
	for _, v := range u.Variables {
		// The mean of 1000 has deviation .0091.
		if v.Min < 0 || v.Max >= 1 || !(math.Abs(v.Mean-.5) <= .04) {
			t.Errorf("uniform variable %+v", v)
		}
	}
}

func TestMixtureArguments(t *testing.T) {
	good := MixtureOptions{N: 4, Components: 3, PerComponent: 2}
	for _, g := range []MixtureOptions{good, {N: 1, Components: 1, Observations: 1}, {N: 4, Components: 4, Observations: 1, Sigma: 1, Weights: []float64{1, 2, 3, .1}}} {
		if m := GaussianMixture(g); m.Err() != nil {
			t.Errorf("%+v: %v", g, m.Err())
		}
	}
	if s := Uniform(1, 1, 1); s.Err() != nil {
		t.Error(s.Err())
	}
	for want, change := range map[string]func(*MixtureOptions){
		"N: got 0":                func(g *MixtureOptions) { g.N = 0 },
		"Components: got 5":       func(g *MixtureOptions) { g.Components = 5 },
		"Components: got 0":       func(g *MixtureOptions) { g.Components = 0 },
		"Observations: got -1, 2": func(g *MixtureOptions) { g.PerComponent, g.Observations = -1, 2 },
		"Observations: got 2, -1": func(g *MixtureOptions) { g.Observations = -1 },
		"Sigma: got +Inf":         func(g *MixtureOptions) { g.Sigma = math.Inf(1) },
		"Weights: got [1 +Inf 1]": func(g *MixtureOptions) {
			g.Weights = []float64{1, math.Inf(1), 1}
			g.PerComponent, g.Observations = 0, 5
		},
		"PerComponent, Observations: got":  func(g *MixtureOptions) { g.Observations = 2 },
		"PerComponent, Observations: got ": func(g *MixtureOptions) { g.PerComponent = 0 },
		"Sigma: got NaN":                   func(g *MixtureOptions) { g.Sigma = math.NaN() },
		"Congruence: got -0.5, want above": func(g *MixtureOptions) { g.Congruence = -.5 },
		"below 1":                          func(g *MixtureOptions) { g.Congruence = 1 },
		"none with PerComponent":           func(g *MixtureOptions) { g.Weights = []float64{1, 1, 1} },
		"3 of them":                        func(g *MixtureOptions) { g.Weights = []float64{1}; g.PerComponent, g.Observations = 0, 5 },
		"positive numbers":                 func(g *MixtureOptions) { g.Weights = []float64{1, 0, 1}; g.PerComponent, g.Observations = 0, 5 },
	} {
		g := good
		change(&g)
		if m := GaussianMixture(g); m.Err() == nil || !strings.Contains(m.Err().Error(), want) || m.Session.Err() == nil {
			t.Errorf("%+v: %v, want %q", g, m.Err(), want)
		}
	}
	if m := GaussianMixture(MixtureOptions{N: 3, Components: 1, PerComponent: 1, Congruence: -5}); m.Err() != nil {
		t.Errorf("one component has no congruence: %v", m.Err())
	}
}

func TestFailedGeneratorsCarryTheirError(t *testing.T) {
	for _, s := range []*symmom.Session{GaussianMixture(MixtureOptions{}).Session, Uniform(0, 1, 1), Uniform(1, 0, 1), Uniform(1<<20, 1<<20, 1)} {
		if s == nil || s.Err() == nil || s.Moment(3).Decompose(2).Err() == nil {
			t.Errorf("%v of a generator that cannot draw", s)
		}
	}
}

func TestMixtureOfNothing(t *testing.T) {
	if x := (&Mixture{}); x.String() != "empty mixture" || x.Err() != nil {
		t.Errorf("%s, %v", x, x.Err())
	}
}

// A generator whose context ends says so, whenever that is, and one whose context does not
// draws what it draws without.
func TestInterruptedGenerators(t *testing.T) {
	g := MixtureOptions{N: 300, Components: 2, PerComponent: 1500, Sigma: .1}
	ctx := t.Context()
	if s := UniformContext(ctx, g.N, 3000, 1); s.Fingerprint() != Uniform(g.N, 3000, 1).Fingerprint() {
		t.Errorf("%v: %v", s, s.Err())
	}
	if m := GaussianMixtureContext(ctx, g); m.Session.Fingerprint() != GaussianMixture(g).Session.Fingerprint() {
		t.Errorf("%v: %v", m, m.Err())
	}
	for _, checks := range []int{0, 1, 2} {
		if s := UniformContext(&torture.Ending{Context: t.Context(), Left: checks}, g.N, 3000, 1); !errors.Is(s.Err(), symmom.ErrInterrupted) {
			t.Errorf("after %d checks: %v", checks, s.Err())
		}
		if m := GaussianMixtureContext(&torture.Ending{Context: t.Context(), Left: checks}, g); !errors.Is(m.Err(), symmom.ErrInterrupted) || !errors.Is(m.Session.Err(), symmom.ErrInterrupted) {
			t.Errorf("after %d checks: %v", checks, m.Err())
		}
	}
}
