package main

import (
	_ "embed"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/topics"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/symmom"
)

//go:embed topics.py
var topicsSource []byte

// Goals of the topics.
const (
	halfTheError  = .5  // over the most exact of scikit-learn and gensim
	tenthOfTime   = .1  // over that one's
	nearGibbs     = 1.1 // error, over tomotopy's
	topicsSeeds   = 10
	gibbsSweeps   = 500
	leastOfAWord  = 1e-9 // floor of a probability, in all models
	perplexedSeed = 1
)

// Names of the methods.
const (
	methodTruth  = "the true topics"
	methodTopics = "symmom"
	methodGiven  = "symmom, concentration given"
	methodThird  = "symmom, moments only"
	methodBatch  = "scikit-learn, batch"
	methodOnline = "scikit-learn, online"
	methodGensim = "gensim"
	methodGibbs  = "tomotopy"
)

var (
	topicsMethods = []string{methodTopics, methodGiven, methodThird, methodBatch, methodOnline, methodGensim, methodGibbs}
	variational   = []string{methodBatch, methodOnline, methodGensim}
	peerMethods   = map[string]string{methodBatch: "batch", methodOnline: "online", methodGensim: "gensim", methodGibbs: "tomotopy"}
)

// topicsFit is a judged result.
type topicsFit struct {
	Distance, Perplexity, Concentration, Seconds, Processor float64
	Coherence, Probable                                     float64 // of real documents: by relevance, by probability
}

// aboutTopics describes the run.
func (b *bench) aboutTopics() []string {
	var versions struct{ Gensim, Tomotopy, LDA string }
	_ = b.peer.ask(request{"do": "hello"}, &versions) // it has answered before
	about := []string{
		"written by `scripts/bench.sh topics`",
		machine(),
		fmt.Sprintf("symmom: %s, kernels %s, one thread, the other options as they are by default", runtime.Version(), linalg.Kernel()),
		fmt.Sprintf("peers: scikit-learn %s (LatentDirichletAllocation, max_iter 10, batch and online), gensim %s (LdaModel, 10 passes, eval_every None), tomotopy %s (LDAModel, the last sample of %d sweeps of Gibbs sampling), the rest by default; NumPy %s, SciPy %s, Python %s, %s, one thread (%s)",
			b.peer.ScikitLearn, versions.Gensim, versions.Tomotopy, gibbsSweeps, b.peer.NumPy, b.peer.SciPy, b.peer.Python, b.peer.BLAS, strings.Join(b.peer.env, " ")),
		"all methods on the same documents, one after the other; seconds of the clock, and of the processor, which other work on the machine changes less",
		"perplexity is computed by one function for all, symmom's: one half of the words of each document, drawn at random, is predicted from the other; topics with a floor of 1e-9 a word",
	}
	if b.seeds < topicsSeeds {
		about = append(about, fmt.Sprintf("**%d of %d seeds**", b.seeds, topicsSeeds))
	}
	if b.keep {
		about = append(about, "made in pieces: some or all fits are those of earlier runs (-data)")
	}
	if b.quick {
		about = append(about, "**a -quick run: the smallest cases; not a result**")
	}
	return about
}

// foundTopics are topics, k x n, and parameters of shares, with the time that they took.
type foundTopics struct {
	mu, Alpha          []float64
	Seconds, Processor float64
}

// findTopics finds topics of c, which path has too, by a method; the peers are given alpha unless it is nil.
func (b *bench) findTopics(method string, k int, c *corpus, path string, alpha []float64, seed uint64) (*foundTopics, error) {
	out := &foundTopics{}
	if peer, ok := peerMethods[method]; ok {
		raw := filepath.Join(b.dir, "topics.raw")
		err := b.peer.ask(request{"do": "counts", "path": path, "n": c.n}, nil)
		if err == nil {
			err = b.peer.ask(request{"do": "find", "method": peer, "k": k, "alpha": alpha, "seed": seed, "sweeps": gibbsSweeps, "out": raw}, out)
		}
		if err == nil {
			out.mu, err = readRaw[float64](raw)
		}
		return out, err
	}
	o := symmom.TopicsOptions{Threads: 1, Seed: seed, MomentsOnly: method == methodThird}
	if method == methodGiven {
		o.Concentration = sumOf(alpha)
	}
	s := c.session(b.ctx)
	runtime.GC()
	processor := processorSeconds()
	var t *symmom.Topics
	out.Seconds, _ = stopwatch(func() error {
		t = s.Topics(k, o)
		return t.Err()
	})
	out.Processor = processorSeconds() - processor
	if t.Err() != nil {
		return nil, t.Err()
	}
	out.mu = mat.DenseCopyOf(t.Words.T()).RawMatrix().Data
	for _, w := range t.Weights {
		out.Alpha = append(out.Alpha, t.Concentration*w)
	}
	return out, nil
}

// model returns what was found with the floor of all models.
func (f *foundTopics) model(n int) *topics.Model {
	m := &topics.Model{N: n, Alpha: f.Alpha}
	for j := range len(f.Alpha) {
		var mu []float64
		for _, x := range f.mu[j*n : (j+1)*n] {
			mu = append(mu, max(x, leastOfAWord))
		}
		linalg.Scale(1/sumOf(mu), mu)
		m.Topics = append(m.Topics, mu...)
	}
	return m
}

// topicsDistance returns the mean sum of absolute differences of matched topics, k x n.
func topicsDistance(truth, mu []float64, n int) float64 {
	k := len(truth) / n
	near := make([]float64, k*k)
	for i := range k {
		for j := range k {
			for w, x := range truth[i*n : (i+1)*n] {
				near[i*k+j] -= math.Abs(x - mu[j*n+w])
			}
		}
	}
	mean, _ := ktensor.Match(near, k, k)
	return -mean
}

// topicsRun fits the documents of a seed by all methods.
func (b *bench) topicsRun(g topicsData, seed uint64) (map[string]topicsFit, error) {
	given, further, truth, err := g.draw(b.ctx, seed)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(b.dir, "documents")
	if err := given.write(path); err != nil {
		return nil, err
	}
	out := map[string]topicsFit{}
	for _, method := range append(topicsMethods, methodTruth) {
		f, err := kept(b, fmt.Sprintf("topics %s %s seed %d", g.name(), method, seed), func() (topicsFit, error) {
			f := &foundTopics{mu: truth, Alpha: g.alpha()}
			if method != methodTruth {
				var err error
				if f, err = b.findTopics(method, g.k, given, path, g.alpha(), seed); err != nil {
					return topicsFit{}, err
				}
			}
			fit := topicsFit{Distance: topicsDistance(truth, f.mu, g.n), Concentration: sumOf(f.Alpha), Seconds: f.Seconds, Processor: f.Processor}
			fit.Perplexity, err = f.model(g.n).Perplexity(b.ctx, further.source(), perplexedSeed, 1)
			return fit, err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		progress("%s, seed %d, %s: distance %.4f, perplexity %.2f, %s", g.name(), seed, method, f.Distance, f.Perplexity, duration(f.Processor))
		out[method] = f
	}
	return out, nil
}

// topicsDrawn compares the methods on drawn documents.
func (b *bench) topicsDrawn() (*section, error) {
	s := &section{title: "Drawn documents", header: []string{"documents", "seeds", "method", "L1 distance", "worst", "perplexity", "concentration", "s", "processor s"}}
	s.note("topics Dirichlet(%g), shares Dirichlet with parameters of sum a0, equal or, unequal, from 1 to 10 in equal ratios; L1 distance: mean sum of absolute differences of matched topics, of at most 2; perplexity of %d further documents of the same model; means over the seeds, and the worst distance", topicsPrior, heldOut)
	s.note("the peers are given the true parameters of shares (scikit-learn: their mean, it takes one for all), and tomotopy does not change them; symmom is not, but for its second line, which has their sum; the prior of topics is each method's default: 1/k of scikit-learn and gensim, .01 of tomotopy, estimated by symmom")
	for _, g := range topicsTable {
		if b.quick && !g.quick {
			continue
		}
		if g.large && !b.large {
			s.note("**not run: %s**", g.name())
			continue
		}
		seeds := g.seeds(b.seeds)
		var runs []map[string]topicsFit
		for seed := range seeds {
			fits, err := b.topicsRun(g, seed+1)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", g.name(), seed+1, err)
			}
			runs = append(runs, fits)
		}
		of := func(method string, value func(topicsFit) float64) (v sample) {
			for _, m := range runs {
				v = append(v, value(m[method]))
			}
			return v
		}
		name, count := g.name(), fmt.Sprint(seeds)
		for _, method := range append([]string{methodTruth}, topicsMethods...) {
			perplexity, a0 := fmt.Sprintf("%.2f", of(method, perplexityOf).mean()), digits(of(method, func(f topicsFit) float64 { return f.Concentration }).mean())
			if method == methodTruth {
				s.row(name, count, method, "0", "0", perplexity, a0, "-", "-")
			} else {
				worst := -of(method, func(f topicsFit) float64 { return -f.Distance }).least()
				s.row(name, count, method, fmt.Sprintf("%.4f", of(method, distanceOf).mean()), fmt.Sprintf("%.4f", worst), perplexity, a0,
					digits(of(method, func(f topicsFit) float64 { return f.Seconds }).mean()), digits(of(method, processorOf).mean()))
			}
			name, count = "", ""
		}
		judgeTopics(s, g.name(), of)
	}
	return s, nil
}

func distanceOf(f topicsFit) float64   { return f.Distance }
func perplexityOf(f topicsFit) float64 { return f.Perplexity }
func processorOf(f topicsFit) float64  { return f.Processor }

// judgeTopics compares the means over the seeds.
func judgeTopics(s *section, name string, of func(method string, value func(topicsFit) float64) sample) {
	exact, least := "", math.Inf(1)
	perplexity := of(methodGibbs, perplexityOf).mean()
	for _, m := range variational {
		if d := of(m, distanceOf).mean(); d < least {
			exact, least = m, d
		}
		perplexity = min(perplexity, of(m, perplexityOf).mean())
	}
	ours := of(methodTopics, distanceOf).mean()
	s.judge(atMost(fmt.Sprintf("%s: L1 distance over %s's", name, exact), ours/least, halfTheError, "%.3f"))
	s.judge(atMost(fmt.Sprintf("%s: seconds of the processor over %s's", name, exact), of(methodTopics, processorOf).mean()/of(exact, processorOf).mean(), tenthOfTime, "%.3f"))
	s.judge(atMost(name+": L1 distance over tomotopy's", ours/of(methodGibbs, distanceOf).mean(), nearGibbs, "%.3f"))
	s.judge(atMost(name+": perplexity over the least of the peers", of(methodTopics, perplexityOf).mean()/perplexity, 1, "%.4f"))
}
