package moment

import "symmom/internal/math/linalg"

// hermiteSums are the sums that products with a debiased moment need in addition to those with
// the plain one. The methods of a nil hermiteSums do nothing.
type hermiteSums struct {
	noise *Noise
	d, r  int
	sa    []float64 // r x n: S a_j
	s     []float64 // r: a_j'S a_j
	sums  []float64 // groups x r: of nu He_(d-2)
}

func newHermiteSums(noise *Noise, d, r, groups int) *hermiteSums {
	return &hermiteSums{noise: noise, d: d, r: r, sa: make([]float64, r*noise.N), s: make([]float64, r), sums: make([]float64, groups*r)}
}

// begin prepares a pass for the columns a.
func (h *hermiteSums) begin(a []float64) {
	if h == nil {
		return
	}
	n := h.noise.N
	for j := range h.r { // one by one: the bits do not depend on how many take part
		h.noise.Apply(h.sa[j*n:(j+1)*n], a[j*n:(j+1)*n])
		h.s[j] = linalg.Dot(a[j*n:(j+1)*n], h.sa[j*n:(j+1)*n])
	}
	clear(h.sums)
}

// of returns the polynomials, with the sums of a group.
func (h *hermiteSums) of(group int) linalg.Hermite {
	if h == nil {
		return linalg.Hermite{}
	}
	return linalg.Hermite{D: h.d, S: h.s, Sums: h.sums[group*h.r : (group+1)*h.r]}
}

// finish subtracts (d-1) [sum nu He_(d-2)] S a_j from each column of y.
func (h *hermiteSums) finish(y []float64, share float64) {
	if h == nil {
		return
	}
	n := h.noise.N
	for j := range h.r {
		sum := 0.
		for at := j; at < len(h.sums); at += h.r {
			sum += h.sums[at]
		}
		linalg.Axpy(-float64(h.d-1)*share*sum, h.sa[j*n:(j+1)*n], y[j*n:(j+1)*n])
	}
}
