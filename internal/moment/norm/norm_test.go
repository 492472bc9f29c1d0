package norm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

var ctx = context.Background()

func randomData(p, n int, weighted bool, rng *rand.Rand) *block.Dense {
	return tailed(p, n, weighted, 1, (*rand.Rand).NormFloat64, rng)
}

// The values of package moment's golden cases, computed from brute-force tensors by another
// program.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("../testdata/fg_golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		D, N, P int
		V       [][]float64 `json:"V_observations"`
		Nu      []float64   `json:"nu"`
		NormX2  float64     `json:"normX2"`
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) != 8 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		x := &block.Dense{P: c.P, N: c.N, Nu: c.Nu}
		for _, v := range c.V {
			x.V = append(x.V, v...)
		}
		got, err := Squared(ctx, x, c.D, 1, 2)
		if err != nil || !(math.Abs(got-c.NormX2) <= 1e-12*c.NormX2) {
			t.Errorf("d=%d, n=%d, p=%d: ||X||^2 = %.15g, want %.15g (%v)", c.D, c.N, c.P, got, c.NormX2, err)
		}
	}
}

// noises are one covariance of each kind.
func noises(n int, rng *rand.Rand) map[string]*moment.Noise {
	diagonal, full, root := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
	for i := range diagonal {
		diagonal[i] = .2 + rng.Float64()
	}
	for i := range root {
		root[i] = rng.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				full[i*n+j] += root[i*n+k] * root[j*n+k] / float64(n)
			}
		}
	}
	return map[string]*moment.Noise{"spherical": {N: n, Variance: .7}, "diagonal": {N: n, Diagonal: diagonal}, "full": {N: n, Full: full}}
}

// ||T||^2 of debiased moments from all pairs is that of their entries, which package moment
// compares with the tensors.
func TestSquaredDebiased(t *testing.T) {
	for d := 2; d <= 6; d++ {
		for _, c := range []struct {
			p, n     int
			weighted bool
		}{{11, 3, false}, {13, 4, true}, {140, 2, true}, {70, 3, false}} { // within a block, and in several
			rng := rand.New(rand.NewPCG(uint64(d), uint64(c.p)))
			x := randomData(c.p, c.n, c.weighted, rng)
			for name, s := range noises(c.n, rng) {
				packed, _, err := moment.NewDebiased(ctx, x, nil, d, s, 2.5, 2)
				if err != nil {
					t.Fatal(err)
				}
				want := packed.NormSquared()
				got, err := SquaredDebiased(ctx, x, d, s, 2.5, 2)
				if err != nil {
					t.Fatal(err)
				}
				// The pairs of an observation with itself are the largest that cancel: some
				// thousand times as large, each right to 1e-16.
				if unit := math.Pow(2.5, -2*float64(d)); !(math.Abs(got-want) <= 1e-9*math.Max(unit, want)) {
					t.Errorf("d=%d %s %+v: ||T||^2 = %.15g, want %.15g", d, name, c, got, want)
				}
			}
		}
	}
}

func TestSameBitsForAnyThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x := randomData(5003, 17, true, rng)
	noise := noises(17, rng)["full"]
	run := func(threads int) string {
		all, err := Squared(ctx, x, 3, 1, threads)
		if err != nil {
			t.Fatal(err)
		}
		survey, err := NewSurvey(ctx, x, 3, true, threads)
		if err != nil {
			t.Fatal(err)
		}
		e, err := survey.NormSquared(ctx, 1, threads)
		if err != nil {
			t.Fatal(err)
		}
		sample := moment.NewSample(160, 17, 1)
		sample.Add(block.Block{Rows: x.P, V: x.V, Nu: x.Nu})
		debiased, err := EstimateDebiased(ctx, x, sample, 4, noise, 2, threads)
		return fmt.Sprintf("%x %x %x %v", all, e, debiased, err)
	}
	one := run(1)
	for _, threads := range []int{2, 3, 8, 64} {
		if got := run(threads); got != one {
			t.Errorf("%d threads give other bits than one: %s, want %s", threads, got, one)
		}
	}
}

func TestCancelled(t *testing.T) {
	gone, cancel := context.WithCancel(ctx)
	cancel()
	x := randomData(700, 5, false, rand.New(rand.NewPCG(7, 1)))
	if _, err := Squared(gone, x, 3, 1, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("Squared: %v", err)
	}
	if _, err := NewSurvey(gone, x, 3, true, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("NewSurvey: %v", err)
	}
	if s, err := NewSurvey(ctx, x, 3, true, 2); err != nil {
		t.Error(err)
	} else if _, err := s.NormSquared(gone, 1, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("Survey.NormSquared: %v", err)
	}
}

// Observations stored as float32 give the bits of the same numbers stored as float64.
func TestFloat32(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		wide := randomData(2100, 13, weighted, rand.New(rand.NewPCG(50, 1)))
		narrow := &block.Dense{P: wide.P, N: wide.N, V32: make([]float32, len(wide.V)), Nu: wide.Nu}
		linalg.Narrow(narrow.V32, wide.V)
		linalg.Widen(wide.V, narrow.V32)
		results := func(x *block.Dense, threads int) []any {
			all, err := Squared(ctx, x, 3, 2, threads)
			if err != nil {
				t.Fatal(err)
			}
			survey, err := NewSurvey(ctx, x, 3, true, threads)
			if err != nil {
				t.Fatal(err)
			}
			e, err := survey.NormSquared(ctx, 3, threads)
			return []any{all, e, err}
		}
		want := results(wide, 1)
		for _, threads := range []int{1, 3} {
			if got := results(narrow, threads); !reflect.DeepEqual(got, want) {
				t.Errorf("weighted %v, %d threads: %v, want %v", weighted, threads, got, want)
			}
		}
	}
}

func TestEstimateDebiased(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 3))
	const p, n = 1000, 12
	x := randomData(p, n, true, rng)
	for l := range p { // two means
		x.V[l*n+l%2] += 3
	}
	for d := 3; d <= 4; d++ {
		for _, name := range []string{"spherical", "full"} {
			s := noises(n, rng)[name]
			exact, err := SquaredDebiased(ctx, x, d, s, 2, 2)
			if err != nil {
				t.Fatal(err)
			}
			var errors float64
			const draws = 12
			for seed := range uint64(draws) {
				sample := moment.NewSample(160, n, seed+1)
				sample.Add(block.Block{Rows: p, V: x.V, Nu: x.Nu})
				e, err := EstimateDebiased(ctx, x, sample, d, s, 2, 2)
				if err != nil {
					t.Fatal(err)
				}
				z := (e.Value - exact) / e.StdErr
				errors += z * z
			}
			// The mean of z^2 is 1 except for the jackknife, which is up to twice as
			// large; 12 z^2 are above 48 in three of a million draws (chi-square).
			if mean := errors / draws; mean > 4 || mean < .02 {
				t.Errorf("d=%d %s: mean squared error %g of the standard errors", d, name, mean)
			}
		}
	}
}

// The survey of ||X||^2 from memory.
func BenchmarkSurvey(b *testing.B) {
	const p, n = 60000, 500
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	linalg.LargePages(x.V)
	for i := range x.V {
		x.V[i] = float64(i % 17)
	}
	b.SetBytes(8 * p * n)
	for b.Loop() {
		if _, err := NewSurvey(b.Context(), x, 3, true, 1); err != nil {
			b.Fatal(err)
		}
	}
}
