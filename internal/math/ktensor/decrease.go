package ktensor

import (
	"math"

	"symmom/internal/math/linalg"
)

// The largest damping that Decrease tries if the Gauss-Newton matrix is singular to working
// precision, and the tolerance of its conjugate gradients.
const (
	decreaseMost      = 1e-3
	decreaseTolerance = 1e-24
)

// Decrease returns by how much a Gauss-Newton step from x, where the gradient
// is g, would lower f = ||R||^2 if the model were linear: |P R|^2 with P the
// projection on the columns of J. Divided by f it is the square of the cosine
// of the angle between R and the range of J, which no scaling of data or
// parameters changes (Bates & Watts 1981), and which is at least the cosine
// with any one column, MINPACK's measure.
//
// Damping leaves out directions along which J has less than its root, relative to the largest
// column. At most points a single column decides: if a step along one lowers f by more than
// enough, that is returned, and the system is not solved. If nonnegative is set, no
// entry of x may become negative, and only single columns are considered, along which a
// step ends at that bound. It takes no pass over the data.
func (s *GaussNewton) Decrease(x, g []float64, damping, enough float64, nonnegative bool) float64 {
	most := s.columns(x, g, damping, nonnegative)
	if nonnegative || !(most <= enough) {
		return most
	}
	// Along a direction that J hardly moves, a step is long where its gradient is small.
	defer func(tolerance float64, steps int) { s.tolerance, s.steps = tolerance, steps }(s.tolerance, s.steps)
	s.tolerance, s.steps = decreaseTolerance, cgSteps
	for ; damping <= decreaseMost; damping *= 100 {
		if s.solve(x, g, s.step, damping, nil) {
			return math.Max(most, linalg.Dot(g, s.step)/2) // max keeps a NaN
		}
		if s.stopped() {
			return math.NaN()
		}
	}
	return most
}

// columns returns the largest decrease along a single column of J. The columns of
// lambda_j have norm |a_j|^d, those of entry i of a_j have squared norm d lambda_j^2
// |a_j|^(2d-4) (|a_j|^2 + (d-1) a_ij^2).
func (s *GaussNewton) columns(x, g []float64, damping float64, nonnegative bool) float64 {
	if s.distinct != nil {
		return s.columnsDistinct(x, g, damping, nonnegative)
	}
	d, n, r := s.d, s.n, s.r
	most := 0.
	free := math.Inf(1)
	for j := range r {
		lambda, a, ga := x[j], x[r+j*n:r+(j+1)*n], g[r+j*n:r+(j+1)*n]
		b := linalg.Dot(a, a)
		room := free // against the gradient
		if nonnegative && g[j] > 0 {
			room = lambda
		}
		most = math.Max(most, along(g[j], linalg.Powi(b, d), room))
		low, high := 0., 1.
		if d > 1 {
			low = linalg.Powi(b, d-2)
			high = low * b
		}
		scale := float64(d) * lambda * lambda
		for i, v := range ga {
			room := free
			if nonnegative && v > 0 {
				room = a[i]
			}
			most = math.Max(most, along(v, scale*(high+float64(d-1)*low*a[i]*a[i]), room))
		}
	}
	return most
}

// along returns the decrease along a column of J with the given squared norm and
// derivative g, by a step of at most room: the largest |g| t - square t^2. The
// derivative of a zero column is zero.
func along(g, square, room float64) float64 {
	if g == 0 {
		return 0
	}
	t := g / square
	if math.Abs(t) > 2*room {
		return room * (math.Abs(g) - square*room)
	}
	return t * g / 4
}
