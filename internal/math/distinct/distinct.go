// Package distinct computes with the entries of symmetric tensors whose indices all differ,
// without the n^d entries. With x = v*a by entries and the power sums p_m = sum_i x_i^m, the
// inner product of v^(x d) and a^(x d) over these entries is F_d = d! e_d(x), by Newton's
// identities
//
//	F_0 = 1,   F_k = sum_(m=1..k) c_km p_m F_(k-m),   c_km = (-1)^(m-1) (k-1)!/(k-m)!,
//
// and the product of v^(x d) with a^(d-1), so that F_d = a'Y_d and dF_d/da = d Y_d, is
//
//	Y_d = sum_(m=1..d) c_dm a^(m-1) * v^m F_(d-m).
//
// All of it takes matrix products with A, A*A, ... only.
package distinct

import (
	"math"

	"symmom/internal/math/linalg"
)

// Terms are the rank-one terms of the r columns of a matrix A, of one order or of several together,
// of which each has a weight tau_q.
type Terms struct {
	d, n, r int         // d is the highest order
	tau     []float64   // by order, from 1 on
	powers  [][]float64 // A^m, r x n, m = 0..d
	sums    [][]float64 // r x r: [k, j] is F_m of a_k*a_j, m = 0..d
	gram    []float64   // r x r: sum_q tau_q F_q
	work    []float64   // r x r
	wide    []float64   // r x n
}

// NewTerms returns the terms of order d >= 1, n variables and rank r, of zeros.
func NewTerms(d, n, r int) *Terms {
	tau := make([]float64, d)
	tau[d-1] = 1
	return NewTermsOf(tau, n, r)
}

// NewTermsOf returns the terms of orders 1, 2, ... with weights tau.
func NewTermsOf(tau []float64, n, r int) *Terms {
	d := len(tau)
	return &Terms{d: d, n: n, r: r, tau: tau, powers: matrices(d+1, r*n), sums: matrices(d+1, r*r),
		gram: make([]float64, r*r), work: make([]float64, r*r), wide: make([]float64, r*n)}
}

func matrices(count, size int) [][]float64 {
	m := make([][]float64, count)
	for i := range m {
		m[i] = make([]float64, size)
	}
	return m
}

// Newton returns c_km.
func Newton(k, m int) float64 {
	c := 1.
	for i := 1; i < m; i++ {
		c *= -float64(k - i)
	}
	return c
}

// FromPowerSums turns power sums p_1, p_2, ... into F_1, F_2, ... in place: s[m-1] has those of
// order m, all of one length.
func FromPowerSums(s [][]float64) {
	switch len(s) {
	case 0, 1:
		return
	case 2:
		p1, s2 := s[0], s[1][:len(s[0])]
		for i, p := range p1 {
			s2[i] = p*p - s2[i]
		}
		return
	case 3:
		p1, s2, s3 := s[0], s[1][:len(s[0])], s[2][:len(s[0])]
		for i, p := range p1 {
			q := s2[i]
			s2[i] = p*p - q
			s3[i] = p*(p*p-3*q) + 2*s3[i]
		}
		return
	}
	var p, f [maxOrder + 1]float64
	f[0] = 1
	for i := range s[0] {
		for k := 1; k <= len(s); k++ {
			p[k], f[k] = s[k-1][i], 0
			c := 1.
			for m := 1; m <= k; m++ {
				f[k] += c * p[m] * f[k-m]
				c *= -float64(k - m)
			}
			s[k-1][i] = f[k]
		}
	}
}

// maxOrder is that of any moment.
const maxOrder = 100

// Set takes the columns a, r x n.
func (s *Terms) Set(a []float64) {
	for i := range s.powers[0] {
		s.powers[0][i] = 1
	}
	for i := range s.sums[0] {
		s.sums[0][i] = 1
	}
	copy(s.powers[1], a)
	for m := 1; m <= s.d; m++ {
		if m > 1 {
			linalg.Multiply(s.powers[m], s.powers[m-1], a)
		}
		linalg.MulABt(s.sums[m], s.powers[m], s.powers[m], s.r, s.r, s.n)
	}
	FromPowerSums(s.sums[1:])
	s.total(s.gram, s.sums)
}

// total writes sum_q tau_q f_q to out.
func (s *Terms) total(out []float64, f [][]float64) {
	clear(out)
	for q, tau := range s.tau {
		if tau != 0 {
			linalg.Axpy(tau, f[q+1], out)
		}
	}
}

// Gram returns sum_q tau_q F_q, the inner products of all pairs, r x r, not a copy.
func (s *Terms) Gram() []float64 { return s.gram }

// Slopes writes sum_q tau_q q (sum_k lambda_k a_k^(x q)) a_j^(q-1) for each j to y, r x n: the
// derivatives by a_j of its inner products with all terms. 4 (d-1) n r^2 operations.
func (s *Terms) Slopes(y, lambda []float64) {
	clear(y)
	for m := 1; m <= s.d; m++ {
		s.combine(s.work, s.sums, m)
		for k, l := range lambda {
			linalg.Scale(l, s.work[k*s.r:(k+1)*s.r])
		}
		clear(s.wide)
		linalg.AddAtB(s.wide, s.work, s.powers[m], s.r, s.n, s.r)
		s.add(y, m)
	}
}

// combine writes sum_q tau_q q c_qm f_(q-m) to out.
func (s *Terms) combine(out []float64, f [][]float64, m int) {
	clear(out)
	for q := m; q <= s.d; q++ {
		if s.tau[q-1] != 0 {
			linalg.Axpy(s.tau[q-1]*float64(q)*Newton(q, m), f[q-m], out)
		}
	}
}

// add adds A^(m-1) * wide to y.
func (s *Terms) add(y []float64, m int) {
	if m > 1 {
		linalg.Multiply(s.wide, s.wide, s.powers[m-1])
	}
	linalg.Axpy(1, s.wide, y)
}

// Sums returns F_d of v*a/unit and what it would be if no term was negative, of the sizes and with
// indices that occur twice: what rounding is relative to. f has d + 1 numbers.
func Sums(v, a []float64, unit float64, f []float64) (value, size float64) {
	d := len(f) - 1
	clear(f)
	f[0] = 1
	for i, x := range v {
		x *= a[i] / unit
		size += math.Abs(x)
		for k := d; k >= 1; k-- {
			f[k] += float64(k) * x * f[k-1]
		}
	}
	return f[d], linalg.Powi(size, d)
}

// Inner returns the inner product of a^(x d) and b^(x d) over the entries whose indices
// all differ. O(n d).
func Inner(a, b []float64, d int) float64 {
	value, _ := Sums(a, b, 1, make([]float64, d+1)) // F_k = k! e_k, by one index after another
	return value
}
