package eigen

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
)

func TestOrthonormalize(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const n = 9
	rows := normal(6*n, rng)
	copy(rows[2*n:3*n], rows[:n]) // depends on the first
	linalg.Scale(1e-8, rows[3*n:4*n])
	clear(rows[4*n : 5*n])
	linalg.Axpy(1e9, rows[:n], rows[5*n:6*n]) // nearly depends
	q := append([]float64{}, rows...)
	if k, err := Orthonormalize(t.Context(), q, 6, n, 1); k != 4 || err != nil {
		t.Fatalf("%d rows left, want 4 (%v)", k, err)
	}
	for i := range 4 {
		for j := range 4 {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := math.Abs(linalg.Dot(q[i*n:(i+1)*n], q[j*n:(j+1)*n]) - want); !(d <= 1e-14) {
				t.Errorf("<q_%d, q_%d> is off by %g", i, j, d)
			}
		}
	}
	// Each row kept is in the space of those up to it, and each row in the space of all.
	for i := range 6 {
		x := append([]float64{}, rows[i*n:(i+1)*n]...)
		size := linalg.Norm2(x)
		for j := range 4 {
			linalg.Axpy(-linalg.Dot(q[j*n:(j+1)*n], x), q[j*n:(j+1)*n], x)
		}
		if left := linalg.Norm2(x); left > 1e-13*size {
			t.Errorf("row %d: %g of %g is outside", i, left, size)
		}
	}
}

func normal(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// Several blocks of rows, among them rows that depend on others and rows that nearly do,
// are as orthonormal as one, span what they did row by row, and have the same bits for
// every number of threads.
func TestOrthonormalizeBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	const n, k = 230, 200
	rows := normal(k*n, rng)
	row := func(i int) []float64 { return rows[i*n : (i+1)*n] }
	left := k
	for i := 5; i < k; i += 7 {
		switch i % 3 {
		case 0: // depends on one of any block before
			copy(row(i), row(rng.IntN(i)))
			left--
		case 1: // nearly: what is left must not be rounding
			linalg.Axpy(math.Pow(10, 4+6*rng.Float64()), row(rng.IntN(i)), row(i))
		default:
			linalg.Scale(math.Pow(10, -200*rng.Float64()), row(i))
		}
	}
	clear(row(100))
	left--
	var first []float64
	for _, threads := range []int{1, 2, 3, 64} {
		q := append([]float64{}, rows...)
		got, err := Orthonormalize(t.Context(), q, k, n, threads)
		if err != nil || got != left {
			t.Fatalf("%d rows left, want %d (%v)", got, left, err)
		}
		q = q[:got*n]
		if first != nil {
			if !slices.Equal(q, first) {
				t.Errorf("%d threads give other bits", threads)
			}
			continue
		}
		first = q
		worst := 0.0
		for i := range got {
			for j := range i + 1 {
				want := 0.0
				if i == j {
					want = 1
				}
				worst = max(worst, math.Abs(linalg.Dot(q[i*n:(i+1)*n], q[j*n:(j+1)*n])-want))
			}
		}
		if worst > 1e-14 { // sums of 230 products of rounding 1e-16
			t.Errorf("products are off by %g", worst)
		}
		// What the first i rows kept span includes the first i rows.
		kept := 0
		for i := range k {
			x := append([]float64{}, row(i)...)
			size := linalg.Norm2(x)
			for range 2 {
				for j := range kept {
					linalg.Axpy(-linalg.Dot(q[j*n:(j+1)*n], x), q[j*n:(j+1)*n], x)
				}
			}
			if size == 0 || linalg.Norm2(x) <= 2*dependent*size {
				continue
			}
			linalg.Scale(1/linalg.Norm2(x), x)
			// A row that differs from others by 1e-11 of its norm leaves 1e-16 / 1e-11.
			if got := linalg.Dot(q[kept*n:(kept+1)*n], x); !(math.Abs(got-1) <= 1e-4) {
				t.Fatalf("row %d: its direction and row %d's kept have a product of %g, want 1", i, kept, got)
			}
			kept++
		}
		if kept != got {
			t.Errorf("%d rows are new, %d are kept", kept, got)
		}
	}
}

func TestOrthonormalizeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Orthonormalize(ctx, normal(200*300, rand.New(rand.NewPCG(1, 1))), 200, 300, 2); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// A matrix too large to wait for is left behind when the context ends, and gives what
// Sym gives where it does not.
func TestSymContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	m := SymOf(normal(waits*waits, rng), waits)
	want, columns, _ := Sym(m, true)
	values, vectors, ok, err := SymContext(t.Context(), m, true)
	if err != nil || !ok || !slices.Equal(values, want) || !slices.Equal(vectors, columns) {
		t.Errorf("SymContext gives other numbers than Sym, ok %t, error %v", ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{3, waits, 3 * waits} {
		if _, _, _, err := SymContext(ctx, SymOf(normal(n*n, rng), n), true); err != context.Canceled {
			t.Errorf("n = %d: error %v, want context.Canceled", n, err)
		}
	}
	// The last of them takes a second in the background.
	stacks := make([]byte, 1<<20)
	if stacks = stacks[:runtime.Stack(stacks, true)]; !bytes.Contains(stacks, []byte("eigen.Sym(")) {
		t.Error("the result was waited for")
	}
}
