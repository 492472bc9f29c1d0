package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// sum is a compensated sum (Neumaier 1974).
type sum struct{ s, c float64 }

func (a *sum) add(v float64) {
	t := a.s + v
	if math.Abs(a.s) >= math.Abs(v) {
		a.c += a.s - t + v
	} else {
		a.c += v - t + a.s
	}
	a.s = t
}

func (a *sum) value() float64 { return a.s + a.c }

// dot is an inner product as if computed in twice the precision (Ogita, Rump & Oishi
// 2005).
func dot(a, b []float64) float64 {
	var s, c float64
	for i, x := range a {
		p := x * b[i]
		t := s + p
		z := t - s
		c += s - (t - z) + (p - z) + math.FMA(x, b[i], -p)
		s = t
	}
	return s + c
}

func power(x float64, d int) float64 {
	y := x
	for range d - 1 {
		y *= x
	}
	return y
}

// table is the judge's own table: v times 2^e are the observations, none of which is
// longer than 1 in v, so that powers of them stay in range.
type table struct {
	p, n, d int
	v       []float64
	nu      []float64 // of sum 1
	e       int
}

func newTable(x *mat.Dense, w []float64, d int) *table {
	t := &table{d: d}
	t.p, t.n = x.Dims()
	t.v, t.nu = make([]float64, t.p*t.n), make([]float64, t.p)
	var top float64
	for _, v := range x.RawMatrix().Data {
		top = max(top, math.Abs(v))
	}
	_, t.e = math.Frexp(top * math.Sqrt(float64(t.n)))
	var total sum
	for l := range t.p {
		for i, v := range x.RawRowView(l) {
			t.v[l*t.n+i] = math.Ldexp(v, -t.e)
		}
		t.nu[l] = weight(w, l)
		total.add(t.nu[l])
	}
	for l := range t.nu {
		t.nu[l] /= total.value()
	}
	return t
}

// back converts a number of the problem's units, to the power 2d, to the data's.
func (t *table) back(v float64) float64 { return math.Ldexp(v, 2*t.d*t.e) }

// into is the reverse of back.
func (t *table) into(v float64) float64 { return math.Ldexp(v, -2*t.d*t.e) }

// objective returns f with alpha = 0 of a model from its definition,
//
//	sum_ij lambda_i lambda_j (a_i'a_j)^d - 2 sum_j lambda_j sum_l nu_l (v_l'a_j)^d,
//
// and the sum of the absolute terms, in units in which the observations are v.
func (t *table) objective(m *symmom.Model) (f, gross float64) {
	var s sum
	r := len(m.Lambda)
	lambda, columns := make([]float64, r), make([][]float64, r)
	for j := range columns {
		lambda[j], columns[j] = math.Ldexp(m.Lambda[j], -t.d*t.e), mat.Col(nil, j, m.Factors)
	}
	add := func(v float64) {
		s.add(v)
		gross += math.Abs(v)
	}
	for i := range r {
		for j := range r {
			add(lambda[i] * lambda[j] * power(dot(columns[i], columns[j]), t.d))
		}
		for l := range t.p {
			add(-2 * lambda[i] * t.nu[l] * power(dot(t.v[l*t.n:(l+1)*t.n], columns[i]), t.d))
		}
	}
	return s.value(), gross
}

// lengths returns (sum_l nu_l |v_l|^d)^2, which ||X||^2 cannot exceed.
func (t *table) lengths() float64 {
	var s sum
	for l := range t.p {
		v := t.v[l*t.n : (l+1)*t.n]
		s.add(t.nu[l] * math.Pow(math.Sqrt(dot(v, v)), float64(t.d)))
	}
	return s.value() * s.value()
}

// norm returns ||X||^2 from all pairs of observations, one by one.
func (t *table) norm() float64 {
	var s sum
	for l := range t.p {
		v := t.v[l*t.n : (l+1)*t.n]
		var row sum
		for m := range l {
			w := t.v[m*t.n : (m+1)*t.n]
			var a, b, c, d float64
			i := 0
			for ; i+3 < len(v); i += 4 {
				a, b, c, d = a+v[i]*w[i], b+v[i+1]*w[i+1], c+v[i+2]*w[i+2], d+v[i+3]*w[i+3]
			}
			for ; i < len(v); i++ {
				a += v[i] * w[i]
			}
			row.add(2 * t.nu[m] * power(a+b+(c+d), t.d))
		}
		row.add(t.nu[l] * power(dot(v, v), t.d))
		s.add(t.nu[l] * row.value())
	}
	return s.value()
}

// normFast is norm for many observations, by matrix products: what is compared with an
// estimate needs no last digits.
func (t *table) normFast() float64 {
	const block = 256
	g := make([]float64, block*block)
	var s sum
	for lo := 0; lo < t.p; lo += block {
		hi := min(lo+block, t.p)
		for from := 0; from <= lo; from += block {
			to := min(from+block, t.p)
			gram := g[:(hi-lo)*(to-from)]
			linalg.MulABt(gram, t.v[lo*t.n:hi*t.n], t.v[from*t.n:to*t.n], hi-lo, to-from, t.n)
			twice := 2.
			if from == lo {
				twice = 1
			}
			for i := range hi - lo {
				var row float64
				for j, v := range gram[i*(to-from) : (i+1)*(to-from)] {
					row += t.nu[from+j] * power(v, t.d)
				}
				s.add(twice * t.nu[lo+i] * row)
			}
		}
	}
	return s.value()
}
