package moment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// blocks is Data that comes in blocks of some rows, and may fail after some.
type blocks struct {
	*block.Dense
	rows   int
	faulty int // pass that fails in its second block, counted from 1
	passes int
	fault  error
}

var errDisk = errors.New("disk failed")

func (x *blocks) BlockRows() int { return min(x.rows, x.P) }
func (x *blocks) Err() error     { return x.fault }
func (x *blocks) Pass(ctx context.Context, do func(block.Block)) bool {
	x.passes++
	b := block.Block{Rows: x.P, V: x.V, Nu: x.Nu}
	for lo := 0; lo < x.P; lo += x.rows {
		if x.passes == x.faulty && lo > 0 {
			x.fault = errDisk
		}
		if ctx.Err() != nil || x.fault != nil {
			return false
		}
		// A copy that is spoiled afterwards: a block is void when do returns.
		part := b.Part(lo, min(lo+x.rows, x.P), x.N)
		part.V = append([]float64(nil), part.V...)
		do(part)
		for i := range part.V {
			part.V[i] = math.NaN()
		}
	}
	return ctx.Err() == nil
}

// All that goes over a source gives the same whether the observations come in
// one block or in many, except for the rounding of sums of p terms, and the same
// bits for any number of threads.
func TestSourcesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	const p, n, r = 3001, 13, 4
	for _, weighted := range []bool{false, true} {
		x := randomData(p, n, weighted, rng)
		half := &block.Dense{P: 1000, N: n, V: x.V[:1000*n]}
		rest := &block.Dense{P: 2001, N: n, V: x.V[1000*n:]}
		joined := x
		if weighted {
			// Of the links one has weights: those of the whole are w/p there and
			// 1/p in the other.
			half.Nu = make([]float64, 1000)
			joined = &block.Dense{P: p, N: n, V: x.V, Nu: make([]float64, p)}
			var sum float64
			for i := range half.Nu {
				half.Nu[i] = 1 + rng.Float64()
				sum += half.Nu[i]
			}
			linalg.Scale(1/sum, half.Nu)
			for i := range joined.Nu {
				joined.Nu[i] = 1. / p
				if i < 1000 {
					joined.Nu[i] = half.Nu[i] * 1000 / p
				}
			}
		}
		a := make([]float64, r*n)
		Gaussian(a, n, rng)
		all := func(x block.Source, threads int) (v [][]float64) {
			span, err := Span(ctx, x)
			if err != nil {
				t.Fatal(err)
			}
			y, w, _ := NewObjective(&Implicit{Data: x, D: 3}, r, span, threads).TTSV(ctx, a)
			v = append(v, []float64{span}, append([]float64(nil), y...), append([]float64(nil), w...))
			start := make([]float64, r*n)
			RangeFinder(ctx, x, start, r, rand.New(rand.NewPCG(1, 1)))
			largest, _, _ := LargestEigenvalue(ctx, x, span, threads)
			b, err := NewBasis(ctx, x, nil, 6, 3, span, threads)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, start, []float64{largest}, b.Values)
			for d := 1; d <= 5; d++ {
				m, err := NewPacked(ctx, x, nil, min(d, 4), 2, threads)
				if err != nil {
					t.Fatal(err)
				}
				q, err := NewPacked(ctx, x, b, d, 2, threads)
				if err != nil {
					t.Fatal(err)
				}
				v = append(v, m.x, []float64{q.NormSquared()})
			}
			spectrum, _ := eigenvalues(x)
			projected, err := b.Project(ctx, x, threads)
			if err != nil {
				t.Fatal(err)
			}
			return append(v, spectrum, projected.V, projected.Nu)
		}
		for name, c := range map[string]struct{ one, many block.Source }{
			"blocks":   {x, &blocks{Dense: x, rows: 256}},
			"odd":      {x, &blocks{Dense: x, rows: 777}},
			"tiny":     {x, &blocks{Dense: x, rows: 3}},
			"chain":    {joined, &block.Chain{Links: []block.Source{half, rest}}},
			"backward": {joined, &block.Chain{Links: []block.Source{&blocks{Dense: half, rows: 300}, &blocks{Dense: rest, rows: 900}}}},
		} {
			want, got := all(c.one, 2), all(c.many, 1)
			for i := range want {
				// Sums of 3001 terms, after up to three products in a row.
				near(t, fmt.Sprintf("weighted=%v %s result %d", weighted, name, i), got[i], want[i], 1e-12)
			}
			for _, threads := range []int{2, 7, 64} {
				if again := all(c.many, threads); fmt.Sprintf("%x", again) != fmt.Sprintf("%x", got) {
					t.Errorf("weighted=%v %s: %d threads give other bits", weighted, name, threads)
				}
			}
		}
	}
}

// Packed and dense tensors are the same tensor.
func TestPacked(t *testing.T) {
	for _, c := range goldenCases(t) {
		x := c.data()
		for _, unit := range []float64{1, 8} {
			p, err := NewPacked(ctx, x, nil, c.D, unit, 2)
			if err != nil {
				t.Fatal(err)
			}
			if b := PackedBytes(c.D, c.N); b != float64(8*len(p.x)) {
				t.Errorf("%s: %d entries, %g bytes", c.name(), len(p.x), b)
			}
			o := NewObjective(p, c.R, 1, 2)
			g := make([]float64, o.Size())
			f, ok := o.Evaluate(ctx, c.x(), g)
			if !ok {
				t.Fatal("interrupted")
			}
			near(t, c.name()+" f", []float64{c.NormX2 + f}, []float64{c.F}, goldenTol)
			near(t, c.name()+" gradient", g, append(append([]float64(nil), c.GLambda...), flat(c.GA)...), goldenTol)
			near(t, c.name()+" norm", []float64{p.NormSquared() * math.Pow(unit, 2*float64(c.D))}, []float64{c.NormX2}, goldenTol)
			one, point := NewObjective(p, c.R, 1, 1), c.x()
			if a := testing.AllocsPerRun(5, func() { one.Evaluate(ctx, point, g) }); a != 0 {
				t.Errorf("%s: %g allocations an evaluation", c.name(), a)
			}
			// The moment of both halves of the observations, mixed.
			h := max(1, c.P/2)
			if h == c.P {
				continue
			}
			halves := [2]*Packed{}
			var share [2]float64
			for i, part := range []*block.Dense{{P: h, N: c.N, V: x.V[:h*c.N]}, {P: c.P - h, N: c.N, V: x.V[h*c.N:]}} {
				lo := i * h
				share[i] = float64(part.P) / float64(c.P)
				if x.Nu != nil {
					share[i] = 0
					for _, v := range x.Nu[lo : lo+part.P] {
						share[i] += v
					}
					part.Nu = append([]float64(nil), x.Nu[lo:lo+part.P]...)
					linalg.Scale(1/share[i], part.Nu)
				}
				if halves[i], err = NewPacked(ctx, part, nil, c.D, unit, 1); err != nil {
					t.Fatal(err)
				}
			}
			near(t, c.name()+" mixed", halves[0].Mix(share[0], halves[1], share[1]).x, p.x, goldenTol)
		}
	}
	x := randomData(50, 6, true, rand.New(rand.NewPCG(31, 1)))
	p, err := NewPacked(ctx, x, nil, 2, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	all, err := eigenvalues(x)
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, v := range all {
		sum += v
	}
	near(t, "trace", []float64{p.Trace()}, []float64{sum}, 1e-13)
}

// In the coordinates of a basis the accumulated moment is that of the
// projected observations.
func TestPackedInBasis(t *testing.T) {
	x := standingOut(2000, 40, .3, rand.New(rand.NewPCG(32, 1)))
	b, err := NewBasis(ctx, x, nil, 9, 3, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Project(ctx, x, 2)
	if err != nil {
		t.Fatal(err)
	}
	for d := 1; d <= 4; d++ {
		direct, err := NewPacked(ctx, x, b, d, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		projected, err := NewPacked(ctx, w, nil, d, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("d=%d", d), direct.x, projected.x, 1e-13)
		if d == 2 {
			ritz, err := direct.Ritz(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all, err := eigenvalues(x)
			if err != nil {
				t.Fatal(err)
			}
			// The noise is .09 of the third eigenvalue, 4, which leaves (.09/4)^4
			// of a Ritz value after two power steps; the basis's own estimate is
			// of one step less.
			near(t, "Ritz values", ritz.Values[:3], all[:3], 3e-7)
			near(t, "estimates", b.Values[:3], all[:3], 5e-4)
			for i, v := range ritz.Values {
				if v > all[i]*(1+1e-12) {
					t.Errorf("Ritz value %d, %g, is above the eigenvalue, %g", i, v, all[i])
				}
			}
		}
		both, err := NewMoments(ctx, x, b, []int{d, 2}, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(both[0].x, direct.x) || both[1].d != 2 {
			t.Errorf("d=%d: another moment when two are formed in one pass", d)
		}
	}
	second, err := NewPacked(ctx, x, nil, 2, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	all, err := eigenvalues(x)
	if err != nil {
		t.Fatal(err)
	}
	three, err := BasisOf(ctx, second, 3, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	// The noise is .09 of the third eigenvalue, 4, which leaves (.09/4)^4 of a
	// Ritz value after two power steps.
	near(t, "basis of the packed moment", three.Values, all[:3], 3e-7)
	outside, err := three.Outside(ctx, second, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Lanczos stops at a change of 1e-8, at a tenth of that from the end where
	// it converges slowly; the basis is off by less.
	near(t, "largest outside", []float64{outside}, all[3:4], 1e-6)
}

// An error of the source reaches everyone, and is not taken for a result.
func TestSourceFails(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	data := randomData(1000, 7, false, rng)
	b, err := NewBasis(ctx, data, nil, 3, 3, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(x block.Source) error{
		"Span":              func(x block.Source) error { _, err := Span(ctx, x); return err },
		"LargestEigenvalue": func(x block.Source) error { _, _, err := LargestEigenvalue(ctx, x, 1, 1); return err },
		"NewBasis":          func(x block.Source) error { _, err := NewBasis(ctx, x, nil, 3, 3, 1, 1); return err },
		"Project":           func(x block.Source) error { _, err := b.Project(ctx, x, 1); return err },
		"NewPacked":         func(x block.Source) error { _, err := NewPacked(ctx, x, b, 3, 1, 1); return err },
		"NewExplicit":       func(x block.Source) error { _, err := NewExplicit(ctx, x, 3, 1, 1e9, 1); return err },
		"Spectrum":          func(x block.Source) error { _, err := Spectrum(ctx, x); return err },
		"Gather":            func(x block.Source) error { _, err := block.Gather(ctx, x); return err },
	} {
		for _, chained := range []bool{false, true} {
			var x block.Source = &blocks{Dense: data, rows: 300, faulty: 1}
			if chained {
				x = &block.Chain{Links: []block.Source{data, x}}
			}
			if err := run(x); err != errDisk {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	x := &blocks{Dense: data, rows: 300, faulty: 1}
	if RangeFinder(ctx, x, make([]float64, 14), 2, rng) {
		t.Error("RangeFinder went on")
	}
	x = &blocks{Dense: data, rows: 300, faulty: 2}
	c := NewSharedPass(&Implicit{Data: x, D: 3}, 1, 2, 2)
	var wg sync.WaitGroup
	for range 2 {
		o := NewObjective(c, 1, 1, 1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.Join()
			defer c.Leave()
			for i := range 3 {
				if _, _, ok := o.TTSV(ctx, make([]float64, 7)); ok != (i == 0) {
					t.Errorf("product %d: %v", i, ok)
				}
			}
		}()
	}
	wg.Wait()
}

// Each reservoir holds observation l with probability nu_l.
func TestSampleIsFair(t *testing.T) {
	nu := []float64{1, 4, 2, 1, 8}
	const m = 40000
	s := NewSample(m, 1, 3)
	s.Add(block.Block{Rows: 2, V: []float64{0, 1}, Nu: nu[:2]})
	s.Add(block.Block{Rows: 3, V: []float64{2, 3, 4}, Nu: nu[2:]})
	clone := s.Clone(16, 4)
	clone.Add(block.Block{Rows: 1, V: []float64{5}, Nu: []float64{16}})
	for _, c := range []struct {
		s    *Sample
		want []float64
	}{{s, []float64{1. / 16, .25, .125, 1. / 16, .5, 0}}, {clone, []float64{1. / 32, .125, .0625, 1. / 32, .25, .5}}} {
		count := make([]float64, 6)
		for _, v := range c.s.v {
			count[int(v)]++
		}
		for l, want := range c.want {
			// Four standard deviations of a binomial share.
			if got := count[l] / m; !(math.Abs(got-want) <= 4*math.Sqrt(want*(1-want)/m)) {
				t.Errorf("observation %d has a share of %g, want %g", l, got, want)
			}
		}
	}
	for _, n := range []int{1, 10, 500, 100_000, 10_000_000} {
		if k := SampleSize(n); k < 2 || k > 2 && 8*k*n > sampleBytes {
			t.Errorf("sample of %d for n = %d", k, n)
		}
	}
}
