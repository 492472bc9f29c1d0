package moment

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// Noise is a covariance S that all components of a mixture have in common: Variance
// times the identity, a diagonal matrix, a full matrix, or one of few directions, R'R. It
// is never changed.
type Noise struct {
	N        int
	Variance float64
	Diagonal []float64 // N variances, or nil
	Full     []float64 // N x N, symmetric, or nil
	Root     []float64 // R, some rows of N numbers, or nil
}

// Apply writes S a to y for each of some rows a; the two do not overlap.
func (s *Noise) Apply(y, a []float64) {
	n := s.N
	if s.Full != nil {
		linalg.MulABt(y, a, s.Full, len(a)/n, n, n)
		return
	}
	for ; len(a) >= n; y, a = y[n:], a[n:] {
		switch {
		case s.Root != nil:
			clear(y[:n])
			for at := 0; at < len(s.Root); at += n {
				linalg.Axpy(linalg.Dot(s.Root[at:at+n], a[:n]), s.Root[at:at+n], y[:n])
			}
		case s.Diagonal != nil:
			for i, v := range s.Diagonal {
				y[i] = v * a[i]
			}
		default:
			copy(y[:n], a[:n])
			linalg.Scale(s.Variance, y[:n])
		}
	}
}

// Spherical reports whether S is a multiple of the identity, which does not change the
// eigenvectors of the second moment.
func (s *Noise) Spherical() bool { return s.Diagonal == nil && s.Full == nil && s.Root == nil }

// Trace returns tr S.
func (s *Noise) Trace() (sum float64) {
	for i := range s.N {
		sum += s.At(i, i)
	}
	return sum
}

// At returns S_ij.
func (s *Noise) At(i, j int) float64 {
	switch {
	case s.Full != nil:
		return s.Full[i*s.N+j]
	case s.Root != nil:
		sum := 0.
		for at := 0; at < len(s.Root); at += s.N {
			sum += s.Root[at+i] * s.Root[at+j]
		}
		return sum
	case i != j:
		return 0
	case s.Diagonal != nil:
		return s.Diagonal[i]
	}
	return s.Variance
}

// Uncorrelated returns the noise of variables that have these variances and no covariance.
func (s *Noise) Uncorrelated() *Noise {
	if s == nil || s.Spherical() {
		return s
	}
	t := &Noise{N: s.N, Diagonal: make([]float64, s.N)}
	for i := range t.Diagonal {
		t.Diagonal[i] = s.At(i, i)
	}
	return t
}

// full returns the noise with all entries of a covariance that has few directions, as sums
// over all of them take it.
func (s *Noise) full() *Noise {
	if s.Root == nil {
		return s
	}
	n := s.N
	t := &Noise{N: n, Full: make([]float64, n*n)}
	linalg.AddAtB(t.Full, s.Root, s.Root, n, n, len(s.Root)/n)
	return t
}

// In returns the noise in the coordinates of a basis, Q'SQ; nil stays nil.
func (s *Noise) In(b *Basis) *Noise {
	if s == nil || s.Spherical() {
		if s == nil {
			return nil
		}
		return &Noise{N: b.K, Variance: s.Variance} // the basis is orthonormal
	}
	t := &Noise{N: b.K, Full: make([]float64, b.K*b.K)}
	y := make([]float64, b.K*b.N)
	s.Apply(y, b.Q[:b.K*b.N])
	for i := range b.K {
		for j := range i + 1 {
			v := linalg.Dot(y[i*b.N:(i+1)*b.N], b.Q[j*b.N:(j+1)*b.N])
			t.Full[i*b.K+j], t.Full[j*b.K+i] = v, v
		}
	}
	return t
}

// Over returns the noise of the observations divided by unit.
func (s *Noise) Over(unit float64) *Noise {
	f := 1 / (unit * unit)
	t := &Noise{N: s.N, Variance: s.Variance * f}
	if s.Diagonal != nil {
		t.Diagonal = append(t.Diagonal, s.Diagonal...)
		linalg.Scale(f, t.Diagonal)
	}
	if s.Full != nil {
		t.Full = append(t.Full, s.Full...)
		linalg.Scale(f, t.Full)
	}
	if s.Root != nil {
		t.Root = append(t.Root, s.Root...)
		linalg.Scale(1/unit, t.Root)
	}
	return t
}

// Sigma returns the square root of the mean variance.
func (s *Noise) Sigma() float64 {
	if s.Spherical() {
		return math.Sqrt(s.Variance)
	}
	return math.Sqrt(s.Trace() / float64(s.N))
}

// Traces returns tr S^2k for k = 1..most.
func (s *Noise) Traces(most int) []float64 {
	t := make([]float64, most+1)
	n, first := s.N, s.Full
	switch {
	case s.Root != nil: // R R' has the eigenvalues of R'R that are not 0
		n = len(s.Root) / s.N
		first = make([]float64, n*n)
		linalg.MulABt(first, s.Root, s.Root, n, n, s.N)
	case s.Full == nil:
		for i := range s.N {
			v := s.At(i, i) * s.At(i, i)
			for k := 1; k <= most; k++ {
				t[k] += linalg.Powi(v, k)
			}
		}
		return t
	}
	power := first // S^k
	for k := 1; k <= most; k++ {
		t[k] = linalg.Dot(power, power)
		if k < most {
			next := make([]float64, n*n)
			linalg.MulABt(next, power, first, n, n, n)
			power = next
		}
	}
	return t
}

// orders returns the orders of the plain moments in a debiased one of order d: d, d-2,
// ... down to 1 or 2.
func orders(d int) []int {
	var all []int
	for ; d > 0; d -= 2 {
		all = append(all, d)
	}
	return all
}

// Symmetric copies an n x n matrix, unless it is of another size, not symmetric or not
// finite: then it says what was given instead, and what is wanted.
func Symmetric(m mat.Matrix, n int) (full []float64, given, want string) {
	if rows, cols := linalg.Dims(m); rows != n || cols != n {
		return nil, fmt.Sprintf("a %d x %d matrix", rows, cols), fmt.Sprintf("%d x %d", n, n)
	}
	full = make([]float64, n*n)
	for i := range n {
		for j := range n {
			v, w := m.At(i, j), m.At(j, i)
			if !linalg.Finite(v) || math.Abs(v-w) > 1e-9*(math.Abs(v)+math.Abs(w)) {
				return nil, fmt.Sprintf("%g and %g at (%d, %d)", v, w, i+1, j+1), "a symmetric matrix of finite numbers"
			}
			full[i*n+j] = (v + w) / 2
		}
	}
	return full, "", ""
}
