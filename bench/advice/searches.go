package main

import (
	"math"
	"math/rand/v2"

	"symmom/datasets"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

// flat is a table whose moments of high order are 0 along nearly all directions.
func flat(seed uint64) *symmom.Session {
	return datasets.GaussianMixture(datasets.MixtureOptions{N: 60, Components: 3, Observations: 300, Sigma: .1, Congruence: .5, Seed: seed}).Session
}

// ofSearches is advice about starts, forms and solvers.
func ofSearches() []advice {
	heavy := func(p, n int, seed uint64) *symmom.Session {
		return drawn(p, n, seed, func(rng *rand.Rand, _, _ int) float64 { return math.Pow(rng.ExpFloat64(), 2) })
	}
	moment := func(seed uint64) (string, *symmom.Moment, int) {
		return seeded("exponential", seed), drawn(80, 8, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() - 1 }).Moment(3), 6 + int(seed%3)
	}
	with := func(m *symmom.Moment, r int, o symmom.Options) func() result {
		return func() result { return fitted(m.With(o).Decompose(r), objective) }
	}
	const again = 1e-3 // fits that count as the same
	sampled := func(seed uint64, p int) *symmom.Moment { return heavy(p, 5, seed).Moment(3) }
	return []advice{
		{diag.FewStarts, "Starts", "found this fit", "ten times the starts", "f", -1, 0, again, func(seed uint64) table {
			name, m, r := moment(seed)
			return table{name, with(m, r, symmom.Options{Starts: 4}), with(m, r, symmom.Options{Starts: 40})}
		}},
		{diag.FewStarts, "Seed", "found this fit", "the better of this and seed 2", "f", -1, 0, again, func(seed uint64) table {
			// More components than variables: the search of its own accord finds others again.
			m := drawn(80, 10, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() - 1 }).Moment(3)
			one, two := with(m, 12, symmom.Options{}), with(m, 12, symmom.Options{Seed: 2})
			return table{seeded("exponential, rank 12", seed), one, func() result {
				a, b := one(), two()
				if b.err != nil || b.figure > a.figure+again*math.Abs(a.figure) {
					return a
				}
				return b
			}}
		}},
		{diag.FewStarts, "Starts", "fits worse than", "ten times the starts", "f of the higher rank", -1, 0, 0, func(seed uint64) table {
			s := drawn(60, 6, seed, func(rng *rand.Rand, _, _ int) float64 { return math.Pow(rng.NormFloat64(), 3) })
			run := func(starts int) func() result {
				return func() result {
					all := s.Moment(3).With(symmom.Options{Starts: starts}).Sweep(3, 6)
					if all.Err() != nil {
						return result{err: all.Err()}
					}
					return result{warnings: all.Warnings, figure: all.Fits[3].RelativeError}
				}
			}
			return table{seeded("heavy tails", seed), run(1), run(10)}
		}},
		{diag.Samples, "Compressed", "", "the compressed form", "f", -1, 0, again, func(seed uint64) table {
			m := sampled(seed, 20000)
			return table{seeded("heavy tails", seed), with(m.Sampled(200), 2, symmom.Options{}), with(m.Compressed(0), 2, symmom.Options{})}
		}},
		{diag.Samples, "Implicit", "", "the implicit form", "f", -1, 0, again, func(seed uint64) table {
			m := sampled(seed, 20000)
			return table{seeded("heavy tails", seed), with(m.Sampled(200), 2, symmom.Options{}), with(m.Implicit(), 2, symmom.Options{})}
		}},
		{diag.FewStarts, "InitialModel", "", "continue in the implicit form", "f", -1, 0, again, func(seed uint64) table {
			m := sampled(seed, 6000)
			f := m.Sampled(100).Decompose(4)
			return table{seeded("heavy tails", seed), func() result { return fitted(f, objective) }, with(m.Implicit(), 4, symmom.Options{InitialModel: f.Model})}
		}},
		{diag.NotConverged, "InitialModel", "", "continue in the implicit form", "f", -1, 0, again, func(seed uint64) table {
			s, _ := groups(6000, 5, 3, 3, 0, seed)
			f := s.Moment(3).Sampled(20).With(symmom.Options{MaxIterations: 100}).Decompose(3)
			return table{seeded("three groups", seed), func() result { return fitted(f, objective) }, with(s.Moment(3).Implicit(), 3, symmom.Options{InitialModel: f.Model})}
		}},
		{diag.NotConverged, "MaxIterations", "max iterations", "100 times the iterations", "f", -1, 0, again, func(seed uint64) table {
			name, m, r := moment(seed)
			return table{name, with(m, r, symmom.Options{MaxIterations: 5}), with(m, r, symmom.Options{MaxIterations: 500})}
		}},
		{diag.NotConverged, "MaxEvaluations", "max evaluations", "100 times the evaluations", "f", -1, 0, again, func(seed uint64) table {
			name, m, r := moment(seed)
			return table{name, with(m, r, symmom.Options{MaxEvaluations: 8}), with(m, r, symmom.Options{MaxEvaluations: 800})}
		}},
		{diag.NotConverged, "RelativeDecrease", "stalled", "the default", "f", -1, 0, again, func(seed uint64) table {
			name, m, r := moment(seed)
			return table{name, with(m, r, symmom.Options{RelativeDecrease: .1}), with(m, r, symmom.Options{})}
		}},
		{diag.NotConverged, "Solver", "gaussnewton", "Gauss-Newton", "f", -1, 0, again, func(seed uint64) table {
			m := drawn(200, 6, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() }).Center().Moment(3)
			return table{seeded("normal, centered, rank 5", seed), with(m, 5, symmom.Options{Solver: symmom.SolverLBFGS}), with(m, 5, symmom.Options{})}
		}},
		{diag.NotConverged, "Starts", "stalled", "ten times the starts", "f", -1, 0, again, func(seed uint64) table {
			m := drawn(200, 6, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() }).Center().Moment(3)
			return table{seeded("normal, centered, rank 5", seed), with(m, 5, symmom.Options{Starts: 4}), with(m, 5, symmom.Options{Starts: 40})}
		}},
		{diag.NotConverged, "Nonnegative", "where the moment is negative", "allow negative entries", "f", -1, 0, 0, func(seed uint64) table {
			m := drawn(100, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return -rng.ExpFloat64() }).Moment(3)
			return table{seeded("negative", seed), with(m, 2, symmom.Options{Nonnegative: true}), with(m, 2, symmom.Options{})}
		}},
		{diag.NotConverged, "Starts", "elsewhere try more starts", "ten times the starts", "f", -1, 0, 0, func(seed uint64) table {
			m := drawn(30, 4, seed, func(rng *rand.Rand, _, _ int) float64 { return math.Pow(rng.NormFloat64(), 3) }).Center().Moment(3)
			return table{seeded("heavy tails", seed), with(m, 1, symmom.Options{Nonnegative: true, Starts: 1}), with(m, 1, symmom.Options{Nonnegative: true, Starts: 10})}
		}},
		{diag.NotConverged, "order", "f is flat", "order 3", "f", 0, 0, 0, func(seed uint64) table {
			m, o := flat(seed), symmom.Options{Starts: 2, Init: symmom.InitGaussian}
			return table{seeded("three groups, order 31", seed), with(m.Moment(31).Implicit(), 1, o), with(m.Moment(3).Implicit(), 1, o)}
		}},
		// Ways out that errors name.
		{"", "Debias", "rounding of the removed noise", "give sigma in the data's units", "relative error", 0, 0, 0, func(seed uint64) table {
			s, _ := factors(200, 4, 2, 5, seed)
			run := func(sigma float64) func() result {
				return func() result {
					return fitted(s.Center().Moment(3).Debias(symmom.Noise{Sigma: sigma}).Decompose(2), relativeError)
				}
			}
			return table{seeded("two factors", seed), run(1e7), run(.1)}
		}},
		{"", "Scale", "leave Scale", "leave Scale at auto", "relative error", 0, 0, 0, func(seed uint64) table {
			s := drawn(60, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return 1e120 * (1 + rng.ExpFloat64()) })
			run := func(scale string) func() result {
				return func() result {
					return fitted(s.Moment(3).With(symmom.Options{Scale: scale}).Decompose(1), relativeError)
				}
			}
			return table{seeded("out of range", seed), run(symmom.ScaleNone), run("")}
		}},
		{"", "rank", "take a lower rank", "take a lower rank", "relative error", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(200, 5, 2, 3, 0, seed)
			run := func(r int) func() result {
				return func() result {
					return fitted(s.Moment(3).With(symmom.Options{MemoryLimit: 1 << 28}).Decompose(r), relativeError)
				}
			}
			return table{seeded("two groups", seed), run(100_000), run(3)}
		}},
	}
}
