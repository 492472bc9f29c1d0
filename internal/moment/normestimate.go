package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/linalg"
)

// NormEstimate is an estimate of ||X||^2 of the observations divided by a unit.
type NormEstimate struct {
	Value, StdErr float64
	Pairs         int // of observations that were sampled

	// Carriers is the effective number of sampled terms that the estimate of
	// the spread rests on, (sum h^2)^2 / sum h^4: where they are few, so is what
	// is known of the error.
	Carriers float64

	// Least is a bound that ||X||^2 is certainly not below.
	Least float64
}

// Sizes of an estimate from observations in memory.
const (
	partRows   = 32      // observations of each of the two sides of a block
	partReads  = 1 << 24 // numbers that are gathered
	partRounds = 8       // how often all observations are drawn, where they are few
)

// EstimateNormSquared returns an unbiased estimate of ||X||^2 of the
// observations divided by unit. Exact are the terms of an observation with
// itself, the pairs with the observations that stand out by their norm, and the
// mean over all pairs of a control variate (control) in the leading vectors of
// b, if there is one. What is left of the others is the mean over pairs of
// observations that are drawn without replacement, in blocks of 32 by 32; all
// are drawn, several times over, where that costs little. The standard error
// is for d >= 2 that of these means over the pairs of the data at hand.
//
// One pass, up to 2 n (5 + 35) operations an observation, one more where some
// stand out, and 1e9 operations for the pairs. It returns ctx's error when
// cancelled.
func EstimateNormSquared(ctx context.Context, x *Data, d int, b *Basis, unit float64, seed uint64, threads int) (NormEstimate, error) {
	c := newControl(d, x.N, b, unit)
	s := &sweep{control: c}
	if err := s.run(ctx, x, true, threads); err != nil {
		return NormEstimate{}, err
	}
	mean, within := c.mean(s.cross)
	e := NormEstimate{Value: mean + s.self, Least: within}
	if d%2 == 0 { // no term is negative
		e.Least = math.Max(e.Least, diagonal(x, s.norms, d))
	}
	heavy := heaviest(ctx, x, c, s.norms)
	out := map[int]bool(nil)
	if heavy != nil {
		out = heavy.index
		all := &sweep{control: c, heavy: heavy}
		if err := all.run(ctx, x, false, threads); err != nil {
			return NormEstimate{}, err
		}
		pairs, self := heavy.among()
		e.Value += 2*(all.pairs-self) - (pairs - self)
	}
	return e, e.drawn(ctx, x, c, out, seed, threads)
}

// diagonal returns sum nu^2 |v|^2d.
func diagonal(x *Data, norms []float64, d int) (sum float64) {
	for l, g := range norms {
		w := x.share()
		if x.Nu != nil {
			w = x.Nu[l]
		}
		sum += w * w * linalg.Powi(g, d)
	}
	return sum
}

// drawn adds the pairs of all observations but those of out.
func (e *NormEstimate) drawn(ctx context.Context, x *Data, c *control, out map[int]bool, seed uint64, threads int) error {
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
	sums := make([]blockSums, rounds*blocks)
	t := &team{threads: min(Threads(threads), blocks)}
	work := make([]blockScratch, t.threads)
	for i := range work {
		work[i] = newBlockScratch(c, side)
	}
	rng := rand.New(rand.NewPCG(seed, normStream))
	for round := range rounds {
		for i := range drawn { // Fisher and Yates
			j := i + rng.IntN(rows-i)
			perm[i], perm[j] = perm[j], perm[i]
		}
		t.job = func(worker, i int) {
			sums[round*blocks+i] = work[worker].block(x, c, perm[2*side*i:2*side*(i+1)])
		}
		if !t.run(ctx, blocks) {
			return ctx.Err()
		}
	}
	var all blockSums
	for _, s := range sums {
		all.h += s.h
		all.h2 += s.h2
		all.h4 += s.h4
		all.rows2 += s.rows2
	}
	pairs := float64(len(sums)) * float64(side*side)
	mean, spread := all.h/pairs, math.Max(0, all.h2/pairs-(all.h/pairs)*(all.h/pairs))
	// Of the spread of a pair, that of its observations by themselves. It
	// cancels but for those that a round leaves out.
	own := math.Max(0, all.rows2/(2*pairs/float64(side))-mean*mean-spread/float64(side))
	own = math.Min(own, spread/2)
	weight := share2(x) * float64(rows) * float64(rows-1)
	left := 4 * own * (1/float64(drawn) - 1/float64(rows)) / float64(rounds)
	e.Value += weight * mean
	e.StdErr = weight * math.Sqrt((spread-2*own)/pairs+left)
	e.Pairs = int(pairs)
	e.Carriers = carriers(all.h2, all.h4, pairs)
	e.StdErr *= student(e.Carriers)
	return nil
}

// carriers is the effective number of terms with these sums of squares and
// fourth powers. Where the powers vanish nothing is known of it.
func carriers(h2, h4, terms float64) float64 {
	switch {
	case h4 > 0:
		return h2 / h4 * h2
	case h2 > 0:
		return 0
	}
	return terms
}

// student is the standard deviation of Student's distribution with some degrees
// of freedom: by how much an error is wider whose spread is known from few
// terms. Below 4 it is left at that of 4; such an error is not relied on.
func student(freedom float64) float64 {
	freedom = math.Max(freedom, 4)
	return math.Sqrt(freedom / (freedom - 2))
}

// share2 is what the weights of a pair must still be multiplied by.
func share2(x *Data) float64 { return x.share() * x.share() }

// normStream is the random stream of pairs: another than those of the starts.
const normStream = math.MaxUint64 - 2

// blockSums are of a block of pairs: their terms, second and fourth powers, and
// the squares of the means of each observation.
type blockSums struct{ h, h2, h4, rows2 float64 }

// blockScratch is what a thread works on.
type blockScratch struct {
	side              int
	v, w, g, s, z, nu []float64
	wide, columns     []float64
}

func newBlockScratch(c *control, side int) blockScratch {
	return blockScratch{side: side, v: make([]float64, 2*side*c.n), w: make([]float64, 2*side*c.k), nu: make([]float64, 2*side),
		g: make([]float64, side*side), s: make([]float64, side*side), z: make([]float64, side*side), columns: make([]float64, side)}
}

// block sums the pairs of the first half of some observations with the others.
func (b *blockScratch) block(x *Data, c *control, rows []int32) (s blockSums) {
	n, m := x.N, b.side
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
	linalg.MulABt(b.g, b.v[:m*n], b.v[m*n:], m, m, n)
	c.coordinates(b.w, b.v, 2*m)
	if c.k > 0 {
		linalg.MulABt(b.s, b.w[:m*c.k], b.w[m*c.k:], m, m, c.k)
	}
	c.rest(b.g, b.s, b.z)
	clear(b.columns)
	for i := range m {
		row := 0.
		for j := range m {
			h := b.g[i*m+j] * b.nu[i] * b.nu[m+j]
			row += h
			b.columns[j] += h
			h *= h
			s.h2 += h
			s.h4 += h * h
		}
		s.h += row
		s.rows2 += row / float64(m) * (row / float64(m))
	}
	for _, v := range b.columns {
		s.rows2 += v / float64(m) * (v / float64(m))
	}
	return s
}

// leadingRows is the number of observations that Leading looks at.
const leadingRows = 1024

// Leading returns the vectors of a control variate of order d: the leading
// eigenvectors of the second moment of some of the observations, evenly spaced.
// Nearly the leading ones of all will do.
func (x *Data) Leading(ctx context.Context, d int, unit float64) (*Basis, error) {
	rows := min(x.P, leadingRows)
	some := &Data{P: rows, N: x.N, V: make([]float64, 0, rows*x.N)}
	var wide []float64
	for i := range rows {
		l := i * x.P / rows
		some.V = append(some.V, x.rows(l, l+1, &wide)...)
		if x.Nu != nil {
			some.Nu = append(some.Nu, x.Nu[l])
		}
	}
	b, err := BasisOf(ctx, &Implicit{Data: some, D: 2}, controlSize(d, x.N), unit, 1)
	if b == nil && err == nil {
		return nil, ctx.Err()
	}
	return b, err
}
