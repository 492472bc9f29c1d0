package gmm

import (
	"cmp"
	"math"
	"slices"

	"symmom/internal/eigen"
	"symmom/internal/linalg"
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
	cov := g.R
	switch g.Shape {
	case Tied:
		cov = g.N * (g.N + 1) / 2
	case Diagonal:
		cov = g.R * g.N
	case Full:
		cov = g.R * g.N * (g.N + 1) / 2
	}
	return g.R*g.N + g.R - 1 + cov
}

// BIC returns the Bayesian information criterion for p observations; lower is better.
func (g *Mixture) BIC(logLikelihood float64, p int) float64 {
	return -2*logLikelihood + float64(g.Parameters())*math.Log(float64(p))
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
func (g *Mixture) Optimism(n int, p float64) (sum float64) {
	d, r := float64(n), float64(g.R)
	part := func(over, under float64) {
		if under <= 0 {
			sum = math.Inf(1)
			return
		}
		sum += over / under
	}
	if g.Shape == Tied {
		// p - r degrees of freedom for one matrix.
		part(p*d*(d+1+2*r), 2*(p-r-d-1))
		return sum
	}
	for _, w := range g.Weights {
		switch size := w * p; g.Shape {
		case Spherical:
			part(size*d*(d+1), d*(size-1)-2)
		case Diagonal:
			part(2*size*d, size-3)
		case Full:
			part(size*d*(d+3), 2*(size-d-2))
		}
	}
	return sum
}

// density is what log(w_j N(v; mu_j, S_j)) is computed with: for all shapes but
// Full it is a linear function of v and of squares,
//
//	constant_j + linear_j'v - (square_j'(v*v) or square_j |v|^2 or v'Pv) / 2,
//
// of which the last, for Tied, is the same for all j.
type density struct {
	shape            Shape
	n, r             int
	constant         []float64 // r
	linear           []float64 // r x n; for Full L_j^-1 mu_j
	square           []float64 // r or r x n, negative halves; for Full L_j^-1, r x n x n
	precision        []float64 // n x n, of Tied
	work, lower, inv []float64 // n x n
}

func newDensity(n, r int) *density {
	return &density{n: n, r: r, constant: make([]float64, r), linear: make([]float64, r*n)}
}

// set prepares the densities of a mixture in dims dimensions, n of which are
// stored. It returns false if a covariance is not positive definite.
func (q *density) set(g *Mixture, dims float64) bool {
	n, r := q.n, q.r
	q.shape = g.Shape
	if q.work == nil && (g.Shape == Tied || g.Shape == Full) {
		q.work, q.lower, q.inv = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		q.precision = make([]float64, n*n)
	}
	if size := covSize(n, r, g.Shape); g.Shape != Tied && cap(q.square) < size {
		q.square = make([]float64, size)
	}
	q.square = q.square[:cap(q.square)]
	var logs float64
	if g.Shape == Tied {
		var ok bool
		if logs, ok = q.factor(g.Cov); !ok {
			return false
		}
		clear(q.precision)
		linalg.AddAtB(q.precision, q.inv, q.inv, n, n, n) // L^-T L^-1
	}
	for j := range r {
		mu := g.Means[j*n : (j+1)*n]
		linear := q.linear[j*n : (j+1)*n]
		c := math.Log(g.Weights[j]) - dims/2*math.Log(2*math.Pi)
		switch g.Shape {
		case Spherical:
			v := g.Cov[j]
			if !(v > 0) {
				return false
			}
			copy(linear, mu)
			linalg.Scale(1/v, linear)
			q.square[j] = -.5 / v
			c -= (dims*math.Log(v) + linalg.Dot(mu, linear)) / 2
		case Diagonal:
			for i, v := range g.Cov[j*n : (j+1)*n] {
				if !(v > 0) {
					return false
				}
				linear[i] = mu[i] / v
				q.square[j*n+i] = -.5 / v
				c -= math.Log(v) / 2
			}
			c -= linalg.Dot(mu, linear) / 2
		case Tied:
			linalg.MulABt(linear, mu, q.precision, 1, n, n)
			c -= logs + linalg.Dot(mu, linear)/2
		case Full:
			logs, ok := q.factor(g.Cov[j*n*n : (j+1)*n*n])
			if !ok {
				return false
			}
			copy(q.square[j*n*n:(j+1)*n*n], q.inv)
			linalg.MulABt(linear, mu, q.inv, 1, n, n)
			c -= logs
		}
		if math.IsNaN(c) {
			return false
		}
		q.constant[j] = c
	}
	return true
}

// factor computes L with S = L L', its inverse, and the logarithm of det L. It
// returns false if S is not positive definite.
func (q *density) factor(s []float64) (logs float64, ok bool) {
	n := q.n
	l := q.lower
	clear(l)
	for i := range n {
		for j := range i + 1 {
			v := s[i*n+j] - linalg.Dot(l[i*n:i*n+j], l[j*n:j*n+j])
			if i == j {
				if !(v > 0) {
					return 0, false
				}
				l[i*n+i] = math.Sqrt(v)
				logs += math.Log(v) / 2
			} else {
				l[i*n+j] = v / l[j*n+j]
			}
		}
	}
	// Row i of the inverse follows from the rows before it.
	clear(q.inv)
	for i := range n {
		row := q.inv[i*n : (i+1)*n]
		for k := range i {
			linalg.Axpy(-l[i*n+k], q.inv[k*n:k*n+k+1], row[:k+1])
		}
		row[i] = 1
		linalg.Scale(1/l[i*n+i], row[:i+1])
	}
	return logs, true
}

// logs sets z, rows x r, to the log densities of rows observations, without v'Pv/2
// for Tied. v2 holds their squares for Diagonal; y has room for rows x n.
func (q *density) logs(z, v, v2, y []float64, rows int) {
	n, r := q.n, q.r
	if q.shape == Full {
		for j := range r {
			linalg.MulABt(y, v, q.square[j*n*n:(j+1)*n*n], rows, n, n)
			b := q.linear[j*n : (j+1)*n]
			for l := range rows {
				u := y[l*n : (l+1)*n]
				linalg.Axpy(-1, b, u)
				z[l*r+j] = q.constant[j] - linalg.Dot(u, u)/2
			}
		}
		return
	}
	linalg.MulABt(z, v, q.linear, rows, r, n)
	if q.shape == Diagonal {
		linalg.MulABt(y, v2, q.square, rows, r, n)
		linalg.Axpy(1, y[:rows*r], z)
	}
	for l := range rows {
		row := z[l*r : (l+1)*r]
		linalg.Axpy(1, q.constant, row)
		if q.shape == Spherical {
			u := v[l*n : (l+1)*n]
			linalg.Axpy(linalg.Dot(u, u), q.square[:r], row)
		}
	}
}

// softmax turns the log densities of one observation into its responsibilities
// times weight, and returns the log of their sum.
func softmax(z []float64, weight float64) float64 {
	top := z[0]
	for _, v := range z[1:] {
		top = max(top, v)
	}
	var sum float64
	for j, v := range z {
		e := 0.
		if v -= top; v > -40 { // otherwise it is less than the rounding of the others
			e = math.Exp(v)
		}
		z[j] = e
		sum += e
	}
	linalg.Scale(weight/sum, z)
	return top + math.Log(sum)
}

// atLeast raises the eigenvalues of an n x n covariance to floor. Of all matrices
// with eigenvalues of at least floor, the result has the highest likelihood.
func atLeast(s []float64, n int, floor float64) {
	values, columns, ok := eigen.Sym(eigen.SymOf(s, n), true)
	if !ok || values[0] >= floor {
		return
	}
	clear(s[:n*n])
	for k, v := range values {
		v = math.Max(v, floor)
		for i := range n {
			for j := range n {
				s[i*n+j] += v * columns[i*n+k] * columns[j*n+k]
			}
		}
	}
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

// sort sorts the components, the heaviest first.
func (g *Mixture) sort() {
	order := make([]int, g.R)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.Weights[b], g.Weights[a]) })
	old := g.Clone()
	size := len(g.Cov) / g.R
	for to, from := range order {
		g.Weights[to] = old.Weights[from]
		copy(g.Means[to*g.N:(to+1)*g.N], old.Means[from*g.N:])
		if g.Shape != Tied {
			copy(g.Cov[to*size:(to+1)*size], old.Cov[from*size:])
		}
	}
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
