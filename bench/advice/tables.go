package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

//go:embed testdata/iris.csv
var iris string

// everything is all advice that is followed; files are written into folder.
func everything(folder string) []advice {
	return slices.Concat(ofMoments(), ofSearches(), ofMixtures(folder), ofSources(), ofTopics(), ofTables(folder))
}

// drawn draws p observations of n variables.
func drawn(p, n int, seed uint64, value func(rng *rand.Rand, i, j int) float64) *symmom.Session {
	rng := rand.New(rand.NewPCG(seed, 52))
	x := mat.NewDense(p, n, nil)
	for i := range p {
		for j := range n {
			x.Set(i, j, value(rng, i, j))
		}
	}
	return symmom.FromMatrix(x)
}

// groups draws normal observations about r centers at random, with a standard deviation of 1,
// from a center at offset.
func groups(p, n, r int, apart, offset float64, seed uint64) (*symmom.Session, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 520))
	means := mat.NewDense(n, r, nil)
	means.Apply(func(_, _ int, _ float64) float64 { return offset + apart*rng.NormFloat64() }, means)
	return drawn(p, n, seed, func(rng *rand.Rand, i, j int) float64 { return means.At(j, i%r) + rng.NormFloat64() }), means
}

// factors draws observations that r skewed factors make, about a mean at offset, and returns
// what the factors add to each variable.
func factors(p, n, r int, offset float64, seed uint64) (*symmom.Session, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 521))
	mixing, x := mat.NewDense(n, r, nil), mat.NewDense(p, n, nil)
	mixing.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, mixing)
	x.Mul(drawn(p, r, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() - 1 }).Matrix(), mixing.T())
	x.Apply(func(_, _ int, v float64) float64 { return v + offset + .1*rng.NormFloat64() }, x)
	return symmom.FromMatrix(x), mixing
}

func readIris() *symmom.Session { return symmom.Read(strings.NewReader(iris), "csv") }

// real is a table of measurements, or drawn observations that vary with heavy tails about 0.
func real(seed uint64) (name string, s *symmom.Session) {
	switch seed {
	case 1:
		return "iris", readIris()
	case 2:
		digits := datasets.Digits()
		return "digits", digits.Select("20-23", "28-31")
	}
	return fmt.Sprintf("skewed, seed %d", seed), drawn(150, 4, seed, func(rng *rand.Rand, i, j int) float64 {
		return rng.ExpFloat64() + float64(i%2*(j%2)) // two groups
	})
}

func seeded(what string, seed uint64) string { return fmt.Sprintf("%s, seed %d", what, seed) }

// fitted is the result of a fit with a figure.
func fitted(f *symmom.Fit, figure func(f *symmom.Fit) float64) result {
	r := result{warnings: f.Warnings, err: f.Err()}
	if r.err == nil {
		r.figure = figure(f)
	}
	return r
}

func relativeError(f *symmom.Fit) float64 { return f.RelativeError }
func explained(f *symmom.Fit) float64     { return 1 - f.RelativeError }
func objective(f *symmom.Fit) float64     { return f.ObjectiveShifted }

// scored is the score of a fit beside the truth.
func scored(truth mat.Matrix) func(f *symmom.Fit) float64 {
	return func(f *symmom.Fit) float64 { return f.Score(truth).Value }
}

// lower decomposes with lower ranks until there is no warning of the code.
func lower(m *symmom.Moment, r int, code string) result {
	for {
		f := fitted(m.Decompose(r), explained)
		if r == 1 || f.err != nil || !slices.ContainsFunc(f.warnings, func(w symmom.Warning) bool { return string(w.Code) == code }) {
			return f
		}
		r--
	}
}

// ofMoments is advice about a moment and its rank.
func ofMoments() []advice {
	fewer := func(phrase string, at func(seed uint64) (string, *symmom.Moment, int)) advice {
		return advice{diag.Degenerate, "rank", phrase, "take a lower rank, until the doubt is gone", "1 - relative error", 1, .25, 0, func(seed uint64) table {
			name, m, r := at(seed)
			return table{fmt.Sprintf("%s, rank %d", name, r),
				func() result { return fitted(m.Decompose(r), explained) },
				func() result { return lower(m, r-1, diag.Degenerate) }}
		}}
	}
	return []advice{
		{diag.SecondOrder, "order", "", "take order 3", "score beside the centers", 1, 0, 0, func(seed uint64) table {
			s, means := groups(4000, 6, 3, 2, 0, seed)
			run := func(d int) func() result {
				return func() result { return fitted(s.Moment(d).Decompose(3), scored(means)) }
			}
			return table{seeded("three groups", seed), run(2), run(3)}
		}},
		{diag.Offset, "Center", "point to it", "center", "score beside the factors", 1, 0, 0, func(seed uint64) table {
			s, mixing := factors(2000, 6, 3, 30, seed)
			run := func(s *symmom.Session) func() result {
				return func() result { return fitted(s.Moment(3).Decompose(3), scored(mixing)) }
			}
			return table{seeded("three factors far from 0", seed), run(s), run(s.Center())}
		}},
		{diag.Offset, "Center", "eigenvalues below", "center", "eigenvalues that stand out", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(600, 520, 3, 2, 1e5*float64(seed), seed)
			return table{seeded("three groups very far from 0", seed), summary(s), summary(s.Center())}
		}},
		{diag.NoNoise, "order", "take order 4", "take order 4", "score beside the centers", 1, .02, 0, func(seed uint64) table {
			s, means := groups(20000, 5, 3, 3, 0, seed)
			truth := mat.DenseCopyOf(means)
			truth.Apply(func(i, _ int, v float64) float64 { return v - mat.Sum(means.RowView(i))/3 }, truth)
			run := func(d int) func() result {
				return func() result {
					return fitted(s.Center().Moment(d).Debias(symmom.Noise{Sigma: 1}).Decompose(3), scored(truth))
				}
			}
			return table{seeded("three groups, centered", seed), run(3), run(4)}
		}},
		{diag.NoNoise, "order", "do not center", "do not center", "score beside the centers", 0, 0, 0, func(seed uint64) table {
			s, means := groups(20000, 5, 3, 3, 0, seed)
			run := func(s *symmom.Session) func() result {
				return func() result {
					return fitted(s.Moment(3).Debias(symmom.Noise{Sigma: 1}).Decompose(3), scored(means))
				}
			}
			return table{seeded("three groups, centered", seed), run(s.Center()), run(s)}
		}},
		{diag.MoreNoise, "Debias", "", "give sigma in the units of the standardized data", "score beside the centers", 1, 0, 0, func(seed uint64) table {
			s, means := groups(20000, 5, 3, 4, 0, seed)
			z := s.Standardize()
			v := s.Summary().Variables
			truth := mat.DenseCopyOf(means)
			truth.Apply(func(i, _ int, x float64) float64 { return (x - v[i].Mean) / v[i].Std }, truth)
			variances := make([]float64, 5)
			for i := range variances {
				variances[i] = 1 / (v[i].Std * v[i].Std)
			}
			run := func(noise symmom.Noise) func() result {
				return func() result { return fitted(z.Moment(4).Debias(noise).Decompose(3), scored(truth)) }
			}
			return table{seeded("three groups, standardized", seed), run(symmom.Noise{Sigma: 4}), run(symmom.Noise{Variances: variances})}
		}},
		{diag.OtherNoise, "Debias", "estimated for each rank", "give its sigma", "last relative error", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(2000, 6, 3, 3, 0, seed)
			run := func(noise symmom.Noise) func() result {
				return func() result {
					all := s.Moment(3).Debias(noise).Sweep(2, 3)
					if all.Err() != nil {
						return result{err: all.Err()}
					}
					return result{warnings: all.Warnings, figure: all.Fits[1].RelativeError}
				}
			}
			return table{seeded("three groups", seed), run(symmom.Noise{}), run(symmom.Noise{Sigma: 1})}
		}},
		{diag.OtherNoise, "Debias", "it was compared with", "take out the model's noise", "relative error less the fit's", -1, 0, 0, func(seed uint64) table {
			s, _ := groups(2000, 6, 3, 3, 0, seed)
			f := s.Moment(3).Debias(symmom.Noise{Sigma: 1}).Decompose(3)
			run := func(sigma float64) func() result {
				return func() result {
					e := s.Moment(3).Debias(symmom.Noise{Sigma: sigma}).Evaluate(f.Model)
					return result{e.Warnings, math.Abs(e.RelativeError - f.RelativeError), e.Err()}
				}
			}
			return table{seeded("three groups", seed), run(.5), run(1)}
		}},
		fewer("cancel each other", func(seed uint64) (string, *symmom.Moment, int) {
			name, s := real(1 + seed/3)
			return name + ", centered", s.Center().Moment(3), 3 + int(seed%3)
		}),
		fewer("fits as well", func(seed uint64) (string, *symmom.Moment, int) {
			s := drawn(200, 3, seed, func(rng *rand.Rand, _, j int) float64 {
				if v := .3 * rng.NormFloat64(); j > 0 {
					return v - 1
				} else {
					return math.Abs(v) + 1
				}
			})
			return seeded("negative except for a column, non-negative", seed), s.Moment(3).With(symmom.Options{Nonnegative: true}), 2 + int(seed%2)
		}),
		fewer("linearly dependent", func(seed uint64) (string, *symmom.Moment, int) {
			return seeded("normal", seed), drawn(60, 2, seed, func(rng *rand.Rand, _, _ int) float64 { return 1 + rng.NormFloat64() }).Moment(3), 5
		}),
		fewer("are the same", func(seed uint64) (string, *symmom.Moment, int) {
			_, means := groups(4, 4, 1, 1, 0, seed)
			return seeded("a point", seed), drawn(20, 4, seed, func(_ *rand.Rand, _, j int) float64 { return means.At(j, 0) }).Moment(3), 2 + int(seed%2)
		}),
		{diag.Rounding, "rank", "cancel so far", "evaluate a fit of rank 1", "1 - relative error", 1, 0, 0, func(seed uint64) table {
			m := drawn(30, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return 1e-12 * rng.ExpFloat64() }).Moment(3)
			rng := rand.New(rand.NewPCG(seed, 56))
			a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			canceling, err := symmom.NewModel(3, []float64{.7, .7}, mat.NewDense(3, 2, []float64{a, -a, b, -b, c, -c * (1 + 1e-11)}))
			run := func(model *symmom.Model) func() result {
				return func() result {
					e := m.Evaluate(model)
					return result{e.Warnings, 1 - e.RelativeError, cmp.Or(err, e.Err())}
				}
			}
			return table{seeded("a model of two large components", seed), run(canceling), run(m.Decompose(1).Model)}
		}},
		{diag.Scales, "Standardize", "dominates every moment", "standardize", "score beside the factors", 1, 0, 0, func(seed uint64) table {
			s, mixing := factors(2000, 5, 3, 1, seed)
			v := s.Summary().Variables
			x, truth := s.Matrix().Dense, mat.DenseCopyOf(mixing)
			x.Apply(func(_, j int, v float64) float64 { return v * math.Pow(1e3, float64(j)) }, x)
			truth.Apply(func(i, _ int, x float64) float64 { return x / v[i].Std }, truth)
			large := symmom.FromMatrix(x)
			run := func(s *symmom.Session, unit func(i int) float64) func() result { // compared in standard deviations
				return func() result {
					r := fitted(s.Moment(3).Decompose(3), func(f *symmom.Fit) float64 {
						a := f.Model.Factors.Dense
						a.Apply(func(i, _ int, x float64) float64 { return x / unit(i) }, a)
						model, err := symmom.NewModel(3, f.Model.Lambda, a)
						if err != nil {
							return math.NaN()
						}
						return model.Score(truth).Value
					})
					r.warnings = s.Warnings()
					return r
				}
			}
			return table{seeded("three factors in five units", seed),
				run(large, func(i int) float64 { return v[i].Std * math.Pow(1e3, float64(i)) }), run(large.Standardize(), func(int) float64 { return 1 })}
		}},
		{diag.Scales, "Standardize", "would have as many eigenvalues", "standardize", "eigenvalues that stand out", 0, 0, 0, func(seed uint64) table {
			s := drawn(2000, 6, seed, func(rng *rand.Rand, _, j int) float64 { return rng.NormFloat64() * float64(1+20*(j/4)) })
			return table{seeded("unrelated columns", seed), summary(s), summary(s.Standardize())}
		}},
		{diag.Zeros, "Sparse", "", "Sparse", "share of values that are stored", -1, 0, 0, func(seed uint64) table {
			s := drawn(300, 300, seed, func(rng *rand.Rand, i, j int) float64 {
				if rng.IntN(100) > 1 {
					return 0
				}
				return rng.ExpFloat64()
			})
			run := func(s *symmom.Session, stored float64) func() result {
				return func() result { r := summary(s)(); r.figure = stored; return r }
			}
			return table{seeded("counts of words", seed), run(s, 1), run(s.Sparse(), s.Sparse().Density())}
		}},
		{diag.OutOfRange, "Scale", "leave Scale", "leave Scale at auto", "relative error", 0, 0, 0, func(seed uint64) table {
			s := drawn(60, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return 1e60 * (1 + rng.ExpFloat64()) })
			if seed%2 == 0 {
				s = drawn(60, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return 1e-60 * (1 + rng.ExpFloat64()) })
			}
			run := func(scale string) func() result {
				return func() result {
					return fitted(s.Moment(3).With(symmom.Options{Scale: scale}).Decompose(1), relativeError)
				}
			}
			return table{seeded("out of range", seed), run(symmom.ScaleNone), run("")}
		}},
		{diag.OutOfRange, "", "the data by a constant", "divide or multiply the data by a constant", "relative error", -1, 1e-9, 0, func(seed uint64) table {
			unit := []float64{1e60, 1e-60}[seed%2]
			s := drawn(60, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return unit * (1 + rng.ExpFloat64()) })
			x := s.Matrix().Dense
			x.Scale(1/unit, x)
			run := func(s *symmom.Session) func() result {
				return func() result { return fitted(s.Moment(3).Decompose(1), relativeError) }
			}
			return table{seeded("out of range", seed), run(s), run(symmom.FromMatrix(x))}
		}},
		{diag.Variables, "Columns", "", "choose the model's columns", "relative error less the fit's", -1, 0, 0, func(seed uint64) table {
			s, _ := groups(500, 6, 2, 3, 0, seed)
			f := s.Select("1-3").Moment(3).Decompose(2)
			run := func(columns string) func() result {
				return func() result {
					e := s.Select(columns).Moment(3).Evaluate(f.Model)
					return result{e.Warnings, math.Abs(e.RelativeError - f.RelativeError), e.Err()}
				}
			}
			return table{seeded("other columns", seed), run("4-6"), run("1-3")}
		}},
	}
}

func summary(s *symmom.Session) func() result {
	return func() result {
		r := s.Summary()
		return result{r.Warnings, float64(r.Stand), cmp.Or(s.Err(), r.Err())}
	}
}
