package symmom

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/topics"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// TopicsOptions configure the search for topics. The zero value of every field is its documented
// default.
type TopicsOptions struct {
	// Concentration is the sum a0 of the parameters of the Dirichlet distribution that the shares
	// of topics in a document come from: near 0 each document has one topic, with more it mixes
	// more of them. Default (0): estimated.
	Concentration float64

	// MomentsOnly leaves out the polish: the topics are those of the moments, without the negative
	// entries that noise gives them.
	MomentsOnly bool

	// Starts of the power method, from random rotations; the one that explains most of the
	// third moment wins. Default 5.
	Starts int

	// Seed of the starts, and of Topics.Perplexity. Default (0) is seed 1.
	Seed uint64

	// Tolerance ends the polish once a step moves the topics by less than this: the mean sum of
	// absolute differences, of at most 2. Default (0): .001.
	Tolerance float64

	// MaxIterations of the polish. Default 1,000.
	MaxIterations int

	// Threads is the number of processor cores to use. Default: all. Results are the same bits for
	// any number.
	Threads int

	// Progress, if set, is called when something new begins and after every step of the polish,
	// with the mean log-likelihood of a word as Progress.Objective.
	Progress func(Progress)
}

// Topics are what documents are about: distributions over words, of which each document mixes
// some. The fields of a failed one are zero, and Err says why; an interrupted one has both the
// best topics so far and an error that wraps ErrInterrupted, unless nothing was found yet.
type Topics struct {
	Result // Err, String and HTML

	Components    int          // K
	N             int          // words
	Documents     int          // p
	Words         *NamedMatrix // n x K, the probability of each word in each topic: columns have sum 1
	Weights       []float64    // K, mean shares of the topics, of sum 1; the largest first
	Concentration float64      // a0: shares are Dirichlet distributed with parameters a0 Weights
	Prior         float64      // of topics: they are Dirichlet with this parameter for every word; 0 of MomentsOnly
	Frequencies   []float64    // n: how often each word occurs
	Cut           []float64    // K, what noise made negative of the moments' topics, and was set to 0
	Short         int          // documents of fewer than three words, which the moments leave out
	Converged     bool
	Iterations    int // of the polish
	Elapsed       time.Duration
	Names         []string // of the words
	Warnings      []Warning

	model               *topics.Model
	seed                uint64
	options             topics.Options // of the search
	progress            func(Progress)
	frame               *frame.Frame
	session             *Session // that they were found in, or nil
	source, fingerprint string   // of topics that were loaded
}

// Defaults of TopicsOptions.
const (
	topicsStarts     = 5
	topicsIterations = 1000
	topicsTolerance  = 1e-3
)

// Topics finds k topics of documents: observations are documents, variables words, and values
// counts. k = 0 is as many as stand out from the noise of the second moment, up to 100: what chance
// makes of its eigenvalues. It decomposes the third moment over distinct places of a document
// (Anandkumar, Ge, Hsu, Kakade & Telgarsky 2014) in the k coordinates in which the second is the
// identity, at the concentration, given or the one that explains most of it, by the symmetric
// power method; neither moment is formed. From there it polishes the topics by latent Dirichlet
// allocation (Blei, Ng & Jordan 2003) with zero-order collapsed variational inference (Asuncion,
// Welling, Smyth & Teh 2009).
//
// Cost: some ten passes over the counts with k+10 products each, O(p k^3 + n k^3), and a pass for
// each step of the polish with some 6 k operations a count. Memory: 8 p k bytes, where that is at
// most 1 GB, and up to 16 tables of n k numbers. Of documents on a cluster no counts are kept: each
// step finds them again there, with up to 50 times the operations.
func (s *Session) Topics(k int, options ...TopicsOptions) *Topics {
	began := time.Now()
	out := made(&Topics{Words: noMatrix(nil), Result: Result{err: s.Err()}})
	if out.err != nil {
		return out
	}
	o, err := completed(options, TopicsOptions.withDefaults)
	if out.err = err; err != nil {
		return out
	}
	if out.err = s.countable(k); out.err != nil {
		return out
	}
	if out.err = memory.Check(fmt.Sprintf("topics: %s of %s", words.Plural(max(k, 1), "topic"), words.Plural(s.data.N, "word")), topics.Bytes(s.data.Storage, k), s.limit, "take fewer topics or words", "topics", "Columns"); out.err != nil {
		return out
	}
	ctx := s.context()
	d, err := topics.Survey(ctx, s.data.Storage)
	if out.err = s.notCounts(err); err != nil {
		return out
	}
	long := s.data.P - d.Short
	if long == 0 {
		out.err = fmt.Errorf("topics: %s: no document has three words or more, which topics need", s.Source())
		return out
	}
	if long < k {
		out.err = &ArgumentError{Argument: "topics", Value: k, Want: fmt.Sprintf("at most %d: so many documents have three words or more", long)}
		return out
	}
	engine := topics.Options{Topics: k, Concentration: o.Concentration, Starts: o.Starts, Seed: o.Seed, MomentsOnly: o.MomentsOnly,
		MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Threads: o.Threads, Progress: reports(s.watcher(o.Progress), began)}
	found, err := topics.Find(ctx, d, engine)
	if out.err = interrupted("topics", err); found == nil {
		return out
	}
	if found.Shown < max(1, k) {
		out.err = &ArgumentError{Argument: "topics", Value: k, Want: fmt.Sprintf("at most %d: the pairs of words in these documents show no more", found.Shown)}
		return out
	}
	out.Documents, out.Short, out.Frequencies, out.seed = s.data.P, d.Short, d.Words, o.Seed
	out.Concentration, out.Prior, out.Cut = found.Concentration, found.Prior, found.Cut
	out.Converged, out.Iterations, out.Elapsed = found.Converged, found.Iterations, time.Since(began)
	out.describe(found.Topics, found.Weights, s.Columns())
	out.frame, out.session, out.options, out.progress = s.frame(out.Names), s, engine, o.Progress
	out.Warnings = slices.Concat(warned(ofCounts(s.data.Warnings)...), warned(found.Doubts(d, o.MomentsOnly, out.err != nil)...))
	return out
}

// ofCounts leaves out what is no reason for caution with counts: some words are always more
// frequent than others, and standardized counts are none; some may be in no document.
func ofCounts(warnings []diag.Warning) []diag.Warning {
	return slices.DeleteFunc(slices.Clone(warnings), func(w diag.Warning) bool { return w.Code == diag.Scales || w.Code == diag.Constant })
}

func (o TopicsOptions) withDefaults() (TopicsOptions, error) {
	if o.Concentration != 0 && !(o.Concentration >= 1e-6 && o.Concentration <= 1e6) {
		return o, &ArgumentError{Argument: "Concentration", Value: o.Concentration, Want: "a number from 1e-6 to 1e6, or 0: estimated"}
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0) {
		return o, &ArgumentError{Argument: "Tolerance", Value: o.Tolerance, Want: "a finite number above 0, or 0 for the default"}
	}
	o.Tolerance = cmp.Or(o.Tolerance, topicsTolerance)
	return o, setDefaults(&o.Seed, &o.Threads, whole{&o.Starts, "Starts", topicsStarts}, whole{&o.MaxIterations, "MaxIterations", topicsIterations})
}

// countable refuses data that are no counts of words, and numbers of topics that they cannot have.
func (s *Session) countable(k int) error {
	switch {
	case s.coordinates != "":
		return &ArgumentError{Argument: "data", Value: s.coordinates + " variables", Want: "counts as they were loaded"}
	case s.data.N == 1:
		return &ArgumentError{Argument: "data", Value: "counts of one word", Want: "several words, one a column: which of them go together is what topics tell; Texts counts those of texts"}
	case k < 0 || k > s.data.N:
		return &ArgumentError{Argument: "topics", Value: k, Want: fmt.Sprintf("1 to %d, the number of words, or 0 for as many as stand out from the noise", s.data.N)}
	}
	if err := s.data.Forgotten(); err != nil {
		return fmt.Errorf("topics: %w", err)
	}
	return nil
}

// notCounts is the error of a survey, with the place of what is none.
func (s *Session) notCounts(err error) error {
	c := (*topics.CountError)(nil)
	if !errors.As(err, &c) {
		return interrupted("topics", err)
	}
	return interrupted("topics", c.In(s.Source(), nameOrNone(s.data.Names, c.Column)))
}

// nameOrNone returns a name from a list, or "".
func nameOrNone(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// describe fills what the topics (K x n) and their weights say.
func (t *Topics) describe(mu, weights []float64, names []string) {
	k := len(weights)
	t.Components, t.N, t.Weights, t.Names = k, len(mu)/k, weights, names
	m := mat.NewDense(t.N, k, nil)
	linalg.Transpose(m.RawMatrix().Data, k, mu, t.N, k)
	t.Words = loadings(m, names)
	t.Words.over = "topic"
	alpha := slices.Clone(weights)
	linalg.Scale(t.Concentration, alpha)
	t.model = &topics.Model{N: t.N, Topics: mu, Alpha: alpha}
}

// Top returns the words of each topic with the highest relevance (Sievert & Shirley 2014):
// frequent in the topic, and more so than elsewhere.
func (t *Topics) Top(count int) [][]string {
	var out [][]string
	for _, words := range t.top(count) {
		var names []string
		for _, i := range words {
			names = append(names, t.Names[i])
		}
		out = append(out, names)
	}
	return out
}

func (t *Topics) top(count int) (out [][]int) {
	for j := range t.Components {
		out = append(out, t.model.Relevant(j, max(0, count), t.Frequencies))
	}
	return out
}

// documents returns the counts of s in the order of the words.
func (t *Topics) documents(s *Session) (block.Source, error) {
	switch {
	case t.Components == 0:
		return nil, cmp.Or(t.err, error(&ArgumentError{Argument: "topics", Value: "none", Want: "topics that Session.Topics found"}))
	case s.Err() != nil:
		return nil, s.Err()
	case s.data.N != t.N:
		return nil, &ArgumentError{Argument: "data", Value: words.Plural(s.data.N, "word"), Want: fmt.Sprintf("the %s of the topics", words.Plural(t.N, "word"))}
	}
	order, x, err := s.placesIn("topics", t.frame)
	if err != nil {
		return nil, err
	}
	if order != nil {
		return nil, &ArgumentError{Argument: "data", Value: "the same words in another order", Want: "the order of the topics; select the columns in it"}
	}
	if t.session == nil || t.session.data != s.data { // otherwise they are known to be counts
		_, err = topics.Survey(s.context(), x)
	}
	return x, s.notCounts(err)
}

// Shares returns the expected shares of the topics in the documents of s, p x K, of sum 1 each.
// Words are matched by their names. One pass; of documents on a cluster only if all of these fit
// in 64 MB.
func (t *Topics) Shares(s *Session) (*NamedMatrix, error) {
	x, err := t.documents(s)
	if err != nil {
		return noMatrix(err), err
	}
	shares, err := t.model.Shares(s.context(), x, 0)
	if err != nil {
		err = interrupted("shares", err)
		return noMatrix(err), err
	}
	return numbered(mat.NewDense(s.data.P, t.Components, shares), "topic"), nil
}

// Perplexity predicts one half of the words of each document of s from the other, drawn at
// random: it is exp of minus the mean of their log probabilities, as if each word was one of so
// many that are equally likely. Lower is better; documents that the topics were found from
// flatter them.
func (t *Topics) Perplexity(s *Session) (float64, error) {
	x, err := t.documents(s)
	if err != nil {
		return math.NaN(), err
	}
	value, err := t.model.Perplexity(s.context(), x, t.seed, 0)
	return value, interrupted("perplexity", err)
}

// coherent is the number of words by which coherence is judged.
const coherent = 10

// Coherence returns, of the ten most relevant words of each topic, the mean normalized pointwise
// mutual information of pairs in the documents of s (Bouma 2009): 1 for words that are always
// together, 0 for independent ones, -1 for those that never meet.
func (t *Topics) Coherence(s *Session) ([]float64, error) {
	x, err := t.documents(s)
	if err != nil {
		return nil, err
	}
	values, err := topics.Coherence(s.context(), x, t.top(coherent))
	return values, interrupted("coherence", err)
}

// Score compares the topics with true ones, n x r' for any r', of columns of sum 1: Distance is
// the mean sum of absolute differences of matched topics, from 0 to 2, and Value the mean of
// their cosines.
func (t *Topics) Score(truth mat.Matrix) *Score {
	if t.Components == 0 {
		return made(&Score{Result: Result{err: fmt.Errorf("score: there are no topics")}})
	}
	if err := errorOf(truth); err != nil {
		return made(&Score{Result: Result{err: err}})
	}
	rows, cols := linalg.Dims(truth)
	if rows != t.N || cols < 1 {
		return made(&Score{Result: Result{err: &ArgumentError{Argument: "truth", Value: fmt.Sprintf("a %d x %d matrix", rows, cols), Want: fmt.Sprintf("%s, one a word, and one topic a column", words.Plural(t.N, "row"))}}})
	}
	near, cos := make([]float64, cols*t.Components), make([]float64, cols*t.Components)
	for i := range cols {
		for j := range t.Components {
			var apart, both, a, b float64
			for w := range t.N {
				x, y := truth.At(w, i), t.Words.At(w, j)
				apart, both, a, b = apart+math.Abs(x-y), both+x*y, a+x*x, b+y*y
			}
			near[i*t.Components+j], cos[i*t.Components+j] = 2-apart, both/math.Sqrt(a*b)
		}
	}
	_, pairs := ktensor.Match(near, cols, t.Components)
	distance := 0.
	for _, p := range pairs {
		distance += (2 - near[p[0]*t.Components+p[1]]) / float64(len(pairs))
	}
	return scoreOf(distance, pairs, cos, truth, t.Components)
}

// shownWords are shown of each topic.
const shownWords = 8

func (t *Topics) shown() shown {
	if t.Components == 0 {
		return &htmltext.Facts{Title: errorLine("topics", t.err)}
	}
	f := &htmltext.Facts{Title: fmt.Sprintf("%s of %s of %s", words.Plural(t.Components, "topic"), words.Plural(t.Documents, "document"), words.Plural(t.N, "word"))}
	f.Add("concentration", "%s", words.Brief(t.Concentration))
	if t.Iterations == 0 && t.Cut != nil {
		f.Add("cut", "up to %.2g of a topic, which noise made negative", slices.Max(t.Cut))
	}
	f.Add("found in", "%s, %s", words.Plural(t.Iterations, "iteration"), words.Duration(t.Elapsed))
	l := &htmltext.Listing{Head: []string{"topic", "share", "words"}}
	for j, top := range t.Top(shownWords) {
		l.Rows = append(l.Rows, []string{fmt.Sprint(j + 1), fmt.Sprintf("%.3f", t.Weights[j]), strings.Join(top, ", ")})
	}
	l.Numbers()
	return parts{htmltext.Beside(f, t.Warnings, t.err), l}
}
