package moment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// The eigenvalues of fewer observations than variables come from their inner products. They
// are those of the second moment itself, in any unit and however the data are held.
func TestSpectrumOfFewObservations(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(33, 1))
	const p, n = 21, 50
	for _, weighted := range []bool{false, true} {
		for _, unit := range []float64{1, 1e150, 1e-150} {
			x := randomData(p, n, weighted, rng)
			linalg.Scale(unit, x.V)
			span, err := Span(ctx, x)
			if err != nil {
				t.Fatal(err)
			}
			second, err := NewPacked(ctx, x, nil, 2, span, 0)
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := second.eigen(ctx, false)
			if err != nil {
				t.Fatal(err)
			}
			for name, s := range map[string]block.Source{"dense": x, "blocks": &blocks{Dense: x, rows: 8}} {
				got, err := Spectrum(ctx, s)
				if err != nil || len(got.Values) != n {
					t.Fatalf("%d eigenvalues (%v)", len(got.Values), err)
				}
				for i, v := range got.Values {
					// Both are off by the rounding of sums of n products.
					if !(math.Abs(v-want[i]) <= 1e-14*n*want[0]) || i >= p && v != 0 {
						t.Errorf("weighted %v, unit %g, %s: eigenvalue %d is %g, want %g", weighted, unit, name, i+1, v, want[i])
					}
				}
			}
		}
	}
}

// The cost does not depend on the longer side if the other is short.
func TestSpectrumIsCheap(t *testing.T) {
	for _, c := range []struct {
		p, n int
		want bool
	}{{1000, 1000, true}, {72, 5000, true}, {300, 20000, true}, {800, 100000, false}, {5000, 5000, false}, {1000000, 72, true}} {
		if got := SpectrumIsCheap(&block.Dense{P: c.p, N: c.n}); got != c.want {
			t.Error(fmt.Sprint(c, " is cheap: ", got))
		}
	}
}
