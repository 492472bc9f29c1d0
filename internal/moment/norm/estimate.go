package norm

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Estimate is an estimate of ||X||^2 of the observations divided by a unit.
type Estimate struct {
	Value, StdErr float64
	Pairs         int // of sampled observations

	// Carriers is the effective number of sampled terms that the estimate of the
	// spread rests on, (sum h^2)^2 / sum h^4: if they are few, little is known about
	// the error.
	Carriers float64

	// Missed is what pairs of so few observations may have of the value, at most, that
	// the sample is likely to have none of them: of those that stand out, but are too
	// many to be taken with all others.
	Missed float64

	// Least is a lower bound of ||X||^2 that is certain.
	Least float64
}

// Survey is the result of one pass over observations in memory: the unit in which numbers
// stay in range, and what an estimate of ||X||^2 of order d needs from all of them.
type Survey struct {
	Span float64 // the largest |v|

	data    *block.Dense
	control *control
	sums    sweep // of the observations divided by Span
}

// surveyRows is the number of observations, evenly spaced, from whose leading
// directions a control variate is made. Directions close to those of all observations
// are enough.
const surveyRows = 512

// NewSurvey makes the pass: 2 n (1 + k) operations per observation, for k of up to 7 vectors,
// or 2 n if estimate is not set. It returns ctx's error if cancelled.
func NewSurvey(ctx context.Context, x *block.Dense, d int, estimate bool, threads int) (*Survey, error) {
	s := &Survey{data: x}
	some := x.Spaced(surveyRows)
	unit := largest(some) // of all except outliers
	for {
		s.control = newControl(d, x.N, nil, 0, unit)
		if estimate && unit > 0 {
			b, err := moment.BasisOf(ctx, &moment.Implicit{Data: some, D: 2}, controlSize(d, x.N), unit, 1)
			if err != nil || b == nil {
				return nil, cmp.Or(err, ctx.Err())
			}
			s.control = newControl(d, x.N, b, b.K, unit)
			s.control.expand()
		}
		if unit == 0 {
			s.control.unit = 1
		}
		s.sums = sweep{control: s.control}
		if err := s.sums.run(ctx, x, true, threads); err != nil {
			return nil, err
		}
		// Squares that overflow, or that lose range to a few outliers: repeat in the
		// unit of the largest norm.
		const far = 1e6
		top := math.Sqrt(s.sums.largest)
		if lost := !(s.sums.largest > 1e-280 && s.sums.largest < 1e280); lost || top > far*s.control.unit {
			if lost {
				top = largest(x)
			}
			if top != unit && top > 0 {
				unit = top
				continue
			}
		}
		s.Span = top
		s.rescale()
		return s, ctx.Err()
	}
}

// rescale converts the results to the unit Span.
func (s *Survey) rescale() {
	c, f := s.control, &s.sums
	if s.Span == 0 || s.Span == c.unit {
		return
	}
	by := s.Span / c.unit
	c.unit = s.Span
	c.q = linalg.Align(c.q.Rows, c.k, c.n, 1/by)
	linalg.Scale(1/(by*by), f.norms)
	all := math.Pow(by, -2*float64(c.d))
	f.within *= all
	f.self *= all
}

// largest returns the largest |v|, for numbers of any size.
func largest(x *block.Dense) (norm float64) {
	var wide []float64
	for l := range x.P {
		norm = math.Max(norm, linalg.Norm2(x.Values(l, l+1, &wide)))
	}
	return norm
}

// Sizes of an estimate from observations in memory.
const (
	partRows   = 32      // observations of each of the two sides of a block
	partReads  = 1 << 22 // numbers that are gathered
	partRounds = 8       // how often all observations are drawn, if they are few
	// missedPairs is how many pairs of a set are to be expected in a sample before it is
	// sure to have one: e^-5 is .7%.
	missedPairs = 5
)

// NormSquared returns an unbiased estimate of ||X||^2 of the observations divided by
// Span. The terms of an observation with itself, the pairs with the observations that
// stand out by their norm, those among more that do, and the mean over all pairs of s^d (control) are exact. The
// rest, g^d - s^d of the other pairs, is estimated by the mean over observations drawn
// without replacement: over all pairs of them to first order in g - s, and for what
// remains over pairs in blocks of 32 by 32. All observations are drawn, several times,
// if that costs little. The standard error is that of the draws, given the data.
//
// The pairs take some 1e8 multiply-adds, and n for each feature of the control and
// observation drawn; another pass takes 2 n h operations per observation if h of them stand
// out. It returns ctx's error if cancelled.
func (s *Survey) NormSquared(ctx context.Context, seed uint64, threads int) (Estimate, error) {
	x, c := s.data, s.control
	e := Estimate{Value: s.sums.within + s.sums.self, Least: s.sums.within}
	if c.d%2 == 0 { // no term is negative
		e.Least = math.Max(e.Least, diagonal(x, s.sums.norms, c.d))
	}
	heavy, paired, beyond := heaviest(ctx, x, c, s.sums.norms)
	out := map[int]bool(nil)
	if heavy != nil {
		out = heavy.index
		all := &sweep{control: c, heavy: heavy}
		if err := all.run(ctx, x, false, threads); err != nil {
			return Estimate{}, err
		}
		pairs, self := heavy.among()
		e.Value += 2*(all.pairs-self) - (pairs - self)
	}
	among, err := amongPaired(ctx, x, c, paired, threads)
	if err != nil {
		return Estimate{}, err
	}
	e.Value += among
	err = e.drawn(ctx, x, c, out, paired, seed, threads)
	few := float64(x.P-len(out)) * math.Sqrt(missedPairs/math.Max(float64(e.Pairs), 1))
	var sum float64
	for _, v := range beyond[:int(math.Min(few, float64(len(beyond))))] {
		sum += v
	}
	e.Missed = sum * sum
	return e, err
}

// diagonal returns sum nu^2 |v|^2d.
func diagonal(x *block.Dense, norms []float64, d int) (sum float64) {
	for l, g := range norms {
		w := x.Weight(l)
		sum += w * w * linalg.Powi(g, d)
	}
	return sum
}

// drawn adds the pairs of all observations except those in out, without what those of two paired
// ones have beyond first order.
func (e *Estimate) drawn(ctx context.Context, x *block.Dense, c *control, out map[int]bool, paired []int, seed uint64, threads int) error {
	apart := make(map[int32]bool, len(paired))
	for _, l := range paired {
		apart[int32(l)] = true
	}
	perm := make([]int32, 0, x.P)
	for l := range x.P {
		if !out[l] {
			perm = append(perm, int32(l))
		}
	}
	rows := len(perm)
	if rows < 2 {
		return ctx.Err()
	}
	side := min(partRows, rows/2)
	drawn := rows / (2 * side) * (2 * side)
	rounds := 1
	if most := max(partReads/x.N, 64*side) / (2 * side) * (2 * side); drawn > most {
		drawn = most
	} else {
		rounds = max(1, min(partRounds, most/drawn))
	}
	blocks := drawn / (2 * side)
	groups := max(1, min(partGroups, blocks, block.MaxGroupBytes/(8*max(1, len(c.scale))*x.N)))
	parts := make([]part, groups)
	for i := range parts {
		parts[i].cross = make([]float64, len(c.scale)*x.N)
	}
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), groups)}
	work := make([]blockScratch, t.Threads)
	for i := range work {
		work[i] = newBlockScratch(c, side)
	}
	rng := rand.New(rand.NewPCG(seed, normStream))
	t.Job = func(worker, i int) {
		q := &parts[i]
		clear(q.cross)
		q.self = 0
		for b := i * blocks / groups; b < (i+1)*blocks/groups && ctx.Err() == nil; b++ {
			work[worker].block(q, x, c, perm[2*side*b:2*side*(b+1)], apart)
		}
	}
	var linear float64 // sum of the means of d s^(d-1) (g - s) over all pairs drawn in a round
	for range rounds {
		for i := range drawn { // Fisher and Yates
			j := i + rng.IntN(rows-i)
			perm[i], perm[j] = perm[j], perm[i]
		}
		if !t.Run(ctx, groups) {
			return ctx.Err()
		}
		self := parts[0].self
		for i := 1; i < groups; i++ {
			self += parts[i].self
			linalg.Axpy(1, parts[i].cross, parts[0].cross)
		}
		linear += float64(c.d) * (c.spread(parts[0].cross) - self) / (float64(drawn) * float64(drawn-1))
	}
	all := parts[0].sums
	for i := 1; i < groups; i++ {
		all.add(&parts[i].sums)
	}
	e.conclude(&all, linear/float64(rounds), side, drawn, rounds, rows, x.Share()*x.Share())
	return nil
}

// conclude adds the estimate from the pairs drawn.
func (e *Estimate) conclude(all *pairSums, linear float64, side, drawn, rounds, rows int, share float64) {
	pairs := all.pairs
	variance := func(sum, squares float64) float64 { return math.Max(0, squares/pairs-(sum/pairs)*(sum/pairs)) }
	higher, first, whole := variance(all.h, all.h2), variance(all.l, all.l2), variance(all.h+all.l, all.k2)
	m, r := float64(drawn), float64(rows)
	// own is the part of a pair's spread that comes from its observations alone:
	// it cancels except for the observations that a round does not draw.
	mean := (all.h + all.l) / pairs
	own := math.Max(0, all.rows2/(2*pairs/float64(side))-mean*mean-whole/float64(side))
	own = math.Min(own, whole/2)
	weight := share * r * (r - 1)
	e.Value += weight * (all.h/pairs + linear)
	e.StdErr = weight * math.Sqrt(higher/pairs+
		(4*own*(1/m-1/r)+2*first/(m*(m-1))*math.Max(0, 1-m*m/(r*r)))/float64(rounds))
	e.Pairs = int(pairs)
	e.Carriers = carriers(all.h2, all.h4, pairs)
	e.StdErr *= student(e.Carriers)
}

// spread returns ||C||^2 - ||C Q||^2 of C = sum nu phi v', in the data's units:
// the sum of nu_l nu_m s^(d-1) (g - s) over all pairs.
func (c *control) spread(cross []float64) float64 {
	if c.k == 0 {
		return 0
	}
	f := len(c.scale)
	inside := make([]float64, f*c.k)
	linalg.MulABt(inside, cross, c.q.Rows, f, c.k, c.n)
	within := linalg.Norm2(inside)
	whole := linalg.Norm2(cross) / c.unit
	return (whole - within) * (whole + within)
}

// carriers returns the effective number of terms with these sums of squares and fourth
// powers. If the powers vanish, nothing is known about it.
func carriers(h2, h4, terms float64) float64 {
	switch {
	case h4 > 0:
		return h2 / h4 * h2
	case h2 > 0:
		return 0
	}
	return terms
}

// student returns the standard deviation of Student's distribution with some degrees
// of freedom: the factor by which an error is wider if its spread is known from few
// terms. Below 4 the value for 4 is returned; such an error is not considered
// reliable.
func student(freedom float64) float64 {
	freedom = math.Max(freedom, 4)
	return math.Sqrt(freedom / (freedom - 2))
}

// normStream is the random stream of pairs, different from those of the starts.
const normStream = math.MaxUint64 - 2

// partGroups is the number of groups of blocks, each with its own sums.
const partGroups = 8

// part holds the sums of a group of blocks.
type part struct {
	sums  pairSums
	cross []float64 // sum of nu phi v'
	self  float64   // sum of nu^2 s^(d-1) (g - s) of each with itself
}

// pairSums holds sums over pairs: their terms to first order in g - s (l) and beyond
// (h), powers of these and of both together (k), and the squares of the means of each
// observation.
type pairSums struct{ pairs, h, h2, h4, l, l2, k2, rows2 float64 }

func (s *pairSums) add(t *pairSums) {
	s.pairs += t.pairs
	s.h, s.h2, s.h4 = s.h+t.h, s.h2+t.h2, s.h4+t.h4
	s.l, s.l2, s.k2 = s.l+t.l, s.l2+t.l2, s.k2+t.k2
	s.rows2 += t.rows2
}

// blockScratch is the scratch space of a thread.
type blockScratch struct {
	side                        int
	v, w, phi, all, g, s, z, nu []float64
	columns                     []float64
}

func newBlockScratch(c *control, side int) blockScratch {
	square := func() []float64 { return make([]float64, side*side) }
	return blockScratch{side: side, v: make([]float64, 2*side*c.n), w: make([]float64, 2*side*c.k), nu: make([]float64, 2*side),
		phi: make([]float64, 2*side*len(c.scale)), all: make([]float64, len(c.features)), g: square(), s: square(), z: square(), columns: make([]float64, side)}
}

// block adds some observations: all of them to C, and the pairs of the first half with
// the second, those of two that are apart to first order.
func (b *blockScratch) block(q *part, x *block.Dense, c *control, rows []int32, apart map[int32]bool) {
	n, m, f := x.N, b.side, len(c.scale)
	for i, l := range rows {
		b.nu[i] = 1
		if x.Nu != nil {
			b.nu[i] = x.Nu[l]
		}
		if x.V32 == nil {
			copy(b.v[i*n:(i+1)*n], x.V[int(l)*n:])
		} else {
			linalg.Widen(b.v[i*n:(i+1)*n], x.V32[int(l)*n:(int(l)+1)*n])
		}
	}
	c.coordinates(b.w, b.v, 2*m)
	clear(b.z)
	if c.k > 0 {
		for i := range rows {
			w := b.w[i*c.k : (i+1)*c.k]
			c.monomials(b.phi[i*f:], b.all, w, b.nu[i])
			v, s := b.v[i*n:(i+1)*n], linalg.Dot(w, w)
			q.self += b.nu[i] * b.nu[i] * linalg.Powi(s, c.d-1) * (linalg.Dot(v, v)/(c.unit*c.unit) - s)
		}
		linalg.AddAtB(q.cross, b.phi, b.v, f, n, 2*m)
		linalg.MulABt(b.s, b.w[:m*c.k], b.w[m*c.k:], m, m, c.k)
		copy(b.z, b.s)
		linalg.PowInto(b.z, c.d-1)
	}
	linalg.MulABt(b.g, b.v[:m*n], b.v[m*n:], m, m, n)
	for i, g := range b.g { // z becomes the part to first order
		b.z[i] *= float64(c.d) * (g/(c.unit*c.unit) - b.s[i])
	}
	c.rest(b.g, b.s)
	for i, l := range rows[:m] {
		if !apart[l] {
			continue
		}
		for j, k := range rows[m:] {
			if apart[k] {
				b.g[i*m+j] = b.z[i*m+j]
			}
		}
	}
	b.sum(&q.sums)
}

// sum adds the pairs of a block.
func (b *blockScratch) sum(s *pairSums) {
	m := b.side
	clear(b.columns)
	for i := range m {
		row := 0.
		for j := range m {
			nu := b.nu[i] * b.nu[m+j]
			k, l := b.g[i*m+j]*nu, b.z[i*m+j]*nu
			h := k - l
			row += k
			b.columns[j] += k
			s.h += h
			s.l += l
			s.l2 += l * l
			s.k2 += k * k
			h *= h
			s.h2 += h
			s.h4 += h * h
		}
		s.rows2 += row / float64(m) * (row / float64(m))
	}
	for _, v := range b.columns {
		s.rows2 += v / float64(m) * (v / float64(m))
	}
	s.pairs += float64(m * m)
}
