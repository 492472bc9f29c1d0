package moment

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// standingOut is data with three directions of large variance and noise.
func standingOut(p, n int, sigma float64, rng *rand.Rand) *block.Dense {
	x := randomData(p, n, true, rng)
	linalg.Scale(sigma, x.V)
	for l := range p {
		for i, s := range []float64{5, 3, 2} {
			x.V[l*n+(i*7)%n] += s * rng.NormFloat64()
		}
	}
	return x
}

func TestBasis(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	x := standingOut(600, 25, 1e-3, rng)
	all, err := eigenvalues(x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBasis(ctx, x, nil, 3, 3, 7, 2)
	if err != nil {
		t.Fatal(err)
	}
	if b.K != 3 || b.Passes != 2 {
		t.Fatalf("k = %d after %d passes", b.K, b.Passes)
	}
	for i := range b.K {
		// The error of a Ritz value is that of its vector squared, and the
		// noise is 1e-7 of the third eigenvalue: rounding is what is left.
		if !(math.Abs(b.Values[i]-all[i]) <= 1e-12*all[0]) {
			t.Errorf("value %d: %g, the spectrum says %g", i, b.Values[i], all[i])
		}
		for j := range b.K {
			want := 0.0
			if i == j {
				want = 1
			}
			if got := linalg.Dot(b.Q[i*25:(i+1)*25], b.Q[j*25:(j+1)*25]); !(math.Abs(got-want) <= 1e-14) {
				t.Errorf("<q_%d, q_%d> = %g", i, j, got)
			}
		}
	}
	if r := StandOut(all); r != 3 {
		t.Errorf("suggested rank %d of %v", r, all[:6])
	}

	// In coordinates and back: the part of the data in the space.
	w, err := b.Project(ctx, x, 2)
	if err != nil {
		t.Fatal(err)
	}
	back := make([]float64, 25)
	for l := range 20 {
		b.Lift(back, w.V[l*3:(l+1)*3], 1)
		for i, v := range x.V[l*x.N : (l+1)*x.N] {
			if !(math.Abs(back[i]-v) <= .01) { // six deviations of the noise, and room
				t.Fatalf("observation %d: %g came back as %g", l, v, back[i])
			}
		}
	}
}

// A model in the space has the same f in coordinates as in full: the form
// solves the very problem, restricted.
func TestCompressionIsExactInTheSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	x := standingOut(300, 15, .5, rng)
	b, err := NewBasis(ctx, x, nil, 6, 3, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := b.Project(ctx, x, 1)
	for d := 1; d <= 5; d++ {
		const r = 4
		small := NewObjective(&Implicit{Data: w, D: d}, r, 3, 1)
		full := NewObjective(&Implicit{Data: x, D: d}, r, 3, 1)
		p, g := make([]float64, small.Size()), make([]float64, small.Size())
		for i := range p {
			p[i] = rng.NormFloat64()
		}
		q, h := make([]float64, full.Size()), make([]float64, full.Size())
		copy(q, p[:r])
		b.Lift(q[r:], p[r:], r)
		f1, _ := small.Evaluate(ctx, p, g)
		f2, _ := full.Evaluate(ctx, q, h)
		if !(math.Abs(f1-f2) <= 1e-12*(1+math.Abs(f1))) {
			t.Errorf("d=%d: f = %.15g in coordinates, %.15g in full", d, f1, f2)
		}
		near(t, "g_lambda", h[:r], g[:r], 1e-11)
		back := make([]float64, r*b.K) // Q'G_A
		linalg.MulABt(back, h[r:], b.Q, r, b.K, x.N)
		near(t, "Q'G_A", back, g[r:], 1e-11)
	}
}

// A sample gives a start from which one pass is enough where the eigenvalues
// stand out, and a direction that the sample misses is still found.
func TestBasisFromSample(t *testing.T) {
	const n, k, lead = 120, 12, 3
	rng := rand.New(rand.NewPCG(25, 1))
	x := standingOut(20000, n, .5, rng)
	sampled := func(x *block.Dense) *Basis {
		b, err := BasisOf(ctx, &Implicit{Data: NewSampled(x, 2, 1).Draw(500, rng), D: 2}, k, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	sample := sampled(x)
	second, err := NewPacked(ctx, x, nil, 2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, x *block.Dense, passes, found int) *Basis {
		b, err := NewBasis(ctx, x, sample, k, lead, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		if b.K != k || b.Passes != passes {
			t.Errorf("%s: k = %d after %d passes, want %d", what, b.K, b.Passes, passes)
		}
		again, err := NewBasis(ctx, x, sample, k, lead, 3, 3)
		if err != nil || !slices.Equal(again.Q, b.Q) {
			t.Errorf("%s: other bits on three threads (%v)", what, err)
		}
		in, err := NewPacked(ctx, x, b, 2, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		ritz, err := in.Ritz(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all, err := eigenvalues(x)
		if err != nil {
			t.Fatal(err)
		}
		// An angle below .1 leaves .01 of an eigenvalue.
		near(t, what, ritz.Values[:found], all[:found], .01)
		return b
	}
	b := check("stands out", x, 1, lead)
	outside, err := b.Outside(ctx, second, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The bulk is .25, with what 120 variables and 20,000 weighted observations
	// make of it: (1 + sqrt(n sum nu^2))^2 of that, at most.
	if outside > .25*1.2 {
		t.Errorf("an eigenvalue of %g was left outside", outside)
	}

	// One observation, 30,000 times the mean square of the others, in a
	// direction that no other has.
	y := &block.Dense{P: x.P, N: n, V: slices.Clone(x.V), Nu: x.Nu}
	for l := range y.P {
		y.V[l*n+3] = 0
	}
	sample = sampled(y)
	at := 777
	clear(y.V[at*n : (at+1)*n])
	y.V[at*n+3] = 1000
	check("missed by the sample", y, 2, lead+1)

	// Nothing stands out: as good as without a sample, in as many passes.
	flat := randomData(20000, n, false, rng)
	if b, err := NewBasis(ctx, flat, sampled(flat), k, lead, 3, 1); err != nil || b.Passes != powerSteps {
		t.Errorf("flat: %d passes, %v", b.Passes, err)
	}
}

func TestBasisOfFewObservations(t *testing.T) {
	x := randomData(4, 30, false, rand.New(rand.NewPCG(22, 1)))
	b, err := NewBasis(ctx, x, nil, 10, 3, 1, 1)
	if err != nil || b.K != 4 {
		t.Fatalf("k = %d, %v; want the rank, 4", b.K, err)
	}
	if r := StandOut(append(b.Values, 0)); r != 4 {
		t.Errorf("suggested rank %d, want 4", r)
	}
}

// The drawn starts have the covariance of the range finder's: V D_nu V',
// diagonal in the basis.
func TestBasisStart(t *testing.T) {
	b := &Basis{N: 2, K: 2, Values: []float64{4, 1}}
	rng := rand.New(rand.NewPCG(23, 1))
	const draws = 20000
	below := 0.
	for range draws {
		a := make([]float64, 2)
		b.Start(a, rng)
		if !(math.Abs(linalg.Norm2(a)-1) <= 1e-15) {
			t.Fatal("not of unit norm")
		}
		if 2*math.Abs(a[1]) < math.Abs(a[0]) { // the median of the tangent is 1/2
			below++
		}
	}
	if !(math.Abs(below/draws-.5) <= .014) { // four deviations
		t.Errorf("share below the median angle: %g", below/draws)
	}
}

func TestSuggestedRank(t *testing.T) {
	// The eigenvalues of as many observations as variables end like squares.
	squares := make([]float64, 20)
	for i := range squares {
		squares[i] = float64((20 - i) * (20 - i))
	}
	for _, c := range []struct {
		values     []float64
		directions int
		want       int
	}{
		{[]float64{.55, .06, .0598, .0106, .0105, .01}, 6, 3},
		{[]float64{1, .9, .8, .7, .6}, 5, 0},
		{[]float64{9, 1, .99, .98}, 4, 1},
		{[]float64{9, 1, .99, .98, 0}, 4, 1},
		{[]float64{96, 32, 14, 8, .28, .26}, 6, 4},
		{[]float64{96, 32, 14, .28}, 4, 3},
		{[]float64{5, 4, 3, 1e-16, 0, -1e-17}, 6, 3},
		{[]float64{5, 4, 3, 1e-16, 0, -1e-17}, 4, 0},
		{[]float64{3, 2.5, 2, 1.7, .4, .1, .02}, 7, 0},
		{squares, 20, 0},
		{[]float64{1, 0}, 2, 1},
		{[]float64{1}, 1, 0},
		{[]float64{0}, 1, 0},
		{[]float64{0, 0, 0}, 3, 0},
		{[]float64{math.Inf(1), 2, 1}, 3, 1}, // out of range, which a warning says
		{nil, 0, 0},
	} {
		if got := SuggestedRank(c.values, c.directions, Alike(math.Inf(1))); got != c.want {
			t.Errorf("%v of %d directions: %d, want %d", c.values, c.directions, got, c.want)
		}
	}
}

// Of noise nothing stands out, or its mean alone, also where observations are few; three
// clusters far apart do.
func TestSuggestedRankOfNoise(t *testing.T) {
	for _, c := range []struct{ n, p int }{{3, 50}, {5, 30}, {10, 20}, {10, 10}, {10, 11}, {50, 40}, {5, 300}} {
		const tables = 100
		noise, mean, clusters := 0, 0, 0
		for seed := range uint64(tables) {
			rng := rand.New(rand.NewPCG(seed, 25))
			rank := func(at func(l, i int) float64) int {
				x := &block.Dense{P: c.p, N: c.n}
				for l := range c.p {
					for i := range c.n {
						x.V = append(x.V, rng.NormFloat64()+at(l, i))
					}
				}
				values, err := eigenvalues(x)
				if err != nil {
					t.Fatal(err)
				}
				return SuggestedRank(values, c.n, Alike(float64(c.p)))
			}
			if rank(func(l, i int) float64 { return 0 }) != 0 {
				noise++
			}
			if rank(func(l, i int) float64 { return 3 }) > 1 {
				mean++
			}
			if rank(func(l, i int) float64 { return map[bool]float64{true: 20}[l%3 == i] }) == 3 {
				clusters++
			}
		}
		// A drop by 1.5 alone is in 34 to 96 of them, except in the last two.
		if noise > 10 || mean > 10 {
			t.Errorf("%d observations of %d variables: %d and %d of %d tables of noise have eigenvalues that stand out", c.p, c.n, noise, mean, tables)
		}
		if c.n >= 5 && clusters < tables-2 {
			t.Errorf("%d observations of %d variables: three clusters in %d of %d tables", c.p, c.n, clusters, tables)
		}
	}
}

func TestBasisCancelled(t *testing.T) {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	x := randomData(50, 5, false, rand.New(rand.NewPCG(24, 1)))
	if _, err := NewBasis(gone, x, nil, 2, 1, 1, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := (&Basis{N: 5, K: 1, Q: make([]float64, 5)}).Project(gone, x, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Span(gone, x); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Coordinates are inner products, the same bits for any number of threads, and with the kernels in
// assembly, from 8 vectors on, also for any blocks that the observations come in.
func TestProject(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 1))
	for _, p := range []int{1, 9, 300, 1500, 2500} {
		for _, n := range []int{3, 20, 130} {
			for _, k := range []int{1, 3, 8, 11, 30} {
				if k > n {
					continue
				}
				x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
				gaussian(x.V, rng)
				b := &Basis{N: n, K: k, Q: make([]float64, k*n)}
				gaussian(b.Q, rng)
				w, err := b.Project(ctx, x, 1)
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range w.V {
					v, q := x.V[i/k*n:(i/k+1)*n], b.Q[i%k*n:(i%k+1)*n]
					want := 0.
					for j := range v {
						want += v[j] * q[j]
					}
					// Each of n additions rounds to half of 2^-52; in two orders.
					if bound := float64(n) * 0x1p-52 * linalg.Norm2(v) * linalg.Norm2(q); !(math.Abs(got-want) <= bound) {
						t.Fatalf("p=%d n=%d k=%d: number %d is %g, want %g to %g", p, n, k, i, got, want, bound)
					}
				}
				for threads := 2; threads <= 3; threads++ {
					if other, _ := b.Project(ctx, x, threads); !slices.Equal(other.V, w.V) {
						t.Errorf("p=%d n=%d k=%d: other bits on %d threads", p, n, k, threads)
					}
				}
				for _, rows := range []int{7, 100, 1030} {
					if other, _ := b.Project(ctx, &blocks{Dense: x, rows: rows}, 2); k >= 8 && linalg.Kernel() != "generic" && !slices.Equal(other.V, w.V) {
						t.Errorf("p=%d n=%d k=%d: other bits in blocks of %d", p, n, k, rows)
					}
				}
			}
		}
	}
}
