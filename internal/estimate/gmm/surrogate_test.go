package gmm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// everyEighth returns every eighth observation.
func everyEighth(x *block.Dense) *block.Dense {
	y := &block.Dense{N: x.N}
	var sum float64
	for l := 0; l < x.P; l += 8 {
		y.V = append(y.V, x.V[l*x.N:(l+1)*x.N]...)
		y.Nu = append(y.Nu, x.Nu[l])
		sum += x.Nu[l]
		y.P++
	}
	for l := range y.Nu {
		y.Nu[l] /= sum
	}
	return y
}

// If some observations continue between passes, EM ends at the optimum of all of
// them, long before plain steps do.
func TestSurrogate(t *testing.T) {
	slow.Test(t)
	ctx := context.Background()
	const n, r, p = 6, 3, 16_000
	for shape := Spherical; shape <= Full; shape++ {
		for _, inBasis := range []bool{false, true} {
			if inBasis && shape != Spherical {
				continue
			}
			t.Run(fmt.Sprint(shape, inBasis), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(3, uint64(shape)))
				x := clusters(p, n, 0, rng)
				for l := range p { // so close together that plain steps are slow
					x.V[l*n+l%3] -= []float64{2.2, 1.7, 2.2, 1.7}[shape]
				}
				few := everyEighth(x)
				all, some := NewEM(x, nil, 1, r, shape, 2), NewEM(few, nil, 1, r, shape, 2)
				var b *moment.Basis
				if inBasis {
					var err error
					if b, err = moment.NewBasis(ctx, x, nil, 4, r, 1, 1); err != nil {
						t.Fatal(err)
					}
					some = NewEM(inCoordinates(few, b), nil, 1, r, shape, 2)
					some.Coordinates(n)
				}
				start := someMixture(n, r, shape, rng)
				for range 10 {
					all.Step(ctx, start)
				}
				g, plain := start.Clone(), 0
				last, now := math.Inf(-1), 0.
				for plain = 0; plain < 5000; plain++ {
					if now, _ = all.Step(ctx, g); now-last < 1e-9*p {
						break
					}
					last = now
				}
				want := now
				s := NewSurrogate(all, some, b)
				g = start.Clone()
				passes := 0
				for last = math.Inf(-1); passes < 100; passes++ {
					before := g.Clone()
					now, ok := all.Step(ctx, g)
					if !ok {
						t.Fatal("no step")
					}
					if now-last < 1e-9*p {
						break
					}
					last = now
					if !s.Improve(ctx, before, g, 1000, 1e-13) {
						t.Fatal("not improved", passes, s.sums[:4], s.all.shape)
					}
				}
				// Plain steps that each gain 1e-9 per observation are within a hundred
				// times that of the end.
				if last < want-1e-7*p || last > want+1e-6*p {
					t.Errorf("log-likelihood %.10g, want %.10g", last, want)
				}
				t.Logf("%d passes, plain EM %d", passes, plain)
				if passes > plain/2 {
					t.Errorf("%d passes, plain EM takes %d", passes, plain)
				}
				gone, cancel := context.WithCancel(ctx)
				cancel()
				before := g.Clone()
				if s.Improve(gone, before, g, 10, 0) || Distance(before, g) != 0 {
					t.Error("cancelled, but improved")
				}
			})
		}
	}
}
