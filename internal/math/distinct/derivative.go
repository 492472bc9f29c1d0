package distinct

import "symmom/internal/math/linalg"

// Derivative multiplies with J'J, for J the derivative of sum_k lambda_k a_k^(x d) by lambda and
// A over the entries of distinct indices; of several orders it is the sum with their weights. As
// two arguments v and a of F_d(v*a), taken as independent, have the second derivative that J'J has
// for each pair of columns, its product with (dl, dA) is the derivative by lambda and V, at V = A,
// of F_d(v_k*a_j) and Y_d with the sums of these over k.
type Derivative struct {
	*Terms
	rows     [][]float64 // m A^(m-1) * dA, r x n, m = 1..d
	slopes   [][]float64 // r x r: [k, j] is dF_m of v_k*a_j, m = 0..d
	products [][]float64 // r x r: dp_m
	of, by   []float64   // r x r
}

// NewDerivative returns one for the terms that s holds when it is used.
func NewDerivative(s *Terms) *Derivative {
	return &Derivative{s, matrices(s.d+1, s.r*s.n), matrices(s.d+1, s.r*s.r), matrices(s.d+1, s.r*s.r), make([]float64, s.r*s.r), make([]float64, s.r*s.r)}
}

// Multiply writes J'J (dl, dA) to (outL, outA), r and r x n numbers, at lambda and the columns
// that were set. 6 d n r^2 operations.
func (s *Derivative) Multiply(outL, outA, lambda, dl, dA []float64) {
	d, n, r := s.d, s.n, s.r
	for m := 1; m <= d; m++ {
		linalg.Multiply(s.rows[m], s.powers[m-1], dA)
		linalg.Scale(float64(m), s.rows[m])
		linalg.MulABt(s.products[m], s.rows[m], s.powers[m], r, r, n)
	}
	clear(s.slopes[0])
	for k := 1; k <= d; k++ {
		clear(s.slopes[k])
		for m := 1; m <= k; m++ { // dF_k/dp_m = c_km k/m F_(k-m), since F_k = k! e_k
			linalg.Multiply(s.work, s.products[m], s.sums[k-m])
			linalg.Axpy(Newton(k, m)*float64(k)/float64(m), s.work, s.slopes[k])
		}
	}
	clear(outL)
	s.total(s.of, s.slopes)
	for k, l := range lambda { // entry j: sum_k F dl_k + lambda_k dF
		linalg.Axpy(dl[k], s.gram[k*r:(k+1)*r], outL)
		linalg.Axpy(l, s.of[k*r:(k+1)*r], outL)
	}
	clear(outA)
	for m := 1; m <= d; m++ {
		s.combine(s.by, s.sums, m)
		s.combine(s.of, s.slopes, m)
		for k, l := range lambda {
			of, by := s.of[k*r:(k+1)*r], s.by[k*r:(k+1)*r]
			for j, v := range by {
				of[j], by[j] = v*dl[k]+l*of[j], l*v
			}
		}
		clear(s.wide)
		linalg.AddAtB(s.wide, s.of, s.powers[m], r, n, r)
		linalg.AddAtB(s.wide, s.by, s.rows[m], r, n, r)
		s.add(outA, m)
	}
	for j, l := range lambda {
		linalg.Scale(l, outA[j*n:(j+1)*n])
	}
}

// Squares writes the squares of the norms of J's columns: F_d(a_j*a_j) for lambda_j, and for
// entry i of a_j d lambda_j^2 times F_(d-1) of a_j*a_j without index i; of several orders the sums
// with their weights.
func (s *Terms) Squares(outL, outA, lambda []float64) {
	n, r := s.n, s.r
	for j, l := range lambda {
		outL[j] = s.gram[j*r+j]
		own := outA[j*n : (j+1)*n]
		for i := range own {
			square := s.powers[1][j*n+i] * s.powers[1][j*n+i]
			own[i] = 0
			f := 1. // of order 0; F_k without i is F_k - k x_i F_(k-1) without i
			for q, tau := range s.tau {
				if tau != 0 {
					own[i] += tau * float64(q+1) * l * l * f
				}
				f = s.sums[q+1][j*r+j] - float64(q+1)*square*f
			}
		}
	}
}

// Lower writes sum_q tau_q q F_(q-1), r x r: the inner products of what is left of two terms where
// one index is taken.
func (s *Terms) Lower(out []float64) { s.combine(out, s.sums, 1) }
