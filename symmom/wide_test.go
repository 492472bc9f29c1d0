package symmom

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// Of few observations of many variables a cumulant takes no n x n covariance, which here
// would be beyond the limit of memory. ||K||^2 and K a^d are computed from the inner
// products of the observations, and from projections.
func TestCumulantOfWideData(t *testing.T) {
	const p, n = 12, 3000
	drawn, _ := sources(p, n, 5, 3)
	weights := make([]float64, p)
	for l := range weights {
		weights[l] = float64(1+l%4) / 30 // of sum 1
	}
	var table mat.Dense
	table.Augment(drawn.Matrix(), mat.NewVecDense(p, weights))
	path := filepath.Join(t.TempDir(), "wide.npy")
	if err := SaveMatrix(path, &table); err != nil {
		t.Fatal(err)
	}
	sum := func(f func(l int) float64) (s float64) {
		for l := range p {
			s += weights[l] * f(l)
		}
		return s
	}
	x := mat.DenseCopyOf(drawn.Matrix())
	a := mat.NewDense(n, 1, nil)
	for j := range n {
		mean := sum(func(l int) float64 { return x.At(l, j) })
		for l := range p {
			x.Set(l, j, x.At(l, j)-mean)
		}
		a.Set(j, 0, x.At(1, j))
	}
	a.Scale(1/mat.Norm(a, 2), a)
	var g, z, s2, s4 mat.Dense
	g.Mul(x, x.T())
	z.Mul(x, a)
	power := func(k int) float64 {
		return sum(func(l int) float64 { return math.Pow(z.At(l, 0), float64(k)) })
	}
	s2.Apply(func(l, m int, v float64) float64 { return v * math.Sqrt(weights[l]*weights[m]) }, &g) // the eigenvalues of S
	s4.Mul(&s2, &s2)
	pairs := func(d int) float64 {
		return sum(func(l int) float64 {
			return sum(func(m int) float64 { return math.Pow(g.At(l, m), float64(d)) })
		})
	}
	quad := sum(func(l int) float64 {
		q := sum(func(m int) float64 { return g.At(l, m) * g.At(l, m) }) // x'Sx
		return q * q
	})
	norms := map[int]float64{3: pairs(3), 4: pairs(4) - 6*quad + 3*math.Pow(mat.Norm(&s2, 2), 4) + 6*math.Pow(mat.Norm(&s4, 2), 2)}
	along := map[int]float64{3: power(3), 4: power(4) - 3*power(2)*power(2), 5: power(5) - 10*power(2)*power(3)}
	const limit = 32e6 // the covariance has 72 MB
	for _, s := range []*Session{
		Load(path, LoadOptions{Weights: "3001", MemoryLimit: limit}),
		Load(path, LoadOptions{Weights: "3001", MemoryLimit: limit, Float32: true}),
		Stream(path, LoadOptions{Weights: "3001", MemoryLimit: limit}),
	} {
		for d := 3; d <= 5; d++ {
			m := s.Cumulant(d)
			model, err := NewModel(d, []float64{2}, a)
			if err != nil {
				t.Fatal(err)
			}
			// The terms are some times what is left of them; float32 is off by 6e-8 of a value.
			got := m.Evaluate(model)
			if want := 4 - 4*along[d]; got.Err() != nil || !(math.Abs(got.ObjectiveShifted-want) <= 1e-5*math.Abs(want)) {
				t.Errorf("%v: f of order %d is %.12g, want %.12g (%v)", s, d, got.ObjectiveShifted, want, got.Err())
			}
			norm, err := m.NormSquared()
			if want := norms[d]; err != nil || want > 0 && !(math.Abs(norm.Value-want) <= 1e-5*pairs(d)) {
				t.Errorf("%v: ||K_%d||^2 = %.12g, want %.12g (%v)", s, d, norm.Value, want, err)
			}
			if fit := m.With(Options{Starts: 2}).Decompose(2); fit.Err() != nil || fit.Model.Kind == nil {
				t.Errorf("%v: order %d: %v", s, d, fit.Err())
			}
		}
	}
}

// The fits of a sweep over wide data share the space of all observations, and are the same
// as they are alone, to the bit.
func TestSweepOfWideData(t *testing.T) {
	slow.Test(t)
	drawn, _ := sources(30, 600, 3, 4)
	sweep := drawn.Center().Moment(3).Sweep(1, 4)
	if sweep.Err() != nil || len(sweep.Fits) != 4 {
		t.Fatalf("%v", sweep)
	}
	for _, r := range sweep.Fits {
		alone := FromMatrix(drawn.Matrix()).Center().Moment(3).Decompose(r.Rank)
		if alone.Err() != nil || r.RelativeError != alone.RelativeError || !mat.Equal(r.Model.Factors, alone.Model.Factors) {
			t.Errorf("rank %d: relative error %v, alone %v (%v)", r.Rank, r.RelativeError, alone.RelativeError, alone.Err())
		}
		if saved := alone.DataPasses - r.DataPasses; (saved > 0) != (r.Rank > 1) {
			t.Errorf("rank %d: %d passes, alone %d", r.Rank, r.DataPasses, alone.DataPasses)
		}
	}
}
