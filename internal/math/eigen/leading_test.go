package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// product returns an operator for a dense matrix.
func product(c []float64, n int) func(q []float64, rows int) ([]float64, error) {
	return func(q []float64, rows int) ([]float64, error) {
		y := make([]float64, rows*n)
		linalg.MulABt(y, q, c, rows, n, n)
		return y, nil
	}
}

// Leading eigenvalues and eigenvectors are those of gonum's EigenSym, for spectra that fall
// off and flat ones, degenerate and rank-deficient ones, through restarts too.
func TestLeading(t *testing.T) {
	for name, c := range map[string]struct {
		n, p, k int
		scale   func(i int) float64
	}{
		"flat":        {500, 300, 7, func(int) float64 { return 1 }}, // takes restarts
		"flat, k > p": {90, 20, 30, func(int) float64 { return 1 }},
		"falling":     {120, 400, 12, func(i int) float64 { return math.Pow(.8, float64(i)) }},
		"steps":       {80, 500, 3, func(i int) float64 { return 1 + 9*math.Floor(1/(1+float64(i)/3)) }},
		"all":         {25, 60, 25, func(i int) float64 { return 1 + float64(i) }},
		"zero":        {40, 10, 4, func(int) float64 { return 0 }},
	} {
		rng := rand.New(rand.NewPCG(8, 1))
		v := normal(c.p*c.n, rng)
		for l := range c.p {
			for i := range c.n {
				v[l*c.n+i] *= c.scale(i)
			}
		}
		s := make([]float64, c.n*c.n)
		linalg.AddAtB(s, v, v, c.n, c.n, c.p)
		m := SymOf(s, c.n)
		var e mat.EigenSym
		if !e.Factorize(m, true) {
			t.Fatal(name)
		}
		want := e.Values(nil)
		const accuracy = 1e-9
		got, err := Leading(t.Context(), c.n, Wanted{K: c.k, Accuracy: accuracy, Products: 500}, 2, product(s, c.n))
		if err != nil || got.Residual != 0 {
			t.Fatalf("%s: residual %g after %d products (%v)", name, got.Residual, got.Products, err)
		}
		rank := min(c.k, c.p)
		if len(got.Values) < rank || len(got.Rows) != len(got.Values)*c.n {
			t.Fatalf("%s: %d values, %d numbers of vectors", name, len(got.Values), len(got.Rows))
		}
		for i, value := range got.Values {
			// Eigenvalues of EigenSym have the rounding of the largest.
			if exact := math.Max(0, want[c.n-1-i]); !(math.Abs(value-exact) <= accuracy*exact+1e-12*want[c.n-1]) {
				t.Errorf("%s: eigenvalue %d is %.15g, want %.15g", name, i, value, exact)
			}
			u := got.Rows[i*c.n : (i+1)*c.n]
			y, _ := product(s, c.n)(u, 1)
			linalg.Axpy(-value, u, y)
			if r := linalg.Norm2(y); r > accuracy*value+1e-12*want[c.n-1] {
				t.Errorf("%s: residual %g of eigenvalue %d, %g", name, r, i, value)
			}
			for j := range i + 1 {
				one := 0.
				if i == j {
					one = 1
				}
				if d := linalg.Dot(u, got.Rows[j*c.n:(j+1)*c.n]) - one; !(math.Abs(d) <= 1e-12) {
					t.Errorf("%s: vectors %d and %d are off by %g from orthonormal", name, i, j, d)
				}
			}
		}
	}
}

// Few products leave a residual, which is reported correctly.
func TestLeadingTellsWhatIsMissing(t *testing.T) {
	const n, k = 300, 4
	v := normal(n*n, rand.New(rand.NewPCG(8, 2)))
	s := make([]float64, n*n)
	linalg.AddAtB(s, v, v, n, n, n)
	got, err := Leading(t.Context(), n, Wanted{K: k, Also: 20, Accuracy: 1e-8, Products: 3}, 1, product(s, n))
	if err != nil || got.Products != 3 || len(got.Values) != 20 {
		t.Fatalf("%+v, %v", got, err)
	}
	worst := 0.
	for i, value := range got.Values[:k] {
		u := got.Rows[i*n : (i+1)*n]
		y, _ := product(s, n)(u, 1)
		linalg.Axpy(-value, u, y)
		worst = math.Max(worst, linalg.Norm2(y)/value)
	}
	if worst < 1e-3 || !(math.Abs(got.Residual-worst) <= 1e-9*worst) {
		t.Errorf("residual %g, want %g", got.Residual, worst)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Leading(ctx, n, Wanted{K: k, Accuracy: 1e-8, Products: 3}, 1, product(s, n)); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
