package moment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// golden is a case of testdata/fg_golden.json: values that were checked
// against brute-force tensors by another program.
type golden struct {
	D, N, P, R int
	V          [][]float64 `json:"V_observations"`
	Nu         []float64   `json:"nu"`
	Lambda     []float64   `json:"lam"`
	A          [][]float64 `json:"A_columns"`
	NormX2     float64     `json:"normX2"`
	F          float64     `json:"f"` // with alpha = ||X||^2
	GLambda    []float64   `json:"g_lambda"`
	GA         [][]float64 `json:"G_A_columns"`
	Y          [][]float64 `json:"Y_columns"`
}

func (c golden) name() string       { return fmt.Sprintf("d=%d,n=%d,p=%d,r=%d", c.D, c.N, c.P, c.R) }
func (c golden) data() *block.Dense { return &block.Dense{P: c.P, N: c.N, V: flat(c.V), Nu: c.Nu} }
func (c golden) x() []float64       { return append(append([]float64{}, c.Lambda...), flat(c.A)...) }

func flat(rows [][]float64) []float64 {
	var f []float64
	for _, r := range rows {
		f = append(f, r...)
	}
	return f
}

func goldenCases(t *testing.T) []golden {
	t.Helper()
	data, err := os.ReadFile("testdata/fg_golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []golden
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 8 {
		t.Fatalf("%d golden cases, want 8", len(cases))
	}
	return cases
}

// near compares vectors relative to the largest entry wanted: the entries of
// a gradient are sums whose rounding scales with the largest terms.
// eigenvalues are those of the second moment.
func eigenvalues(x block.Source) ([]float64, error) {
	second, err := Spectrum(ctx, x)
	if err != nil {
		return nil, err
	}
	return second.Values, nil
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	scale := linalg.NormInf(want)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*scale) {
			t.Errorf("%s[%d] = %.17g, want %.17g (off by %.2g of the largest)", what, i, got[i], want[i], math.Abs(got[i]-want[i])/scale)
		}
	}
}

var ctx = context.Background()

// forms returns the moment in every form, held in several units: units are
// powers of two, which change no bits of their own.
func forms(t *testing.T, x *block.Dense, d int) map[string]Tensor {
	t.Helper()
	m := map[string]Tensor{"implicit": &Implicit{Data: x, D: d}}
	for _, unit := range []float64{1, 8} {
		e, err := NewExplicit(ctx, x, d, unit, 1e9, 2)
		if err != nil {
			t.Fatal(err)
		}
		m[fmt.Sprintf("explicit/%g", unit)] = e
	}
	return m
}

// Golden values were summed in another order: f, a difference of larger terms, is off by up to
// 1.5e-14 here, and every processor has an order of its own.
const goldenTol = 1e-12

func TestGolden(t *testing.T) {
	for _, c := range goldenCases(t) {
		x := c.data()
		for form, tensor := range forms(t, x, c.D) {
			t.Run(c.name()+"/"+form, func(t *testing.T) {
				o := NewObjective(tensor, c.R, 1, 1)
				g := make([]float64, o.Size())
				f, ok := o.Evaluate(ctx, c.x(), g)
				if !ok {
					t.Fatal("interrupted")
				}
				near(t, "f", []float64{c.NormX2 + f}, []float64{c.F}, goldenTol)
				near(t, "g_lambda", g[:c.R], c.GLambda, goldenTol)
				near(t, "G_A", g[c.R:], flat(c.GA), goldenTol)
				y, w, _ := o.TTSV(ctx, flat(c.A))
				near(t, "Y", y, flat(c.Y), goldenTol)
				for j, a := range c.A {
					near(t, "w", w[j:j+1], []float64{linalg.Dot(a, c.Y[j])}, goldenTol)
				}
				if e, ok := tensor.(*Explicit); ok {
					near(t, "||X||^2 of the tensor", []float64{e.NormSquared() * math.Pow(e.Unit(), 2*float64(c.D))}, []float64{c.NormX2}, goldenTol)
				}
			})
		}
	}
}

func randomData(p, n int, weighted bool, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	if weighted {
		x.Nu = make([]float64, p)
		var sum float64
		for l := range x.Nu {
			x.Nu[l] = rng.Float64() + .1
			sum += x.Nu[l]
		}
		linalg.Scale(1/sum, x.Nu)
	}
	return x
}

// full forms X entry by entry, as a Kruskal tensor of the observations
// (equation tensorX): the brute-force check of everything.
func full(x *block.Dense, d int) []float64 {
	k := ktensor.New(d, x.N, x.P)
	copy(k.A, x.V)
	for l := range k.Lambda {
		k.Lambda[l] = x.Share()
		if x.Nu != nil {
			k.Lambda[l] = x.Nu[l]
		}
	}
	return k.Full()
}

func TestAgainstDenseTensor(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for d := 1; d <= 6; d++ {
		for _, weighted := range []bool{false, true} {
			n, p, r := 1+rng.IntN(4), 1+rng.IntN(30), 1+rng.IntN(4)
			x := randomData(p, n, weighted, rng)
			dense := full(x, d)
			k := ktensor.New(d, n, r)
			for i := range k.A {
				k.A[i] = rng.NormFloat64()
			}
			for j := range k.Lambda {
				k.Lambda[j] = rng.NormFloat64()
			}
			model := k.Full()
			var want, norm float64
			for i, v := range dense {
				want += (v - model[i]) * (v - model[i])
				norm += v * v
			}
			for form, tensor := range forms(t, x, d) {
				o := NewObjective(tensor, r, 1, 2)
				g := make([]float64, o.Size())
				point := append(append([]float64{}, k.Lambda...), k.A...)
				f, _ := o.Evaluate(ctx, point, g)
				// f is a difference of ||X||^2, ||M||^2 and 2<X,M>: its
				// rounding error scales with these.
				if tol := 1e-12 * (norm + k.NormSquared()); !(math.Abs(f+norm-want) <= tol) {
					t.Errorf("d=%d n=%d p=%d r=%d %s: f = %g, want %g", d, n, p, r, form, f+norm, want)
				}
				if e, ok := tensor.(*Explicit); ok {
					near(t, fmt.Sprintf("d=%d ||X||^2", d), []float64{e.NormSquared() * math.Pow(e.Unit(), 2*float64(d))}, []float64{norm}, 1e-13)
				}
			}
		}
	}
}

// Central differences have error h^2 f”'/6 + eps f/h; with h = 1e-5 and
// entries of order 1 both stay near 1e-9 of the gradient's size.
func TestGradientByFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for d := 1; d <= 6; d++ {
		n, r := 4, 3
		x := randomData(15, n, true, rng)
		linalg.Scale(.5, x.V)
		for form, tensor := range forms(t, x, d) {
			for _, unit := range []float64{1, 2} {
				o := NewObjective(tensor, r, unit, 1)
				point := make([]float64, o.Size())
				for i := range point {
					point[i] = .7 * rng.NormFloat64()
				}
				g, scratch := make([]float64, o.Size()), make([]float64, o.Size())
				o.Evaluate(ctx, point, g)
				want := make([]float64, o.Size())
				const h = 1e-5
				for i := range point {
					keep := point[i]
					point[i] = keep + h
					up, _ := o.Evaluate(ctx, point, scratch)
					point[i] = keep - h
					down, _ := o.Evaluate(ctx, point, scratch)
					point[i] = keep
					want[i] = (up - down) / (2 * h)
				}
				near(t, fmt.Sprintf("d=%d %s unit %g gradient", d, form, unit), g, want, 1e-7)
			}
		}
	}
}

func TestSameBitsForAnyThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x := randomData(5003, 17, true, rng)
	a := make([]float64, 3*17)
	Gaussian(a, 17, rng)
	type result struct {
		y   []float64
		eig float64
		x   []float64
	}
	run := func(threads int) (r result) {
		o := NewObjective(&Implicit{Data: x, D: 3}, 3, 1, threads)
		y, _, _ := o.TTSV(ctx, a)
		r.y = append(r.y, y...)
		r.eig, _, _ = LargestEigenvalue(ctx, x, 2, threads)
		e, err := NewExplicit(ctx, x, 3, 1, 1e9, threads)
		if err != nil {
			t.Fatal(err)
		}
		r.x = e.Entries()
		o = NewObjective(e, 3, 1, threads)
		y, _, _ = o.TTSV(ctx, a)
		r.y = append(r.y, y...)
		return r
	}
	one := run(1)
	for _, threads := range []int{2, 3, 8, 64} {
		if got := run(threads); fmt.Sprintf("%x", got) != fmt.Sprintf("%x", one) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	x := randomData(2000, 11, false, rng)
	for form, tensor := range forms(t, x, 3) {
		o := NewObjective(tensor, 4, 2, 1)
		point, g := make([]float64, o.Size()), make([]float64, o.Size())
		Gaussian(point[4:], 11, rng)
		if a := testing.AllocsPerRun(10, func() { o.Evaluate(ctx, point, g) }); a != 0 {
			t.Errorf("%s: %g allocations an evaluation", form, a)
		}
	}
}

func TestCancelled(t *testing.T) {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	x := randomData(700, 5, false, rand.New(rand.NewPCG(7, 1)))
	for form, tensor := range forms(t, x, 3) {
		o := NewObjective(tensor, 2, 1, 2)
		if _, ok := o.Evaluate(gone, make([]float64, o.Size()), make([]float64, o.Size())); ok {
			t.Errorf("%s: evaluation went on", form)
		}
		if _, ok := Align(gone, o, make([]float64, 10)); ok {
			t.Errorf("%s: Align went on", form)
		}
	}
	if _, err := NewExplicit(gone, x, 3, 1, 1e9, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("NewExplicit: %v", err)
	}
	if _, _, err := LargestEigenvalue(gone, x, 1, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("LargestEigenvalue: %v", err)
	}
	if _, err := Spectrum(gone, x); !errors.Is(err, context.Canceled) {
		t.Errorf("Spectrum: %v", err)
	}
	if RangeFinder(gone, x, make([]float64, 10), 2, rand.New(rand.NewPCG(1, 1))) {
		t.Error("RangeFinder went on")
	}
}

func TestTooLarge(t *testing.T) {
	x := randomData(3, 200, false, rand.New(rand.NewPCG(8, 1)))
	_, err := NewExplicit(ctx, x, 4, 1, 1e9, 1)
	var e *TooLargeError
	if !errors.As(err, &e) || e.Bytes != FormingBytes(4, 200) {
		t.Fatalf("got %v", err)
	}
	want := "explicit moment of order 4 of 200 variables needs 1.138 GB (its distinct entries, C(n+d-1, d), and a copy of them while it is formed), more than the 1 GB that may be used: choose the implicit form, which needs no tensor, or allow more"
	if err.Error() != want {
		t.Errorf("got  %q\nwant %q", err, want)
	}
}
