package gmm

import (
	"cmp"
	"math"
	"slices"

	"symmom/internal/math/linalg"
)

// Shape is the form of the covariances of a Gaussian mixture.
type Shape int

// The shapes of covariances, named as usual.
const (
	Spherical Shape = iota // a variance for each component
	Tied                   // one matrix for all
	Diagonal               // n variances for each component
	Full                   // a matrix for each component
)

// Mixture holds the parameters of a Gaussian mixture.
type Mixture struct {
	N, R    int
	Shape   Shape
	Weights []float64 // R, of sum 1
	Means   []float64 // R x N
	Cov     []float64 // R; N x N; R x N; R x N x N
}

// NewMixture returns a mixture of zeros.
func NewMixture(n, r int, shape Shape) *Mixture {
	return &Mixture{N: n, R: r, Shape: shape, Weights: make([]float64, r), Means: make([]float64, r*n), Cov: make([]float64, covSize(n, r, shape))}
}

func covSize(n, r int, shape Shape) int { return int(CovSize(n, r, shape)) }

// Clone returns a copy.
func (g *Mixture) Clone() *Mixture {
	c := *g
	c.Weights = append([]float64(nil), g.Weights...)
	c.Means = append([]float64(nil), g.Means...)
	c.Cov = append([]float64(nil), g.Cov...)
	return &c
}

// Parameters returns the number of free parameters.
func (g *Mixture) Parameters() int {
	cov := g.OwnParameters()
	if g.Shape != Tied {
		cov *= g.R
	}
	return g.R*g.N + g.R - 1 + cov
}

// OwnParameters returns how many the covariance of a component has, or that of all.
func (g *Mixture) OwnParameters() int {
	switch g.Shape {
	case Diagonal:
		return g.N
	case Tied, Full:
		return g.N * (g.N + 1) / 2
	}
	return 1
}

// BIC returns the Bayesian information criterion for p observations; lower is better.
func (g *Mixture) BIC(logLikelihood float64, p float64) float64 {
	return -2*logLikelihood + float64(g.Parameters())*math.Log(p)
}

// Isotropic returns a mixture whose components share one variance.
func Isotropic(weights, means []float64, variance float64) *Mixture {
	r := len(weights)
	g := NewMixture(len(means)/r, r, Spherical)
	copy(g.Weights, weights)
	copy(g.Means, means)
	for j := range g.Cov {
		g.Cov[j] = variance
	}
	return g
}

// Matrix sets s, N x N, to the covariance of component j.
func (g *Mixture) Matrix(s []float64, j int) {
	n := g.N
	switch g.Shape {
	case Tied:
		copy(s, g.Cov)
		return
	case Full:
		copy(s, g.Cov[j*n*n:(j+1)*n*n])
		return
	}
	clear(s[:n*n])
	for i := range n {
		s[i*n+i] = g.Variance(j, i)
	}
}

// Variance returns the variance of variable i in component j.
func (g *Mixture) Variance(j, i int) float64 {
	switch n := g.N; g.Shape {
	case Spherical:
		return g.Cov[j]
	case Tied:
		return g.Cov[i*n+i]
	case Diagonal:
		return g.Cov[j*n+i]
	default:
		return g.Cov[(j*n+i)*n+i]
	}
}

// CovSize returns the number of values that describe the covariances, as a float64:
// a file can specify more than fit in an int.
func CovSize(n, r int, shape Shape) float64 {
	size := float64(r)
	if shape == Tied {
		size = 1
	}
	switch shape {
	case Diagonal:
		size *= float64(n)
	case Tied, Full:
		size *= float64(n) * float64(n)
	}
	return size
}

// Optimism returns by how much the log-likelihood of the p observations that the
// mixture in n variables was fitted to exceeds its expectation for p other
// observations of the same distribution, if the component of each observation were
// known. It is about the number of parameters if components have many observations,
// more if they have few, and infinite if they have so few that a covariance fitted
// to others has no finite expectation (the correction of Hurvich & Tsai 1989 and
// Bedrick & Tsai 1994 to Akaike's criterion). With N = w_j p observations of a
// component and their fitted covariance S, E S^-1 = N / (N-n-2) times the inverse
// of the true covariance, so the expected difference is N n (n+3) / (2 (N-n-2));
// the other shapes are similar.
//
// An observation of weight v counts v times in the log-likelihood, but is one: N is the
// effective number of a component, members[j], and what follows from it counts w_j p / N times.
func (g *Mixture) Optimism(n int, p float64, members []float64) (sum float64) {
	d, r := float64(n), float64(g.R)
	part := func(over, under float64) {
		if under <= 0 {
			sum = math.Inf(1)
			return
		}
		sum += over / under
	}
	if g.Shape == Tied {
		// all - r degrees of freedom for one matrix.
		all, means := g.effective(members), 0.
		for j, w := range g.Weights {
			means += w * p / members[j]
		}
		part(d*(p*(r+d+1)+all*means), 2*(all-r-d-1))
		return sum
	}
	for j, w := range g.Weights {
		switch size, own := w*p, members[j]; g.Shape {
		case Spherical:
			part(size*d*(d+1), d*(own-1)-2)
		case Diagonal:
			part(2*size*d, own-3)
		case Full:
			part(size*d*(d+3), 2*(own-d-2))
		}
	}
	return sum
}

// Centered returns the mixture with its mean subtracted, and the mean.
func (g *Mixture) Centered() (h *Mixture, center []float64) {
	h = g.Clone()
	center = make([]float64, g.N)
	for j, w := range h.Weights {
		for i := range center {
			center[i] += w * h.Means[j*g.N+i]
		}
	}
	for j := range h.R {
		for i, c := range center {
			h.Means[j*g.N+i] -= c
		}
	}
	return h, center
}

// Reordered returns the mixture with its variables in another order: variable i is the
// one that is order[i] here. A nil order is the same.
func (g *Mixture) Reordered(order []int) *Mixture {
	if order == nil {
		return g
	}
	h, n := g.Clone(), g.N
	for i, k := range order {
		for j := range g.R {
			h.Means[j*n+i] = g.Means[j*n+k]
			if g.Shape == Diagonal {
				h.Cov[j*n+i] = g.Cov[j*n+k]
			}
		}
		if g.Shape == Tied || g.Shape == Full {
			for at := 0; at < len(g.Cov); at += n * n {
				for l, m := range order {
					h.Cov[at+i*n+l] = g.Cov[at+k*n+m]
				}
			}
		}
	}
	return h
}

// sort sorts the components, the heaviest first, and with them what members, unless nil,
// holds of each, and returns the order they were in.
func (g *Mixture) sort(members []float64) []int {
	order := make([]int, g.R)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.Weights[b], g.Weights[a]) })
	if members != nil {
		copy(members, linalg.Picked(members, order))
	}
	old := g.Clone()
	size := len(g.Cov) / g.R
	for to, from := range order {
		g.Weights[to] = old.Weights[from]
		copy(g.Means[to*g.N:(to+1)*g.N], old.Means[from*g.N:])
		if g.Shape != Tied {
			copy(g.Cov[to*size:(to+1)*size], old.Cov[from*size:])
		}
	}
	return order
}

// MeanVariance returns the mean variance of a variable within components.
func (g *Mixture) MeanVariance() (sum float64) {
	for j, w := range g.Weights {
		for i := range g.N {
			sum += w * g.Variance(j, i) / float64(g.N)
		}
	}
	return sum
}
