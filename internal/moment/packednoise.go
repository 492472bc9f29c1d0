package moment

import (
	"context"
	"slices"

	"symmom/internal/moment/block"
)

// NewDebiased forms the moment of order d without what noise adds to it, in
// the coordinates of basis b unless that is nil: the mean of the Hermite tensors
// of the observations,
//
//	T = sum_m (-1)^m sum over m disjoint pairs of the d indices of
//	    (prod S of the pairs) M_(d-2m) of the others,
//
// for M_k the plain moments. These come from one pass, as NewMoments makes it;
// then 26 operations an entry for d = 5, 76 for d = 6. It returns the plain
// moments of more orders, too.
func NewDebiased(ctx context.Context, x block.Source, b *Basis, d int, noise *Noise, unit float64, threads int, more ...int) (t *Packed, others []*Packed, err error) {
	wanted := orders(d)
	for _, m := range more {
		if !slices.Contains(wanted, m) {
			wanted = append(wanted, m)
		}
	}
	plain, err := NewMoments(ctx, x, b, wanted, unit, threads)
	if err != nil {
		return nil, nil, err
	}
	if b != nil {
		noise = noise.In(b)
	}
	for _, m := range more {
		others = append(others, plain[slices.Index(wanted, m)])
	}
	return debias(plain[:len(orders(d))], noise.Over(unit)), others, nil
}

// debias makes the debiased moment from the plain ones of order d, d-2, ..., for the
// noise of the observations divided by their unit.
func debias(plain []*Packed, noise *Noise) *Packed {
	top := plain[0]
	d, n := top.d, top.n
	h := &hermiteEntry{noise: noise.full(), sizes: make([][][]int, len(plain)), plain: plain}
	for i, t := range plain {
		h.sizes[i] = tails(t.d, n)
	}
	t := &Packed{d: d, n: n, unit: top.unit, x: make([]float64, len(top.x))}
	index, rest := make([]int, d), make([]int, 0, d)
	for at := range t.x {
		t.x[at] = h.value(index, rest, 0, 1)
		// The next sorted tuple.
		k := d - 1
		for k >= 0 && index[k] == n-1 {
			k--
		}
		if k < 0 {
			break
		}
		next := index[k] + 1
		for ; k < d; k++ {
			index[k] = next
		}
	}
	return t
}

// hermiteEntry computes entries of a debiased moment.
type hermiteEntry struct {
	noise *Noise
	plain []*Packed
	sizes [][][]int
}

// value returns the sum over all ways to pair some of the indices left, given
// those that stay alone so far and the number of pairs; factor is the product
// of theirs.
func (h *hermiteEntry) value(left, alone []int, pairs int, factor float64) float64 {
	if len(left) == 0 {
		if pairs == len(h.plain) { // none is alone
			return factor
		}
		return factor * h.entry(pairs, alone)
	}
	first, others := left[0], left[1:]
	sum := h.value(others, append(alone, first), pairs, factor)
	for i, j := range others {
		s := h.noise.At(first, j)
		if s == 0 {
			continue
		}
		var few [MaxDebiased]int
		rest := append(append(few[:0], others[:i]...), others[i+1:]...)
		sum += h.value(rest, alone, pairs+1, -factor*s)
	}
	return sum
}

// MaxDebiased is the highest order of a debiased moment.
const MaxDebiased = 12

// entry returns the entry of a plain moment at sorted indices.
func (h *hermiteEntry) entry(pairs int, index []int) float64 {
	size, m, from, at := h.sizes[pairs], len(index), 0, 0
	for _, i := range index {
		at += size[m][from] - size[m][i]
		from = i
		m--
	}
	return h.plain[pairs].x[at]
}
