package topics

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Of the polish: updates of a document when it is first seen, if its counts are kept, and one in each later
// step; most updates if they are not, and the mean change of a count that ends these; and the memory for what
// is kept of the documents, and for sums apart.
const (
	firstUpdates = 10
	freshUpdates = 50
	freshChange  = 1e-3
	keptBytes    = 1 << 30
	sumBytes     = 1 << 28
)

// posterior is the zero-order collapsed variational approximation (Asuncion, Welling, Smyth & Teh
// 2009): a place of word w in document l has topic j with probability
//
//	g_j ~ (N_wj - g_j + eta) (N_lj - g_j + alpha_j) / (N_j + n eta),
//
// N being the sums of these probabilities over all places of a word, of a document, and over all. Its own is
// left out, as it is when topics are drawn in Gibbs sampling. It is not held from a step to the next: what solves the
// equation is found by one correction of what it would be with it.
type posterior struct {
	docs    *Documents
	k, n    int
	alpha   []float64 // k, of shares
	eta     float64   // of topics, the same for all words
	words   []float64 // n x k: N_wj + eta, or given topics
	totals  []float64 // k: their sums, or 1 of given topics
	inverse []float64 // k: 1 / totals
	given   bool
	counts  []float64 // documents x k: N_lj + alpha_j; nil if they would not fit in memory
	fresh   bool      // counts are yet to be found
	groups  []group
	tiles   []*document // of each thread
}

// group are the sums of a group of documents.
type group struct {
	words  []float64 // n x k: places of each word by topic
	shares []float64 // k: expected ones
	logs   float64   // log-likelihood
	pairs  [2]float64
}

// document is the scratch space of a thread.
type document struct {
	rows
	now                     []float64 // k: counts of the document, or of posterior
	counts, scaled, g, next []float64 // k; scaled are counts / totals
	weight                  float64
}

func newDocument(k int) *document {
	all := make([]float64, 4*k)
	t := &document{counts: all[:k], scaled: all[k : 2*k], g: all[2*k : 3*k], next: all[3*k:], weight: 1}
	t.now = t.counts
	return t
}

// newPosterior begins with topics mu (k x n) whose shares have these parameters.
func newPosterior(d *Documents, mu, alpha []float64, eta float64, threads int) *posterior {
	p, n := d.Shape()
	k := len(alpha)
	q := &posterior{docs: d, k: k, n: n, alpha: slices.Clone(alpha), eta: eta, fresh: true, words: make([]float64, n*k), totals: make([]float64, k), inverse: make([]float64, k)}
	if float64(p)*float64(k)*8 <= keptBytes {
		q.counts = make([]float64, p*k)
	}
	a0, tokens := sum(alpha), d.tokens()
	for j, a := range alpha {
		for i := range n {
			q.words[i*k+j] = eta + mu[j*n+i]*tokens*a/a0
		}
	}
	q.add()
	q.groups = make([]group, max(1, min(block.Groups(d, 1), sumBytes/(8*n*k))))
	for g := range q.groups {
		q.groups[g] = group{words: make([]float64, n*k), shares: make([]float64, k)}
	}
	for range parallel.Threads(threads) {
		q.tiles = append(q.tiles, newDocument(k))
	}
	return q
}

// add adds up the words of each topic.
func (q *posterior) add() {
	clear(q.totals)
	for at := 0; at < len(q.words); at += q.k {
		linalg.Axpy(1, q.words[at:at+q.k], q.totals)
	}
	for j, t := range q.totals {
		q.inverse[j] = 1 / t
	}
}

// step makes a pass over the documents: it finds the topics given the counts of each, and better counts. It
// returns the mean log-likelihood of a word, and how far the topics moved: the mean sum of absolute
// differences. It returns false if cancelled: then the topics are those before.
func (q *posterior) step(ctx context.Context) (likelihood, moved float64, ok bool) {
	for g := range q.groups {
		g := &q.groups[g]
		clear(g.words)
		clear(g.shares)
		g.logs = 0
	}
	if !q.pass(ctx, q.update) {
		return 0, 0, false
	}
	q.fresh = false
	sums := &q.groups[0]
	for _, g := range q.groups[1:] {
		linalg.Axpy(1, g.words, sums.words)
		linalg.Axpy(1, g.shares, sums.shares)
		sums.logs += g.logs
	}
	was := slices.Clone(q.totals)
	q.words, sums.words = sums.words, q.words
	for i := range q.words {
		q.words[i] += q.eta
	}
	q.add()
	for at := 0; at < len(q.words); at += q.k {
		for j, t := range q.totals {
			moved += math.Abs(q.words[at+j]/t - sums.words[at+j]/was[j])
		}
	}
	return sums.logs / q.docs.tokens(), moved / float64(q.k), true
}

// pass makes a pass over the documents, in groups: do takes each with its counts in t.now, and its number.
func (q *posterior) pass(ctx context.Context, do func(t *document, g *group, l int, index []int32, count []float64)) bool {
	done := 0
	var now block.Block
	pool := parallel.Pool{Threads: len(q.tiles), Job: func(worker, i int) {
		t := q.tiles[worker]
		for l := block.GroupStart(i, len(q.groups), now.Rows); l < block.GroupStart(i+1, len(q.groups), now.Rows); l++ {
			if l%256 == 0 && ctx.Err() != nil {
				return
			}
			index, count := t.of(now, l, q.n)
			if t.now, t.weight = t.counts, q.docs.weight(done+l); t.weight == 0 { // of a bootstrap
				continue
			}
			if q.counts != nil {
				t.now = q.counts[(done+l)*q.k : (done+l+1)*q.k]
			}
			if q.fresh || q.counts == nil {
				q.find(t, index, count)
			}
			q.scale(t)
			do(t, &q.groups[i], done+l, index, count)
		}
	}}
	return q.docs.Pass(ctx, func(b block.Block) {
		now = b
		pool.Run(ctx, len(q.groups))
		done += b.Rows
	}) && ctx.Err() == nil
}

// update adds a document to the sums of a group, and makes its counts better.
func (q *posterior) update(t *document, g *group, _ int, index []int32, count []float64) {
	k, total, likelihood := q.k, sum(t.now), product{of: 1}
	linalg.Axpy(t.weight/total, t.now, g.shares)
	copy(t.next, q.alpha)
	for i, c := range count {
		at := int(index[i]) * k
		likelihood.times(q.respond(t, q.words[at:at+k])/total, c)
		linalg.Axpy(c, t.g, t.next)
		linalg.Axpy(t.weight*c, t.g, g.words[at:at+k])
	}
	copy(t.now, t.next)
	g.logs += t.weight * likelihood.log()
}

// leastNormal keeps a word that no topic has from dividing by 0: its inverse is finite.
const leastNormal = 0x1p-1022

// respond writes the topics of a place with this word to t.g. It returns its probability with its own place
// among the counts, times their sum.
func (q *posterior) respond(t *document, word []float64) float64 {
	norm := linalg.Dot(word, t.scaled) + leastNormal
	by, weight, eta, total := 1/norm, t.weight, q.eta, 0.
	if q.given {
		weight, eta = 0, 0
	}
	scaled, now, g, alpha, inverse := t.scaled[:len(word)], t.now[:len(word)], t.g[:len(word)], q.alpha[:len(word)], q.inverse[:len(word)]
	for j, x := range word {
		own := x * scaled[j] * by
		x -= weight * own
		if x < eta {
			x = eta
		}
		share := now[j] - own
		if share < alpha[j] {
			share = alpha[j]
		}
		x *= share * inverse[j]
		g[j] = x
		total += x
	}
	linalg.Scale(1/(total+leastNormal), g)
	return norm
}

// scale writes the counts of a document, divided by the totals of the topics.
func (q *posterior) scale(t *document) {
	linalg.Multiply(t.scaled, t.now, q.inverse)
}

// find finds the counts of a document, given the topics, from equal shares.
func (q *posterior) find(t *document, index []int32, count []float64) {
	length, updates := sum(count), freshUpdates
	for j, a := range q.alpha {
		t.now[j] = a + length/float64(q.k)
	}
	if q.counts != nil {
		updates = firstUpdates
	}
	for range updates {
		q.scale(t)
		copy(t.next, q.alpha)
		for i, c := range count {
			q.respond(t, q.words[int(index[i])*q.k:][:q.k])
			linalg.Axpy(c, t.g, t.next)
		}
		change := 0.
		for j, x := range t.next {
			change += math.Abs(x - t.now[j])
		}
		copy(t.now, t.next)
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

// settle sets eta to the maximum of the likelihood of Dirichlet multinomials by the fixed point of Minka
// (2000), with every place given to its most probable topic: added up, the probabilities make topics look flatter
// than they are. One pass.
func (q *posterior) settle(ctx context.Context) error {
	for g := range q.groups {
		clear(q.groups[g].words)
	}
	if !q.pass(ctx, func(t *document, g *group, l int, index []int32, count []float64) {
		for i, c := range count {
			at := int(index[i]) * q.k
			q.respond(t, q.words[at:at+q.k])
			best := 0
			for j, x := range t.g {
				if x > t.g[best] {
					best = j
				}
			}
			g.words[at+best] += t.weight * c
		}
	}) {
		return cmp.Or(block.Stopped(ctx, q.docs), ctx.Err())
	}
	given := q.groups[0].words
	for _, g := range q.groups[1:] {
		linalg.Axpy(1, g.words, given)
	}
	totals := make([]float64, q.k)
	var some []float64 // counts above 0
	for i, c := range given {
		if totals[i%q.k] += c; c > 0 {
			some = append(some, c)
		}
	}
	eta, n := q.eta, float64(q.n)
	for range priorSteps {
		above, below, of, all := 0., 0., mathext.Digamma(eta), mathext.Digamma(n*eta)
		for _, c := range some {
			above += mathext.Digamma(c+eta) - of
		}
		for _, t := range totals {
			below += mathext.Digamma(t+n*eta) - all
		}
		was := eta
		eta = max(leastPrior, min(eta*above/(n*below), mostPrior))
		if math.Abs(eta/was-1) < priorChange {
			break
		}
	}
	for i := range q.words {
		q.words[i] += eta - q.eta
	}
	q.eta = eta
	q.add()
	return nil
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
		for j, t := range q.totals {
			mu[j*q.n+i] = q.words[i*q.k+j] / t
		}
	}
	return mu
}

// product is a product of numbers below 1, of which it takes the logarithm as rarely as it can: of each number
// it would take a third of the time of a step.
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
