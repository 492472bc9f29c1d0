package moment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment/block"
)

// denseHermite returns the mean of the Hermite tensors of observations, all n^d
// entries: He(i_1..i_d) = v_(i_1) He(i_2..i_d) - sum_k S(i_1, i_k) He(others).
func denseHermite(x *block.Dense, d int, s *Noise) []float64 {
	n := x.N
	size := 1
	for range d {
		size *= n
	}
	t := make([]float64, size)
	var entry func(v []float64, index []int) float64
	entry = func(v []float64, index []int) float64 {
		if len(index) == 0 {
			return 1
		}
		sum := v[index[0]] * entry(v, index[1:])
		for k := 1; k < len(index); k++ {
			rest := append(append([]int(nil), index[1:k]...), index[k+1:]...)
			sum -= s.At(index[0], index[k]) * entry(v, rest)
		}
		return sum
	}
	index := make([]int, d)
	for l := range x.P {
		nu := x.Share()
		if x.Nu != nil {
			nu *= x.Nu[l]
		}
		for at := range t {
			for k, rest := d-1, at; k >= 0; k-- {
				index[k], rest = rest%n, rest/n
			}
			t[at] += nu * entry(x.V[l*n:(l+1)*n], index)
		}
	}
	return t
}

// contract returns T a^k for the last k indices.
func contract(t, a []float64, k int) []float64 {
	n := len(a)
	for range k {
		next := make([]float64, len(t)/n)
		for i := range next {
			for j, v := range a {
				next[i] += t[i*n+j] * v
			}
		}
		t = next
	}
	return t
}

// noises are one covariance of each kind.
func noises(n int, rng *rand.Rand) map[string]*Noise {
	diagonal, full, root := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
	for i := range diagonal {
		diagonal[i] = .2 + rng.Float64()
	}
	gaussian(root, rng)
	for i := range n {
		for j := range n {
			for k := range n {
				full[i*n+j] += root[i*n+k] * root[j*n+k] / float64(n)
			}
		}
	}
	return map[string]*Noise{"spherical": {N: n, Variance: .7}, "diagonal": {N: n, Diagonal: diagonal}, "full": {N: n, Full: full}}
}

// hermiteTolerance is relative to the largest entry: the terms that cancel are
// up to some hundred times as large, each right to 1e-16.
const hermiteTolerance = 1e-11

func smallData(p, n int, weighted bool, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	gaussian(x.V, rng)
	if weighted {
		x.Nu = make([]float64, p)
		var total float64
		for l := range x.Nu {
			x.Nu[l] = .5 + rng.Float64()
			total += x.Nu[l]
		}
		for l := range x.Nu {
			x.Nu[l] /= total
		}
	}
	return x
}

func TestDebiasedAgainstDense(t *testing.T) {
	ctx := context.Background()
	for d := 2; d <= 6; d++ {
		worst := 0. // difference, over the largest entry where that is above 1
		for _, c := range []struct {
			p, n, r  int
			weighted bool
		}{{11, 3, 2, false}, {13, 4, 3, true}, {140, 2, 9, true}} {
			if d > 4 {
				c.n = min(c.n, 3) // n^d entries
			}
			rng := rand.New(rand.NewPCG(uint64(d), uint64(c.p)))
			x := smallData(c.p, c.n, c.weighted, rng)
			for name, s := range noises(c.n, rng) {
				dense := denseHermite(x, d, s)
				largest := 0.
				for _, v := range dense {
					largest = math.Max(largest, math.Abs(v))
				}
				tolerance := hermiteTolerance * math.Max(1, largest)
				a := make([]float64, c.r*c.n)
				Gaussian(a, c.n, rng)
				packed, _, err := NewDebiased(ctx, x, nil, d, s, 2.5, 2)
				if err != nil {
					t.Fatal(err)
				}
				narrow := float32Of(x)
				for form, tensor := range map[string]Tensor{"implicit": &Implicit{Data: x, D: d, Noise: s}, "packed": packed,
					"blocks": &Implicit{Data: &pieces{Dense: x, rows: 8}, D: d, Noise: s}} {
					y, w, ok := NewObjective(tensor, c.r, 2.5, 2).TTSV(ctx, a)
					if !ok {
						t.Fatal("not finished")
					}
					unit := math.Pow(2.5, float64(d))
					for j := range c.r {
						column := a[j*c.n : (j+1)*c.n]
						want := contract(dense, column, d-1)
						for i := range want {
							got := y[j*c.n+i] * unit
							worst = math.Max(worst, math.Abs(got-want[i])/math.Max(1, largest))
							if !(math.Abs(got-want[i]) <= tolerance) {
								t.Errorf("d=%d %s %s p=%d: y[%d][%d] = %g, want %g", d, name, form, c.p, j, i, got, want[i])
							}
						}
						if got, want := w[j]*unit, contract(dense, column, d)[0]; !(math.Abs(got-want) <= tolerance) {
							t.Errorf("d=%d %s %s: w[%d] = %g, want %g", d, name, form, j, got, want)
						}
					}
				}
				// The same of values kept as float32, which are others.
				y32, _, _ := NewObjective(&Implicit{Data: narrow, D: d, Noise: s}, c.r, 1, 2).TTSV(ctx, a)
				y64, _, _ := NewObjective(&Implicit{Data: float64Of(narrow), D: d, Noise: s}, c.r, 1, 1).TTSV(ctx, a)
				for i, v := range y32 {
					if !(math.Abs(v-y64[i]) <= tolerance) {
						t.Errorf("d=%d %s float32: %g, want %g", d, name, v, y64[i])
					}
				}
				// ||T||^2, from the entries and the packed ones.
				var want float64
				for _, v := range dense {
					want += v * v
				}
				if got := packed.NormSquared() * math.Pow(2.5, 2*float64(d)); !(math.Abs(got-want) <= hermiteTolerance*want) {
					t.Errorf("d=%d %s: packed ||T||^2 = %g, want %g", d, name, got, want)
				}
			}
		}
		t.Logf("d=%d: products with the tensor off by %.1e at most", d, worst)
	}
}

func float32Of(x *block.Dense) *block.Dense {
	y := &block.Dense{P: x.P, N: x.N, Nu: x.Nu, V32: make([]float32, len(x.V))}
	for i, v := range x.V {
		y.V32[i] = float32(v)
	}
	return y
}

func float64Of(x *block.Dense) *block.Dense {
	y := &block.Dense{P: x.P, N: x.N, Nu: x.Nu, V: make([]float64, len(x.V32))}
	for i, v := range x.V32 {
		y.V[i] = float64(v)
	}
	return y
}

// pieces shows observations in blocks.
type pieces struct {
	*block.Dense
	rows int
}

func (x *pieces) BlockRows() int { return min(x.rows, x.P) }

func (x *pieces) Pass(ctx context.Context, do func(block.Block)) bool {
	all := block.Block{Rows: x.P, V: x.V, V32: x.V32, Nu: x.Nu}
	for lo := 0; lo < x.P && ctx.Err() == nil; lo += x.rows {
		do(all.Part(lo, min(lo+x.rows, x.P), x.N))
	}
	return ctx.Err() == nil
}

func TestDebiasedGradient(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(7, 7))
	x := smallData(40, 4, true, rng)
	for d := 2; d <= 6; d++ {
		for name, s := range noises(4, rng) {
			o := NewObjective(&Implicit{Data: x, D: d, Noise: s}, 2, 2, 1)
			at, g := make([]float64, o.Size()), make([]float64, o.Size())
			gaussian(at, rng)
			if _, ok := o.Evaluate(ctx, at, g); !ok {
				t.Fatal("not finished")
			}
			scratch := make([]float64, o.Size())
			for i := range at {
				const h = 1e-5
				f := func(by float64) float64 {
					moved := append([]float64(nil), at...)
					moved[i] += by
					v, _ := o.Evaluate(ctx, moved, scratch)
					return v
				}
				numeric := (f(h) - f(-h)) / (2 * h)
				// h^2 of the third derivative, and rounding of f over h.
				if !(math.Abs(numeric-g[i]) <= 1e-6*math.Max(1, math.Abs(g[i]))) {
					t.Errorf("d=%d %s: gradient[%d] = %g, by differences %g", d, name, i, g[i], numeric)
				}
			}
		}
	}
}

// A pass of a debiased moment allocates nothing.
func TestDebiasedAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := smallData(600, 5, false, rng)
	o := NewObjective(&Implicit{Data: x, D: 4, Noise: &Noise{N: 5, Variance: .1}}, 3, 1, 1)
	at, g := make([]float64, o.Size()), make([]float64, o.Size())
	gaussian(at, rng)
	if n := testing.AllocsPerRun(10, func() { o.Evaluate(context.Background(), at, g) }); n > 0 {
		t.Errorf("%g allocations an evaluation", n)
	}
}

func BenchmarkDebiased(b *testing.B) {
	for _, n := range []int{10, 100, 500} {
		for _, s := range []*Noise{nil, {N: n, Variance: .1}} {
			b.Run(fmt.Sprintf("n=%d/debiased=%t", n, s != nil), func(b *testing.B) {
				x := smallData(4_000_000/n, n, false, rand.New(rand.NewPCG(1, 1)))
				o := NewObjective(&Implicit{Data: x, D: 3, Noise: s}, 5, 1, 1)
				at, g := make([]float64, o.Size()), make([]float64, o.Size())
				gaussian(at, rand.New(rand.NewPCG(2, 2)))
				for b.Loop() {
					o.Evaluate(context.Background(), at, g)
				}
			})
		}
	}
}
