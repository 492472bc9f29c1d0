package linalg

import (
	"math"
	"testing"
)

// A matrix that is not positive definite is refused, not turned into NaN.
func TestCholesky(t *testing.T) {
	t.Run("any order", func(t *testing.T) {
		testCholesky(t, Cholesky, func(l []float64, n, stride int, x []float64) { CholeskySolve(l, n, stride, x, 1) })
	})
	t.Run("in order", func(t *testing.T) { testCholesky(t, CholeskyInOrder, CholeskySolveInOrder) })
}

func testCholesky(t *testing.T, factor func([]float64, int, int) bool, solve func([]float64, int, int, []float64)) {
	if factor([]float64{1, 0, 2, 1}, 2, 2) {
		t.Error("an indefinite matrix has a Cholesky factor")
	}
	if factor([]float64{math.NaN()}, 1, 1) || factor([]float64{math.Inf(1)}, 1, 1) {
		t.Error("a matrix that is not finite has a Cholesky factor")
	}
	a := []float64{4, 0, 2, 5} // lower triangle of [4 2; 2 5]
	if !factor(a, 2, 2) {
		t.Fatal("a positive definite matrix has no Cholesky factor")
	}
	x := []float64{4 + 4, 2 + 10} // A*(1, 2)
	solve(a, 2, 2, x)
	if !(math.Abs(x[0]-1) <= 1e-15) || !(math.Abs(x[1]-2) <= 1e-15) {
		t.Errorf("solution %v, want [1 2]", x)
	}
}
