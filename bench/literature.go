package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/symmom"
)

//go:embed literature.py
var literatureSource []byte

// meitd names the directory of MEITD's program, which is not symmom's to hand on.
const (
	meitd       = "SYMMOM_MEITD"
	meitdSource = "github.com/yifan8/moment_estimation_incomplete_tensor_decomposition, a36482e"
	// literatureLimit bounds a fit of MEITD's or a decomposition of ours, in seconds.
	literatureLimit = 300
	asGood          = .02 // errors are as good as the least when at most this above it, relative
	// Below these they are none: of means, a small part of what a sample leaves open; rounding.
	noErrorOfMeans  = 1e-3
	noErrorOfTensor = 1e-10
)

// Names of the methods of others.
const (
	methodMEITD      = "MEITD"
	methodMatching   = "matched moments"
	methodWeighted   = "weighted moments"
	methodGenerating = "generating polynomials"
	methodFree       = "symmom, nonparametric"
)

// literatureData is an experiment: what the peer draws, and who fits it.
type literatureData struct {
	name       string
	n, r, p    int
	rank       int     // of the covariances; 0: they are diagonal
	odd        float64 // deviation of means, where no variable is normal
	covariance string
	seeds      []uint64
	methods    []string
	quick      bool // for -quick
}

var (
	oddMethods   = []string{methodFree, methodSymmom, methodMoments, methodMEITD, methodGaussian}
	demoMethods  = []string{methodSymmom, methodMoments, methodMEITD, methodGaussian}
	otherMethods = []string{methodSymmom, methodMoments, methodMatching, methodWeighted, methodGenerating, methodGaussian}
	// The demo's own case is the first; its seed is 123.
	demoSeeds = []uint64{123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135}
	demoTable = []literatureData{
		{name: "30/18/20,000", n: 30, r: 18, p: 20_000, seeds: demoSeeds, methods: demoMethods},
		{name: "15/6/20,000", n: 15, r: 6, p: 20_000, seeds: demoSeeds, methods: demoMethods},
		{name: "30/8/5,000", n: 30, r: 8, p: 5_000, seeds: demoSeeds, methods: demoMethods},
		{name: "10/12/10,000", n: 10, r: 12, p: 10_000, seeds: demoSeeds, methods: demoMethods},
		{name: "50/40/100,000", n: 50, r: 40, p: 100_000, seeds: []uint64{123}, methods: demoMethods},
		{name: "8/2/1,000", n: 8, r: 2, p: 1_000, seeds: []uint64{123}, methods: demoMethods, quick: true},
	}
	oddTable = []literatureData{
		{name: "8/3/20,000, means half as far", n: 8, r: 3, p: 20_000, odd: .5, seeds: []uint64{1, 2, 3, 4, 5}, methods: oddMethods, quick: true},
		{name: "15/6/20,000, no variable normal", n: 15, r: 6, p: 20_000, odd: 1, seeds: []uint64{1, 2, 3, 4, 5}, methods: oddMethods},
		{name: "30/8/5,000, means half as far", n: 30, r: 8, p: 5_000, odd: .5, seeds: []uint64{1, 2, 3, 4, 5}, methods: oddMethods},
	}
	otherTable = []literatureData{
		{name: "8/3/2,000", n: 8, r: 3, p: 2_000, seeds: []uint64{1, 2, 3, 4, 5}, methods: otherMethods, quick: true},
		{name: "15/6/20,000", n: 15, r: 6, p: 20_000, seeds: []uint64{123, 124, 125}, methods: otherMethods},
		{name: "5/2/1,000, covariances of rank 2 and noise", n: 5, r: 2, p: 1_000, rank: 2, covariance: symmom.CovarianceFull, seeds: []uint64{1, 2, 3, 4, 5},
			methods: []string{methodSymmom, methodMoments, methodMatching, methodWeighted, methodGaussian}, quick: true},
	}
)

// literatureFit is how far a result is from the truth, or why there is none.
type literatureFit struct {
	Mean, Weight, Processor float64 // errors, and seconds
	Stopped                 bool    // at the limit of time
	Refused                 string
}

// answer is a mixture that a method found.
type answer struct {
	gaussianFit
	Stopped bool
}

// aboutLiterature describes the run.
func (b *bench) aboutLiterature() []string {
	about := []string{
		"written by `scripts/bench.sh literature`",
		machine(),
		fmt.Sprintf("symmom: %s, kernels %s, one thread, the other options as they are by default", runtime.Version(), linalg.Kernel()),
		fmt.Sprintf("others: Python %s, NumPy %s, SciPy %s, scikit-learn %s, %s, one thread (%s)", b.peer.Python, b.peer.NumPy, b.peer.SciPy, b.peer.ScikitLearn, b.peer.BLAS, strings.Join(b.peer.env, " ")),
		"all methods on the same observations, one after the other; seconds are those of the processor, which other work on the machine leaves as they are",
	}
	if b.keep {
		about = append(about, "made in pieces: some or all fits are those of earlier runs (-data)")
	}
	if b.quick {
		about = append(about, "**a -quick run: the smallest cases; not a result**")
	}
	return about
}

// fitLiterature fits the data that the peer has drawn to path.
func (b *bench) fitLiterature(g literatureData, method, path string, seed uint64, truth gaussianFit) (literatureFit, error) {
	var f answer
	var err error
	covariance := cmp.Or(g.covariance, symmom.CovarianceDiagonal)
	switch method {
	case methodSymmom, methodMoments:
		f.gaussianFit, _, err = ourGaussian(symmom.Load(path).WithContext(b.ctx), g.r, symmom.MixtureOptions{Covariance: covariance, MomentsOnly: method == methodMoments})
	case methodFree:
		f.gaussianFit, _, err = ourGaussian(symmom.Load(path).WithContext(b.ctx), g.r, symmom.MixtureOptions{Nonparametric: true})
	case methodGaussian:
		f.gaussianFit, err = b.theirGaussian(method, g.r, covariance, seed)
	case methodMEITD:
		err = b.peer.ask(request{"do": "meitd", "r": g.r, "seconds": literatureLimit}, &f)
	case methodGenerating:
		err = b.peer.ask(request{"do": "generating", "r": g.r, "seed": seed}, &f)
	default:
		err = b.peer.ask(request{"do": "matching", "r": g.r, "order": 4, "weighted": method == methodWeighted, "rank": g.rank, "seed": seed}, &f)
	}
	var said *peerError
	if errors.As(err, &said) && strings.HasPrefix(said.text, "ValueError") {
		return literatureFit{Refused: said.text}, nil
	} else if err != nil {
		return literatureFit{}, err
	}
	out := literatureFit{Processor: f.Processor, Stopped: f.Stopped}
	out.Mean, out.Weight = judgeMixture(f.gaussianFit, truth)
	return out, nil
}

// judgeMixture returns the errors of means and weights, relative and in the root of the sum of
// squares, with components matched by their means.
func judgeMixture(f, truth gaussianFit) (mean, weight float64) {
	r := len(truth.Means)
	near := make([]float64, r*r)
	var square, all, ofWeights float64
	for i, t := range truth.Means {
		norm := linalg.Norm2(t)
		all += norm * norm
		for j, m := range f.Means {
			for l, v := range m {
				near[i*r+j] -= (v - t[l]) * (v - t[l])
			}
		}
	}
	_, pairs := ktensor.Match(near, r, r)
	for _, p := range pairs {
		square -= near[p[0]*r+p[1]]
		d := f.Weights[p[1]] - truth.Weights[p[0]]
		ofWeights += d * d
	}
	return math.Sqrt(square / all), math.Sqrt(ofWeights) / linalg.Norm2(truth.Weights)
}

// literatureRuns fits all seeds of g by all its methods; a method that refuses has none.
func (b *bench) literatureRuns(g literatureData) (runs map[string][]literatureFit, refused map[string]string, err error) {
	runs, refused = map[string][]literatureFit{}, map[string]string{}
	path := filepath.Join(b.dir, "literature.npy")
	seeds := g.seeds
	if b.quick {
		seeds = seeds[:1]
	}
	for _, seed := range seeds {
		var truth gaussianFit
		draw := request{"do": "demo", "n": g.n, "r": g.r, "p": g.p, "seed": seed, "path": path}
		if g.rank > 0 {
			draw = request{"do": "lowrank", "n": g.n, "r": g.r, "p": g.p, "rank": g.rank, "noise": .2, "radius": 5, "seed": seed, "path": path}
		}
		if g.odd > 0 {
			draw = request{"do": "odd", "n": g.n, "r": g.r, "p": g.p, "spread": g.odd, "seed": seed, "path": path}
		}
		if err := b.peer.ask(draw, &truth); err != nil {
			return nil, nil, err
		}
		for _, method := range g.methods {
			if method == methodMEITD && os.Getenv(meitd) == "" {
				continue
			}
			f, err := kept(b, fmt.Sprintf("literature %s %s seed %d", g.name, method, seed), func() (literatureFit, error) { return b.fitLiterature(g, method, path, seed, truth) })
			if err != nil {
				return nil, nil, fmt.Errorf("%s, seed %d, %s: %w", g.name, seed, method, err)
			}
			if f.Refused != "" {
				refused[method] = f.Refused
				continue
			}
			progress("%s, seed %d, %s: means %.4f, weights %.4f, %s", g.name, seed, method, f.Mean, f.Weight, duration(f.Processor))
			runs[method] = append(runs[method], f)
		}
	}
	return runs, refused, nil
}

// literatureTable fits and shows the data of a table.
func (b *bench) literatureTable(s *section, table []literatureData, judge func(g literatureData, of func(method string, value func(literatureFit) float64) float64)) error {
	s.header = []string{"n/r/p", "method", "seeds", "error of means", "worst", "error of weights", "processor s"}
	for _, g := range table {
		if b.quick && !g.quick {
			continue
		}
		runs, refused, err := b.literatureRuns(g)
		if err != nil {
			return err
		}
		of := func(method string, value func(literatureFit) float64) float64 {
			return sampleOfFits(runs[method], value).mean()
		}
		name := g.name
		for _, method := range g.methods {
			if why, ok := refused[method]; ok {
				s.row(name, method, "-", "-", "-", "-", "-")
				s.note("%s: %s refuses: %s", g.name, method, why)
			} else if fits := runs[method]; len(fits) > 0 {
				stopped := ""
				if fits[0].Stopped {
					stopped = fmt.Sprintf(" (stopped at %d s)", literatureLimit)
				}
				s.row(name, method+stopped, fmt.Sprint(len(fits)), shortError(of(method, meanError)),
					shortError(-sampleOfFits(fits, func(f literatureFit) float64 { return -f.Mean }).least()),
					shortError(of(method, weightError)), digits(of(method, processor)))
			} else {
				continue
			}
			name = ""
		}
		b.win(s.title+": "+g.name, g.methods, noErrorOfMeans, func(m string) (float64, float64) { return of(m, meanError), of(m, processor) })
		if judge != nil {
			judge(g, of)
		}
	}
	return nil
}

func meanError(f literatureFit) float64   { return f.Mean }
func weightError(f literatureFit) float64 { return f.Weight }
func processor(f literatureFit) float64   { return f.Processor }

func sampleOfFits(fits []literatureFit, value func(literatureFit) float64) (v sample) {
	for _, f := range fits {
		v = append(v, value(f))
	}
	return v
}

// win adds a line to the summary: whose error is least, and who is fast among those as good.
// Errors of at most nothing are none.
func (b *bench) win(what string, methods []string, nothing float64, of func(method string) (e, seconds float64)) {
	if b.lead == nil {
		b.lead = &section{title: "Who wins where", header: []string{"experiment", "least error", "it is", "fastest of these", "processor s", "symmom's error", "processor s"}}
		b.lead.note("least error: all methods whose error is at most %.0f%% above the least of all, or that is at most %g for a mixture, %g for a tensor; means over the seeds", 100*asGood, noErrorOfMeans, noErrorOfTensor)
	}
	least := math.Inf(1)
	for _, m := range methods {
		if e, _ := of(m); e < least {
			least = e
		}
	}
	var good []string
	fast, time := "", math.Inf(1)
	for _, m := range methods {
		if e, s := of(m); e <= math.Max(least*(1+asGood), nothing) {
			good = append(good, m)
			if s < time {
				fast, time = m, s
			}
		}
	}
	e, s := of(methodSymmom)
	b.lead.row(what, strings.Join(good, "; "), shortError(least), fast, digits(time), shortError(e), digits(s))
}

// shortError formats an error that may be nothing but rounding.
func shortError(e float64) string {
	if e < 1e-4 {
		return fmt.Sprintf("%.0e", e)
	}
	return fmt.Sprintf("%.4f", e)
}

// litDemo is MEITD's demo.
func (b *bench) litDemo() (*section, error) {
	s := &section{title: "MEITD's demo"}
	s.note("Zhang & Kileel, Moment estimation for nonparametric mixture models through implicit tensor decomposition, 2022 (arXiv 2210.14386): means standard normal, standard deviations of their own |N(0, 1)|, weights uniform in 1 to 5; n/r/p: variables, components, observations; errors are from the means and shares of the sample, as in the demo, relative and in the root of the sum of squares, means over the seeds")
	s.note("MEITD: %s, as its demo calls it (orders 1 to 4, one start, 200 iterations at most), with names that NumPy and SciPy have taken away since; means and weights alone, variances not counted; at most %d s of the processor", meitdSource, literatureLimit)
	s.note("GaussianMixture: ten starts; symmom and it fit diagonal covariances, which know that the data are normal: MEITD does not")
	if os.Getenv(meitd) == "" {
		s.note("MEITD was not run: %s does not name its directory", meitd)
	}
	var alone []string
	err := b.literatureTable(s, demoTable, func(g literatureData, of func(string, func(literatureFit) float64) float64) {
		if ratio := of(methodMoments, meanError) / of(methodMEITD, meanError); !math.IsNaN(ratio) {
			alone = append(alone, fmt.Sprintf("%s %.2f", g.name, ratio))
		}
		for _, t := range []struct {
			what   string
			value  func(literatureFit) float64
			target float64
		}{{"error of means", meanError, 1}, {"error of weights", weightError, 1}, {"seconds of the processor", processor, 1. / 30}} {
			if ratio := of(methodSymmom, t.value) / of(methodMEITD, t.value); !math.IsNaN(ratio) {
				s.judge(atMost(g.name+": "+t.what+" over MEITD's, means over the seeds", ratio, t.target, "%.4f"))
			}
		}
	})
	if alone != nil {
		b.lead.note("moments against moments: the error of means of symmom's alone, before EM, over MEITD's: %s", strings.Join(alone, "; "))
	}
	return s, err
}

// litOdd are mixtures that nothing normal is in.
func (b *bench) litOdd() (*section, error) {
	s := &section{title: "No normal variables"}
	s.note("variables are independent within components, and in turn exponential, uniform, exponential turned round, and of two peaks; means normal, of deviation 1, or .5 where they are half as far; standard deviations .2 + |N(0, 1)|, weights uniform in 1 to 5")
	s.note("%s: Mixture with Nonparametric; symmom and GaussianMixture fit normal components with diagonal covariances, of which the data have none", methodFree)
	err := b.literatureTable(s, oddTable, func(g literatureData, of func(string, func(literatureFit) float64) float64) {
		for _, other := range []string{methodMEITD, methodGaussian} {
			if ratio := of(methodFree, meanError) / of(other, meanError); !math.IsNaN(ratio) {
				s.judge(atMost(g.name+": error of means over "+other+"'s, means over the seeds", ratio, 1, "%.4f"))
			}
		}
	})
	return s, err
}

// litOthers are other fits of moments: all moments, weighted moments, generating polynomials.
func (b *bench) litOthers() (*section, error) {
	s := &section{title: "Other fits of moments"}
	s.note("data as in MEITD's demo but for the last, as Zhang's robust_dgmm has it without its outliers: means of norm 5, covariances of rank 2 with roots uniform in 1 to 2, noise of variance .2 in all directions; symmom fits it with covariance full")
	s.note("%s: all entries of the moments of orders 1 to 4, without their tensors (Pereira, Kileel & Kolda, Tensor moments of Gaussian mixture models, 2022, arXiv 2202.06930), written here from the formulas, 200 iterations of L-BFGS at most, the best of three k-means++ starts", methodMatching)
	s.note("%s: the same with a weight for each order (Zhang, Mickelin, Xu & Singer, Diagonally-weighted generalized method of moments, 2025, arXiv 2507.20459): trace S_kk / sum_l ||S_kl||^2 of the covariance S of the residuals, computed again once; both are given the rank and not the noise", methodWeighted)
	s.note("%s: Guo, Nie & Yang, Learning diagonal Gaussian mixture models and incomplete tensor decompositions, 2021 (arXiv 2102.04500), order 3, at most n/2 - 1 components, written here from the formulas, the best of ten orders of the variables, then least squares over the same entries", methodGenerating)
	var text []string
	better := 0
	err := b.literatureTable(s, otherTable, func(g literatureData, of func(string, func(literatureFit) float64) float64) {
		if g.rank == 0 { // else the entries of distinct indices depend on the covariances
			if of(methodWeighted, meanError) < of(methodMoments, meanError) {
				better++
			}
			text = append(text, fmt.Sprintf("%s %.4f, weighted %.4f, unweighted %.4f", g.name, of(methodMoments, meanError), of(methodWeighted, meanError), of(methodMatching, meanError)))
		}
	})
	b.lead.note("where both apply, weighting all entries of the moments by their order (Zhang et al. 2025) beats the moments over distinct indices (symmom, moments only) in %d of %d kinds of data; error of means: %s", better, len(text), strings.Join(text, "; "))
	return s, err
}
