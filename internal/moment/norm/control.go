package norm

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// control is a part of the kernel g^d, g = <v, w>, whose mean over all pairs of
// observations is known exactly, a control variate for estimates of ||X||^2:
//
//	s^d, s the inner product within the span of Q,
//
// whose mean is the squared norm of X within Q, sum_l nu_l (Q'v_l)^(x d).
// Observations count divided by unit.
type control struct {
	d, n, k int
	q       linalg.Aligned // k x n, orthonormal rows divided by unit
	unit    float64

	// The monomials of degree d-1 of Q'v, phi, scaled so that phi(v)'phi(w) = s^(d-1):
	// first is the index of the first monomial of degree d-1 among those of degree 0
	// to d-1.
	features []feature
	first    int
	scale    []float64 // square roots of multinomial coefficients
}

// feature is a monomial: an earlier one times a coordinate.
type feature struct{ of, by int }

// controlSize returns how many vectors a control of order d spans: as many as have at
// most 35 monomials of degree d-1, but no more than 7. (They remove nearly all of the
// variance if there are up to ten means.)
func controlSize(d, n int) int {
	const most, columns = 7, 35
	k := min(most, n)
	for k > 1 && moment.PackedBytes(d-1, k)/8 > columns {
		k--
	}
	return k
}

// newControl makes the control of order d of the first k vectors of a basis. If the
// basis is nil, the control is 0.
func newControl(d, n int, b *moment.Basis, k int, unit float64) *control {
	c := &control{d: d, n: n, unit: unit}
	if b == nil {
		return c
	}
	c.k = min(k, b.K)
	c.q = linalg.Align(b.Q, c.k, n, 1/unit)
	return c
}

// expand lists the monomials, for a sweep that computes X within Q.
func (c *control) expand() {
	if c.k == 0 {
		return
	}
	type term struct {
		last, run int
		orders    float64 // products of the factorials of the exponents
	}
	terms := []term{{0, 0, 1}}
	c.features = []feature{{}} // the first is 1
	factorial := 1.
	for degree := 1; degree < c.d; degree++ {
		factorial *= float64(degree)
		lo, hi := c.first, len(c.features)
		c.first = hi
		for of := lo; of < hi; of++ {
			for by := terms[of].last; by < c.k; by++ {
				run := 1
				if by == terms[of].last && degree > 1 {
					run = terms[of].run + 1
				}
				c.features = append(c.features, feature{of, by})
				terms = append(terms, term{by, run, terms[of].orders * float64(run)})
			}
		}
	}
	for _, t := range terms[c.first:] {
		c.scale = append(c.scale, math.Sqrt(factorial/t.orders))
	}
}

// monomials writes phi of an observation with coordinates w, times nu. all has room
// for the features.
func (c *control) monomials(phi, all, w []float64, nu float64) {
	all[0] = nu
	for i, f := range c.features[1:] {
		all[i+1] = all[f.of] * w[f.by]
	}
	for i, v := range all[c.first:] {
		phi[i] = v * c.scale[i]
	}
}

// coordinates writes Q'v of some observations to w, rows x k.
func (c *control) coordinates(w, v []float64, rows int) {
	if c.k > 0 {
		linalg.MulABt(w, v, c.q.Rows, rows, c.k, c.n)
	}
}

// coordinatesOf is coordinates by columns, k x rows, for a pass in which next is read next. It
// returns the part of that which is still to be prefetched.
func (c *control) coordinatesOf(z *sweepScratch, v []float64, rows int, next linalg.Ahead) (rest []float64) {
	if c.k == 0 {
		return next.V
	}
	asked := linalg.AheadShare(len(next.V))
	linalg.MulABtColumns(z.across, rows, c.q, v, rows, linalg.Ahead{V: next.V[:asked], Reach: next.Reach})
	return next.V[asked:]
}

// addInner adds the sum of nu phi w' of some observations, phi without its scale, to sum.
func (c *control) addInner(sum []float64, z *sweepScratch, rows int) {
	column := func(of []float64, j int) []float64 { return of[j*rows : (j+1)*rows] }
	copy(column(z.all, 0), z.nu)
	for i, f := range c.features[1:] {
		linalg.Multiply(column(z.all, i+1), column(z.all, f.of), column(z.across, f.by))
	}
	linalg.MulABt(z.inner, z.all[c.first*rows:len(c.features)*rows], z.across[:c.k*rows], len(c.scale), c.k, rows)
	linalg.Axpy(1, z.inner, sum)
}

// selves returns the sum of nu^2 (g^d - s^d) of some observations, given all g.
func (c *control) selves(z *sweepScratch, g []float64) (sum float64) {
	s := z.squares[:len(g)]
	clear(s)
	for j := range c.k {
		for l, x := range z.across[j*len(g) : (j+1)*len(g)] {
			s[l] += x * x
		}
	}
	for l, g := range g {
		sum += z.nu[l] * z.nu[l] * (linalg.Powi(g, c.d) - linalg.Powi(s[l], c.d))
	}
	return sum
}

// rest turns the inner products g of some observations, in the data's units, into g^d
// - s^d, given the inner products s of their coordinates.
func (c *control) rest(g, s []float64) {
	linalg.Scale(1/(c.unit*c.unit), g)
	linalg.PowInto(g, c.d)
	if c.k > 0 {
		linalg.PowInto(s, c.d)
		linalg.Axpy(-1, s, g)
	}
}

// Inner holds the exact results for the part of X within the span of a basis.
type Inner struct {
	Basis       *moment.Basis
	NormSquared float64 // of that part, for the observations divided by the unit of the estimate
}

// sweep reads the observations once for what is summed over all of them: the norms, X
// within Q, and the pairs with the heavy observations.
type sweep struct {
	control *control
	heavy   *heavies // or nil

	inner   []float64 // X within Q: the sum of nu phi w'
	within  float64   // its squared norm
	self    float64   // sum nu^2 (g^d - s^d) of each with itself
	pairs   float64   // sum over l and heavy h of nu_l nu_h (g^d - s^d)
	norms   []float64 // |v|^2 of each, divided by unit^2; nil unless requested
	largest float64   // largest |v|^2 in the data's units
}

// sweepRows is the minimum number of observations in a group, which has its own sums.
const sweepRows = 2048

// run makes the pass. If keep is set it keeps the norms. It returns ctx's error if
// cancelled.
func (s *sweep) run(ctx context.Context, x block.Source, keep bool, threads int) error {
	p, n := x.Shape()
	c := s.control
	features := len(c.scale)
	size := features * c.k
	step, near := linalg.BlockRows(n), block.Reach(x, 8) // others are converted
	groups := max(1, min(block.MaxGroups, x.BlockRows()/sweepRows))
	if keep {
		s.norms = make([]float64, p)
	}
	share := x.Share()
	if x, far := x.(block.Far); far {
		return s.sum(ctx, x, size)
	}
	inner := make([]float64, groups*size)
	type sums struct{ self, pairs, largest float64 }
	all := make([]sums, groups)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), groups)}
	work := make([]sweepScratch, t.Threads)
	for i := range work {
		work[i] = newSweepScratch(c, s.heavy, step)
	}
	var now block.Block
	done := 0
	t.Job = func(worker, group int) {
		z, sum := &work[worker], &all[group]
		lo, hi := block.GroupStart(group, groups, now.Rows), block.GroupStart(group+1, groups, now.Rows)
		for ; lo < hi && ctx.Err() == nil; lo += step {
			end := min(lo+step, hi)
			rows := end - lo
			v := now.Values(lo, end, n, &z.wide)
			next := c.coordinatesOf(z, v, rows, linalg.Ahead{V: now.InPlace(end, min(end+step, hi), n), Reach: near})
			each := (len(next) + rows - 1) / rows
			for l := range rows {
				nu := share
				if now.Nu != nil {
					nu *= now.Nu[lo+l]
				}
				row := v[l*n : (l+1)*n]
				if near > linalg.Near {
					k := min(each, len(next))
					linalg.Fetch(next[:k])
					next = next[k:]
				}
				z.nu[l] = nu
				square := linalg.Dot(row, row)
				sum.largest = math.Max(sum.largest, square)
				z.own[l] = square / (c.unit * c.unit)
			}
			if keep {
				copy(s.norms[done+lo:], z.own[:rows])
			}
			sum.self += c.selves(z, z.own[:rows])
			if size > 0 {
				c.addInner(inner[group*size:(group+1)*size], z, rows)
			}
			if s.heavy != nil {
				linalg.Transpose(z.w, c.k, z.across, rows, c.k)
				sum.pairs += s.heavy.with(v, z, rows)
			}
		}
	}
	if !x.Pass(ctx, func(b block.Block) {
		now = b
		t.Run(ctx, groups)
		done += b.Rows
	}) {
		return block.Stopped(ctx, x)
	}
	for g := range groups {
		if g > 0 {
			linalg.Axpy(1, inner[g*size:(g+1)*size], inner[:size])
		}
		s.self += all[g].self
		s.pairs += all[g].pairs
		s.largest = math.Max(s.largest, all[g].largest)
	}
	s.inner = inner[:size]
	for i, scale := range c.scale {
		linalg.Scale(scale, s.inner[i*c.k:(i+1)*c.k])
	}
	for _, v := range s.inner {
		s.within += v * v
	}
	return nil
}

// sum is run for observations that are far.
func (s *sweep) sum(ctx context.Context, x block.Far, size int) error {
	p := block.Pass{Kind: Pairs, Orders: []int{s.control.d}, Unit: s.control.unit, Data: [][]float64{s.control.q.Rows, nil, nil}}
	if s.heavy != nil {
		p.Data[1], p.Data[2] = s.heavy.v, s.heavy.nu
	}
	sum, ok := x.Sum(ctx, p, nil)
	if !ok {
		return block.Stopped(ctx, x)
	}
	share := x.Share()
	s.inner, s.self, s.pairs = sum[:size], share*share*sum[size], share*sum[size+1]
	linalg.Scale(share, s.inner)
	s.within = linalg.Dot(s.inner, s.inner)
	return nil
}

// sweepScratch is the scratch space of one thread of a sweep.
type sweepScratch struct {
	wide, w, nu  []float64
	across       []float64 // w, by column
	own, squares []float64 // squared norms of observations, and of their coordinates
	all, inner   []float64 // features x step; what is added to the sum of nu phi w'
	g, s         []float64 // step x heavy
}

func newSweepScratch(c *control, h *heavies, step int) sweepScratch {
	some := func(n int) []float64 { return make([]float64, n) }
	z := sweepScratch{w: some(step * c.k), nu: some(step), across: some(step * c.k), own: some(step), squares: some(step), all: some(step * len(c.features)), inner: some(len(c.scale) * c.k)}
	if h != nil {
		z.g, z.s = some(step*h.m), some(step*h.m)
	}
	return z
}
