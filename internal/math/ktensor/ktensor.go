// Package ktensor holds the symmetric Kruskal tensor
//
//	M = sum_j lambda_j a_j^(x d)
//
// of Sherman & Kolda, "Estimating Higher-Order Moments Using Symmetric Tensor
// Decomposition" (equation symmDecomp), and computations with lambda and A alone,
// without the n^d entries: norms, scores, and steps with the Gauss-Newton part of the Hessian.
package ktensor

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
)

// Kruskal is a symmetric Kruskal tensor of order D and dimension N with R
// components. A holds the factor matrix by columns: a_j is A[j*N:(j+1)*N].
type Kruskal struct {
	D, N, R int
	Lambda  []float64 // R
	A       []float64 // R x N

	Distinct bool // inner products count only the entries whose indices all differ
}

// New returns the zero tensor of the given order, dimension and rank.
func New(d, n, r int) *Kruskal {
	return &Kruskal{D: d, N: n, R: r, Lambda: make([]float64, r), A: make([]float64, r*n)}
}

// Of returns the tensor of order d with the columns of a matrix, and weights, of which nil
// are zeros. Of no matrix it has dimension 0.
func Of(d int, lambda []float64, columns mat.Matrix) *Kruskal {
	n, r := linalg.Dims(columns)
	k := New(d, n, r)
	copy(k.Lambda, lambda)
	for j := range r {
		for i := range n {
			k.A[j*n+i] = columns.At(i, j)
		}
	}
	return k
}

// Clone returns a deep copy.
func (k *Kruskal) Clone() *Kruskal {
	return &Kruskal{D: k.D, N: k.N, R: k.R, Distinct: k.Distinct,
		Lambda: append([]float64(nil), k.Lambda...), A: append([]float64(nil), k.A...)}
}

// Column returns a_j, not a copy.
func (k *Kruskal) Column(j int) []float64 { return k.A[j*k.N : (j+1)*k.N : (j+1)*k.N] }

// InnerProduct returns <K, L> = sum_jk lambda_j mu_k <a_j, b_k>^d (lemma
// rank_one_inner_product). Orders and dimensions must agree. O(n r s).
func (k *Kruskal) InnerProduct(l *Kruskal) float64 {
	var sum float64
	for j := range k.R {
		for i := range l.R {
			sum += k.Lambda[j] * l.Lambda[i] * k.inner(k.Column(j), l.Column(i))
		}
	}
	return sum
}

// inner returns the inner product of a^(x D) and b^(x D).
func (k *Kruskal) inner(a, b []float64) float64 {
	if k.Distinct {
		return distinct.Inner(a, b, k.D)
	}
	return linalg.Powi(linalg.Dot(a, b), k.D)
}

// NormSquared returns ||K||^2 = lambda' [A'A]^d lambda (lemma norms). O(n r^2).
func (k *Kruskal) NormSquared() float64 { return k.InnerProduct(k) }

// TTSV returns K b^d, the tensor times the same vector in all modes (lemma
// rank_one_ttsv). O(n r).
func (k *Kruskal) TTSV(b []float64) float64 {
	var sum float64
	for j := range k.R {
		sum += k.Lambda[j] * linalg.Powi(linalg.Dot(k.Column(j), b), k.D)
	}
	return sum
}

// Full forms all N^D entries, row major. It is for tests and small cases.
func (k *Kruskal) Full() []float64 {
	x := make([]float64, int(math.Round(math.Pow(float64(k.N), float64(k.D)))))
	for j := range k.R {
		t := []float64{k.Lambda[j]}
		for range k.D {
			next := make([]float64, 0, len(t)*k.N)
			for _, s := range t {
				for _, a := range k.Column(j) {
					next = append(next, s*a)
				}
			}
			t = next
		}
		for i, v := range t {
			x[i] += v
		}
	}
	return x
}
