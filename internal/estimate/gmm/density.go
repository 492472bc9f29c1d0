package gmm

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
)

// density holds the terms of log(w_j N(v; mu_j, S_j)), each a linear function of the features
// of v.
type density struct {
	n, r             int
	shape            Shape     // of the mixture
	count            int       // of features
	coefficients     []float64 // count x r
	precision        []float64 // n x n, the inverse of the last covariance that is a matrix
	lower, inv, mean []float64 // n x n; n x n; n

	// Of Full: the same by L_j^-1 v - L_j^-1 mu_j, which keeps its digits far from the origin.
	narrow   float64   // the largest diagonal element of an inverse; 0 of other shapes
	constant []float64 // r
	whitened []float64 // r x n
	inverses []float64 // r x n x n, transposed
}

// mostLost is the largest product of narrow and |v|^2 up to which features lose no more than 1e-10.
const mostLost = 1e6

func newDensity(n, r int) *density { return &density{n: n, r: r, mean: make([]float64, n)} }

// set prepares the densities of a mixture in dims dimensions, n of which are
// stored. It returns false if a covariance is not positive definite, or ctx cancelled.
func (q *density) set(ctx context.Context, g *Mixture, dims float64) bool {
	n, r := q.n, q.r
	if q.lower == nil && (g.Shape == Tied || g.Shape == Full) {
		q.lower, q.inv, q.precision = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	}
	q.shape = g.Shape
	if q.count = features(n, g.Shape); len(q.coefficients) < q.count*r {
		q.coefficients = make([]float64, q.count*r)
	}
	if q.narrow = 0; g.Shape == Full && q.inverses == nil {
		q.constant, q.whitened, q.inverses = make([]float64, r), make([]float64, r*n), make([]float64, r*n*n)
	}
	var logs float64
	if g.Shape == Tied {
		var ok bool
		if logs, ok = q.factor(ctx, g.Cov); !ok {
			return false
		}
	}
	linear := q.mean // S^-1 mu
	for j := range r {
		mu := g.Means[j*n : (j+1)*n]
		c := math.Log(g.Weights[j]) - dims/2*math.Log(2*math.Pi)
		of := q.coefficients[j:] // every r-th is of this component
		switch g.Shape {
		case Spherical:
			v := g.Cov[j]
			if !(v > 0) {
				return false
			}
			copy(linear, mu)
			linalg.Scale(1/v, linear)
			of[(1+n)*r] = -.5 / v
			c -= dims * math.Log(v) / 2
		case Diagonal:
			of[(1+n)*r] = 0
			for i, v := range g.Cov[j*n : (j+1)*n] {
				if !(v > 0) {
					return false
				}
				linear[i] = mu[i] / v
				of[(2+n+i)*r] = -.5 / v
				c -= math.Log(v) / 2
			}
		case Full:
			var ok bool
			if logs, ok = q.factor(ctx, g.Cov[j*n*n:(j+1)*n*n]); !ok {
				return false
			}
			q.constant[j] = c - logs
			linalg.MulABt(q.whitened[j*n:(j+1)*n], mu, q.inv, 1, n, n)
			linalg.Transpose(q.inverses[j*n*n:(j+1)*n*n], n, q.inv, n, n)
			of[(1+n)*r] = 0
			at := 2 + 2*n
			for i := range n {
				q.narrow = max(q.narrow, q.precision[i*n+i])
				of[(2+n+i)*r] = -.5 * q.precision[i*n+i]
				for k := i + 1; k < n; k++ {
					of[at*r] = -q.precision[i*n+k]
					at++
				}
			}
			fallthrough
		case Tied:
			linalg.MulABt(linear, mu, q.precision, 1, n, n)
			c -= logs
		}
		if c -= linalg.Dot(mu, linear) / 2; math.IsNaN(c) {
			return false
		}
		of[0] = c
		for i, b := range linear {
			of[(1+i)*r] = b
		}
	}
	return true
}

// rowsBetween is how many rows of a factor are computed between two looks at the context:
// with 2,000 variables they take a hundredth of a second.
const rowsBetween = 32

// factor computes the inverses of L and of S = L L', and the logarithm of det L. It returns false if S
// is not positive definite, or ctx cancelled.
func (q *density) factor(ctx context.Context, s []float64) (logs float64, ok bool) {
	n := q.n
	l := q.lower
	clear(l)
	for i := range n {
		if i%rowsBetween == 0 && ctx.Err() != nil {
			return 0, false
		}
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
		if i%rowsBetween == 0 && ctx.Err() != nil {
			return 0, false
		}
		row := q.inv[i*n : (i+1)*n]
		for k := range i {
			linalg.Axpy(-l[i*n+k], q.inv[k*n:k*n+k+1], row[:k+1])
		}
		row[i] = 1
		linalg.Scale(1/l[i*n+i], row[:i+1])
	}
	clear(q.precision)
	linalg.AddAtB(q.precision, q.inv, q.inv, n, n, n) // L^-T L^-1
	return logs, true
}

// logs adds the terms of the features of rows observations, from one on, to their log densities z, r x rows.
// Those of all features make these, without v'Pv/2 for Tied.
func (q *density) logs(z, features []float64, from, rows int) {
	linalg.AddAtB(z, q.coefficients[from*q.r:], features, q.r, rows, len(features)/rows)
}

// logsOf sets z, r x rows, to the log densities of rows observations of which these are the variables, n x rows, for
// Full; y has room for n x rows.
func (q *density) logsOf(z, v, y []float64, rows int) {
	n := q.n
	for j := range q.r {
		for i, b := range q.whitened[j*n : (j+1)*n] {
			for l := range rows {
				y[i*rows+l] = -b
			}
		}
		linalg.AddAtB(y, q.inverses[j*n*n:(j+1)*n*n], v, n, rows, n)
		of := z[j*rows : (j+1)*rows]
		clear(of)
		linalg.AddSquares(of, y[:n*rows])
		for l, d := range of {
			of[l] = q.constant[j] - d/2
		}
	}
}

// softmax turns the log densities z, r x rows, into responsibilities. It sets top to the highest log density of each
// observation, and over to the sum of its densities, of the highest: 1 divided by the highest responsibility. What
// inverse held is lost.
func softmax(z, top, over, inverse []float64) {
	rows := len(top)
	copy(top, z)
	for at := rows; at < len(z); at += rows {
		for l, v := range z[at : at+rows][:len(top)] {
			top[l] = max(top[l], v)
		}
	}
	for at := 0; at < len(z); at += rows {
		linalg.Axpy(-1, top, z[at:at+rows])
	}
	linalg.Exp(z)
	clear(over)
	for at := 0; at < len(z); at += rows {
		linalg.Axpy(1, z[at:at+rows], over)
	}
	for l, sum := range over {
		inverse[l] = 1 / sum
	}
	for at := 0; at < len(z); at += rows {
		linalg.Multiply(z[at:at+rows], z[at:at+rows], inverse)
	}
}

// logProduct returns the sum of the logarithms of numbers from 1 to 1e18.
func logProduct(v []float64) (sum float64) {
	for len(v) >= 16 {
		p := v[0]
		for _, x := range v[1:16] {
			p *= x
		}
		sum += math.Log(p)
		v = v[16:]
	}
	for _, x := range v {
		sum += math.Log(x)
	}
	return sum
}
