package gmm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/eigen"
)

// Extrapolated steps end at the same point as plain ones, and earlier, and the
// likelihood never falls, though it would have beyond some of them.
func TestAscent(t *testing.T) {
	ctx := context.Background()
	const n, r, p = 4, 3, 600
	refused := 0
	for shape := Spherical; shape <= Full; shape++ {
		steps, passes := 0, 0
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, uint64(shape)))
			x := clusters(p, n, 3, rng)
			for l := range p { // so close together that plain steps are slow
				x.V[l*n+l%3] -= 2.5
			}
			start := someMixture(n, r, Spherical, rng)
			for i := range start.Means {
				start.Means[i] += 3
			}
			e := NewEM(x, nil, 1, r, shape, 1)
			e.SetFloor(1e-3)
			plain, want, last := start.Clone(), 0., math.Inf(-1)
			for k := range 20_000 {
				if want, _ = e.Step(ctx, plain); want-last < 1e-9*p {
					steps += k
					break
				}
				last = want
			}
			g := start.Clone()
			reports, before := 0, math.Inf(-1)
			a := &Ascent{EM: e, Steps: 20_000, Rise: 1e-9 * p, Progress: func(_ int, now float64) {
				if reports++; now < before {
					t.Errorf("shape %d: the log-likelihood fell from %.12g to %.12g", shape, before, now)
				}
				before = now
			}}
			if !a.Run(ctx, g) || !a.Converged {
				t.Fatalf("shape %d: not converged", shape)
			}
			passes += a.Passes
			refused += a.Passes - reports
			if now, ok := e.LogLikelihood(ctx, g); !ok || !(math.Abs(now-a.LogLikelihood) <= 1e-9*math.Abs(now)) {
				t.Errorf("shape %d: log-likelihood %.12g, reported as %.12g", shape, now, a.LogLikelihood)
			}
			// Steps of 1e-9 per observation are less than a thousandth of the
			// remaining rise.
			if a.LogLikelihood < want-1e-6*p {
				t.Errorf("shape %d, seed %d: log-likelihood %.10g, by plain steps %.10g", shape, seed, a.LogLikelihood, want)
			}
		}
		if passes > steps/2 {
			t.Errorf("shape %d: %d passes, plain EM %d", shape, passes, steps)
		}
	}
	if refused == 0 {
		t.Error("no extrapolation was refused: nothing shows that they can be")
	}
}

// Extrapolation gives a valid mixture: weights sum to 1, variances are above the
// floor.
func TestExtrapolate(t *testing.T) {
	const n, r = 3, 3
	for shape := Spherical; shape <= Full; shape++ {
		rng := rand.New(rand.NewPCG(1, uint64(shape)))
		x := clusters(300, n, 0, rng)
		e := NewEM(x, nil, 1, r, shape, 1)
		e.SetFloor(.02)
		x0 := someMixture(n, r, shape, rng)
		x1 := x0.Clone()
		e.Step(context.Background(), x1)
		x2 := x1.Clone()
		e.Step(context.Background(), x2)
		s := Squarem{longest: 1000}
		far := x2.Clone()
		if !s.Extrapolate(t.Context(), e, x0, x1, far) {
			t.Fatal("not extrapolated")
		}
		if Distance(x2, far) == 0 {
			t.Errorf("shape %d: it did not move", shape)
		}
		var sum float64
		for j, w := range far.Weights {
			sum += w
			s := make([]float64, n*n)
			far.Matrix(s, j)
			if values, _, ok := eigen.Sym(eigen.SymOf(s, n), false); !ok || values[0] < .02*(1-1e-9) {
				t.Errorf("shape %d: an eigenvalue of %g is below the floor", shape, values[0])
			}
			if !(w > 0) {
				t.Errorf("shape %d: weight %g", shape, w)
			}
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("shape %d: weights of sum %g", shape, sum)
		}
		// A fixed point cannot be extrapolated.
		if s.Extrapolate(t.Context(), e, x2, x2, x2.Clone()) {
			t.Error("extrapolated what does not move")
		}
	}
}

func TestAscentEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := clusters(300, 3, 0, rng)
	e := NewEM(x, nil, 1, 3, Diagonal, 1)
	e.SetFloor(1e-6)
	for _, steps := range []int{0, 1, 2, 5} {
		a := &Ascent{EM: e, Steps: steps, Rise: 1e-12}
		if g := someMixture(3, 3, Diagonal, rng); !a.Run(context.Background(), g) || a.Taken != steps || a.Passes != steps+1 || a.Converged {
			t.Errorf("%d steps: %d taken, %d passes", steps, a.Taken, a.Passes)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	g := someMixture(3, 3, Diagonal, rng)
	best := math.Inf(-1)
	a := &Ascent{EM: e, Steps: 100, Rise: 1e-12, Progress: func(steps int, now float64) {
		if best = now; steps >= 4 {
			cancel()
		}
	}}
	if a.Run(gone, g) || a.LogLikelihood != best {
		t.Errorf("cancelled: log-likelihood %g, want %g", a.LogLikelihood, best)
	}
	if now, _ := e.LogLikelihood(context.Background(), g); !(math.Abs(now-best) <= 1e-9*math.Abs(best)) {
		t.Errorf("cancelled: left a mixture of log-likelihood %g, not %g", now, best)
	}
}
