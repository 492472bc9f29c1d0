package fit

import (
	"math"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
)

// Limits of what is made of the components of starts that ended at different optima.
const (
	mostExchanges = 20
	slowExchanges = 2 // of data that are slow to read
	mostFailures  = 5 // in a row
	// leastPower is the least share of the distinct entries in a component, as squares, that it
	// is scaled by.
	leastPower = 1e-8
	// exchangeShare bounds the evaluations from exchanges, as a share of those before.
	exchangeShare = .5
)

// differ reports whether the starts ended at so many different solutions that exchanging
// their components is worth a try: of an indefinite moment, whose optima are many, if fewer
// than half found the best. A number of starts that was asked for is kept to. Where passes are
// jobs on a cluster that takes a tensor which is here, of all variables.
func (c *search) differ(tensor moment.Tensor, outcomes []outcome) bool {
	_, held := tensor.(*moment.Explicit)
	best := bestOf(outcomes)
	if !c.o.Open || c.o.Nonnegative || c.m.far() && !held || c.r < 2 || c.stopped() != nil || best < 0 || c.fitted(outcomes[best].f) {
		return false
	}
	f := outcomes[best].f
	hits, drawn := drawnHits(outcomes, func(out outcome) bool { return out.f-f <= sameSolution*math.Abs(f) })
	return diag.FewFound(hits, drawn) || c.indefinite() && 2*hits < drawn
}

// exchange looks for a better optimum where the starts disagree, as they do where many are
// nearly as good: the set of components that is the best of those of all starts is solved
// from like a start. Where no set is better than that of the best start, those that come
// next are solved from: with other weights and slightly other components many are.
func (c *search) exchange(tensor moment.Tensor, outcomes []outcome) []outcome {
	most, left := mostExchanges, 0.
	if c.slow(tensor) {
		most = slowExchanges
	}
	for _, out := range outcomes {
		left += exchangeShare * float64(out.start.Evaluations)
	}
	p, starts := newPool(c.m.Order, tensor.N(), c.r), map[int]int{}
	p.distinct = c.m.Distinct
	poured := 0
	var tried []trial // from the best start
	for failures := 0; most > 0 && left > 0 && failures < mostFailures; most-- {
		for ; poured < len(outcomes); poured += roundStarts {
			if !c.pour(p, starts, tensor, poured, outcomes[poured:min(poured+roundStarts, len(outcomes))]) {
				return outcomes
			}
		}
		poured = len(outcomes)
		best := bestOf(outcomes)
		x0, _, t := p.Choose(c.stopped, starts[best], outcomes[best].f, tried)
		if x0 == nil {
			return outcomes
		}
		k := len(outcomes)
		c.try(k + 1)
		outcomes = append(outcomes, c.from(tensor, k, k+1, func(_ int, _ *moment.Objective, x []float64) bool {
			copy(x, x0)
			return true
		})...)
		outcomes[k].start.exchanged = true
		left -= float64(outcomes[k].start.Evaluations)
		tried, failures = append(tried, t), failures+1
		if bestOf(outcomes) == k {
			tried, failures = nil, 0
		}
	}
	return outcomes
}

// bestOf returns the index of the lowest f that is certain, the first of several, or -1.
func bestOf(outcomes []outcome) int {
	best := -1
	for k, out := range outcomes {
		if out.x != nil && (best < 0 || out.atMost() < outcomes[best].atMost()) {
			best = k
		}
	}
	return best
}

// pour adds the components of starts from k on to a pool, in one evaluation, and says where those
// of each begin. It returns false if interrupted.
func (c *search) pour(p *pool, starts map[int]int, tensor moment.Tensor, k int, outcomes []outcome) bool {
	var a []float64
	n := tensor.N()
	for i, out := range outcomes {
		if out.x == nil {
			continue
		}
		starts[k+i] = p.Len() + len(a)/n
		a = append(a, out.x[c.r:]...)
	}
	if len(a) == 0 {
		return true
	}
	columns := len(a) / n
	for j := range columns {
		normalize(a[j*n : (j+1)*n])
		if c.m.Distinct { // nearly none of a component in few variables counts
			if power := distinct.Inner(a[j*n:(j+1)*n], a[j*n:(j+1)*n], c.m.Order); power > leastPower {
				linalg.Scale(math.Pow(power, -.5/float64(c.m.Order)), a[j*n:(j+1)*n])
			}
		}
	}
	_, w, ok := moment.NewObjective(tensor, columns, c.unit, c.o.Threads).TTSV(c.ctx, a)
	if ok {
		p.Add(a, w)
	}
	return ok
}
