package fit

import (
	"symmom/internal/moment"
)

// compression says which one a fit asks for, with what the choice between accumulated and
// projected depends on.
type compression struct {
	upto, basis, k int
	fewer          bool

	columns float64
	limit   uint64
}

// compressed is a compression once it has been made. The fits of a sweep share it, and
// may run side by side.
type compressed struct {
	gate
	in *coordinates
}

// basisRank returns the rank that the basis is for: that of the fit, or in a sweep over data
// that are slow to read the largest one.
func (c *plan) basisRank() int {
	if c.sweeps() {
		return max(c.r, c.m.Upto)
	}
	return c.r
}

// sweeps reports whether the fit shares its compression with those of other ranks. In
// memory a pass costs less than a basis that is wider than the rank needs, and a table
// that was appended to has sums in the place of passes.
func (c *plan) sweeps() bool {
	return c.m.Upto > 0 && c.m.Table.Slow() && c.m.Table.Sums() == nil
}

// compress finds a basis of k vectors, or fewer (see newBasis), and the moment in it. If
// no few vectors hold the moment, there is the basis alone.
func (c *plan) compress(k int, fewer bool) (*coordinates, error) {
	if !c.sweeps() {
		return c.newCompression(k, fewer)
	}
	m, key := c.m, compression{c.m.Upto, c.m.Basis, k, fewer, c.m.problem(c.basisRank(), c.o).columns(), c.o.MemoryLimit}
	m.cache.mu.Lock()
	kept := m.cache.compressions[key]
	if kept == nil {
		kept = &compressed{gate: newGate()}
		m.cache.compressions[key] = kept
	}
	m.cache.mu.Unlock()
	if err := kept.enter(c.ctx); err != nil {
		return nil, err
	}
	defer kept.leave()
	var err error
	if kept.in == nil {
		kept.in, err = c.newCompression(k, fewer)
	}
	return kept.in, err
}

func (c *plan) newCompression(k int, fewer bool) (*coordinates, error) {
	b, sample, err := c.newBasis(k, fewer)
	if err != nil {
		return nil, err
	}
	if b.Values[0] > 0 || c.m.Noise == nil { // else nothing but noise may be there
		if _, err := c.m.root(b.Values[0], c.m.known()); err != nil {
			return nil, err
		}
	}
	if b.Values[0] == 0 || c.m.Basis == 0 && !b.Whole && moment.StandOut(b.Values) == 0 && level(b.Values) {
		return &coordinates{basis: b}, nil
	}
	in, err := c.inBasis(b)
	if err != nil {
		return nil, err
	}
	in.sample = sample
	return in, c.standing(in, c.observations())
}
