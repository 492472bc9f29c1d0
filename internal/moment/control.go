package moment

import (
	"context"
	"math"

	"symmom/internal/linalg"
	"symmom/internal/obs"
	"symmom/internal/parallel"
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
	q       []float64 // k x n, orthonormal rows divided by unit
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
	for k > 1 && PackedBytes(d-1, k)/8 > columns {
		k--
	}
	return k
}

// newControl makes the control of order d of the first k vectors of a basis. If the
// basis is nil, the control is 0.
func newControl(d, n int, b *Basis, k int, unit float64) *control {
	c := &control{d: d, n: n, unit: unit}
	if b == nil {
		return c
	}
	c.k = min(k, b.K)
	c.q = append([]float64(nil), b.Q[:c.k*n]...)
	linalg.Scale(1/unit, c.q)
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
		linalg.MulABt(w, v, c.q, rows, c.k, c.n)
	}
}

// coordinatesOf is coordinates for a pass, in which next is read next.
func (c *control) coordinatesOf(z *sweepScratch, v []float64, rows int, next linalg.Ahead) {
	if c.k == 0 {
		return
	}
	linalg.MulABtColumns(z.across, rows, c.q, v, c.k, rows, c.n, next)
	for j := range c.k {
		for l, x := range z.across[j*rows : (j+1)*rows] {
			z.w[l*c.k+j] = x
		}
	}
}

// self returns g^d - s^d of an observation with itself, given its coordinates.
func (c *control) self(g float64, w []float64) float64 {
	h := linalg.Powi(g, c.d)
	if c.k > 0 {
		h -= linalg.Powi(linalg.Dot(w, w), c.d)
	}
	return h
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

// Inner is what is known exactly about the part of X within the span of a basis.
type Inner struct {
	Basis       *Basis
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
func (s *sweep) run(ctx context.Context, x obs.Source, keep bool, threads int) error {
	p, n := x.Shape()
	c := s.control
	features := len(c.scale)
	size := features * c.k
	step, near := linalg.BlockRows(n), reach(x, 8) // others are converted
	groups := max(1, min(obs.MaxGroups, x.BlockRows()/sweepRows))
	if keep {
		s.norms = make([]float64, p)
	}
	share := x.Share()
	if x, far := x.(obs.Far); far {
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
	var now obs.Block
	done := 0
	t.Job = func(worker, group int) {
		z, sum := &work[worker], &all[group]
		lo, hi := obs.GroupStart(group, groups, now.Rows), obs.GroupStart(group+1, groups, now.Rows)
		for ; lo < hi && ctx.Err() == nil; lo += step {
			end := min(lo+step, hi)
			rows := end - lo
			v := now.Values(lo, end, n, &z.wide)
			// The products ask for a third of what is read next, what follows them for the
			// rest: from memory, it takes longer than they do.
			next := now.InPlace(end, min(end+step, hi), n)
			third := len(next) / 3
			c.coordinatesOf(z, v, rows, linalg.Ahead{V: next[:third], Reach: near})
			next = next[third:]
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
				w := z.w[l*c.k : (l+1)*c.k]
				square := linalg.Dot(row, row)
				sum.largest = math.Max(sum.largest, square)
				g := square / (c.unit * c.unit)
				if keep {
					s.norms[done+lo+l] = g
				}
				sum.self += nu * nu * c.self(g, w)
				if size > 0 {
					c.monomials(z.phi[l*features:], z.all, w, nu)
				}
			}
			if size > 0 {
				linalg.AddAtB(inner[group*size:(group+1)*size], z.phi, z.w, features, c.k, rows)
			}
			if s.heavy != nil {
				sum.pairs += s.heavy.with(v, z, rows)
			}
		}
	}
	if !x.Pass(ctx, func(b obs.Block) {
		now = b
		t.Run(ctx, groups)
		done += b.Rows
	}) {
		return obs.Stopped(ctx, x)
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
	for _, v := range s.inner {
		s.within += v * v
	}
	return nil
}

// sum is run for observations that are far.
func (s *sweep) sum(ctx context.Context, x obs.Far, size int) error {
	p := obs.Pass{Kind: Pairs, Orders: []int{s.control.d}, Unit: s.control.unit, Data: [][]float64{s.control.q, nil, nil}}
	if s.heavy != nil {
		p.Data[1], p.Data[2] = s.heavy.v, s.heavy.nu
	}
	sum, ok := x.Sum(ctx, p, nil)
	if !ok {
		return obs.Stopped(ctx, x)
	}
	share := x.Share()
	s.inner, s.self, s.pairs = sum[:size], share*share*sum[size], share*sum[size+1]
	linalg.Scale(share, s.inner)
	s.within = linalg.Dot(s.inner, s.inner)
	return nil
}

// sweepScratch is the scratch space of one thread of a sweep.
type sweepScratch struct {
	wide, w, phi, all, nu []float64
	across                []float64 // w, by column
	g, s                  []float64 // step x heavy
}

func newSweepScratch(c *control, h *heavies, step int) sweepScratch {
	z := sweepScratch{w: make([]float64, step*c.k), across: make([]float64, step*c.k), phi: make([]float64, step*len(c.scale)), all: make([]float64, len(c.features)), nu: make([]float64, step)}
	if h != nil {
		z.g, z.s = make([]float64, step*h.m), make([]float64, step*h.m)
	}
	return z
}
