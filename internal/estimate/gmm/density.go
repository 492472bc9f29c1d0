package gmm

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
)

// density holds the terms of log(w_j N(v; mu_j, S_j)): for all shapes but
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
// stored. It returns false if a covariance is not positive definite, or ctx cancelled.
func (q *density) set(ctx context.Context, g *Mixture, dims float64) bool {
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
		if logs, ok = q.factor(ctx, g.Cov); !ok {
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
			logs, ok := q.factor(ctx, g.Cov[j*n*n:(j+1)*n*n])
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

// rowsBetween is how many rows of a factor are computed between two looks at the context:
// with 2,000 variables they take a hundredth of a second.
const rowsBetween = 32

// factor computes L with S = L L', its inverse, and the logarithm of det L. It
// returns false if S is not positive definite, or ctx cancelled.
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
// times weight. It returns the highest of them, and by how much the log of the sum of all
// densities exceeds it: minus the log of the highest responsibility.
func softmax(z []float64, weight float64) (top, others float64) {
	top = z[0]
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
	return top, math.Log(sum)
}
