package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// tiedKind is a kind of tables whose values occur more than once, of known classes.
type tiedKind struct {
	name       string
	p, n, r    int
	lo, hi     float64 // of the means
	least, add float64 // standard deviations: least, and up to add more
	one        bool    // the first class of every other table gives one answer in two variables
	tie        func(rng *rand.Rand, seed uint64, x *mat.Dense, of []int) (*mat.Dense, []int)
}

// tablesOfKind is how many tables of a kind are drawn.
const tablesOfKind = 10

var tiedKinds = []tiedKind{
	{"answers 1 to 5", 300, 6, 3, 1.3, 4.7, .5, .5, true, answers(5)},
	{"answers 1 to 7", 400, 8, 4, 1.5, 6.5, .7, .7, true, answers(7)},
	{"counts", 400, 5, 3, 0, 0, 0, 0, false, nil},
	{"rounded to tenths", 200, 4, 3, 3, 8, .25, .55, false, func(_ *rand.Rand, _ uint64, x *mat.Dense, of []int) (*mat.Dense, []int) {
		x.Apply(func(_, _ int, v float64) float64 { return math.Round(10*v) / 10 }, x)
		return x, of
	}},
	{"ties", 300, 5, 3, -2.5, 2.5, .5, .7, false, ties},
	{"duplicates", 250, 4, 3, -2.5, 2.5, .5, .7, false, duplicates},
}

// answers rounds to 1..most.
func answers(most float64) func(*rand.Rand, uint64, *mat.Dense, []int) (*mat.Dense, []int) {
	return func(_ *rand.Rand, _ uint64, x *mat.Dense, of []int) (*mat.Dense, []int) {
		x.Apply(func(_, _ int, v float64) float64 { return min(most, max(1, math.Round(v))) }, x)
		return x, of
	}
}

// ties gives many observations one value: of two variables the 15% that are below a limit of detection; 6%
// the mean, for missing values; or 30% a whole number.
func ties(rng *rand.Rand, seed uint64, x *mat.Dense, of []int) (*mat.Dense, []int) {
	p, n := x.Dims()
	for i := range n {
		column := mat.Col(nil, i, x)
		mean := mat.Sum(x.ColView(i)) / float64(p)
		slices.Sort(column)
		for l := range p {
			switch v := x.At(l, i); {
			case seed%3 == 0 && i < 2:
				x.Set(l, i, max(v, column[p*15/100]))
			case seed%3 == 1 && rng.Float64() < .06:
				x.Set(l, i, mean)
			case seed%3 == 2 && rng.Float64() < .3:
				x.Set(l, i, math.Round(v))
			}
		}
	}
	return x, of
}

// duplicates adds half as many rows again, drawn from those that there are; of every other table they are
// rounded to hundredths first.
func duplicates(rng *rand.Rand, seed uint64, x *mat.Dense, of []int) (*mat.Dense, []int) {
	p, n := x.Dims()
	if seed%2 == 1 {
		x.Apply(func(_, _ int, v float64) float64 { return math.Round(100*v) / 100 }, x)
	}
	more := mat.NewDense(p/2, n, nil)
	for l := range p / 2 {
		k := rng.IntN(p)
		more.SetRow(l, x.RawRowView(k))
		of = append(of, of[k])
	}
	var all mat.Dense
	all.Stack(x, more)
	return &all, of
}

// draw returns a table and the classes of its rows, which have shares of about 1 : .8 : .6 (: .5). Within a
// class variables are independent.
func (k tiedKind) draw(seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, uint64(len(k.name))<<8+uint64(k.p)))
	shares := []float64{1, .8, .6, .5}[:k.r]
	mean, sd := mat.NewDense(k.r, k.n, nil), mat.NewDense(k.r, k.n, nil)
	mean.Apply(func(_, _ int, _ float64) float64 { return k.lo + (k.hi-k.lo)*rng.Float64() }, mean)
	sd.Apply(func(_, _ int, _ float64) float64 { return k.least + k.add*rng.Float64() }, sd)
	for i := range 2 {
		if k.one && seed%2 == 0 {
			mean.Set(0, i, .7)
			sd.Set(0, i, .1)
		}
	}
	x, of := mat.NewDense(k.p, k.n, nil), make([]int, k.p)
	for l := range of {
		u := rng.Float64() * (sumOf(shares))
		for u -= shares[of[l]]; u > 0 && of[l] < k.r-1; u -= shares[of[l]] {
			of[l]++
		}
		for i := range k.n {
			x.Set(l, i, mean.At(of[l], i)+sd.At(of[l], i)*rng.NormFloat64())
		}
	}
	if k.tie != nil {
		return k.tie(rng, seed, x, of)
	}
	// Counts of rates from .5 to 15.
	mean.Apply(func(_, _ int, _ float64) float64 { return .5 * math.Pow(30, rng.Float64()) }, mean)
	x.Apply(func(l, i int, _ float64) float64 { return poisson(rng, mean.At(of[l], i)) }, x)
	return x, of
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// poisson draws a count: how many exponential times a rate leaves room for.
func poisson(rng *rand.Rand, rate float64) (k float64) {
	for left := rate - rng.ExpFloat64(); left > 0; left -= rng.ExpFloat64() {
		k++
	}
	return k
}

// tiedFit are adjusted Rand indices and log-likelihoods of one table: of symmom, of scikit-learn as it is
// by default and with ten starts.
type tiedFit struct {
	Index, LogLikelihood [3]float64
}

const (
	noWorseIndex = .05      // below the better of scikit-learn's two
	noWorseOf    = 57. / 60 // tables
)

func (b *bench) tiedFits(k tiedKind, seed uint64, covariance string) (f tiedFit, err error) {
	x, of := k.draw(seed)
	path := filepath.Join(b.dir, "ties.npy")
	if err := symmom.SaveMatrix(path, x); err != nil {
		return f, err
	}
	if err := b.peer.ask(request{"do": "load", "path": path, "labels": of}, nil); err != nil {
		return f, err
	}
	s := symmom.FromMatrix(x).WithContext(b.ctx)
	ours := s.Mixture(k.r, symmom.MixtureOptions{Covariance: covariance, Threads: 1})
	if ours.Err() != nil {
		return f, ours.Err()
	}
	p, _ := x.Dims()
	f.LogLikelihood[0] = ours.LogLikelihood / float64(p)
	labels, err := ours.Predict(s)
	if err != nil {
		return f, err
	}
	for i, inits := range []int{0, 1, 10} {
		if inits > 0 {
			var g struct {
				Labels        []int
				LogLikelihood float64
			}
			if err := b.peer.ask(request{"do": "default", "r": k.r, "covariance": covariance, "inits": inits}, &g); err != nil {
				return f, err
			}
			labels, f.LogLikelihood[i] = g.Labels, g.LogLikelihood
		}
		var a struct{ Index float64 }
		if err := b.peer.ask(request{"do": "rand", "labels": labels}, &a); err != nil {
			return f, err
		}
		f.Index[i] = a.Index
	}
	return f, nil
}

// gmmTies compares classes found in tables whose values occur more than once, where the likelihood of a mixture
// has no maximum without a bound.
func (b *bench) gmmTies() (*section, error) {
	s := &section{title: "Answers, counts, rounded values, ties, duplicates", header: []string{"tables", "covariance", "symmom", "GaussianMixture", "ten starts", "no worse", "likelihood prefers it", "other"}}
	s.note("adjusted Rand index with the classes that the tables were drawn from, means over %d tables of each kind; GaussianMixture with all options as they are by default (reg_covar 1e-6), and with n_init=10; mclust, which needs R, is not compared", tablesOfKind)
	s.note("no worse: tables with an index of at least that of the better of GaussianMixture's two, less %g; \"likelihood prefers it\": of the others, those where symmom's log-likelihood is the higher one; variables are independent within classes, so that tied, spherical and full covariances are not the true ones or have more parameters than needed", noWorseIndex)
	for _, k := range tiedKinds {
		text := fmt.Sprintf("%s: %d classes, %d rows, %d variables", k.name, k.r, k.p, k.n)
		if k.one {
			text += "; in every other table one class has nothing but the answer 1 to two of them"
		}
		s.note("%s", text)
	}
	for _, covariance := range []string{symmom.CovarianceDiagonal, symmom.CovarianceFull, symmom.CovarianceTied, symmom.CovarianceSpherical} {
		good, likelier, tables := 0, 0, 0
		for _, k := range tiedKinds {
			var mean [3]float64
			fine, prefers := 0, 0
			for seed := range uint64(tablesOfKind) {
				f, err := kept(b, fmt.Sprintf("ties %s %s %d", k.name, covariance, seed+1), func() (tiedFit, error) { return b.tiedFits(k, seed+1, covariance) })
				if err != nil {
					return nil, fmt.Errorf("%s, %s, table %d: %w", k.name, covariance, seed+1, err)
				}
				for i, v := range f.Index {
					mean[i] += v / tablesOfKind
				}
				switch better := max(f.Index[1], f.Index[2]); {
				case f.Index[0] >= better-noWorseIndex:
					fine++
				case f.LogLikelihood[0] > f.LogLikelihood[1] && f.LogLikelihood[0] > f.LogLikelihood[2]:
					prefers++
				}
				progress("%s, %s, table %d: %.3f, %.5f", k.name, covariance, seed+1, f.Index, f.LogLikelihood)
			}
			s.row(k.name, covariance, fmt.Sprintf("%.3f", mean[0]), fmt.Sprintf("%.3f", mean[1]), fmt.Sprintf("%.3f", mean[2]), fmt.Sprintf("%d of %d", fine, tablesOfKind), fmt.Sprint(prefers), fmt.Sprint(tablesOfKind-fine-prefers))
			good, likelier, tables = good+fine, likelier+prefers, tables+tablesOfKind
		}
		s.judge(atLeast(fmt.Sprintf("%s: share of %d tables of ties with an index of at least GaussianMixture's better one, less %g", covariance, tables, noWorseIndex), float64(good)/float64(tables), noWorseOf, "%.3f"))
		s.judge(atLeast(fmt.Sprintf("%s: the same, or with the higher likelihood", covariance), float64(good+likelier)/float64(tables), noWorseOf, "%.3f"))
	}
	return s, nil
}
