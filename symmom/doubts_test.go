package symmom

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// normalsAbout draws p x n standard normal numbers plus an offset.
func normalsAbout(p, n int, offset float64, seed uint64) *Session {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(p, n, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() + offset }, x)
	return FromMatrix(x)
}

func codesOf(warnings []Warning) (codes []string) {
	for _, w := range warnings {
		codes = append(codes, string(w.Code))
	}
	return codes
}

// The same tensor with other signs is the same start of a non-negative fit; dropping negative
// entries of a start gives a warning.
func TestNonnegativeInitialModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	x := mat.NewDense(100, 3, nil)
	x.Apply(func(int, int, float64) float64 { return rng.ExpFloat64() }, x)
	s := FromMatrix(x)
	for _, d := range []int{3, 4} {
		want := s.Moment(d).With(Options{Nonnegative: true}).Decompose(2)
		turned := *want.Model
		turned.Factors = &NamedMatrix{Dense: mat.DenseCopyOf(want.Model.Factors)}
		turned.Factors.Dense.Scale(-1, turned.Factors.Dense)
		if d == 3 {
			turned.Lambda = []float64{-want.Model.Lambda[0], -want.Model.Lambda[1]}
		}
		f := s.Moment(d).With(Options{Nonnegative: true, InitialModel: &turned}).Decompose(2)
		if f.Err() != nil || f.Evaluations != 1 || !(math.Abs(f.RelativeError-want.RelativeError) <= 1e-12) || slices.Contains(codesOf(f.Warnings), "bounded") {
			t.Errorf("d=%d: relative error %g after %d evaluations, want that of the model, %g; %v", d, f.RelativeError, f.Evaluations, want.RelativeError, f.Warnings)
		}
		turned.Factors.Dense.Set(0, 0, -turned.Factors.At(0, 0))
		if f = s.Moment(d).With(Options{Nonnegative: true, InitialModel: &turned}).Decompose(2); !slices.Contains(codesOf(f.Warnings), "bounded") {
			t.Errorf("d=%d: a negative entry was set to 0 without a word: %v", d, f.Warnings)
		}
	}
}

// Components without weight are reported as such, not as duplicates. Where the best
// non-negative model is empty, as the moment is negative, starts that end there agree.
func TestWeightless(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	x := mat.NewDense(200, 3, nil)
	x.Apply(func(_, j int, _ float64) float64 {
		if v := .3 * rng.NormFloat64(); j > 0 {
			return v - 1
		} else {
			return math.Abs(v) + 1
		}
	}, x)
	moment := FromMatrix(x).Moment(3)
	if f, one := moment.With(Options{Nonnegative: true}).Decompose(3), moment.With(Options{Nonnegative: true}).Decompose(1); !(math.Abs(f.RelativeError-one.RelativeError) < 1e-6) || !slices.Contains(codesOf(f.Warnings), "degenerate") {
		t.Errorf("rank 3: relative error %g, rank 1: %g, %v", f.RelativeError, one.RelativeError, f.Warnings)
	}
	f := moment.With(Options{Nonnegative: true, Solver: SolverLBFGS}).Decompose(3) // where others end with the same component twice
	warned := 0
	for _, w := range f.Warnings {
		if w.Code == "degenerate" {
			warned++
			if !strings.Contains(w.Text, "2 components without weight") || !strings.Contains(w.Text, "rank 1 fits as well") {
				t.Error(w)
			}
		}
	}
	if warned != 1 {
		t.Errorf("weights %v: %v", f.Model.Lambda, f.Warnings)
	}
	negative := FromRows([][]float64{{-1, -2}, {-1.5, -1}, {-1, -1.3}, {-2, -.5}}).Moment(3).With(Options{Nonnegative: true})
	for _, f := range negative.Sweep(1, 3).Fits {
		if f.RelativeError < 1-1e-8 || slices.Contains(codesOf(f.Warnings), "few_starts") || slices.Contains(codesOf(f.Warnings), "degenerate") {
			t.Errorf("rank %d: relative error %g, %v", f.Rank, f.RelativeError, f.Warnings)
		}
	}
}

// A small step far from a stationary point does not end a run: of high orders the weights of a
// start may be wrong by many powers of ten. Polished from the other fit's factors, with the best
// weights, f would be the same.
func TestHighOrder(t *testing.T) {
	for seed := range uint64(8) {
		m := normalsAbout(30, 3, 0, seed).Moment(30)
		f := m.Decompose(2)
		again := m.With(Options{Starts: 30, RelativeDecrease: -1, MaxIterations: 300}).Decompose(2)
		if f.Err() != nil || again.Err() != nil {
			t.Fatal(f.Err(), again.Err())
		}
		// 1% of what is left, or what six digits of the relative error show.
		if above := f.RelativeError - again.RelativeError; above > max(.01*again.RelativeError, 1e-6) && !slices.Contains(codesOf(f.Warnings), "not_converged") && !slices.Contains(codesOf(f.Warnings), "few_starts") {
			t.Errorf("seed %d: relative error %g, %s, but %g is there", seed, f.RelativeError, f.Status, again.RelativeError)
		}
	}
}

// The digits of a small relative error are right: compared with exact fractions.
func TestSmallRelativeError(t *testing.T) {
	for _, offset := range []float64{1e3, 1e4, 1e6} {
		s := normalsAbout(50, 2, offset, 1)
		f := s.Moment(3).Decompose(1)
		exact := exactRelativeError(s.Matrix().Dense, f.Model)
		// Half of a unit of 1e-14, and as much again for rounding of f before.
		for _, got := range []float64{f.RelativeError, s.Moment(3).Evaluate(f.Model).RelativeError} {
			if !(math.Abs(got-exact) <= 1e-14) || got != math.Round(got*1e14)/1e14 {
				t.Errorf("offset %g: relative error %g, exactly %g", offset, got, exact)
			}
		}
	}
}

// exactRelativeError is that of a model of the third moment, in fractions.
func exactRelativeError(x *mat.Dense, m *Model) float64 {
	p, n := x.Dims()
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	mul := func(a ...*big.Rat) *big.Rat {
		out := big.NewRat(1, 1)
		for _, v := range a {
			out.Mul(out, v)
		}
		return out
	}
	residual, norm := new(big.Rat), new(big.Rat)
	for i := range n {
		for j := range n {
			for k := range n {
				sum := new(big.Rat)
				for l := range p {
					sum.Add(sum, mul(rat(x.At(l, i)), rat(x.At(l, j)), rat(x.At(l, k))))
				}
				sum.Mul(sum, big.NewRat(1, int64(p)))
				norm.Add(norm, mul(sum, sum))
				for r, lambda := range m.Lambda {
					sum.Sub(sum, mul(rat(lambda), rat(m.Factors.At(i, r)), rat(m.Factors.At(j, r)), rat(m.Factors.At(k, r))))
				}
				residual.Add(residual, mul(sum, sum))
			}
		}
	}
	v, _ := residual.Quo(residual, norm).Float64()
	return v
}

// The sampled form says, too, if one start in ten found its best.
func TestSampledFewStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	means := mat.NewDense(5, 30, nil)
	means.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, means)
	x := mat.NewDense(3000, 30, nil)
	x.Apply(func(l, j int, _ float64) float64 { return means.At(l%5, j) + .2*rng.NormFloat64() }, x)
	s := FromMatrix(x)
	f, best := s.Moment(5).Sampled(100).Decompose(5), s.Moment(5).Decompose(5)
	if hits := f.AtBest; f.RelativeError < 2*best.RelativeError || hits > 2 {
		t.Fatalf("relative error %g, %d starts at the best; the case says nothing", f.RelativeError, hits)
	}
	if !slices.Contains(codesOf(f.Warnings), "few_starts") {
		t.Errorf("relative error %g, %g by another form: %v", f.RelativeError, best.RelativeError, f.Warnings)
	}
}

// No model is a start for two ranks: that is refused before one is fitted.
func TestSweepInitialModel(t *testing.T) {
	m := normalsAbout(30, 3, 1, 1).Moment(3)
	m = m.With(Options{InitialModel: m.Decompose(2).Model})
	if s := m.Sweep(2, 3); s.Err() == nil || len(s.Fits) != 0 {
		t.Errorf("%d results, %v", len(s.Fits), s.Err())
	}
	if s := m.Sweep(2, 2); s.Err() != nil || len(s.Fits) != 1 {
		t.Errorf("%d results, %v", len(s.Fits), s.Err())
	}
}
