package ktensor

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// Diagnostics measure how well the components of a model are separated. With unit
// columns, the terms lambda_j a_j^(x d) have the inner products lambda_i lambda_j
// (a_i'a_j)^d, entries of [A'A]^d between weights; or those of their entries with distinct
// indices, and their cosines in the place of [A'A]^d.
type Diagnostics struct {
	// Shares of the components in ||M||^2, of sum 1: each has its own square and
	// half of its inner products with others. A share outside of 0..1 means that
	// terms cancel. They are NaN if lambda is 0 or overflowed.
	Shares []float64
	// Condition is the ratio of the largest eigenvalue of [A'A]^d to the smallest:
	// how much errors of X may grow in lambda. It is 1 for orthogonal components,
	// infinite if they are dependent, and NaN for more than 500 components, whose
	// eigenvalues would take too long.
	Condition float64
	// Degenerate pairs are terms whose cosine is below -.9: they nearly cancel each
	// other, and their weights can grow without bound if the moment has no best
	// model of this rank.
	Degenerate []TermPair
}

// TermPair is two terms of a model, counted from 0 with I < J, and the cosine of
// the angle between these tensors.
type TermPair = struct {
	I, J   int
	Cosine float64
}

const (
	degenerateCosine = -.9
	mostConditioned  = 500
)

// Diagnose returns the diagnostics. O(n r^2 + r^3).
func (k *Kruskal) Diagnose() *Diagnostics {
	r := k.R
	d := &Diagnostics{Shares: make([]float64, r), Condition: math.NaN()}
	if r == 0 {
		return d
	}
	k = k.Clone()
	k.Normalize()
	if most := linalg.NormInf(k.Lambda); most > 0 {
		for j := range k.Lambda {
			k.Lambda[j] /= most // squares stay in range
		}
	}
	g := k.gram()
	cosines := k.cosines(g)
	total := 0.
	for i := range r {
		for j := range r {
			d.Shares[i] += k.Lambda[i] * g[i*r+j] * k.Lambda[j]
		}
		total += d.Shares[i]
	}
	for i := range r {
		d.Shares[i] /= total
		for j := range i {
			c := cosines[i*r+j]
			if k.Lambda[i]*k.Lambda[j] < 0 {
				c = -c
			}
			if c < degenerateCosine {
				d.Degenerate = append(d.Degenerate, TermPair{j, i, c})
			}
		}
	}
	if r <= mostConditioned {
		d.Condition = condition(mat.NewSymDense(r, cosines))
	}
	return d
}

// gram returns the inner products of the columns' powers, r x r: [A'A]^d, or F_d of them.
func (k *Kruskal) gram() []float64 {
	g := make([]float64, k.R*k.R)
	for i := range k.R {
		for j := range i + 1 {
			c := k.inner(k.Column(i), k.Column(j))
			g[i*k.R+j], g[j*k.R+i] = c, c
		}
	}
	return g
}

// Cosines returns the cosines of the angles between the terms of unit columns, r x r: [A'A]^d,
// where all entries count. A term without any that count has the cosine 0 with all.
func (k *Kruskal) Cosines() []float64 { return k.cosines(k.gram()) }

func (k *Kruskal) cosines(gram []float64) []float64 {
	if !k.Distinct {
		return gram
	}
	r := k.R
	c := make([]float64, r*r)
	for i := range r {
		for j := range r {
			if n := gram[i*r+i] * gram[j*r+j]; gram[i*r+i] > 0 && n > 0 {
				c[i*r+j] = gram[i*r+j] / math.Sqrt(n)
			}
		}
	}
	return c
}

// condition of a positive semidefinite matrix, infinite where its smallest
// eigenvalue is 0 except for rounding.
func condition(g *mat.SymDense) float64 {
	var e mat.EigenSym
	if !e.Factorize(g, false) {
		return math.NaN()
	}
	v := e.Values(nil)
	low, high := v[0], v[len(v)-1]
	if low <= float64(len(v))*0x1p-52*high {
		return math.Inf(1)
	}
	return high / low
}
