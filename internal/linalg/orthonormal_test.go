package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOrthonormalize(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 9
	rows := random(6*n, rng)
	copy(rows[2*n:3*n], rows[:n]) // depends on the first
	Scale(1e-8, rows[3*n:4*n])
	clear(rows[4*n : 5*n])
	Axpy(1e9, rows[:n], rows[5*n:6*n]) // nearly depends
	q := append([]float64{}, rows...)
	if k := Orthonormalize(q, 6, n); k != 4 {
		t.Fatalf("%d rows left, want 4", k)
	}
	for i := range 4 {
		for j := range 4 {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := math.Abs(Dot(q[i*n:(i+1)*n], q[j*n:(j+1)*n]) - want); d > 1e-14 {
				t.Errorf("<q_%d, q_%d> is off by %g", i, j, d)
			}
		}
	}
	// Each row kept is in the space of those up to it, and each row in the space of all.
	for i := range 6 {
		x := append([]float64{}, rows[i*n:(i+1)*n]...)
		size := Norm2(x)
		for j := range 4 {
			Axpy(-Dot(q[j*n:(j+1)*n], x), q[j*n:(j+1)*n], x)
		}
		if left := Norm2(x); left > 1e-13*size {
			t.Errorf("row %d: %g of %g is outside", i, left, size)
		}
	}
}
