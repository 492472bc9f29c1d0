package fit

import (
	"math"
	"slices"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/notice"
)

// Limits of what is made of the components of starts that ended at different optima.
const (
	mostExchanges = 20
	slowExchanges = 2 // of data that are slow to read
	mostFailures  = 5 // in a row
	// exchangeShare bounds the evaluations from exchanges, as a share of those before.
	exchangeShare = .5
	// apart is the least 1 - cos^2 of a component's power and the span of the others' at
	// which it is taken: closer ones, with weights that cancel, are left to the solver.
	apart = .01
	// sameComponent is the cosine of two components' powers from which on they are taken for
	// one.
	sameComponent = .9
	// worthSolving is the relative decrease of f from which on a set is solved from.
	worthSolving = 1e-9
)

// differ reports whether the starts ended at so many different solutions that exchanging
// their components is worth a try: of an indefinite moment, whose optima are many, if fewer
// than half found the best. A number of starts that was asked for is kept to. Where passes are
// jobs on a cluster that takes a tensor which is here, of all variables.
func (c *search) differ(tensor moment.Tensor, outcomes []outcome) bool {
	_, held := tensor.(*moment.Explicit)
	best := bestOf(outcomes)
	if !c.o.Open || c.o.Nonnegative || c.m.far() && !held || c.r < 2 || c.stopped() != nil || best < 0 {
		return false
	}
	f := outcomes[best].f
	hits, drawn := drawnHits(outcomes, func(out outcome) bool { return out.f-f <= sameSolution*math.Abs(f) })
	return notice.FewFound(hits, drawn) || c.indefinite() && 2*hits < drawn
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
	p := pool{d: c.m.Order, n: tensor.N(), r: c.r, starts: map[int]int{}}
	poured := 0
	var tried []trial // from the best start
	for failures := 0; most > 0 && left > 0 && failures < mostFailures; most-- {
		for ; poured < len(outcomes); poured += roundStarts {
			if !p.pour(c, tensor, poured, outcomes[poured:min(poured+roundStarts, len(outcomes))]) {
				return outcomes
			}
		}
		poured = len(outcomes)
		best := bestOf(outcomes)
		x0, t := p.choose(c.stopped, p.starts[best], outcomes[best].f, tried)
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

// pool holds components that starts ended with.
type pool struct {
	d, n, r int
	a       []float64   // unit columns, one a row
	w       []float64   // X a_j^d
	starts  map[int]int // the first of each start's r
}

// pour adds the components of starts from k on, in one evaluation. It returns false if
// interrupted.
func (p *pool) pour(c *search, tensor moment.Tensor, k int, outcomes []outcome) bool {
	var a []float64
	for i, out := range outcomes {
		if out.x == nil {
			continue
		}
		p.starts[k+i] = len(p.w) + len(a)/p.n
		a = append(a, out.x[p.r:]...)
	}
	if len(a) == 0 {
		return true
	}
	columns := len(a) / p.n
	for j := range columns {
		normalize(a[j*p.n : (j+1)*p.n])
	}
	_, w, ok := moment.NewObjective(tensor, columns, c.unit, c.o.Threads).TTSV(c.ctx, a)
	if ok {
		p.a, p.w = append(p.a, a...), append(p.w, w...)
	}
	return ok
}

// trial is an exchange that was solved from: of a component of the pool for another.
type trial struct {
	out      int
	products []float64 // [A'A]^d of the other with all of the pool then
	set      []int     // the members then
}

// choose returns the model, with the best weights, of the set of components that exchanges
// one by one lead to from the r at first, whose f is given, or else, of those not yet tried,
// of the exchange that raises f least, and that. It returns nil if there is none or if
// interrupted. With C = [A'A]^d the best weights are C^-1 w, and f = -w'C^-1 w.
func (p *pool) choose(stopped func() error, first int, f float64, tried []trial) ([]float64, trial) {
	s, climbed := p.subset(first), false
	for range 2 * p.r {
		i, j, g := s.lowest(stopped, func(_, _ int) bool { return true })
		if g >= f-worthSolving*math.Abs(f) {
			break
		}
		s.members[i], f, climbed = j, g, true
		s.multiply(i)
	}
	var t trial
	if !climbed {
		i, j, g := s.lowest(stopped, func(i, j int) bool { return s.other(i, j, tried) })
		if math.IsInf(g, 1) {
			return nil, t
		}
		t.out, s.members[i] = s.members[i], j
		s.multiply(i)
		t.products = s.row(i)
	}
	_, lambda := s.fit(p.r)
	if stopped() != nil || lambda == nil {
		return nil, t
	}
	t.set = s.members
	x := append(make([]float64, 0, p.r*(p.n+1)), lambda...)
	for _, j := range s.members {
		x = append(x, p.a[j*p.n:(j+1)*p.n]...)
	}
	return x, t
}

// subset is r components of a pool.
type subset struct {
	*pool
	members  []int     // in the pool
	products []float64 // [A'A]^d, of each member with all of the pool
}

// subset returns the r components from first on.
func (p *pool) subset(first int) *subset {
	s := &subset{pool: p, products: make([]float64, p.r*len(p.w))}
	for i := range p.r {
		s.members = append(s.members, first+i)
		s.multiply(i)
	}
	return s
}

// row returns the products of member i with all.
func (s *subset) row(i int) []float64 { return s.products[i*len(s.w) : (i+1)*len(s.w)] }

// multiply computes the products of member i.
func (s *subset) multiply(i int) {
	j := s.members[i]
	linalg.MulABt(s.row(i), s.a[j*s.n:(j+1)*s.n], s.a, 1, len(s.w), s.n)
	linalg.PowInto(s.row(i), s.d)
}

// fit returns the Cholesky factor of C, and the weights, of all members but one; r leaves
// out none. Both are nil if the members nearly depend on each other.
func (s *subset) fit(without int) (factor, lambda []float64) {
	for i, j := range s.members {
		if i == without {
			continue
		}
		lambda = append(lambda, s.w[j])
		for k, column := range s.members {
			if k != without {
				factor = append(factor, s.row(i)[column])
			}
		}
	}
	n := len(lambda)
	if !linalg.Cholesky(factor, n, n) {
		return nil, nil
	}
	linalg.CholeskySolve(factor, n, n, lambda, 1)
	return factor, lambda
}

// lowest returns the member and the component of the pool whose exchange makes f lowest, of
// those that may be, and that f; +Inf if there is none, or if interrupted.
func (s *subset) lowest(stopped func() error, may func(i, j int) bool) (out, in int, f float64) {
	f = math.Inf(1)
	for i := range s.r {
		if stopped() != nil {
			return 0, 0, math.Inf(1)
		}
		s.each(i, func(j int, g float64) {
			if g < f && may(i, j) {
				out, in, f = i, j, g
			}
		})
	}
	return out, in, f
}

// other reports whether exchanging member i for j, which it is not like, is none of those
// that were tried.
func (s *subset) other(i, j int, tried []trial) bool {
	if math.Abs(s.row(i)[j]) > sameComponent {
		return false
	}
	for _, t := range tried {
		if t.out == s.members[i] && j < len(t.products) && math.Abs(t.products[j]) > sameComponent {
			return false
		}
	}
	return true
}

// each calls visit for all components of the pool that are apart from the members but i,
// with f if they are in its place.
func (s *subset) each(i int, visit func(j int, f float64)) {
	factor, lambda := s.fit(i)
	n := s.r - 1
	if len(lambda) < n {
		return
	}
	others := slices.Delete(slices.Clone(s.members), i, i+1)
	without := 0.
	for k, j := range others {
		without -= s.w[j] * lambda[k]
	}
	v := make([]float64, n)
	for j, left := range s.w { // w_j, less what the others' components have of it
		for k := range n {
			row := k
			if k >= i {
				row++
			}
			v[k] = s.row(row)[j]
			left -= lambda[k] * v[k]
		}
		linalg.CholeskyForwardInOrder(factor, n, n, v)
		if rest := 1 - linalg.Dot(v, v); rest > apart {
			visit(j, without-left*left/rest)
		}
	}
}
