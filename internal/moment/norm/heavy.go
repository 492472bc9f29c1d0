package norm

import (
	"cmp"
	"context"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Bounds of the observations of largest norm, whose pairs are not sampled: their
// number and memory, and the operations of their pairs with all observations.
const (
	heavyMost  = 256
	heavyBytes = 16 << 20
	heavyOps   = 2e10
	// heavyShare is the ratio of a heavy observation's term with itself to the mean of
	// those after it. Norms of normal data stay below.
	heavyShare = 16
	// pairedMost of those that stand out as well are paired with each other: of rows that have a
	// spike each, it is those with spikes in the same place that carry what is left.
	pairedMost = 1024
	beyondMost = 2048 // that are looked at beyond those kept, the rest for a doubt
)

// heavyRows returns the maximum number of heavy observations among p of n variables.
func heavyRows(p, n int) int {
	return max(8, min(heavyMost, heavyBytes/(8*n), int(heavyOps/(float64(p)*float64(n)))))
}

// heavies holds the observations of largest nu |v|^d.
type heavies struct {
	control *control
	m       int
	v, w    []float64 // m x n; their coordinates, m x k
	nu      []float64
	index   map[int]bool // set of their numbers
}

func newHeavies(c *control, m int) *heavies {
	return &heavies{control: c, v: make([]float64, 0, m*c.n), index: make(map[int]bool, m)}
}

// put adds an observation.
func (h *heavies) put(i int, v []float64, nu float64) {
	h.m++
	h.v = append(h.v, v...)
	h.nu = append(h.nu, nu)
	h.index[i] = true
	k := h.control.k
	h.w = append(h.w, make([]float64, k)...)
	h.control.coordinates(h.w[len(h.w)-k:], v, 1)
}

// with returns the sum of nu_l nu_h (g^d - s^d) of some observations, whose
// coordinates and weights are in z, with all heavy ones.
func (h *heavies) with(v []float64, z *sweepScratch, rows int) float64 {
	c, size := h.control, rows*h.m
	linalg.MulABt(z.g[:size], v, h.v, rows, h.m, c.n)
	if c.k > 0 {
		linalg.MulABt(z.s[:size], z.w, h.w, rows, h.m, c.k)
	}
	c.rest(z.g[:size], z.s[:size])
	var sum float64
	for l := range rows {
		sum += z.nu[l] * linalg.Dot(z.g[l*h.m:(l+1)*h.m], h.nu)
	}
	return sum
}

// among returns the sum over all pairs of heavy observations, and the sum over each
// with itself.
func (h *heavies) among() (pairs, self float64) {
	z := newSweepScratch(h.control, h, h.m)
	copy(z.w, h.w)
	copy(z.nu, h.nu)
	pairs = h.with(h.v, &z, h.m)
	for i := range h.m {
		self += h.nu[i] * h.nu[i] * z.g[i*h.m+i]
	}
	return pairs, self
}

// diagonal returns the sum of nu_h^2 |v_h|^2d.
func (h *heavies) diagonal() (sum float64) {
	c := h.control
	for i, nu := range h.nu {
		v := h.v[i*c.n : (i+1)*c.n]
		sum += nu * nu * linalg.Powi(linalg.Dot(v, v)/(c.unit*c.unit), c.d)
	}
	return sum
}

// standOut returns how many of the terms nu^2 |v|^2d, descending, stand out from the
// mean of those after them and of rest more observations with the sum tail.
func standOut(terms []float64, tail float64, rest int) int {
	for i := len(terms) - 1; i >= 0; i-- {
		if rest > 0 && terms[i] > heavyShare*tail/float64(rest) {
			return i + 1
		}
		tail += terms[i]
		rest++
	}
	return 0
}

// maxPower is the largest order for which Extremes computes the diagonal.
const maxPower = 16

// Extremes collects, in passes that are made anyway, what an estimate of ||X||^2 must
// not leave to a sample: the sums of the powers of all norms, and the observations of
// largest nu |v|^3. It is a function of the observations alone.
type Extremes struct {
	n, most int
	seen    int     // observations
	total   float64 // of their weights
	scale   float64 // the largest |v|
	squares [maxPower + 1]float64
	least   int // index in rows of the one to be replaced next
	rows    []extreme
	norms   block.Norms
	wide    []float64
}

// extreme is one observation.
type extreme struct {
	index  int
	v      []float64
	weight float64
	key    float64 // log weight + 3 log |v|
}

// NewExtremes makes an empty collection for observations of n variables.
func NewExtremes(n int) *Extremes {
	return &Extremes{n: n, most: max(8, min(heavyMost, heavyBytes/(8*n)))}
}

// Clone returns a copy to which more observations can be added. The observations so
// far count with a total weight of total from then on.
func (e *Extremes) Clone(total float64) *Extremes {
	c := *e
	c.rows, c.norms, c.wide = slices.Clone(e.rows), block.Norms{}, nil // what they hold is never changed
	factor := total / e.total
	for k := range c.squares {
		c.squares[k] *= factor * factor
	}
	for i := range c.rows {
		c.rows[i].weight *= factor
		c.rows[i].key += math.Log(factor)
	}
	c.total = total
	return &c
}

// Add adds a block of observations: as many operations as block.Norms makes.
func (e *Extremes) Add(b block.Block) {
	for l := range b.Rows {
		w := 1.0
		if b.Nu != nil {
			w = b.Nu[l]
		}
		index := e.seen
		e.seen++
		e.total += w
		norm := e.norms.Of(b, l, e.n)
		if norm > e.scale {
			q := e.scale / norm
			for k, f := 0, 1.0; k <= maxPower; k++ {
				e.squares[k] *= f
				f *= q * q
			}
			e.scale = norm
		}
		if norm == 0 {
			e.squares[0] += w * w
			continue
		}
		q := norm / e.scale
		for k, f := 0, w*w; k <= maxPower; k++ {
			e.squares[k] += f
			f *= q * q
		}
		if key := math.Log(w) + 3*math.Log(norm); len(e.rows) < e.most || key > e.rows[e.least].key {
			e.keep(index, b.Values(l, l+1, e.n, &e.wide), w, key)
		}
	}
}

// keep puts an observation among the largest.
func (e *Extremes) keep(index int, v []float64, w, key float64) {
	full := len(e.rows) == e.most
	x := extreme{index, slices.Clone(v), w, key}
	if !full {
		e.rows = append(e.rows, x)
	} else {
		e.rows[e.least] = x
	}
	if len(e.rows) == e.most {
		e.least = 0
		for i, r := range e.rows {
			if r.key < e.rows[e.least].key {
				e.least = i
			}
		}
	}
}

// Largest returns the largest |v|.
func (e *Extremes) Largest() float64 { return e.scale }

// diagonal returns sum nu^2 (|v| / unit)^2d, for d up to maxPower.
func (e *Extremes) diagonal(d int, unit float64) float64 {
	return e.squares[d] / (e.total * e.total) * linalg.Powi(e.scale/unit*(e.scale/unit), d)
}

// term returns nu^2 (|v| / unit)^2d.
func (e *Extremes) term(r extreme, d int, unit float64) float64 {
	g := linalg.Dot(r.v, r.v) / (unit * unit)
	w := r.weight / e.total
	return w * w * linalg.Powi(g, d)
}

// sorted returns the observations by their terms, the largest first.
func (e *Extremes) sorted(d int, unit float64) []extreme {
	rows := slices.Clone(e.rows)
	slices.SortFunc(rows, func(a, b extreme) int {
		return cmp.Or(cmp.Compare(e.term(b, d, unit), e.term(a, d, unit)), cmp.Compare(a.index, b.index))
	})
	return rows
}

// heavies returns the observations whose pairs must not be left to a sample, the
// largest first, and at most most of them; nil if none stands out.
func (e *Extremes) heavies(c *control, most int) *heavies {
	term := func(r extreme) float64 { return e.term(r, c.d, c.unit) }
	rows := e.sorted(c.d, c.unit)
	rows = rows[:min(most, len(rows))]
	tail := e.diagonal(min(c.d, maxPower), c.unit)
	terms := make([]float64, len(rows))
	for i, r := range rows {
		terms[i] = term(r)
		tail -= terms[i]
	}
	m := len(rows)
	if c.d <= maxPower {
		m = standOut(terms, math.Max(tail, 0), e.seen-len(rows))
	}
	if m == 0 {
		return nil
	}
	h := newHeavies(c, m)
	for _, r := range rows[:m] {
		h.put(r.index, r.v, r.weight/e.total)
	}
	return h
}

// one is an observation and its term nu^2 |v|^2d.
type one struct {
	index int
	term  float64
}

// tops returns the most observations of the largest terms, of those whose squared norms, which
// are given, are larger than above, and the sum of all terms of these. O(p), if they come in
// no order.
func tops(x *block.Dense, norms []float64, d, most int, above float64) (top []one, total float64) {
	least := 0.
	for l := range x.P {
		if norms[l] <= above {
			continue
		}
		w := x.Weight(l)
		v := w * w * linalg.Powi(norms[l], d)
		total += v
		if v <= least {
			continue
		}
		if len(top) < most {
			if top = append(top, one{l, v}); len(top) < most {
				continue
			}
			for i := most/2 - 1; i >= 0; i-- {
				sink(top, i)
			}
		} else {
			top[0] = one{l, v}
			sink(top, 0)
		}
		least = top[0].term
	}
	slices.SortFunc(top, one.compare)
	return top, total
}

// compare is negative if a comes before b: the largest terms first.
func (a one) compare(b one) int {
	return cmp.Or(cmp.Compare(b.term, a.term), cmp.Compare(a.index, b.index))
}

// sink moves element i of a heap down to its place. The first of a heap comes last in order.
func sink(heap []one, i int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1].compare(heap[child]) > 0 {
			child++
		}
		if heap[child].compare(heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// heaviest returns the observations of x that stand out, given all norms; nil if none
// does. Of those that stand out as well, but are too many, paired are the first, and beyond
// the nu |v|^d of the others. O(p).
func heaviest(ctx context.Context, x *block.Dense, c *control, norms []float64) (h *heavies, paired []int, beyond []float64) {
	most := heavyRows(x.P, x.N)
	top, tail := tops(x, norms, c.d, most+beyondMost, 0)
	terms := make([]float64, len(top))
	for i, o := range top {
		terms[i] = o.term
	}
	out := func(terms []float64) int {
		rest := tail
		for _, t := range terms {
			rest -= t
		}
		return standOut(terms, math.Max(rest, 0), x.P-len(terms))
	}
	m := out(terms[:min(most, len(terms))])
	for i, all := m, out(terms); i < all; i++ {
		if len(paired) < pairedMost {
			paired = append(paired, top[i].index)
		} else {
			beyond = append(beyond, math.Sqrt(terms[i]))
		}
	}
	if m == 0 || ctx.Err() != nil {
		return nil, paired, beyond
	}
	h = newHeavies(c, m)
	var wide []float64
	for _, o := range top[:m] {
		h.put(o.index, x.Values(o.index, o.index+1, &wide), x.Weight(o.index))
	}
	return h, paired, beyond
}

// amongPaired returns the sum of nu_l nu_m (g^d - s^d - d s^(d-1) (g - s)) over all pairs of
// different paired observations: n m^2 operations. It returns ctx's error if cancelled.
func amongPaired(ctx context.Context, x *block.Dense, c *control, paired []int, threads int) (float64, error) {
	h := newHeavies(c, len(paired))
	var wide []float64
	for _, l := range paired {
		h.put(l, x.Values(l, l+1, &wide), x.Weight(l))
	}
	if h.m < 2 {
		return 0, ctx.Err()
	}
	blocks := (h.m + normRows - 1) / normRows
	sums := make([]float64, blocks)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks)}
	t.Job = func(_, b int) {
		lo, hi := b*normRows, min((b+1)*normRows, h.m)
		g, s := make([]float64, (hi-lo)*h.m), make([]float64, (hi-lo)*h.m)
		linalg.MulABt(g, h.v[lo*c.n:hi*c.n], h.v, hi-lo, h.m, c.n)
		linalg.Scale(1/(c.unit*c.unit), g)
		if c.k > 0 {
			linalg.MulABt(s, h.w[lo*c.k:hi*c.k], h.w, hi-lo, h.m, c.k)
		}
		for l := lo; l < hi; l++ {
			for m, nu := range h.nu {
				if m == l {
					continue
				}
				g, s := g[(l-lo)*h.m+m], s[(l-lo)*h.m+m]
				term := linalg.Powi(g, c.d)
				if c.k > 0 {
					first := linalg.Powi(s, c.d-1)
					term -= first*s + float64(c.d)*first*(g-s)
				}
				sums[b] += h.nu[l] * nu * term
			}
		}
	}
	if !t.Run(ctx, blocks) {
		return 0, ctx.Err()
	}
	var sum float64
	for _, v := range sums {
		sum += v
	}
	return sum, ctx.Err()
}
