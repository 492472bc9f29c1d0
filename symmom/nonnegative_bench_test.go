package symmom

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// BenchmarkNonnegative has the kinds of tables of bench/SOLVERS.md on which Gauss-Newton steps
// within bounds are judged by L-BFGS-B: with -bench Nonnegative/n20- to Nonnegative/n20000-, and
// Nonnegative/.*lbfgs for the judge, which takes minutes. It reports evaluations of a start, the
// share of entries at 0 and the relative error beside the time.
func BenchmarkNonnegative(b *testing.B) {
	for _, c := range []struct {
		kind       string
		n, p, r, d int
	}{
		{"dense", 20, 200, 3, 3}, {"zeros", 20, 1000, 3, 4}, {"noise", 20, 300, 5, 3},
		{"zeros", 200, 100, 5, 3}, {"dense", 200, 2000, 5, 4}, {"signed", 200, 2000, 5, 4}, {"even", 200, 1000, 10, 3},
		{"zeros", 2000, 500, 10, 3}, {"signed", 2000, 4000, 5, 3}, {"groups", 2000, 1000, 5, 4},
		{"dense", 20000, 500, 5, 3}, {"zeros", 20000, 500, 10, 3}, {"signed", 20000, 500, 5, 3}, {"groups", 20000, 500, 5, 4}, {"even", 20000, 500, 10, 3},
	} {
		for _, solver := range []string{SolverGaussNewton, SolverLBFGS} {
			b.Run(fmt.Sprintf("n%d-p%d-r%d-d%d-%s/%s", c.n, c.p, c.r, c.d, c.kind, solver), func(b *testing.B) {
				m := FromMatrix(nonnegativeTable(c.kind, c.n, c.p, c.r)).Moment(c.d).With(Options{Nonnegative: true, Solver: solver, Threads: 1})
				for b.Loop() {
					f := m.Decompose(c.r)
					if f.Err() != nil {
						b.Fatal(f.Err())
					}
					zeros, entries := 0., f.Model.Factors.RawMatrix().Data
					for _, v := range entries {
						if v == 0 {
							zeros++
						}
					}
					b.ReportMetric(float64(f.Evaluations)/float64(len(f.Starts)), "evaluations/start")
					b.ReportMetric(zeros/float64(len(entries)), "zeros")
					b.ReportMetric(f.RelativeError, "error")
				}
			})
		}
	}
}

// nonnegativeTable draws p observations of n variables from r factors.
func nonnegativeTable(kind string, n, p, r int) *mat.Dense {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(p)))
	entry, weight, noise, groups := rng.ExpFloat64, rng.ExpFloat64, .5, kind == "groups"
	some := func(share float64) func() float64 {
		return func() float64 {
			if rng.Float64() < share {
				return rng.ExpFloat64()
			}
			return 0
		}
	}
	switch kind {
	case "zeros":
		entry = some(.3)
	case "groups":
		entry, noise = some(.5), .7
	case "signed":
		entry = rng.NormFloat64
	case "even":
		entry, weight, noise = rng.Float64, rng.Float64, .1
	case "noise":
		entry, noise = func() float64 { return 0 }, 1
	}
	w, h, x := mat.NewDense(p, r, nil), mat.NewDense(r, n, nil), mat.NewDense(p, n, nil)
	h.Apply(func(_, _ int, _ float64) float64 { return entry() }, h)
	for i := range p {
		for j := range r {
			if !groups {
				w.Set(i, j, weight())
			}
		}
		if groups {
			w.Set(i, rng.IntN(r), 1)
		}
	}
	x.Mul(w, h)
	x.Apply(func(_, _ int, v float64) float64 { return v + noise*rng.NormFloat64() }, x)
	if kind == "noise" {
		x.Apply(func(_, _ int, v float64) float64 { return v + .2 }, x)
	}
	return x
}
