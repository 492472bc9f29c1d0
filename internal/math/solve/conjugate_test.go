package solve

import (
	"math"
	"testing"
)

// Conjugate gradients solve a system of n unknowns in n steps.
func TestConjugateGradients(t *testing.T) {
	a := [][]float64{{4, 1, 0}, {1, 3, -1}, {0, -1, 2}}
	c := NewConjugateGradients(3)
	c.Product = func(out, x []float64) {
		for i, row := range a {
			out[i] = row[0]*x[0] + row[1]*x[1] + row[2]*x[2]
		}
	}
	c.Precondition = func(out, x []float64) {
		for i := range out {
			out[i] = x[i] / a[i][i]
		}
	}
	c.Steps, c.Tolerance = 3, 0
	x, b := make([]float64, 3), []float64{12, 8, 8}
	c.Solve(x, b, .5)
	left := make([]float64, 3)
	c.Product(left, x)
	for i := range left {
		if math.Abs(left[i]-b[i]/2) > 1e-12 {
			t.Errorf("A x = %v, want %v", left, b)
		}
	}
	stopped := 0
	c.Stopped = func() bool { stopped++; return true }
	if c.Solve(x, b, 1); x[0] != 0 || stopped != 1 {
		t.Errorf("stopped after %d questions at %v", stopped, x)
	}
}
