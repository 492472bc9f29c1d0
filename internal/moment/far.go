package moment

import (
	"context"
	"fmt"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Kinds of block.Pass, what they return, and their Data for n variables.
const (
	// Products returns Y for each A: of order Orders[0], with the noise Data[0] (see
	// noiseOf) and the columns Data[1:], r x n each.
	Products = "products"
	// DistinctProducts is Products of the entries whose indices all differ, without noise.
	DistinctProducts = "distinct products"
	// Moments returns the packed moments of Orders, one after the other, of the
	// observations divided by Unit in the coordinates of the basis Data[0], k x n, or
	// their own if it is empty, about the center Data[1], or 0.
	Moments = "moments"
	// Means returns the mean and the mean square norm as Mean does.
	Means = "means"
)

// mostSum bounds the bytes of what a pass returns.
const mostSum = 1 << 30

// checkPass refuses a pass over n variables that cannot be one of these.
func checkPass(p block.Pass, n int) error {
	if want := map[string]int{Moments: 2, Products: 2, DistinctProducts: 2}[p.Kind]; len(p.Data) < want {
		return fmt.Errorf("a pass of kind %q has %d arrays, want at least %d", p.Kind, len(p.Data), want)
	}
	products := p.Kind == Products || p.Kind == DistinctProducts
	least, bytes := 1, 0.
	for _, d := range p.Orders {
		if d < 1 || d > 64 {
			return fmt.Errorf("a pass of order %d", d)
		}
		k := n
		if p.Kind == Moments && len(p.Data[0]) > 0 {
			k = len(p.Data[0]) / n
		}
		if p.Kind == Moments {
			bytes += PackedBytes(d, k)
		}
	}
	if p.Kind == Means {
		least = 0
	}
	if !(p.Unit > 0) || len(p.Orders) < least || bytes > mostSum {
		return fmt.Errorf("a pass of kind %q has a unit of %g, the orders %v and %g bytes", p.Kind, p.Unit, p.Orders, bytes)
	}
	for i, v := range p.Data {
		columns := products && i > 0
		if columns && len(v) == 0 || (columns || !products) && len(v)%n != 0 {
			return fmt.Errorf("a pass for %d variables has an array of %d numbers", n, len(v))
		}
	}
	return nil
}

// Sum makes a pass over x, whose Share must be 1, and returns its sums, which add up
// over several sources. A pass that cannot be one of these gives an error.
func Sum(ctx context.Context, x block.Source, p block.Pass, threads int) ([]float64, error) {
	_, n := x.Shape()
	if err := checkPass(p, n); err != nil {
		return nil, err
	}
	switch p.Kind {
	case Products, DistinctProducts:
		return sumProducts(ctx, x, p, n, threads)
	case Moments:
		return sumMoments(ctx, x, p, n, threads)
	case Means:
		mean, square, err := Mean(ctx, x, p.Unit, threads)
		return append(mean, square), err
	}
	return nil, fmt.Errorf("a pass of the unknown kind %q: the two programs are of different versions", p.Kind)
}

func sumMoments(ctx context.Context, x block.Source, p block.Pass, n, threads int) (sums []float64, err error) {
	var b *Basis
	if q := p.Data[0]; len(q) > 0 {
		b = &Basis{N: n, K: len(q) / n, Q: q}
	}
	var center []float64
	if len(p.Data[1]) == n {
		center = p.Data[1]
	}
	all, err := NewCentral(ctx, x, b, center, p.Orders, p.Unit, threads)
	for _, t := range all {
		sums = append(sums, t.x...)
	}
	return sums, err
}

func sumProducts(ctx context.Context, x block.Source, p block.Pass, n, threads int) ([]float64, error) {
	noise, err := noiseOf(p.Data[0], n)
	if err != nil {
		return nil, err
	}
	if noise != nil && p.Kind == DistinctProducts {
		return nil, fmt.Errorf("a pass of kind %q has a noise", p.Kind)
	}
	t := &Implicit{Data: x, D: p.Orders[0], Noise: noise, Distinct: p.Kind == DistinctProducts}
	size := 0
	for _, a := range p.Data[1:] {
		size += len(a)
	}
	y := make([]float64, size)
	var workers []passWorker
	at := 0
	for _, a := range p.Data[1:] {
		w := t.worker(len(a)/n, threads)
		w.begin(ctx, y[at:at+len(a)], a)
		workers = append(workers, w)
		at += len(a)
	}
	if !passOf(ctx, x, workers) {
		return nil, block.Stopped(ctx, x)
	}
	return y, nil
}

// numbers returns the noise as noiseOf takes it: one variance, n, or n x n.
func (s *Noise) numbers() []float64 {
	switch {
	case s == nil:
		return nil
	case s.Full != nil, s.Root != nil:
		return s.full().Full
	case s.Diagonal != nil:
		return s.Diagonal
	}
	return []float64{s.Variance}
}

func noiseOf(v []float64, n int) (*Noise, error) {
	switch len(v) {
	case 0:
		return nil, nil
	case 1:
		return &Noise{N: n, Variance: v[0]}, nil
	case n:
		return &Noise{N: n, Diagonal: v}, nil
	case n * n:
		return &Noise{N: n, Full: v}, nil
	}
	return nil, fmt.Errorf("a pass for %d variables has a noise of %d numbers", n, len(v))
}

// farWorker is the worker of an implicit moment of observations that are far.
type farWorker struct {
	t *Implicit
	x block.Far
}

func (w farWorker) TTSV(ctx context.Context, y, a []float64) bool { return w.each(ctx, y, a) }

// each writes the products of several A, one after the other, to y.
func (w farWorker) each(ctx context.Context, y []float64, as ...[]float64) bool {
	kind := Products
	if w.t.Distinct {
		kind = DistinctProducts
	}
	sum, ok := w.x.Sum(ctx, block.Pass{Kind: kind, Orders: []int{w.t.D}, Unit: 1, Data: append([][]float64{w.t.Noise.numbers()}, as...)}, nil)
	if ok {
		copy(y, sum)
		linalg.Scale(w.x.Share(), y)
	}
	return ok
}
