package eigen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Variables in units as far apart as float64 goes: no block of the matrix is too
// small, or panics, and the eigenvalues of a diagonal matrix are its diagonal.
func TestEigenvaluesOfTinyBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 200 {
		n := 1 + rng.IntN(12)
		m := mat.NewSymDense(n, nil)
		diagonal := make([]float64, n)
		for i := range n {
			diagonal[i] = math.Pow(10, -300*rng.Float64())
			m.SetSym(i, i, diagonal[i])
		}
		block := 1 + rng.IntN(n) // the last ones are coupled
		for i := n - block; i < n; i++ {
			for j := n - block; j < i; j++ {
				m.SetSym(i, j, .01*math.Sqrt(m.At(i, i)*m.At(j, j)))
			}
		}
		// Weyl: an eigenvalue moves by the norm of what is off the diagonal at most.
		slices.Sort(diagonal)
		off := 0.0
		for i := range n {
			for j := range i {
				off += 2 * m.At(i, j) * m.At(i, j)
			}
		}
		within := math.Sqrt(off) + 1e-14*diagonal[n-1]
		for _, vectors := range []bool{false, true} {
			values, columns, ok := Sym(m, vectors)
			if !ok {
				t.Fatalf("no convergence: %v", mat.Formatted(m))
			}
			for i, v := range values {
				if !(math.Abs(v-diagonal[i]) <= within) {
					t.Errorf("eigenvalue %d is %g, want %g within %g", i, v, diagonal[i], within)
				}
				if vectors {
					x := mat.NewVecDense(n, nil)
					for j := range n {
						x.SetVec(j, columns[j*n+i])
					}
					var r mat.VecDense
					r.MulVec(m, x)
					r.AddScaledVec(&r, -v, x)
					if !(math.Abs(mat.Norm(x, 2)-1) <= 1e-14) || mat.Norm(&r, 2) > 1e-14*diagonal[n-1] {
						t.Errorf("|M v - %g v| = %g with |v| = %g", v, mat.Norm(&r, 2), mat.Norm(x, 2))
					}
				}
			}
		}
	}
}
