package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/estimate/topics"
	"symmom/symmom"
)

const (
	reutersFolds = 5
	// coherentWords of each topic are judged.
	coherentWords = 10
	shownTopics   = 10
)

// realTopics leave out what needs a truth.
var realTopics = []string{methodTopics, methodThird, methodBatch, methodOnline, methodGensim, methodGibbs}

// topicsReuters compares the methods on real documents.
func (b *bench) topicsReuters() (*section, error) {
	s := &section{title: "Real documents", header: []string{"topics", "method", "perplexity", "coherence", "of probable words", "concentration", "s", "processor s"}}
	path := filepath.Join(b.dir, "reuters")
	var names struct{ Words []string }
	if err := b.peer.ask(request{"do": "reuters", "path": path}, &names); err != nil {
		return nil, err
	}
	all, err := readCorpus(path, len(names.Words))
	if err != nil {
		return nil, err
	}
	s.note("the %d Reuters stories of %s words of the Python package lda; perplexity of the stories left out, each fifth one in turn; coherence: normalized pointwise mutual information of the %d most relevant words of each topic, as symmom lists them, and of its most probable ones, in all stories; means over the %d folds", all.docs(), thousands(all.n), coherentWords, reutersFolds)
	s.note("parameters of shares: each method's default (scikit-learn, gensim: 1/k; tomotopy: estimated, from .1; symmom: estimated)")
	for _, k := range []int{10, 20} {
		fits := map[string]sample{}
		name := fmt.Sprint(k)
		least := 0.
		for _, method := range realTopics {
			var runs []topicsFit
			for fold := range reutersFolds {
				f, err := kept(b, fmt.Sprintf("reuters %d %s fold %d", k, method, fold), func() (topicsFit, error) { return b.reutersFit(all, k, method, fold) })
				if err != nil {
					return nil, fmt.Errorf("%d topics, %s, fold %d: %w", k, method, fold+1, err)
				}
				runs = append(runs, f)
			}
			of := func(value func(topicsFit) float64) (v sample) {
				for _, f := range runs {
					v = append(v, value(f))
				}
				return v
			}
			fits[method] = of(perplexityOf)
			s.row(name, method, fmt.Sprintf("%.1f", fits[method].mean()), fmt.Sprintf("%.4f", of(func(f topicsFit) float64 { return f.Coherence }).mean()), fmt.Sprintf("%.4f", of(func(f topicsFit) float64 { return f.Probable }).mean()),
				digits(of(func(f topicsFit) float64 { return f.Concentration }).mean()), digits(of(func(f topicsFit) float64 { return f.Seconds }).mean()), digits(of(processorOf).mean()))
			name = ""
			if _, ok := peerMethods[method]; ok && (least == 0 || fits[method].mean() < least) {
				least = fits[method].mean()
			}
			progress("reuters, %d topics, %s: perplexity %.1f", k, method, fits[method].mean())
		}
		s.judge(atMost(fmt.Sprintf("Reuters, %d topics: perplexity over the least of the peers", k), fits[methodTopics].mean()/least, 1, "%.4f"))
	}
	t := all.session(b.ctx).Topics(shownTopics, symmom.TopicsOptions{Threads: 1})
	if t.Err() != nil {
		return nil, t.Err()
	}
	for j := range shownTopics {
		var words []string
		for _, i := range (&topics.Model{N: t.N, Topics: column(t, j), Alpha: []float64{1}}).Relevant(0, coherentWords, t.Frequencies) {
			words = append(words, names.Words[i])
		}
		s.note("symmom, topic %d of %d of all stories, share %.3f: %s", j+1, shownTopics, t.Weights[j], strings.Join(words, " "))
	}
	for _, w := range t.Warnings {
		s.note("it warns: %s", w)
	}
	return s, nil
}

// column returns a topic.
func column(t *symmom.Topics, j int) (mu []float64) {
	for i := range t.N {
		mu = append(mu, t.Words.At(i, j))
	}
	return mu
}

// reutersFit finds topics of the documents outside a fold and judges them by those within.
func (b *bench) reutersFit(all *corpus, k int, method string, fold int) (fit topicsFit, err error) {
	within := func(l int) bool { return l%reutersFolds == fold }
	given, path := all.only(func(l int) bool { return !within(l) }), filepath.Join(b.dir, "fold")
	if err := given.write(path); err != nil {
		return fit, err
	}
	f, err := b.findTopics(method, k, given, path, nil, uint64(fold)+1)
	if err != nil {
		return fit, err
	}
	m := f.model(all.n)
	fit = topicsFit{Concentration: sumOf(f.Alpha), Seconds: f.Seconds, Processor: f.Processor}
	if fit.Perplexity, err = m.Perplexity(b.ctx, all.only(within).source(), perplexedSeed, 1); err != nil {
		return fit, err
	}
	// Of equal frequencies, the most relevant words are the most probable ones.
	equal := slices.Repeat([]float64{1}, all.n)
	for to, frequencies := range map[*float64][]float64{&fit.Coherence: given.frequencies(), &fit.Probable: equal} {
		var top [][]int
		for j := range k {
			top = append(top, m.Relevant(j, coherentWords, frequencies))
		}
		values, err := topics.Coherence(b.ctx, all.source(), top)
		if err != nil {
			return fit, err
		}
		*to = sumOf(values) / float64(k)
	}
	return fit, nil
}
