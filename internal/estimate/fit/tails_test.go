package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// The sums of blocks are those of all observations, in any unit and storage.
func TestTails(t *testing.T) {
	const p, n, d = 300, 7, 3
	rng := rand.New(rand.NewPCG(5, 1))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: make([]float64, p)}
	total := 0.
	for l := range p {
		for i := range n {
			x.V[l*n+i] = float64(float32(rng.NormFloat64()))
		}
		x.Nu[l] = rng.Float64()
		total += x.Nu[l]
	}
	linalg.Scale(1/total, x.Nu)
	linalg.Scale(16, x.V[41*n:42*n])
	narrow := &block.Dense{P: p, N: n, V32: make([]float32, p*n), Nu: x.Nu}
	linalg.Narrow(narrow.V32, x.V)

	var sum, squares float64
	part := make([]float64, p)
	for l := range p {
		part[l] = x.Nu[l] * math.Pow(linalg.Norm2(x.V[l*n:(l+1)*n]), d)
		sum += part[l]
		squares += part[l] * part[l] / x.Nu[l]
	}
	want := math.Sqrt((squares/(sum*sum) - 1) / 50)
	for _, y := range []*block.Dense{x, narrow} {
		for _, unit := range []float64{1, 1e-120} {
			tails := NewTails(y, d, unit)
			y.Pass(context.Background(), func(b block.Block) {
				tails.Add(b.Part(0, 100, n))
				tails.Add(b.Part(100, p, n))
			})
			largest, l := tails.Largest()
			// Rounding of sums of 300 positive terms.
			if unit == 1 && (!(math.Abs(tails.Error(50)-want) <= 1e-12*want) || !(math.Abs(largest-part[41]/sum) <= 1e-12) || l != 41) {
				t.Errorf("error %g, want %g; largest part %g of observation %d, want %g of 41", tails.Error(50), want, largest, l, part[41]/sum)
			}
			if unit != 1 && tails.Error(50) == tails.Error(50) { // 1e120^6 is beyond all numbers
				t.Errorf("error %g of parts beyond all numbers", tails.Error(50))
			}
		}
	}
}

// f is the model's own norm less twice the mean of the terms, on the very
// observations that are drawn.
func TestTerms(t *testing.T) {
	const p, n, r, d, rows, unit = 90, 11, 3, 3, 700, 2.5
	rng := rand.New(rand.NewPCG(6, 1))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	draws := moment.NewSampled(x, d, 4)
	point := func() []float64 {
		z := make([]float64, r+r*n)
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		return z
	}
	xs := [][]float64{point(), point()}
	seeded := func() *rand.Rand { return rand.New(rand.NewPCG(8, 8)) }
	terms, err := draws.Terms(context.Background(), rows, seeded(), r, unit, xs)
	if err != nil {
		t.Fatal(err)
	}
	o := moment.NewObjective(&moment.Implicit{Data: draws.Draw(rows, seeded()), D: d}, r, unit, 1)
	empty := moment.NewObjective(&moment.Implicit{Data: &block.Dense{P: 1, N: n, V: make([]float64, n)}, D: d}, r, unit, 1)
	g := make([]float64, o.Size())
	for i, z := range xs {
		f, _ := o.Evaluate(context.Background(), z, g)
		norm, _ := empty.Evaluate(context.Background(), z, g) // nothing but the model
		for _, h := range terms[i] {
			norm -= 2 * h / rows
		}
		if len(terms[i]) != rows || !(math.Abs(norm-f) <= 1e-11*math.Abs(f)) {
			t.Errorf("f = %.15g from %d terms, want %.15g", norm, len(terms[i]), f)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := draws.Terms(ctx, rows, seeded(), r, unit, xs); err == nil {
		t.Error("no error when cancelled")
	}
}
