package fit

import (
	"math"
	"slices"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
)

const (
	// apart is the least 1 - cos^2 of a component's power and the span of the others' at
	// which it is taken: closer ones, with weights that cancel, are left to the solver.
	apart = .01
	// sameComponent is the cosine of two components' powers from which on they are taken for
	// one.
	sameComponent = .9
	// worthSolving is the relative decrease of f from which on a set is solved from.
	worthSolving = 1e-9
)

// pool holds components of n variables for a moment of order d, of which sets of r are chosen.
type pool struct {
	d, n, r int
	a       []float64 // columns whose powers have norm 1, one a row
	w       []float64 // X a_j^d

	distinct bool // only entries of distinct indices count
}

// newPool returns an empty pool.
func newPool(d, n, r int) *pool { return &pool{d: d, n: n, r: r} }

// Len returns the number of components.
func (p *pool) Len() int { return len(p.w) }

// Add adds columns a whose powers have norm 1, one a row, with w_j = X a_j^d.
func (p *pool) Add(a, w []float64) { p.a, p.w = append(p.a, a...), append(p.w, w...) }

// trial is an exchange that was chosen where none lowers f: of a component of the pool for
// another.
type trial struct {
	out      int
	products []float64 // [A'A]^d of the other with all of the pool then
}

// Choose returns the model, with the best weights, of the set of components that exchanges
// one by one lead to from the r at first, whose f is given, or else, of those not yet tried,
// of the exchange that raises f least, and that. It returns its components in the pool, too; nil
// if there is none or if interrupted.
func (p *pool) Choose(stopped func() error, first int, f float64, tried []trial) (x []float64, set []int, t trial) {
	s, climbed := p.subset(first), false
	for range 2 * p.r {
		i, j, g := s.lowest(stopped, func(_, _ int) bool { return true })
		if g >= f-worthSolving*math.Abs(f) {
			break
		}
		s.members[i], f, climbed = j, g, true
		s.multiply(i)
	}
	if !climbed {
		i, j, g := s.lowest(stopped, func(i, j int) bool { return s.other(i, j, tried) })
		if math.IsInf(g, 1) {
			return nil, nil, t
		}
		t.out, s.members[i] = s.members[i], j
		s.multiply(i)
		t.products = s.row(i)
	}
	_, lambda := s.fit(p.r)
	if stopped() != nil || lambda == nil {
		return nil, nil, t
	}
	x = append(make([]float64, 0, p.r*(p.n+1)), lambda...)
	for _, j := range s.members {
		x = append(x, p.a[j*p.n:(j+1)*p.n]...)
	}
	return x, s.members, t
}

// Objective returns f of the r components from first on with the best weights; false if they
// nearly depend on each other.
func (p *pool) Objective(first int) (f float64, ok bool) {
	_, lambda := p.subset(first).fit(p.r)
	if lambda == nil {
		return 0, false
	}
	return -linalg.Dot(p.w[first:first+p.r], lambda), true
}

// Lowest returns the lowest f after an exchange of one of the first r components for one of the
// others; +Inf if there is none, or if interrupted.
func (p *pool) Lowest(stopped func() error) float64 {
	_, _, f := p.subset(0).lowest(stopped, func(_, j int) bool { return j >= p.r })
	return f
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
	if s.distinct {
		for k := range s.w {
			s.row(i)[k] = distinct.Inner(s.a[j*s.n:(j+1)*s.n], s.a[k*s.n:(k+1)*s.n], s.d)
		}
		return
	}
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
