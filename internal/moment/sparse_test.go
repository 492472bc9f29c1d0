package moment

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment/block"
)

// drawSparse draws sparse observations of any kind: float64 and float32, weights,
// scales and shifts, empty rows and variables.
func drawSparse(rng *rand.Rand, p, n int) *block.SparseRows {
	s := &block.Sparse{Start: []int{0}}
	single, density := rng.IntN(2) == 0, rng.Float64()*rng.Float64()
	for range p {
		for i := range n {
			if i%5 == 3 || rng.Float64() > density {
				continue
			}
			s.Index = append(s.Index, int32(i))
			if v := rng.NormFloat64(); single {
				s.V32 = append(s.V32, float32(v))
			} else {
				s.V = append(s.V, v)
			}
		}
		s.Start = append(s.Start, len(s.Index))
	}
	if single && s.V32 == nil {
		s.V32 = []float32{}
	}
	draw := func() []float64 {
		if rng.IntN(2) == 0 {
			return nil
		}
		c := make([]float64, n)
		for i := range c {
			c[i] = .5 + rng.Float64()
		}
		return c
	}
	s.Scale, s.Shift = draw(), draw()
	x := &block.SparseRows{P: p, N: n, Values: s}
	if rng.IntN(2) == 0 {
		x.Nu = make([]float64, p)
		total := 0.
		for l := range x.Nu {
			x.Nu[l] = rng.Float64() + .1
			total += x.Nu[l]
		}
		for l := range x.Nu {
			x.Nu[l] /= total
		}
	}
	return x
}

// Whatever a pass over sparse observations computes is what it computes from the
// same observations with their zeros. The tolerance is 1e-12 of
// the largest number.
func TestSparseIsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	for trial := range 200 {
		p, n, r, d := 1+rng.IntN(3000), 1+rng.IntN(30), 1+rng.IntN(40), 1+rng.IntN(4)
		if trial%4 > 0 {
			p = 1 + rng.IntN(60)
		}
		var x block.Source = drawSparse(rng, p, n)
		if trial%5 == 0 { // appended to
			x = &block.Chain{Links: []block.Source{x, gather(t, drawSparse(rng, 1+rng.IntN(50), n)), drawSparse(rng, 1+rng.IntN(50), n)}}
		}
		dense := gather(t, x)
		same := func(what string, got, want []float64) {
			t.Helper()
			most := 1e-300
			for _, v := range want {
				most = math.Max(most, math.Abs(v))
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-12*most) {
					t.Fatalf("trial %d, p=%d n=%d r=%d d=%d: %s %d is %g, want %g", trial, p, n, r, d, what, i, got[i], want[i])
				}
			}
		}

		a := make([]float64, r*n)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		var noise *Noise
		if trial%3 == 0 {
			noise = &Noise{N: n, Variance: rng.Float64()}
		}
		got, want := make([]float64, r*n), make([]float64, r*n)
		w := (&Implicit{Data: x, D: d, Noise: noise}).Worker(r, 1+trial%3)
		for range 2 {
			if !w.TTSV(t.Context(), got, a) || !(&Implicit{Data: dense, D: d, Noise: noise}).Worker(r, 1).TTSV(t.Context(), want, a) {
				t.Fatal("no product")
			}
			same("product", got, want)
		}

		k := min(r, n)
		b := &Basis{N: n, K: k, Q: a[:k*n]}
		c, err := b.Project(t.Context(), x, 2)
		if err != nil {
			t.Fatal(err)
		}
		e, err := b.Project(t.Context(), dense, 1)
		if err != nil {
			t.Fatal(err)
		}
		same("coordinate", c.V, e.V)

		f, g := make([]float64, r*n), make([]float64, r*n)
		if !RangeFinder(t.Context(), x, f, r, rand.New(rand.NewPCG(1, 1))) || !RangeFinder(t.Context(), dense, g, r, rand.New(rand.NewPCG(1, 1))) {
			t.Fatal("no start")
		}
		if _, ok := x.(*block.SparseRows); ok { // of a chain, other rows go with other numbers
			same("start", f, g)
		}

		got[0], _ = Span(t.Context(), x)
		want[0], _ = Span(t.Context(), dense)
		same("span", got[:1], want[:1])
	}
}

// The bits do not depend on the number of threads.
func TestSparseThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(82, 1))
	x := drawSparse(rng, 9000, 6)
	for x.Values.Stored() < 9000 {
		x = drawSparse(rng, 9000, 6)
	}
	const r = 5
	a := make([]float64, r*6)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	want, got := make([]float64, r*6), make([]float64, r*6)
	for _, threads := range []int{1, 2, 3, 8} {
		if !(&Implicit{Data: x, D: 3}).Worker(r, threads).TTSV(t.Context(), got, a) {
			t.Fatal("no product")
		}
		if threads == 1 {
			copy(want, got)
		}
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%d threads: %g, want %g", threads, got[i], want[i])
			}
		}
	}
}

// gather returns the observations with their zeros, as float64.
func gather(t *testing.T, x block.Source) *block.Dense {
	t.Helper()
	p, _ := x.Shape()
	all := make([]int, p)
	for l := range all {
		all[l] = l
	}
	d, err := block.Pick(t.Context(), x, all)
	if err != nil {
		t.Fatal(err)
	}
	for l := range d.Nu {
		d.Nu[l] *= x.Share()
	}
	return d
}
