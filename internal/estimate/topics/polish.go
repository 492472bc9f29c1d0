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

// Of the polish: updates of a document when it is first seen, if its shares are kept, and one in each later
// step; most updates if they are not, and the mean change of its parameters that ends these; and the
// memory for what is kept of the documents, and for sums apart.
const (
	firstUpdates = 10
	freshUpdates = 50
	freshChange  = 1e-3
	keptBytes    = 1 << 30
	sumBytes     = 1 << 28
)

// posterior is the variational approximation of topics and shares, with which words and topics of places
// are independent: topic j is Dirichlet with parameters lambda_j over the words, the shares of document l
// Dirichlet with gamma_l.
type posterior struct {
	docs   *Documents
	k, n   int
	alpha  []float64 // k, of shares
	eta    float64   // of topics, the same for all words
	lambda []float64 // n x k
	gamma  []float64 // documents x k, or nil if they would not fit in memory
	fresh  bool      // gamma is yet to be found

	logs   []float64 // n x k: E log of topics
	words  []float64 // n x k: their exponentials
	totals []float64 // k: sums of lambda
	groups []group
	tiles  []*document // of each thread
}

// group are the sums of a group of documents.
type group struct {
	words  []float64 // n x k, to be multiplied by posterior.words: places of each word by topic
	shares []float64 // k: expected ones
	bound  float64
	pairs  [2]float64 // see together
}

// document is the scratch space of a thread.
type document struct {
	rows
	now                       []float64 // k: gamma of the document, or of posterior
	gamma, logs, shares, next []float64 // k
}

func newDocument(k int) *document {
	gamma := make([]float64, k)
	return &document{now: gamma, gamma: gamma, logs: make([]float64, k), shares: make([]float64, k), next: make([]float64, k)}
}

// newPosterior begins with topics mu (k x n) that have these weights.
func newPosterior(d *Documents, mu, alpha []float64, eta float64, threads int) *posterior {
	p, n := d.Shape()
	k := len(alpha)
	q := &posterior{docs: d, k: k, n: n, alpha: slices.Clone(alpha), eta: eta, fresh: true,
		lambda: make([]float64, n*k), logs: make([]float64, n*k), words: make([]float64, n*k), totals: make([]float64, k)}
	if float64(p)*float64(k)*8 <= keptBytes {
		q.gamma = make([]float64, p*k)
	}
	a0, tokens := sum(alpha), d.tokens()
	for j, a := range alpha {
		for i := range n {
			q.lambda[i*k+j] = eta + mu[j*n+i]*tokens*a/a0
		}
	}
	q.groups = make([]group, max(1, min(block.Groups(d, 1), sumBytes/(8*n*k))))
	for g := range q.groups {
		q.groups[g] = group{words: make([]float64, n*k), shares: make([]float64, k)}
	}
	for range parallel.Threads(threads) {
		q.tiles = append(q.tiles, newDocument(k))
	}
	return q
}

// expect finds E log of the topics, and returns their part of the bound.
func (q *posterior) expect(ctx context.Context) (bound float64) {
	k := q.k
	clear(q.totals)
	for at := 0; at < len(q.lambda); at += k {
		linalg.Axpy(1, q.lambda[at:at+k], q.totals)
	}
	of := make([]float64, k)
	for j, t := range q.totals {
		of[j] = mathext.Digamma(t)
		bound += lgamma(float64(q.n)*q.eta) - float64(q.n)*lgamma(q.eta) - lgamma(t)
	}
	const strip = 64 // words
	bounds := make([]float64, (q.n+strip-1)/strip)
	pool := parallel.Pool{Threads: len(q.tiles), Job: func(_, s int) {
		for at := s * strip * k; at < min((s+1)*strip, q.n)*k; at += k {
			for j, x := range q.lambda[at : at+k] {
				log := mathext.Digamma(x) - of[j]
				q.logs[at+j] = log
				bounds[s] += lgamma(x) + (q.eta-x)*log
			}
			copy(q.words[at:at+k], q.logs[at:at+k])
			linalg.Exp(q.words[at : at+k])
		}
	}}
	pool.Run(ctx, len(bounds))
	return bound + sum(bounds)
}

// step makes a pass over the documents: it finds the topics given the shares of each, and better shares given
// the topics. It returns the bound on the log-likelihood that it began with; no step lowers it. It returns
// false if cancelled: then the topics are those before.
func (q *posterior) step(ctx context.Context) (bound float64, ok bool) {
	bound = q.expect(ctx)
	for g := range q.groups {
		g := &q.groups[g]
		clear(g.words)
		clear(g.shares)
		g.bound = 0
	}
	if !q.pass(ctx, q.add) {
		return 0, false
	}
	q.fresh = false
	sums := &q.groups[0]
	for _, g := range q.groups[1:] {
		linalg.Axpy(1, g.words, sums.words)
		linalg.Axpy(1, g.shares, sums.shares)
		sums.bound += g.bound
	}
	bound += sums.bound + sum(sums.shares)*(lgamma(sum(q.alpha))-sumOf(q.alpha, lgamma))
	for i, w := range q.words {
		q.lambda[i] = q.eta + w*sums.words[i]
	}
	return bound, true
}

// weights returns the mean shares of the last step.
func (q *posterior) weights() []float64 {
	w := slices.Clone(q.groups[0].shares)
	linalg.Scale(1/sum(w), w)
	return w
}

// pass makes a pass over the documents, in groups: do takes each with its shares in t, and its number.
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
			t.now = t.gamma
			if q.gamma != nil {
				t.now = q.gamma[(done+l)*q.k : (done+l+1)*q.k]
			}
			if q.fresh || q.gamma == nil {
				q.begin(t, q.docs.Lengths[done+l])
				q.settleShares(t, index, count)
			} else {
				t.expect()
			}
			do(t, &q.groups[i], done+l, index, count)
		}
	}}
	return q.docs.Pass(ctx, func(b block.Block) {
		now = b
		pool.Run(ctx, len(q.groups))
		done += b.Rows
	}) && ctx.Err() == nil
}

// add adds a document to the sums of a group, and makes its shares better.
func (q *posterior) add(t *document, g *group, l int, index []int32, count []float64) {
	k := q.k
	clear(t.next)
	weight, likelihood := q.docs.weight(l), product{of: 1}
	for i, c := range count {
		at := int(index[i]) * k
		word := q.words[at : at+k]
		norm := linalg.Dot(t.shares, word) + math.SmallestNonzeroFloat64
		likelihood.times(norm, c)
		linalg.Axpy(c/norm, word, t.next)
		linalg.Axpy(weight*c/norm, t.shares, g.words[at:at+k])
	}
	bound, total := likelihood.log(), sum(t.now)
	linalg.Axpy(weight/total, t.now, g.shares)
	for j, x := range t.now {
		bound += lgamma(x) + (q.alpha[j]-x)*t.logs[j]
		t.now[j] = q.alpha[j] + t.shares[j]*t.next[j]
	}
	g.bound += weight * (bound - lgamma(total))
}

// begin makes the parameters of t those of a document whose topics are unknown.
func (q *posterior) begin(t *document, length float64) {
	for j, a := range q.alpha {
		t.now[j] = a + length/float64(q.k)
	}
	t.expect()
}

// settleShares updates the parameters of a document's shares, given the topics, until they settle.
func (q *posterior) settleShares(t *document, index []int32, count []float64) {
	k, updates := q.k, freshUpdates
	if q.gamma != nil {
		updates = firstUpdates
	}
	for range updates {
		clear(t.next)
		for i, c := range count {
			word := q.words[int(index[i])*k:][:k]
			linalg.Axpy(c/(linalg.Dot(t.shares, word)+math.SmallestNonzeroFloat64), word, t.next)
		}
		change := 0.
		for j, a := range q.alpha {
			x := a + t.shares[j]*t.next[j]
			change += math.Abs(x - t.now[j])
			t.now[j] = x
		}
		t.expect()
		if change < freshChange*float64(k) {
			break
		}
	}
}

// expect writes E log of the shares, and its exponentials.
func (t *document) expect() {
	of := mathext.Digamma(sum(t.now))
	for j, x := range t.now {
		t.logs[j] = mathext.Digamma(x) - of
	}
	copy(t.shares, t.logs)
	linalg.Exp(t.shares)
}

// settle sets eta to the maximum of the bound, by Newton's method for its logarithm.
func (q *posterior) settle() {
	n := float64(q.n)
	logs := 0.
	for _, x := range q.logs {
		logs += x
	}
	logs /= float64(q.k)
	for range 50 {
		slope := n*(mathext.Digamma(n*q.eta)-mathext.Digamma(q.eta)) + logs
		bend := n * (n*trigamma(n*q.eta) - trigamma(q.eta))
		step := math.Copysign(1, slope)
		if down := bend*q.eta + slope; down < 0 {
			step = max(-1, min(-slope/down, 1))
		}
		q.eta = max(1e-8, min(q.eta*math.Exp(step), 1e3))
		if math.Abs(step) < 1e-6 {
			return
		}
	}
}

// mean returns the mean of the topics, k x n.
func (q *posterior) mean() []float64 {
	mu := make([]float64, q.k*q.n)
	totals := make([]float64, q.k)
	for at := 0; at < len(q.lambda); at += q.k {
		linalg.Axpy(1, q.lambda[at:at+q.k], totals)
	}
	for i := range q.n {
		for j, t := range totals {
			mu[j*q.n+i] = q.lambda[i*q.k+j] / t
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

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func sumOf(x []float64, f func(float64) float64) (s float64) {
	for _, v := range x {
		s += f(v)
	}
	return s
}
