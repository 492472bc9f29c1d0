package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

// mixed fits a mixture; its figure is the log-likelihood of one observation.
func mixed(s *symmom.Session, r int, o symmom.MixtureOptions) func() result {
	return func() result {
		f := s.Mixture(r, o)
		return result{f.Warnings, f.LogLikelihood / float64(max(1, s.Observations())), f.Err()}
	}
}

// skewed draws two components of exponential variables; the last of them is an exponential one and by times the first.
func skewed(seed uint64, by float64) *symmom.Session {
	last, turned := 0., 1.
	return drawn(2000, 6+1, seed, func(rng *rand.Rand, i, j int) float64 {
		x := rng.ExpFloat64()
		switch j {
		case 0:
			last, turned = x, float64(2*(i%2)-1)
		case 6:
			x += by * last
		}
		return turned * (x + 1)
	})
}

// ofMixtures is advice about mixtures.
func ofMixtures(folder string) []advice {
	type options = symmom.MixtureOptions
	const figure = "log-likelihood of an observation"
	twice := func(s *symmom.Session, scale float64) *symmom.Session { // a column that follows from others
		x := s.Matrix().Dense
		p, n := x.Dims()
		var wider mat.Dense
		wider.Augment(x, mat.NewDense(p, 1, nil))
		for i := range p {
			wider.Set(i, n, scale*(x.At(i, 0)+x.At(i, 1)))
		}
		return symmom.FromMatrix(&wider)
	}
	few := func(seed uint64) *symmom.Session {
		s, _ := groups(60, 3, 2, 3, 0, seed)
		x := s.Matrix().Dense
		x.Set(0, 0, 1e3)
		return symmom.FromMatrix(x)
	}
	classes := func(seed uint64, o symmom.LoadOptions) func() result {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		b.WriteString("width,height,target\n")
		for i := range 300 {
			c := i % 3
			fmt.Fprintf(&b, "%.3f,%.3f,%d\n", 5*float64(c)+rng.NormFloat64(), 3*float64(c%2)+rng.NormFloat64(), c)
		}
		return mixed(symmom.Read(strings.NewReader(b.String()), "csv", o), 3, options{Covariance: "full"})
	}
	zeros := func(seed uint64) *symmom.Session {
		return drawn(200, 2, seed, func(rng *rand.Rand, i, j int) float64 {
			switch {
			case j == 1: // no outliers
				return math.Round(400*rng.Float64()) / 100
			case i%2 == 0:
				return math.Round(100*rng.NormFloat64()) / 100
			}
			return 0
		})
	}
	little := func(seed uint64) *symmom.Session { s, _ := groups(36, 4, 2, .7, 0, seed); return s }
	return []advice{
		{diag.IndexColumn, "Labels", "codes of groups", "take it for the labels", "", 0, 0, 0, func(seed uint64) table {
			return table{seeded("three classes and their codes", seed), classes(seed, symmom.LoadOptions{}), classes(seed, symmom.LoadOptions{Labels: "target"})}
		}},
		{diag.IndexColumn, "Columns", "codes of groups", "choose the other columns", "", 0, 0, 0, func(seed uint64) table {
			return table{seeded("three classes and their codes", seed), classes(seed, symmom.LoadOptions{}), classes(seed, symmom.LoadOptions{Columns: []string{"width", "height"}})}
		}},
		{diag.LeastVariance, "Standardize", "", "standardize", "", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(300, 3, 2, 4, 0, seed)
			x := s.Matrix().Dense
			x.Apply(func(_, j int, v float64) float64 { return v * math.Pow(1e-4, float64(j)) }, x)
			s = symmom.FromMatrix(x)
			o := options{Covariance: "full"}
			return table{seeded("two groups in three units", seed), mixed(s, 2, o), mixed(s.Standardize(), 2, o)}
		}},
		{diag.LeastVariance, "Columns", "", "leave out a column that follows from others", "", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(300, 3, 2, 4, 0, seed)
			o := options{Covariance: "full"}
			return table{seeded("a sum of columns", seed), mixed(twice(s, 1), 2, o), mixed(s, 2, o)}
		}},
		{diag.LeastVariance, "Standardize", "fewer components", "take fewer components", "", 0, 0, 0, func(seed uint64) table {
			s := drawn(60, 2, seed, func(rng *rand.Rand, i, _ int) float64 { return rng.NormFloat64() })
			x := s.Matrix().Dense
			for i := range 12 {
				x.SetRow(i, []float64{1, 1})
			}
			s = symmom.FromMatrix(x)
			return table{seeded("twelve equal observations", seed), mixed(s, 2, options{Covariance: "full"}), mixed(s, 1, options{Covariance: "full"})}
		}},
		{diag.LeastVariance, "RegCovar", "tied values", "the bound that is named", "", 0, 0, 0, func(seed uint64) table {
			s := zeros(seed)
			return table{seeded("0 in half of the rows", seed), mixed(s, 2, options{Covariance: "diag"}), mixed(s, 2, options{Covariance: "diag", RegCovar: .2})}
		}},
		{diag.LeastVariance, "Columns", "tied values", "leave out that variable", "", 0, 0, 0, func(seed uint64) table {
			s := zeros(seed)
			return table{seeded("0 in half of the rows", seed), mixed(s, 2, options{Covariance: "diag"}), mixed(symmom.FromMatrix(s.Matrix().Dense.Slice(0, 200, 1, 2)), 2, options{Covariance: "diag"})}
		}},
		{diag.FewMembers, "components", "", "take fewer components", "", 0, 0, 0, func(seed uint64) table {
			s := few(seed)
			return table{seeded("an outlier", seed), mixed(s, 2, options{}), mixed(s, 1, options{})}
		}},
		{diag.FewMembers, "Covariance", "", "a tied covariance", "", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(60, 5, 2, 3, 0, seed)
			x := s.Matrix().Dense
			for i := range 4 { // far from the others
				for j := range 5 {
					x.Set(i, j, x.At(i, j)+100)
				}
			}
			s = symmom.FromMatrix(x)
			return table{seeded("four observations apart", seed), mixed(s, 2, options{Covariance: "full"}), mixed(s, 2, options{Covariance: "tied"})}
		}},
		{diag.SetAside, "components", "", "fewer components, until the doubt is gone", "", 0, 0, 0, func(seed uint64) table {
			s, _ := groups(60, 3, 2, 3, 0, seed)
			run := func(r int) result { return mixed(s, r, options{Covariance: "diag"})() }
			return table{seeded("two groups, 6 components", seed), func() result { return run(6) }, func() result {
				r := 5
				for ; r > 1; r-- {
					if !slices.ContainsFunc(run(r).warnings, func(w symmom.Warning) bool { return string(w.Code) == diag.SetAside }) {
						break
					}
				}
				return run(r)
			}}
		}},
		{diag.FewStarts, "Starts", "this mixture", "ten times the starts", figure, 1, 0, 1e-4, func(seed uint64) table {
			s := drawn(200, 4, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() })
			return table{seeded("exponential", seed), mixed(s, 6, options{Starts: 4}), mixed(s, 6, options{Starts: 40})}
		}},
		{diag.FewData, "Starts", "", "ten times the starts", figure, 1, 0, 1e-4, func(seed uint64) table {
			s := little(seed)
			o := options{Covariance: "full"}
			more := o
			more.Starts = 100
			return table{seeded("few observations", seed), mixed(s, 2, o), mixed(s, 2, more)}
		}},
		{diag.FewData, "Covariance", "", "a spherical covariance", "", 0, 0, 0, func(seed uint64) table {
			s := little(seed)
			return table{seeded("few observations", seed), mixed(s, 2, options{Covariance: "full"}), mixed(s, 2, options{})}
		}},
		{diag.Covariance, "Covariance", "", "the covariance that it names", "BIC", -1, 0, 0, func(seed uint64) table {
			s, _ := groups(600, 3, 3, 4, 0, seed)
			x := s.Matrix().Dense
			for i := range 600 { // two columns that go together
				x.Set(i, 1, x.At(i, 1)+2*x.At(i, 0))
			}
			s = symmom.FromMatrix(x)
			of := func(kind string) func() result {
				return func() result {
					f := s.Mixture(3, options{Covariance: kind})
					return result{f.Warnings, f.BIC, f.Err()}
				}
			}
			return table{seeded("oblong groups", seed), of("spherical"), of("tied")}
		}},
		{diag.Dependent, "Columns", "", "leaving out one of the two", "", 0, 0, 0, func(seed uint64) table {
			s := skewed(seed, 2)
			return table{seeded("two that go together", seed), mixed(s, 2, options{Nonparametric: true}), mixed(s.Select("2-7"), 2, options{Nonparametric: true})}
		}},
		{diag.Dependent, "Covariance", "", "a Gaussian mixture with full covariances", figure, 1, 0, 0, func(seed uint64) table {
			s := skewed(seed, 20)
			return table{seeded("two that go together", seed), mixed(s, 2, options{Nonparametric: true}), mixed(s, 2, options{Covariance: "full"})}
		}},
		{diag.Overlap, "components", "", "one component", "", 0, 0, 0, func(seed uint64) table {
			s := drawn(1000, 6, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() })
			return table{seeded("no components", seed), mixed(s, 2, options{Nonparametric: true}), mixed(s, 1, options{Nonparametric: true})}
		}},
		{diag.FewStarts, "components", "of the moments", "two components", "", 0, 0, 0, func(seed uint64) table {
			s := skewed(seed, 0)
			return table{seeded("two components", seed), mixed(s, 5, options{Nonparametric: true}), mixed(s, 2, options{Nonparametric: true})}
		}},
		{diag.NotConverged, "MaxIterations", "EM ended", "100 times the iterations", figure, 1, 0, 0, func(seed uint64) table {
			s, _ := groups(300, 3, 3, 1, 0, seed)
			return table{seeded("three groups", seed), mixed(s, 3, options{MaxIterations: 5}), mixed(s, 3, options{MaxIterations: 500})}
		}},
		{diag.NotConverged, "Converge", "EM ended", "Converge", figure, 1, 0, 0, func(seed uint64) table {
			s, _ := groups(3000, 3, 3, 1, 0, seed)
			path := filepath.Join(folder, "stream.npy")
			run := func(o options) func() result {
				return func() result {
					if err := symmom.SaveMatrix(path, s.Matrix()); err != nil {
						return result{err: err}
					}
					return mixed(symmom.Stream(path), 3, o)()
				}
			}
			return table{seeded("three groups on disk", seed), run(options{}), run(options{Converge: true})}
		}},
	}
}

// ofSources is advice about independent components.
func ofSources() []advice {
	mixing := mat.NewDense(3, 3, []float64{1, .5, -.3, .4, 1, .6, -.7, .2, 1})
	sources := func(p int, seed uint64) *symmom.Session {
		var x mat.Dense
		x.Mul(drawn(p, 3, seed, func(rng *rand.Rand, _, _ int) float64 { return rng.Float64() - .5 }).Matrix(), mixing.T())
		return symmom.FromMatrix(&x)
	}
	separated := func(s *symmom.Session, o symmom.ICAOptions) func() result {
		return func() result {
			c := s.ICA(3, o)
			if c.Err() != nil {
				return result{err: c.Err()}
			}
			var both mat.Dense
			figure := math.NaN()
			if c.N == 3 {
				both.Mul(c.Unmixing, mixing)
				figure = ktensor.Amari(both.RawMatrix().Data, 3)
			}
			return result{c.Warnings, figure, nil}
		}
	}
	const figure = "Amari distance to the mixing"
	return []advice{
		{diag.NotConverged, "MaxIterations", "still moved", "the default", figure, -1, 1e-3, 0, func(seed uint64) table {
			s := sources(2000, seed)
			return table{seeded("three uniform sources", seed), separated(s, symmom.ICAOptions{MaxIterations: 1}), separated(s, symmom.ICAOptions{})}
		}},
		{diag.NormalSources, "", "transpose", "transpose", "", 0, 0, 0, func(seed uint64) table {
			var x mat.Dense
			x.Augment(sources(2000, seed).Matrix(), sources(2000, seed+100).Matrix())
			s := symmom.FromMatrix(&x)
			return table{seeded("six signals in rows", seed), separated(symmom.FromMatrix(s.Matrix().T()), symmom.ICAOptions{}), separated(s, symmom.ICAOptions{})}
		}},
		{diag.FewOutliers, "", "look at the largest values", "leave out the largest", figure, -1, 0, 0, func(seed uint64) table {
			s := sources(2000, seed)
			x := s.Matrix().Dense
			x.Set(1000, int(seed%3), 1e3)
			s = symmom.FromMatrix(x)
			var rest mat.Dense
			rest.Stack(x.Slice(0, 1000, 0, 3), x.Slice(1001, 2000, 0, 3))
			return table{seeded("an outlier", seed), separated(s, symmom.ICAOptions{}), separated(symmom.FromMatrix(&rest), symmom.ICAOptions{})}
		}},
	}
}
