package main

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// defaultSeeds is the number of draws of each kind of data.
const defaultSeeds = 20

// Goals of the mixtures.
const (
	noWorseMeans   = 1.02 // error of means, over the better of the two
	byAFactor      = 1.2  // the better of the two over ours, where noise is as large as the distance
	likelihoodGood = .95  // share of runs with a log-likelihood of at least GaussianMixture's
	// less this an observation: both end where a step raises it by less than a
	// tolerance (scikit-learn: 1e-3, symmom: 1e-6), not at the same place.
	likelihoodSlack = 1e-5
)

// aboutGMM describes when, on what and with what the run was made.
func (b *bench) aboutGMM() []string {
	about := []string{
		"written by `scripts/bench.sh mixtures`",
		machine(),
		fmt.Sprintf("symmom: %s, kernels %s, one thread, the other options as they are by default", runtime.Version(), linalg.Kernel()),
		fmt.Sprintf("peer: scikit-learn %s, NumPy %s, SciPy %s, Python %s, %s, one thread (%s); KMeans and GaussianMixture of the covariance symmom had, 10 inits, reg_covar 1e-6 of the mean variance as symmom (the default where that is 1), the rest by default", b.peer.ScikitLearn, b.peer.NumPy, b.peer.SciPy, b.peer.Python, b.peer.BLAS, strings.Join(b.peer.env, " ")),
		fmt.Sprintf("%d seeds for each kind of drawn data; all methods on the same observations, one after the other; seconds of the clock, and of the processor, which other work on the machine leaves as they are", b.seeds),
	}
	if b.seeds < defaultSeeds {
		about = append(about, "**few seeds: not a result**")
	}
	return about
}

// gaussianFit is the result of a method.
type gaussianFit struct {
	Means         [][]float64 // one per component
	Weights       []float64
	Covariances   []float64
	Labels        []int
	LogLikelihood float64 // per observation; NaN if the method has none
	BIC           float64
	Seconds       float64
	Processor     float64
}

// judgedFit is a fit with its distance from the truth.
type judgedFit struct {
	Fit              gaussianFit
	MeanError, Score float64
}

// Names of the methods.
const (
	methodMoments  = "symmom, moments only"
	methodSymmom   = "symmom"
	methodKMeans   = "KMeans"
	methodGaussian = "GaussianMixture"
)

var gaussianMethods = []string{methodMoments, methodSymmom, methodKMeans, methodGaussian}

// ourGaussian fits with symmom.
func ourGaussian(s *symmom.Session, r int, o symmom.MixtureOptions) (gaussianFit, *symmom.Mixture, error) {
	// Neither side pays for earlier garbage.
	runtime.GC()
	o.Threads = 1
	began, processor := time.Now(), processorSeconds()
	f := s.Mixture(r, o)
	out := gaussianFit{Seconds: time.Since(began).Seconds(), Processor: processorSeconds() - processor}
	if f.Err() != nil {
		return out, f, f.Err()
	}
	for j := range r {
		out.Means = append(out.Means, mat.Col(nil, j, f.Means))
	}
	out.Weights, out.LogLikelihood = f.Weights, f.LogLikelihood/float64(f.Observations)
	out.Covariances, out.BIC = f.Covariances().RawMatrix().Data, f.BIC
	return out, f, nil
}

// theirGaussian fits with scikit-learn.
func (b *bench) theirGaussian(method string, r int, covariance string, seed uint64) (gaussianFit, error) {
	out := gaussianFit{LogLikelihood: math.NaN()}
	q := request{"do": "kmeans", "r": r, "seed": seed}
	if method == methodGaussian {
		q = request{"do": "gaussian", "r": r, "seed": seed, "covariance": covariance}
	}
	return out, b.peer.ask(q, &out)
}

// allGaussians fits x with each method and compares the results with the true
// means.
func (b *bench) allGaussians(methods []string, x, truth *mat.Dense, covariance string, seed uint64) (map[string]judgedFit, error) {
	path := filepath.Join(b.dir, "gaussians.npy")
	if err := symmom.SaveMatrix(path, x); err != nil {
		return nil, err
	}
	if err := b.peer.ask(request{"do": "load", "path": path}, nil); err != nil {
		return nil, err
	}
	_, r := truth.Dims()
	s := symmom.FromMatrix(x).WithContext(b.ctx)
	out := map[string]judgedFit{}
	for _, method := range methods {
		var f gaussianFit
		var err error
		switch method {
		case methodMoments, methodSymmom:
			f, _, err = ourGaussian(s, r, symmom.MixtureOptions{Covariance: covariance, MomentsOnly: method == methodMoments, Seed: seed})
		default:
			f, err = b.theirGaussian(method, r, covariance, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		f.Labels = nil // only the means are needed
		j := judgedFit{Fit: f}
		j.MeanError, j.Score = judgeMeans(f.Means, truth)
		out[method] = j
	}
	return out, nil
}

// judgeMeans returns the root of the sum of squared distances from the true means,
// relative to the sum of their squared norms, and the mean cosine, each for the
// matching that is best by that measure.
func judgeMeans(means [][]float64, truth *mat.Dense) (relative, score float64) {
	_, r := truth.Dims()
	near, cosine := make([]float64, r*r), make([]float64, r*r)
	var all float64
	for i := range r {
		t := mat.Col(nil, i, truth)
		norm := linalg.Norm2(t)
		all += norm * norm
		for j, m := range means {
			var square float64
			for l, v := range m {
				square += (v - t[l]) * (v - t[l])
			}
			near[i*r+j] = -square
			cosine[i*r+j] = linalg.Dot(t, m) / (norm * linalg.Norm2(m))
		}
	}
	distance, _ := ktensor.Match(near, r, r)
	score, _ = ktensor.Match(cosine, r, r)
	return math.Sqrt(-distance * float64(r) / all), score
}

// gmmTable compares the methods on the data of gaussianTable.
func (b *bench) gmmTable() (*section, error) {
	s := &section{title: "Spherical components", header: []string{"data", "method", "score", "error of means", "log-likelihood", "s", "processor s"}}
	s.note("five components, cosine .5 between any two means, covariance spherical for all; score: mean cosine with the true means; error of means: relative, root of the sum of squares; log-likelihood: of an observation; means over the seeds")
	for _, g := range gaussianTable {
		s.note("%s", g.describe())
	}
	var all []map[string]judgedFit
	for _, g := range gaussianTable {
		var runs []map[string]judgedFit
		for seed := range b.seeds {
			x, means, err := g.draw(seed + 1)
			if err != nil {
				return nil, err
			}
			fits, err := kept(b, fmt.Sprintf("%s, seed %d", g.name, seed+1), func() (map[string]judgedFit, error) {
				return b.allGaussians(gaussianMethods, x, means, symmom.CovarianceSpherical, seed+1)
			})
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", g.name, seed+1, err)
			}
			runs = append(runs, fits)
			progress("%s, seed %d: %s", g.name, seed+1, tellFits(gaussianMethods, fits))
		}
		for i, method := range gaussianMethods {
			name := g.name
			if i > 0 {
				name = ""
			}
			s.row(append([]string{name, method}, gaussianCells(method, runs)...)...)
		}
		mean := func(method string) float64 {
			return sampleOf(runs, func(m map[string]judgedFit) float64 { return m[method].MeanError }).mean()
		}
		s.judge(atMost(g.name+": error of means over the better of KMeans and GaussianMixture, means over the seeds", mean(methodSymmom)/min(mean(methodKMeans), mean(methodGaussian)), noWorseMeans, "%.4f"))
		judgeSeconds(s, g.name, g.n, runs)
		if g.hard {
			s.judge(atLeast(g.name+": error of means, the better of KMeans and GaussianMixture over symmom's, means over the seeds", min(mean(methodKMeans), mean(methodGaussian))/mean(methodSymmom), byAFactor, "%.2f"))
		}
		all = append(all, runs...)
	}
	judgeErrors(s, all)
	judgeLikelihood(s, "spherical", all)
	return s, nil
}

func (g gaussianData) describe() string {
	p := fmt.Sprintf("%d observations", g.p)
	if g.per > 0 {
		p = fmt.Sprintf("%d observations of each component", g.per)
	}
	text := fmt.Sprintf("%s: %d variables, %s, sigma %g", g.name, g.n, p, g.sigma)
	if g.weights != nil {
		text += fmt.Sprintf(", weights in proportion %v", g.weights)
	}
	if g.norms != nil {
		text += fmt.Sprintf(", norms of the means %v", g.norms)
	}
	return text
}

func betterOfTwo(m map[string]judgedFit) float64 {
	return min(m[methodKMeans].MeanError, m[methodGaussian].MeanError)
}

// judgeErrors reports single runs. Errors of one draw differ by chance, even
// between mixtures of nearly the same likelihood, so they are not a goal.
func judgeErrors(s *section, runs []map[string]judgedFit) {
	worse, likelier, worst := 0, 0, 0.
	for _, m := range runs {
		ratio := m[methodSymmom].MeanError / betterOfTwo(m)
		if worst = math.Max(worst, ratio); ratio <= noWorseMeans {
			continue
		}
		worse++
		if m[methodSymmom].Fit.LogLikelihood >= m[methodGaussian].Fit.LogLikelihood {
			likelier++
		}
	}
	s.note("single runs: symmom's error of means is more than %g times the smaller of the other two in %d of %d, %g times at worst; in %d of the %d its likelihood is the higher one", noWorseMeans, worse, len(runs), math.Round(1e3*worst)/1e3, likelier, worse)
}

// judgeSeconds compares the time with GaussianMixture's.
func judgeSeconds(s *section, name string, n int, runs []map[string]judgedFit) {
	ratio := func(of func(judgedFit) float64) float64 {
		return medianOf(runs, func(m map[string]judgedFit) float64 { return of(m[methodSymmom]) / of(m[methodGaussian]) })
	}
	if n < 100 {
		return
	}
	s.judge(atMost(name+": seconds over GaussianMixture's, median", ratio(func(f judgedFit) float64 { return f.Fit.Seconds }), 1, "%.3f"))
	s.judge(atMost(name+": seconds of the processor over GaussianMixture's, median", ratio(func(f judgedFit) float64 { return f.Fit.Processor }), 1, "%.3f"))
}

// judgeLikelihood counts the runs with a log-likelihood of at least
// GaussianMixture's.
func judgeLikelihood(s *section, name string, runs []map[string]judgedFit) {
	good := 0
	for _, m := range runs {
		if m[methodSymmom].Fit.LogLikelihood >= m[methodGaussian].Fit.LogLikelihood-likelihoodSlack {
			good++
		}
	}
	s.judge(atLeast(fmt.Sprintf("%s: share of %d runs with a log-likelihood of at least GaussianMixture's, less %g an observation", name, len(runs), likelihoodSlack), float64(good)/float64(len(runs)), likelihoodGood, "%.3f"))
}

func medianOf(runs []map[string]judgedFit, of func(map[string]judgedFit) float64) float64 {
	return sampleOf(runs, of).median()
}

func sampleOf(runs []map[string]judgedFit, of func(map[string]judgedFit) float64) (v sample) {
	for _, m := range runs {
		v = append(v, of(m))
	}
	return v
}

// gaussianCells returns means over the runs of one method.
func gaussianCells(method string, runs []map[string]judgedFit) []string {
	mean := func(of func(judgedFit) float64, format string) string {
		var sum float64
		for _, m := range runs {
			sum += of(m[method])
		}
		if sum /= float64(len(runs)); math.IsNaN(sum) {
			return "-"
		}
		return fmt.Sprintf(format, sum)
	}
	return []string{
		mean(func(f judgedFit) float64 { return f.Score }, "%.4f"),
		mean(func(f judgedFit) float64 { return f.MeanError }, "%.4f"),
		mean(func(f judgedFit) float64 { return f.Fit.LogLikelihood }, "%.5f"),
		mean(func(f judgedFit) float64 { return f.Fit.Seconds }, "%.3f"),
		mean(func(f judgedFit) float64 { return f.Fit.Processor }, "%.3f"),
	}
}

// tellFits reports the fits while the run continues.
func tellFits(methods []string, m map[string]judgedFit) string {
	var parts []string
	for _, method := range methods {
		f := m[method]
		parts = append(parts, fmt.Sprintf("%s %.4f, %.5f, %s", method, f.MeanError, f.Fit.LogLikelihood, duration(f.Fit.Seconds)))
	}
	return strings.Join(parts, "; ")
}
