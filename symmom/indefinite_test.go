package symmom

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// A fourth cumulant of sources with kurtosis of both signs has components of both signs. The
// fit is no worse than one that starts from the true directions with the signs of theirs.
func TestSignsOfCumulant(t *testing.T) {
	slow.Test(t)
	const p, n = 500, 3
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 14))
		var q mat.QR
		q.Factorize(mat.NewDense(n, n, normals(rng, n*n)))
		var mix mat.Dense
		q.QTo(&mix)
		z := mat.NewDense(p, n, nil)
		for l := range p {
			z.SetRow(l, []float64{.6 * rng.ExpFloat64(), 4*rng.Float64() - 2, 1.5 * float64(2*rng.IntN(2)-1)})
		}
		var x mat.Dense
		x.Mul(z, mix.T())
		m := FromMatrix(&x).Cumulant(4)
		f := mustFit(t, m.Decompose(3))
		truth := &Model{Order: 4, Lambda: []float64{8, -1, -10}, Factors: &NamedMatrix{Dense: &mix}}
		best := mustFit(t, m.With(Options{InitialModel: truth, Starts: 1}).Decompose(3))
		if f.RelativeError > best.RelativeError+1e-6 { // the tolerance of both leaves 1e-8 of f
			t.Errorf("seed %d: relative error %g with lambda %.3g; %g with %.3g from the true directions, %v",
				seed, f.RelativeError, f.Model.Lambda, best.RelativeError, best.Model.Lambda, f.Warnings)
		}
	}
}

func normals(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// A moment debiased by more than its noise has negative parts, for which components need
// negative weights: errors of least squares from 12 random starts (SciPy) are bounds.
func TestSignsOfDebiased(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(5, 30))
	var rows [][]float64
	for _, mean := range [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1}} {
		for range 200 {
			row := normals(rng, 4)
			for i := range row {
				row[i] = .5*row[i] + mean[i]
			}
			rows = append(rows, row)
		}
	}
	s := FromRows(rows).Moment(4).Debias(Noise{Sigma: .8}).Sweep(1, 6)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	least := 0.
	for _, r := range s.Fits {
		least = math.Min(least, mat.Min(mat.NewVecDense(r.Rank, r.Model.Lambda)))
		t.Logf("rank %d: %.6g, lambda %.3g", r.Rank, r.RelativeError, r.Model.Lambda)
	}
	if last := s.Fits[5]; least >= 0 || last.RelativeError > .2 {
		t.Errorf("least weight %g, error of rank 6 %g", least, last.RelativeError)
	}
	few := mustFit(t, FromRows(rows).Moment(4).Debias(Noise{Sigma: .5}).Decompose(5))
	many := mustFit(t, FromRows(rows).Moment(4).Debias(Noise{Sigma: .5}).With(Options{Starts: 200}).Decompose(5))
	if few.RelativeError > many.RelativeError+1e-6 {
		t.Errorf("relative error %g from %d starts, %g from 200", few.RelativeError, len(few.Starts), many.RelativeError)
	}
}

// Of fits that differ by less than rounding leaves open the one with the smallest components
// is taken: an exact fit, not huge components that cancel, with an error below 0.
func TestExactRatherThanHuge(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := mustFit(t, FromMatrix(mat.NewDense(21, 2, normals(rng, 42))).Center().Moment(3).Decompose(3))
		var largest float64
		for _, v := range f.Model.Lambda {
			largest = math.Max(largest, math.Abs(v))
		}
		// Three components fit any cubic form of two variables, and need not be larger than it
		// by much.
		if f.RelativeError < 0 || f.RelativeError > 1e-10 || largest > 1e3*math.Sqrt(f.NormSquared.Value) {
			t.Errorf("seed %d: relative error %g, lambda %g", seed, f.RelativeError, f.Model.Lambda)
		}
	}
}

// A rank that fits worse than a lower one is reported.
func TestSweepWorse(t *testing.T) {
	m := mixture(t, 60, 3, .1)
	s := m.Session.Moment(3).Implicit().With(Options{Starts: 1, MaxIterations: 1, Solver: SolverLBFGS}).Sweep(1, 4)
	lowest, at := math.Inf(1), 0
	for _, r := range s.Fits {
		want := r.ObjectiveShifted > lowest+1e-3*math.Abs(lowest)
		warned := strings.Contains(joined(r.Warnings, "\n"), "fits worse than rank")
		t.Logf("rank %d: f = %g, warned %v", r.Rank, r.ObjectiveShifted, warned)
		if want && !warned || warned && r.ObjectiveShifted <= lowest {
			t.Errorf("rank %d: f = %g after %g of rank %d, warned %v", r.Rank, r.ObjectiveShifted, lowest, at, warned)
		}
		if r.ObjectiveShifted < lowest {
			lowest, at = r.ObjectiveShifted, r.Rank
		}
	}
}
