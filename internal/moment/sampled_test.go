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

// Stochastic Y, f and gradients are unbiased: the mean of many is within five
// of its standard errors of the full one in every entry (one normal entry in
// 1.7 million is not; the seeds are fixed), and the mean squared deviation is
// about one squared. The test sees a bias: against the moment with
// other weights the deviations are far larger.
func TestSampledIsUnbiased(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	for _, weighted := range []bool{false, true} {
		for d := 1; d <= 4; d++ {
			for _, s := range []int{1, 7, 700} { // 700 rows of 5 are two blocks
				x := randomData(60, 5, false, rng)
				for i := range x.V {
					x.V[i] += .3
				}
				if weighted {
					x.Nu = make([]float64, x.P)
					for l := range x.Nu {
						x.Nu[l] = float64(l+1) / float64(x.P*(x.P+1)/2)
					}
				}
				const r, unit = 3, 2.
				point := make([]float64, r+r*x.N)
				for i := range point {
					point[i] = rng.NormFloat64()
				}
				full := NewObjective(&Implicit{Data: x, D: d}, r, unit, 1)
				exact := everything(full, point)
				o := NewObjective(NewSampled(x, d, s).Stream(rand.New(rand.NewPCG(uint64(d), uint64(s)))), r, unit, 1)
				draws := 40_000/s + 400
				mean, m2 := make([]float64, len(exact)), make([]float64, len(exact))
				for k := range draws {
					for i, v := range everything(o, point) {
						delta := v - mean[i]
						mean[i] += delta / float64(k+1)
						m2[i] += delta * (v - mean[i])
					}
				}
				var z2 float64
				for i, want := range exact {
					se := math.Sqrt(m2[i] / float64(draws-1) / float64(draws))
					z := (mean[i] - want) / se
					z2 += z * z / float64(len(exact))
					if !(math.Abs(z) < 5) {
						t.Errorf("d=%d s=%d weighted=%v entry %d: %g, exact %g, %.1f standard errors", d, s, weighted, i, mean[i], want, z)
					}
				}
				// Entries are correlated: few of them are independent.
				if z2 > 4 {
					t.Errorf("d=%d s=%d weighted=%v: mean squared z is %.2g", d, s, weighted, z2)
				}
				if weighted && s == 1 {
					other := *x
					other.Nu = nil
					worst := 0.0
					for i, v := range everything(NewObjective(&Implicit{Data: &other, D: d}, r, unit, 1), point) {
						worst = math.Max(worst, math.Abs(mean[i]-v)/math.Sqrt(m2[i]/float64(draws-1)/float64(draws)))
					}
					if worst < 10 {
						t.Errorf("d=%d: the mean without weights is %.1f standard errors off only: no power", d, worst)
					}
				}
			}
		}
	}
}

// everything returns f, gradient and Y at a point, of two draws where the
// objective is stochastic.
func everything(o *Objective, point []float64) []float64 {
	g := make([]float64, len(point))
	f, _ := o.Evaluate(ctx, point, g)
	y, _, _ := o.TTSV(ctx, point[o.r:])
	return append(append(g, f), y...)
}

// A stochastic evaluation is that of the observations drawn: the same stream
// gives the same observations to Draw, in the same order, whatever the blocks.
func TestSampledIsTheMomentOfItsDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for _, weighted := range []bool{false, true} {
		for _, s := range []int{1, 3, 10, 511, 512, 513, 1100} {
			x := randomData(200, 9, weighted, rng)
			sampled := NewSampled(x, 3, s)
			point := make([]float64, 4+4*9)
			for i := range point {
				point[i] = rng.NormFloat64()
			}
			o := NewObjective(sampled.Stream(rand.New(rand.NewPCG(5, 5))), 4, 1, 1)
			g, want := make([]float64, len(point)), make([]float64, len(point))
			f, ok := o.Evaluate(ctx, point, g)
			if !ok {
				t.Fatal("interrupted")
			}
			drawn := sampled.Draw(s, rand.New(rand.NewPCG(5, 5)))
			if drawn.P != s || drawn.Nu != nil || len(drawn.V) != s*9 {
				t.Fatalf("drew %d observations, %d values", drawn.P, len(drawn.V))
			}
			fd, _ := NewObjective(&Implicit{Data: drawn, D: 3}, 4, 1, 1).Evaluate(ctx, point, want)
			// The same sums; groups of observations may be added in another order.
			near(t, fmt.Sprintf("s=%d gradient", s), g, want, 1e-13)
			near(t, fmt.Sprintf("s=%d f", s), []float64{f}, []float64{fd}, 1e-13)
		}
	}
}

// Observations come with their probability: counts of 100,000 draws have the
// standard deviation sqrt(N nu (1 - nu)); five of these are exceeded once in
// 1.7 million.
func TestPicker(t *testing.T) {
	const n = 100_000
	for _, nu := range [][]float64{nil, {1}, {.5, .5}, {.01, .9, .001, .089}} {
		x := &block.Dense{P: max(len(nu), 1), N: 1, Nu: nu}
		if nu == nil {
			x.P, nu = 3, []float64{1 / 3., 1 / 3., 1 / 3.}
		}
		counts := make([]int, x.P)
		pick, rng := newPicker(x), rand.New(rand.NewPCG(22, 1))
		for range n {
			counts[pick.draw(rng)]++
		}
		for l, w := range nu {
			if !(math.Abs(float64(counts[l])-n*w) <= 5*math.Sqrt(n*w*(1-w))) {
				t.Errorf("weights %v: counts %v", nu, counts)
			}
		}
	}
}

func TestEvaluateEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	x := randomData(1500, 6, true, rng)
	for form, tensor := range forms(t, x, 3) {
		const r, unit = 2, 3.
		xs, gs := make([][]float64, 5), make([][]float64, 5)
		for i := range xs {
			xs[i], gs[i] = make([]float64, r+6*r), make([]float64, r+6*r)
			for k := range xs[i] {
				xs[i][k] = rng.NormFloat64()
			}
		}
		fs := EvaluateEach(ctx, tensor, r, unit, 2, xs, gs)
		if len(fs) != 5 {
			t.Fatalf("%s: %d values", form, len(fs))
		}
		o, want := NewObjective(tensor, r, unit, 1), make([]float64, r+6*r)
		for i := range xs {
			f, _ := o.Evaluate(ctx, xs[i], want)
			// Kernels take columns by twos and fours: other roundings.
			near(t, form+" f", fs[i:i+1], []float64{f}, 1e-13)
			near(t, form+" gradient", gs[i], want, 1e-13)
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if EvaluateEach(gone, tensor, r, unit, 2, xs, gs) != nil {
			t.Errorf("%s: went on when cancelled", form)
		}
	}
}

func TestSampledAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	for _, weighted := range []bool{false, true} {
		x := randomData(2000, 11, weighted, rng)
		tensor := NewSampled(x, 3, 600).Stream(rng)
		if tensor.Name() != "sampled" || tensor.Order() != 3 || tensor.N() != 11 || tensor.Unit() != 1 {
			t.Errorf("%s of order %d, %d variables, unit %g", tensor.Name(), tensor.Order(), tensor.N(), tensor.Unit())
		}
		o := NewObjective(tensor, 4, 2, 1)
		point, g := make([]float64, o.Size()), make([]float64, o.Size())
		Gaussian(point[4:], 11, rng)
		if a := testing.AllocsPerRun(10, func() { o.Evaluate(ctx, point, g) }); a != 0 {
			t.Errorf("weighted=%v: %g allocations an evaluation", weighted, a)
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, ok := o.Evaluate(gone, point, g); ok {
			t.Error("went on when cancelled")
		}
	}
}

// BenchmarkSampled is one stochastic evaluation, n = 500, r = 10, from 400 MB of
// observations.
func BenchmarkSampled(b *testing.B) {
	const p, n, r = 100_000, 500, 10
	rng := rand.New(rand.NewPCG(25, 1))
	x := randomData(p, n, true, rng)
	point, g := make([]float64, r+n*r), make([]float64, r+n*r)
	Gaussian(point[r:], n, rng)
	for _, weighted := range []bool{false, true} {
		d := *x
		if !weighted {
			d.Nu = nil
		}
		for _, s := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("weighted=%v/s=%d", weighted, s), func(b *testing.B) {
				o := NewObjective(NewSampled(&d, 3, s).Stream(rng), r, 1, 1)
				for b.Loop() {
					o.Evaluate(ctx, point, g)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s), "ns/observation")
			})
		}
		for _, s := range []int{10, 1000} {
			b.Run(fmt.Sprintf("weighted=%v/gather=%d", weighted, s), func(b *testing.B) {
				t := NewSampled(&d, 3, s)
				block := linalg.BlockRows(n)
				v := make([]float64, block*n)
				for b.Loop() {
					for done := 0; done < s; done += block {
						t.gather(v, min(block, s-done), rng)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s), "ns/observation")
			})
		}
	}
}
