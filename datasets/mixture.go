package datasets

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// MixtureOptions describes a spherical Gaussian mixture (section
// numer-estim-rank of the paper). N, Components and one of PerComponent and
// Observations must be given.
type MixtureOptions struct {
	N            int       // variables
	Components   int       // r <= N
	PerComponent int       // observations of each component, as in the paper
	Observations int       // alternatively: p in all, each of a random component
	Sigma        float64   // standard deviation in each direction; 0: none
	Congruence   float64   // cosine between any two means
	Weights      []float64 // of the components, with Observations; nil: equal
	Seed         uint64    // default 1
}

// Mixture is data drawn from a Gaussian mixture, with the truth.
type Mixture struct {
	Session *symmom.Session
	Means   *mat.Dense // n x r, columns of unit norm
	Labels  []int      // component of each observation, from 0
	err     error
}

// GaussianMixture draws observations N(mu_j, sigma^2 I) from r components
// whose means have unit norm and pairwise cosine Congruence, in random
// directions (Tomasi & Bro 2006, the Tensor Toolbox' matrandcong).
func GaussianMixture(g MixtureOptions) *Mixture {
	return GaussianMixtureContext(context.Background(), g)
}

// GaussianMixtureContext is GaussianMixture until ctx ends; the error is then
// ErrInterrupted of package symmom.
func GaussianMixtureContext(ctx context.Context, g MixtureOptions) *Mixture {
	err := g.check()
	if err == nil {
		// The means take as much as three observations each.
		err = draw.CheckMemory(max(float64(g.Observations), float64(g.PerComponent)*float64(g.Components), 1.5*float64(g.Components)), g.N)
	}
	var v, means *mat.Dense
	var labels []int
	if err == nil {
		if v, means, labels, err = draw.Mixture(g).Draw(ctx); err != nil {
			err = errInterrupted
		}
	}
	if err != nil {
		return &Mixture{Session: symmom.Failed(err), Means: &mat.Dense{}, err: err}
	}
	x := &Mixture{Session: symmom.FromMatrix(v), Means: means, Labels: labels}
	x.err = x.Session.Err()
	return x
}

func (g MixtureOptions) check() error {
	lowest := math.Inf(-1)
	if g.Components > 1 {
		lowest = -1 / float64(g.Components-1)
	}
	switch {
	case g.N < 1:
		return &symmom.ArgumentError{Argument: "N", Value: g.N, Want: "at least 1 variable"}
	case g.Components < 1 || g.Components > g.N:
		return &symmom.ArgumentError{Argument: "Components", Value: g.Components, Want: fmt.Sprintf("1 to N = %d: their means are independent", g.N)}
	case (g.PerComponent > 0) == (g.Observations > 0) || g.PerComponent < 0 || g.Observations < 0:
		return &symmom.ArgumentError{Argument: "PerComponent, Observations", Value: fmt.Sprintf("%d, %d", g.PerComponent, g.Observations), Want: "one of the two above 0"}
	case !(g.Sigma >= 0) || math.IsInf(g.Sigma, 0):
		return &symmom.ArgumentError{Argument: "Sigma", Value: g.Sigma, Want: "a finite number, 0 or more"}
	case !(g.Congruence > lowest && g.Congruence < 1):
		return &symmom.ArgumentError{Argument: "Congruence", Value: g.Congruence, Want: fmt.Sprintf("above %.4g (-1/(components-1)) and below 1", lowest)}
	case g.Weights != nil && g.PerComponent > 0:
		return &symmom.ArgumentError{Argument: "Weights", Value: g.Weights, Want: "none with PerComponent; give Observations instead"}
	case g.Weights != nil && len(g.Weights) != g.Components:
		return &symmom.ArgumentError{Argument: "Weights", Value: g.Weights, Want: fmt.Sprintf("%d of them, one a component", g.Components)}
	}
	for _, w := range g.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return &symmom.ArgumentError{Argument: "Weights", Value: g.Weights, Want: "positive numbers"}
		}
	}
	return nil
}

// Err returns the first error of the chain that led here, or nil.
func (x *Mixture) Err() error { return x.err }

// String describes the mixture.
func (x *Mixture) String() string {
	if x.err != nil {
		return "failed mixture: " + x.err.Error()
	}
	if x.Means == nil {
		return "empty mixture"
	}
	n, r := x.Means.Dims()
	var b strings.Builder
	fmt.Fprintf(&b, "Gaussian mixture: %s, %s of %s", words.Plural(r, "component"), words.Plural(len(x.Labels), "observation"), words.Plural(n, "variable"))
	return b.String()
}
