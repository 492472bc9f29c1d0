package gmm

import (
	"math"

	"symmom/internal/data/tables"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
)

// Sizes of the data that starts are tried on.
const (
	mixtureBytes = 512e6   // of coordinates
	farNumbers   = 1 << 21 // of data on disk
	gatherRows   = 256     // observations that are projected together, at most
	gatherMost   = 1 << 22 // numbers in them, but for a single one
)

// coordinates holds the data that starts are tried on: observations in memory, minus
// the mean, or their coordinates in the leading eigenvectors with the distance from
// their span.
type coordinates struct {
	run     *run
	basis   *moment.Basis // nil: the observations themselves
	data    *block.Dense
	from    block.Source // the observations that some are held of
	sampled bool         // they are a sample, which is here
	every   int          // one in every this many of them is held
	copies  []copies     // of some(); nil if no two are equal
	few     *block.Dense // some(), once it was made

	table   *block.SparseRows                  // that observations themselves are held of; nil of other tables
	without map[*block.Dense]*block.SparseRows // those held, without their zeros; of these tables

	variances []float64 // of the variables of some()
}

// gathering fills a coordinates from the blocks of a pass.
type gathering struct {
	*coordinates
	seen, done, held int // numbers of observations read, stored, and waiting in v
	v, w, wide       []float64
	sparse           sparseColumns // of the basis
}

// gather prepares to gather coordinates.
func (c *run) gather() (*gathering, error) {
	p, n := c.t.P, c.n
	in := &gathering{coordinates: &coordinates{run: c, from: c.t.Storage, every: 1}}
	if _, far := c.t.Storage.(block.Far); far && p > moment.SampleSize(n) {
		s, err := c.t.SampleFor(c.ctx, tables.Seed)
		if err != nil {
			return nil, err
		}
		in.from, in.sampled, p = s.Data(), true, s.Data().P
	}
	k := min(2*c.r+10, len(c.spread.Rows)/n)
	columns := n
	if !in.sampled {
		in.table = c.t.Sparse()
	}
	if c.shape == Spherical && 2*k < n {
		in.basis = &moment.Basis{N: n, K: k, Q: c.spread.Rows[:k*n]}
		columns = k + 1
		in.table = nil
	}
	most := math.Min(mixtureBytes, memory.Limit(c.o.MemoryLimit)/4) / 8
	switch {
	case c.t.Array() == nil:
		most = math.Min(most, farNumbers)
	case in.basis == nil:
		most = searchNumbers
	}
	rows := max(searchLeast, int(most)/columns)
	in.every = max(1, (p+rows-1)/rows)
	kept := (p + in.every - 1) / in.every
	in.data = &block.Dense{P: kept, N: columns, V: make([]float64, kept*columns)}
	waiting := max(1, min(gatherRows, kept, gatherMost/n))
	in.v, in.w = make([]float64, waiting*n), make([]float64, waiting*k)
	return in, nil
}

// see selects the observations it needs from a block.
func (in *gathering) see(b block.Block) {
	n, f := in.run.n, 1/in.run.unit
	if in.basis != nil && b.Sparse != nil && in.sparse.stored.set(b.Sparse, n, in.run.spread.Mean, in.run.unit) {
		in.seeSparse(b)
		return
	}
	for l := range b.Rows {
		if in.seen++; (in.seen-1)%in.every != 0 {
			continue
		}
		row := b.Values(l, l+1, n, &in.wide)
		for i, m := range in.run.spread.Mean {
			in.v[in.held*n+i] = (row[i] - m) * f
		}
		in.data.Nu = block.AppendWeights(in.data.Nu, in.done+in.held, b.Part(l, l+1, n))
		if in.held++; in.held*n == len(in.v) {
			in.flush()
		}
	}
}

// seeSparse is see for observations of which stored values alone take time.
func (in *gathering) seeSparse(b block.Block) {
	in.flush()
	rows, k, columns := 1, in.basis.K, in.data.N
	if in.every == 1 {
		rows = in.sparse.stored.rows()
	}
	in.sparse.take(in.basis.Q, k)
	for lo := (in.every - in.seen%in.every) % in.every; lo < b.Rows; lo += max(rows, in.every) {
		hi := min(lo+rows, b.Rows)
		products, squares := in.sparse.products(lo, hi)
		for l, square := range squares {
			withDistance(in.data.V[(in.done+l)*columns:(in.done+l+1)*columns], products[l*k:(l+1)*k], square)
		}
		in.data.Nu = block.AppendWeights(in.data.Nu, in.done, b.Part(lo, hi, in.run.n))
		in.done += hi - lo
	}
	in.seen += b.Rows
}

// flush converts the waiting observations to the coordinates.
func (in *gathering) flush() {
	n, columns := in.run.n, in.data.N
	out := in.data.V[in.done*columns:]
	in.done += in.held
	rows := in.held
	in.held = 0
	if in.basis == nil {
		copy(out, in.v[:rows*n])
		return
	}
	k := in.basis.K
	linalg.MulABt(in.w, in.v, in.basis.Q, rows, k, n)
	for l := range rows {
		u := in.v[l*n : (l+1)*n]
		withDistance(out[l*columns:(l+1)*columns], in.w[l*k:(l+1)*k], linalg.Dot(u, u))
	}
}

// withDistance sets the coordinates of an observation to those in a basis and, last, the distance from its span.
func withDistance(out, q []float64, square float64) {
	copy(out, q)
	out[len(q)] = math.Sqrt(math.Max(0, square-linalg.Dot(q, q)))
}

// all returns the coordinates once the pass is complete.
func (in *gathering) all() *coordinates {
	in.flush()
	if nu := in.data.Nu; nu != nil {
		var sum float64
		for _, w := range nu {
			sum += w
		}
		linalg.Scale(1/sum, nu)
	}
	in.thin(in.data, func(i int) int { return i * in.every })
	return in.coordinates
}

// some returns the observations that starts are tried on, a subset of about the
// right size.
func (in *coordinates) some() *block.Dense {
	x := in.data
	rows := max(searchLeast, searchNumbers/x.N)
	if x.P <= rows {
		return x
	}
	if in.few != nil {
		return in.few
	}
	y := &block.Dense{N: x.N}
	var sum float64
	for i := range rows {
		l := i * x.P / rows
		y.V = append(y.V, x.V[l*x.N:(l+1)*x.N]...)
		if x.Nu != nil {
			y.Nu = append(y.Nu, x.Nu[l])
			sum += x.Nu[l]
		}
	}
	y.P = rows
	if y.Nu != nil {
		linalg.Scale(1/sum, y.Nu)
	}
	in.few = y
	in.thin(y, func(i int) int { return i * x.P / rows * in.every })
	return y
}

// thin keeps observations without their zeros; row returns the row of the table that one is.
func (in *coordinates) thin(x *block.Dense, row func(i int) int) {
	if in.table == nil {
		return
	}
	c, from := in.run, in.table.Values
	y := &block.Sparse{Start: make([]int, 1, x.P+1), Scale: make([]float64, x.N), Shift: make([]float64, x.N)}
	for i := range x.P {
		lo, hi := from.Start[row(i)], from.Start[row(i)+1]
		y.Index = append(y.Index, from.Index[lo:hi]...)
		if from.V32 != nil {
			y.V32 = append(y.V32, from.V32[lo:hi]...)
		} else {
			y.V = append(y.V, from.V[lo:hi]...)
		}
		y.Start = append(y.Start, len(y.Index))
	}
	for i, mean := range c.spread.Mean { // (scale (x - shift) - mean) / unit
		scale, shift := from.Map(i)
		y.Scale[i], y.Shift[i] = scale/c.unit, shift+mean/scale
	}
	if in.without == nil {
		in.without = map[*block.Dense]*block.SparseRows{}
	}
	in.without[x] = &block.SparseRows{P: x.P, N: x.N, Values: y, Nu: x.Nu}
}

// source returns observations held for passes of EM.
func (in *coordinates) source(x *block.Dense) block.Source {
	if y := in.without[x]; y != nil {
		return y
	}
	return x
}

// variances returns the mean squares of the variables of centered observations.
func variances(x *block.Dense) []float64 {
	out := make([]float64, x.N)
	for l := range x.P {
		for i, v := range x.V[l*x.N : (l+1)*x.N] {
			out[i] += x.Weight(l) * v * v
		}
	}
	return out
}

// project converts a spherical mixture to the coordinates.
func (in *coordinates) project(g *Mixture) *Mixture {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := NewMixture(k+1, g.R, Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	for j := range g.R {
		linalg.MulABt(h.Means[j*(k+1):], g.Means[j*n:(j+1)*n], in.basis.Q, 1, k, n)
	}
	return h
}

// lift converts a mixture back from the coordinates.
func (in *coordinates) lift(g *Mixture) *Mixture {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := NewMixture(n, g.R, Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	a := make([]float64, g.R*k)
	for j := range g.R {
		copy(a[j*k:(j+1)*k], g.Means[j*(k+1):])
	}
	in.basis.Lift(h.Means, a, g.R)
	return h
}
