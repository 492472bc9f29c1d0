package moment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// wideRows returns p observations of n variables, of float32 or of weights of their own.
func wideRows(p, n int, single bool, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: p, N: n}
	v := make([]float64, p*n)
	for i := range v {
		v[i] = float64(float32(rng.NormFloat64() * (1 + float64(i/n))))
	}
	if !single {
		x.V = v
		for range p {
			x.Nu = append(x.Nu, 2*rng.Float64()/float64(p))
		}
		return x
	}
	x.V32 = make([]float32, p*n)
	for i := range v {
		x.V32[i] = float32(v[i])
	}
	return x
}

// The vectors that are not stored are those of the basis that is.
func TestSpanned(t *testing.T) {
	const p, n, unit = 30, 1000, 7
	ctx := context.Background()
	for _, single := range []bool{false, true} {
		t.Run(fmt.Sprint(single), func(t *testing.T) {
			x := wideRows(p, n, single, rand.New(rand.NewPCG(1, 1)))
			b, err := NewSpanned(ctx, x, x, unit, 1)
			if err != nil || b == nil || b.K != p || !b.Whole {
				t.Fatal(b, err)
			}
			want, err := NewBasis(ctx, x, nil, p, p, unit, 1)
			if err != nil {
				t.Fatal(err)
			}
			near := func(what string, got, want []float64, within float64) {
				t.Helper()
				for i, v := range want {
					if !(math.Abs(got[i]-v) <= within) {
						t.Fatalf("%s: number %d is %.15g, want %.15g", what, i, got[i], v)
					}
				}
			}
			for i, v := range want.Values {
				if !(math.Abs(b.Values[i]-v) <= 1e-9*v) {
					t.Errorf("eigenvalue %d is %g, want %g", i, b.Values[i], v)
				}
			}
			q, one := make([]float64, p*n), make([]float64, p*p)
			for i := range p {
				one[i*p+i] = 1
			}
			b.Lift(q, one, p)
			gram := make([]float64, p*p)
			linalg.MulABt(gram, q, q, p, p, n)
			near("inner product", gram, one, 1e-13)
			stored := &Basis{N: n, K: p, Q: q}
			w, err := b.Project(ctx, x, 1)
			if err != nil {
				t.Fatal(err)
			}
			as, err := stored.Project(ctx, x, 1)
			if err != nil || !slices.Equal(w.Nu, as.Nu) {
				t.Fatal(w.Nu, as.Nu, err)
			}
			near("coordinate", w.V, as.V, 1e-10)
			a, low, lower := make([]float64, 3*n), make([]float64, 3*p), make([]float64, 3*p)
			gaussian(a, rand.New(rand.NewPCG(2, 2)))
			b.Lower(low, a, 3)
			stored.Lower(lower, a, 3)
			near("direction", low, lower, 1e-12)
			again, err := NewSpanned(ctx, x, x, unit, 3)
			if err != nil || !slices.Equal(again.span.weight, b.span.weight) {
				t.Error("other bits for other threads", err)
			}
		})
	}
}

// Observations that depend on others add no vector; where eigenvalues fall off too far, inner products are not enough.
func TestSpannedRank(t *testing.T) {
	const p, n = 10, 200
	x := wideRows(p, n, false, rand.New(rand.NewPCG(1, 1)))
	x.Nu = nil
	copy(x.V[(p-1)*n:], x.V[:n])
	b, err := NewSpanned(t.Context(), x, x, 1, 1)
	if err != nil || b == nil || b.K != p-1 {
		t.Errorf("%v, %v; want %d vectors", b, err, p-1)
	}
	linalg.Scale(1e-6, x.V[(p-1)*n:])
	x.V[p*n-1] += 1e-4
	if b, err = NewSpanned(t.Context(), x, x, 1, 1); b != nil || err != nil {
		t.Errorf("%v, %v; want none", b, err)
	}
}

// Vectors are orthonormal also where eigenvalues are small beside the first: inner products of nearly equal
// observations tell them to a few digits.
func TestSpannedOrthonormal(t *testing.T) {
	const p, n = 20, 500
	x := wideRows(p, n, false, rand.New(rand.NewPCG(1, 1)))
	for l := 1; l < p; l++ {
		for i := range n {
			x.V[l*n+i] = x.V[i] + 1e-4*x.V[l*n+i]
		}
	}
	b, err := NewSpanned(t.Context(), x, x, 1, 1)
	if err != nil || b == nil || b.K != p {
		t.Fatal(b, err)
	}
	q, gram := make([]float64, p*n), make([]float64, p*p)
	one := make([]float64, p*p)
	for i := range p {
		one[i*p+i] = 1
	}
	b.Lift(q, one, p)
	linalg.MulABt(gram, q, q, p, p, n)
	for i, v := range one {
		if !(math.Abs(gram[i]-v) <= 1e-10) {
			t.Fatalf("inner product %d is %.12g", i, gram[i])
		}
	}
}

// A basis of all observations takes a small part of their memory.
func TestSpannedMemory(t *testing.T) {
	const p, n = 40, 50000
	x := wideRows(p, n, false, rand.New(rand.NewPCG(1, 1)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := NewSpanned(t.Context(), x, x, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = b.Project(t.Context(), x, 1); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 8*p*n/8 {
		t.Errorf("took %d bytes, of observations of %d", took, 8*p*n)
	}
}
