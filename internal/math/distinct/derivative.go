package distinct

import "symmom/internal/math/linalg"

// Derivative multiplies with J'J, for J the derivative of sum_k lambda_k a_k^(x d) by lambda and
// A over the entries of distinct indices. As two arguments v and a of F_d(v*a), taken as
// independent, have the second derivative that J'J has for each pair of columns, its product
// with (dl, dA) is the derivative by lambda and V, at V = A, of F_d(v_k*a_j) and Y_d with the
// sums of these over k.
type Derivative struct {
	*Terms
	rows     [][]float64 // m A^(m-1) * dA, r x n, m = 1..d
	slopes   [][]float64 // r x r: [k, j] is dF_m of v_k*a_j, m = 0..d
	products [][]float64 // r x r: dp_m
	scaled   []float64   // r x r
}

// NewDerivative returns one for the terms that s holds when it is used.
func NewDerivative(s *Terms) *Derivative {
	return &Derivative{s, matrices(s.d+1, s.r*s.n), matrices(s.d+1, s.r*s.r), matrices(s.d+1, s.r*s.r), make([]float64, s.r*s.r)}
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
		for m := 1; m <= k; m++ { // d(c p_m F_(k-m)), p_m as it was
			linalg.Multiply(s.work, s.products[m], s.sums[k-m])
			linalg.Axpy(Newton(k, m), s.work, s.slopes[k])
			linalg.Multiply(s.work, s.powerSums[m], s.slopes[k-m])
			linalg.Axpy(Newton(k, m), s.work, s.slopes[k])
		}
	}
	clear(outL)
	for k, l := range lambda { // entry j: sum_k F_d dl_k + lambda_k dF_d
		linalg.Axpy(dl[k], s.sums[d][k*r:(k+1)*r], outL)
		linalg.Axpy(l, s.slopes[d][k*r:(k+1)*r], outL)
	}
	clear(outA)
	for m := 1; m <= d; m++ {
		f, slope := s.sums[d-m], s.slopes[d-m]
		for k, l := range lambda {
			of, by := s.work[k*r:(k+1)*r], s.scaled[k*r:(k+1)*r]
			f, slope := f[k*r:(k+1)*r], slope[k*r:(k+1)*r]
			for j, v := range f {
				of[j], by[j] = v*dl[k]+l*slope[j], l*v
			}
		}
		clear(s.wide)
		linalg.AddAtB(s.wide, s.work, s.powers[m], r, n, r)
		linalg.AddAtB(s.wide, s.scaled, s.rows[m], r, n, r)
		s.add(outA, m)
	}
	for j, l := range lambda {
		linalg.Scale(float64(d)*l, outA[j*n:(j+1)*n])
	}
}

// Squares writes the squares of the norms of J's columns: F_d(a_j*a_j) for lambda_j, and for
// entry i of a_j d lambda_j^2 times F_(d-1) of a_j*a_j without index i.
func (s *Terms) Squares(outL, outA, lambda []float64) {
	d, n, r := s.d, s.n, s.r
	for j, l := range lambda {
		outL[j] = s.sums[d][j*r+j]
		own, squares := outA[j*n:(j+1)*n], s.powers[min(2, d)][j*n:(j+1)*n]
		for i := range own {
			f := 1. // of order 0; F_k without i is F_k - k x_i F_(k-1) without i
			for k := 1; k < d; k++ {
				f = s.sums[k][j*r+j] - float64(k)*squares[i]*f
			}
			own[i] = float64(d) * l * l * f
		}
	}
}

// Lower returns the inner products of order d - 1, r x r, not a copy.
func (s *Terms) Lower() []float64 { return s.sums[s.d-1] }
