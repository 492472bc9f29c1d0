package topics

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Of the polish: updates of a document when it is first seen, if its counts are kept, and one in
// each later step; most updates if they are not, and the mean change of a count that ends these;
// how much further than its end a step goes (over-relaxation: a third fewer steps); and the memory
// for sums apart.
const (
	firstUpdates = 2
	freshUpdates = 50
	freshChange  = 1e-3
	relaxation   = .5
	sumBytes     = 1 << 28
)

// KeptBytes bounds the counts of documents that are kept from a step to the next. Only tests change it.
var KeptBytes = float64(1 << 30)

// posterior is the zero-order collapsed variational approximation (Asuncion, Welling, Smyth & Teh
// 2009): a place of word w in document l has topic j with probability
//
//	g_j ~ (N_wj - g_j + eta) (N_lj - g_j + alpha_j) / (N_j + n eta),
//
// N being the sums of these probabilities over all places of a word, of a document, and over all.
// Its own is left out, as it is when topics are drawn in Gibbs sampling. It is not held from a
// step to the next: what solves the equation is found by one correction of what it would be with
// it.
type posterior struct {
	docs    *Documents
	k, n    int
	stride  int       // k and zeros up to a multiple of 8: the length of vectors by topic
	alpha   []float64 // stride: of shares
	eta     float64   // of topics, the same for all words
	words   []float64 // n x stride: N_wj + eta, or given topics
	totals  []float64 // stride: their sums, or 1 of given topics
	inverse []float64 // stride: 1 / totals
	given   bool
	counts  []float64 // documents x stride: N_lj + alpha_j; nil if they would not fit in memory
	fresh   bool      // counts are yet to be found
	groups  []group
	tiles   []*document // of each thread
}

// group are the sums of a group of documents, in one array.
type group struct {
	all    []float64
	words  []float64 // n x stride: places of each word by topic
	pairs  []float64 // 2: of together
	shares []float64 // k: expected ones
	logs   []float64 // 1: log-likelihood
}

// grouped makes the sums of some groups.
func (q *posterior) grouped(groups int) {
	size := q.n * q.stride
	for range groups {
		all := make([]float64, size+2+q.k+1)
		q.groups = append(q.groups, group{all: all, words: all[:size], pairs: all[size : size+2], shares: all[size+2 : size+2+q.k], logs: all[size+2+q.k:]})
	}
}

// document is the scratch space of a thread.
type document struct {
	rows
	linalg.Responses
	weight float64
	counts []float64 // where Now is if it is not kept
	spare  []float64 // sums that nobody asks for

	own        []float64 // of evidence: counts of the document by word and topic
	sums, same []float64
}

// document returns scratch space.
func (q *posterior) document() *document {
	all := make([]float64, 5*q.stride)
	part := func(i int) []float64 { return all[i*q.stride : (i+1)*q.stride] }
	t := &document{weight: 1, counts: part(0), spare: part(1)}
	t.Responses = linalg.Responses{Now: t.counts, Least: q.alpha, Inverse: q.inverse, Scaled: part(2), G: part(3), Next: part(4)}
	return t
}

// empty returns a posterior without documents.
func empty(n int, alpha []float64) *posterior {
	k := len(alpha)
	stride := (k + 7) &^ 7
	q := &posterior{k: k, n: n, stride: stride, alpha: make([]float64, stride), words: make([]float64, n*stride), totals: make([]float64, stride), inverse: make([]float64, stride)}
	copy(q.alpha, alpha)
	return q
}

// newPosterior begins with topics mu (k x n) whose shares have these parameters.
func newPosterior(d *Documents, mu, alpha []float64, eta float64, threads int) *posterior {
	p, n := d.Shape()
	q := empty(n, alpha)
	q.docs, q.eta, q.fresh = d, eta, true
	groups := max(1, min(block.Groups(d, 1), sumBytes/(8*n*q.stride)))
	if _, far := d.Source.(block.Far); far {
		groups = 1
	} else if float64(p)*float64(q.stride)*8 <= KeptBytes {
		q.counts = make([]float64, p*q.stride)
	}
	a0, tokens := sum(alpha), d.tokens[0]
	for j, a := range alpha {
		for i := range n {
			q.words[i*q.stride+j] = eta + mu[j*n+i]*tokens*a/a0
		}
	}
	q.add()
	q.grouped(groups)
	q.threads(threads)
	return q
}

// threads makes the scratch space of some.
func (q *posterior) threads(count int) {
	for range parallel.Threads(count) {
		q.tiles = append(q.tiles, q.document())
	}
}

// add adds up the words of each topic.
func (q *posterior) add() {
	clear(q.totals)
	for at := 0; at < len(q.words); at += q.stride {
		linalg.Axpy(1, q.words[at:at+q.stride], q.totals)
	}
	for j, t := range q.totals[:q.k] {
		q.inverse[j] = 1 / t
	}
}

// word returns the counts of a word by topic, of those of all.
func (q *posterior) word(all []float64, i int32) []float64 {
	at := int(i) * q.stride
	return all[at : at+q.stride]
}

// step makes a pass over the documents: it finds the topics given the counts of each, and better
// counts, and goes further in the same direction. It returns the mean log-likelihood of a word, and how
// far the topics moved without that: the mean sum of absolute differences. With an error the topics
// are those before.
func (q *posterior) step(ctx context.Context) (likelihood, moved float64, err error) {
	if err := q.sums(ctx, stepping, nil); err != nil {
		return 0, 0, err
	}
	q.fresh = false
	sums := &q.groups[0]
	was := slices.Clone(q.totals)
	for i, is := range sums.words {
		old := q.words[i]
		q.words[i], sums.words[i] = further(old, is+q.eta, q.eta), old
	}
	q.add()
	for at := 0; at < len(q.words); at += q.stride {
		for j, t := range q.totals[:q.k] {
			moved += math.Abs(q.words[at+j]/t - sums.words[at+j]/was[j])
		}
	}
	return sums.logs[0] / q.docs.tokens[0], moved / float64(q.k) / (1 + relaxation), nil
}

// pass makes a pass over the documents, in groups: do takes each with its counts in t.Now.
func (q *posterior) pass(ctx context.Context, do func(t *document, g *group, index []int32, count []float64)) bool {
	done := 0
	var now block.Block
	pool := parallel.Pool{Threads: len(q.tiles), Job: func(worker, i int) {
		t := q.tiles[worker]
		for l := block.GroupStart(i, len(q.groups), now.Rows); l < block.GroupStart(i+1, len(q.groups), now.Rows); l++ {
			if l%256 == 0 && ctx.Err() != nil {
				return
			}
			index, count := t.of(now, l, q.n)
			if t.Now, t.weight = t.counts, now.Weight(l)*q.docs.mean; t.weight == 0 { // of a bootstrap
				continue
			}
			if q.counts != nil {
				t.Now = q.counts[(done+l)*q.stride : (done+l+1)*q.stride]
			}
			if q.fresh || q.counts == nil {
				q.find(t, index, count)
			}
			q.scale(t)
			do(t, &q.groups[i], index, count)
		}
	}}
	return q.docs.Pass(ctx, func(b block.Block) {
		now = b
		pool.Run(ctx, len(q.groups))
		done += b.Rows
	}) && ctx.Err() == nil
}

// update adds a document to the sums of a group, and makes its counts better.
func (q *posterior) update(t *document, g *group, index []int32, count []float64) {
	total, likelihood := sum(t.Now), product{of: 1}
	linalg.Axpy(t.weight/total, t.Now[:q.k], g.shares)
	copy(t.Next, q.alpha)
	for i, c := range count {
		likelihood.times(t.Of(q.word(q.words, index[i]), q.word(g.words, index[i]), c)/total, c)
	}
	for j, x := range t.Next {
		t.Now[j] = further(t.Now[j], x, q.alpha[j])
	}
	g.logs[0] += t.weight * likelihood.log()
}

// further returns where a step that went from was to is goes.
func further(was, is, least float64) float64 { return max(is+relaxation*(is-was), least) }

// scale prepares for the counts of a document.
func (q *posterior) scale(t *document) {
	linalg.Multiply(t.Scaled, t.Now, q.inverse)
	if t.Weight, t.Eta = t.weight, q.eta; q.given {
		t.Weight, t.Eta = 0, 0
	}
}

// find finds the counts of a document, given the topics, from equal shares.
func (q *posterior) find(t *document, index []int32, count []float64) {
	length, updates := sum(count), freshUpdates
	for j, a := range q.alpha[:q.k] {
		t.Now[j] = a + length/float64(q.k)
	}
	if q.counts != nil {
		updates = firstUpdates
	}
	for range updates {
		q.scale(t)
		copy(t.Next, q.alpha)
		for i, c := range count {
			t.Of(q.word(q.words, index[i]), t.spare, c)
		}
		change := 0.
		for j, x := range t.Next {
			change += math.Abs(x - t.Now[j])
		}
		copy(t.Now, t.Next)
		if change < freshChange*float64(q.k) {
			break
		}
	}
}

// The range of eta, most steps of its fixed point, and the relative change that ends them.
const (
	leastPrior  = 1e-4
	mostPrior   = 10
	priorSteps  = 50
	priorChange = 1e-3
)

// estimate makes a pass over the documents, and returns what it tells: eta, and tau of together
// unless the weights of the topics are nil.
func (q *posterior) estimate(ctx context.Context, weights []float64) (eta, tau float64, err error) {
	if err := q.sums(ctx, estimating, weights); err != nil {
		return 0, 0, err
	}
	if weights != nil {
		tau = q.together(weights)
	}
	return q.prior(), tau, nil
}

// evidence returns what adds a document to the sums of estimate: every place given to its most
// probable topic, and the pairs of together.
func (q *posterior) evidence(weights []float64) func(t *document, g *group, index []int32, count []float64) {
	var m []float64
	if weights != nil {
		_, m = q.overall(weights)
	}
	return func(t *document, g *group, index []int32, count []float64) {
		t.own = append(t.own[:0], make([]float64, len(count)*q.stride)...) // zeros, without garbage
		clear(t.Next)
		for i, c := range count {
			t.Of(q.word(q.words, index[i]), q.word(t.own, int32(i)), c)
			best, most := 0, 0.
			for j, x := range t.G {
				if x > most {
					best, most = j, x
				}
			}
			q.word(g.words, index[i])[best] += t.weight * c
		}
		if m != nil {
			q.pair(t, g, weights, m, index, count)
		}
	}
}

// prior returns eta at the maximum of the likelihood of Dirichlet multinomials by the fixed point
// of Minka (2000), with every place given to its most probable topic: added up, the probabilities
// make topics look flatter than they are.
func (q *posterior) prior() float64 {
	totals := make([]float64, q.stride)
	var some []float64 // counts above 0
	for i, c := range q.groups[0].words {
		if totals[i%q.stride] += c; c > 0 {
			some = append(some, c)
		}
	}
	eta, n := q.eta, float64(q.n)
	for range priorSteps {
		above, below, of, all := 0., 0., mathext.Digamma(eta), mathext.Digamma(n*eta)
		for _, c := range some {
			above += mathext.Digamma(c+eta) - of
		}
		for _, t := range totals[:q.k] {
			below += mathext.Digamma(t+n*eta) - all
		}
		was := eta
		eta = max(leastPrior, min(eta*above/(n*below), mostPrior))
		if math.Abs(eta/was-1) < priorChange {
			break
		}
	}
	return eta
}

// adopt sets the parameters of topics and shares.
func (q *posterior) adopt(eta float64, alpha []float64) {
	for i := range q.words {
		q.words[i] += eta - q.eta
	}
	q.eta = eta
	q.add()
	copy(q.alpha, alpha)
}

// weights returns the mean shares of the last step.
func (q *posterior) weights() []float64 {
	w := slices.Clone(q.groups[0].shares)
	linalg.Scale(1/sum(w), w)
	return w
}

// mean returns the topics, k x n.
func (q *posterior) mean() []float64 {
	mu := make([]float64, q.k*q.n)
	for i := range q.n {
		for j, t := range q.totals[:q.k] {
			mu[j*q.n+i] = q.words[i*q.stride+j] / t
		}
	}
	return mu
}

// product is a product of numbers below 1, of which it takes the logarithm as rarely as it can:
// of each number it would take a third of the time of a step.
type product struct{ of, logs float64 }

// times multiplies by x^c.
func (p *product) times(x, c float64) {
	if !(x > 1e-50) || c > 2 {
		p.logs += c * math.Log(x)
		return
	}
	if p.of *= x; c == 2 {
		p.of *= x
	}
	if p.of < 1e-200 {
		p.logs, p.of = p.logs+math.Log(p.of), 1
	}
}

func (p *product) log() float64 { return p.logs + math.Log(p.of) }

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}
