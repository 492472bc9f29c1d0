package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/linalg"
	"symmom/internal/words"
)

// MixtureOptions describes a spherical Gaussian mixture (section
// numer-estim-rank of the paper). N, Components and one of PerComponent and
// Observations must be given.
type MixtureOptions struct {
	N            int       // variables
	Components   int       // r <= N
	PerComponent int       // observations of each component, as the paper
	Observations int       // instead: p in all, each of a random component
	Sigma        float64   // standard deviation in each direction; 0: none
	Congruence   float64   // cosine between any two means
	Weights      []float64 // of the components with Observations; nil: equal
	Seed         uint64    // default 1
}

// Mixture is data drawn from a Gaussian mixture, with the truth.
type Mixture struct {
	Session *Session
	Means   *mat.Dense // n x r, columns of unit norm
	Labels  []int      // component of each observation, from 0
	err     error
}

// GaussianMixture draws observations N(mu_j, sigma^2 I) from r components
// whose means have unit norm and pairwise cosine Congruence, in random
// directions (Tomasi & Bro 2006, the Tensor Toolbox' matrandcong).
func GaussianMixture(g MixtureOptions) *Mixture { return noHost.GaussianMixture(g) }

// GaussianMixture is the function GaussianMixture of this package, within the
// host.
func (h *Host) GaussianMixture(g MixtureOptions) *Mixture {
	x := &Mixture{Session: &Session{host: h}, Means: &mat.Dense{}}
	if err := g.check(); err != nil {
		x.err, x.Session.err = err, err
		return x
	}
	// The means take as much as three observations each.
	observations := max(float64(g.Observations), float64(g.PerComponent)*float64(g.Components), 1.5*float64(g.Components))
	if err := checkDraw(observations, g.N, 2); err != nil {
		x.err, x.Session.err = err, err
		return x
	}
	rng := newGenerator(g.Seed)
	x.Means = congruentColumns(g.N, g.Components, g.Congruence, rng)
	x.Labels = g.labels(rng)
	v := mat.NewDense(len(x.Labels), g.N, nil)
	mean := make([]float64, g.N)
	for l, j := range x.Labels {
		mat.Col(mean, j, x.Means)
		row := v.RawRowView(l)
		for i := range row {
			row[i] = mean[i] + g.Sigma*rng.NormFloat64()
		}
	}
	x.Session = h.FromMatrix(v)
	x.err = x.Session.err
	return x
}

func (g MixtureOptions) check() error {
	lowest := math.Inf(-1)
	if g.Components > 1 {
		lowest = -1 / float64(g.Components-1)
	}
	switch {
	case g.N < 1:
		return &ArgumentError{Argument: "N", Value: g.N, Want: "at least 1 variable"}
	case g.Components < 1 || g.Components > g.N:
		return &ArgumentError{Argument: "Components", Value: g.Components, Want: fmt.Sprintf("1 to N = %d: their means are independent", g.N)}
	case (g.PerComponent > 0) == (g.Observations > 0) || g.PerComponent < 0 || g.Observations < 0:
		return &ArgumentError{Argument: "PerComponent, Observations", Value: fmt.Sprintf("%d, %d", g.PerComponent, g.Observations), Want: "one of the two above 0"}
	case !(g.Sigma >= 0) || math.IsInf(g.Sigma, 0):
		return &ArgumentError{Argument: "Sigma", Value: g.Sigma, Want: "a finite number, 0 or more"}
	case !(g.Congruence > lowest && g.Congruence < 1):
		return &ArgumentError{Argument: "Congruence", Value: g.Congruence, Want: fmt.Sprintf("above %.4g (-1/(components-1)) and below 1", lowest)}
	case g.Weights != nil && g.PerComponent > 0:
		return &ArgumentError{Argument: "Weights", Value: g.Weights, Want: "none with PerComponent; give Observations instead"}
	case g.Weights != nil && len(g.Weights) != g.Components:
		return &ArgumentError{Argument: "Weights", Value: g.Weights, Want: fmt.Sprintf("%d of them, one a component", g.Components)}
	}
	for _, w := range g.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return &ArgumentError{Argument: "Weights", Value: g.Weights, Want: "positive numbers"}
		}
	}
	return nil
}

// labels draws the component of each observation.
func (g MixtureOptions) labels(rng *rand.Rand) []int {
	if g.PerComponent > 0 {
		labels := make([]int, g.PerComponent*g.Components)
		for l := range labels {
			labels[l] = l / g.PerComponent
		}
		return labels
	}
	var total float64
	for _, w := range g.Weights {
		total += w
	}
	labels := make([]int, g.Observations)
	for l := range labels {
		if g.Weights == nil {
			labels[l] = rng.IntN(g.Components)
			continue
		}
		u := rng.Float64() * total
		for labels[l] < g.Components-1 && u >= g.Weights[labels[l]] {
			u -= g.Weights[labels[l]]
			labels[l]++
		}
	}
	return labels
}

// congruentColumns returns an n x r matrix Q R whose columns have unit norm
// and pairwise cosine c: R'R is the Gram matrix wanted, Q has random
// orthonormal columns.
func congruentColumns(n, r int, c float64, rng *rand.Rand) *mat.Dense {
	gram := mat.NewSymDense(r, nil)
	for i := range r {
		for j := i; j < r; j++ {
			gram.SetSym(i, j, c)
		}
		gram.SetSym(i, i, 1)
	}
	var chol mat.Cholesky
	chol.Factorize(gram) // positive definite by the range of c
	var upper mat.TriDense
	chol.UTo(&upper)
	q := make([]float64, r*n)
	for i := range q {
		q[i] = rng.NormFloat64()
	}
	linalg.Orthonormalize(q, r, n) // a thin Q; r Gaussian rows are independent
	var means mat.Dense
	means.Mul(mat.NewDense(r, n, q).T(), &upper)
	return &means
}

// Uniform draws p observations of n variables, each uniform on (0, 1): the
// paper's data without structure (section timing-comp-expl).
func Uniform(n, observations int, seed uint64) *Session {
	return noHost.Uniform(n, observations, seed)
}

// Uniform is the function Uniform of this package, within the host.
func (h *Host) Uniform(n, observations int, seed uint64) *Session {
	if n < 1 || observations < 1 {
		return &Session{host: h, err: &ArgumentError{Argument: "n, observations", Value: fmt.Sprintf("%d, %d", n, observations), Want: "at least 1 each"}}
	}
	if err := checkDraw(float64(observations), n, 2); err != nil {
		return &Session{host: h, err: err}
	}
	rng := newGenerator(seed)
	v := mat.NewDense(observations, n, nil)
	for l := range observations {
		row := v.RawRowView(l)
		for i := range row {
			row[i] = rng.Float64()
		}
	}
	return h.FromMatrix(v)
}

// newGenerator is the stream that data is drawn from; starts use others.
func newGenerator(seed uint64) *rand.Rand {
	if seed == 0 {
		seed = DefaultSeed
	}
	return rand.New(rand.NewPCG(seed, 1<<63))
}

// Err returns the first error of the chain that led here, or nil.
func (x *Mixture) Err() error { return x.err }

// String describes the mixture.
func (x *Mixture) String() string {
	if x.err != nil {
		return errorLine("mixture", x.err)
	}
	n, r := x.Means.Dims()
	var b strings.Builder
	fmt.Fprintf(&b, "Gaussian mixture: %s, %s of %s", words.Plural(r, "component"), words.Plural(len(x.Labels), "observation"), words.Plural(n, "variable"))
	return b.String()
}
