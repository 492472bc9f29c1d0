package norm

import (
	"context"
	"fmt"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Pairs is the kind of an block.Pass that returns what a sweep sums, with a control of order
// Orders[0] and the vectors Data[0] (k x n), and the heavy observations Data[1] with weights
// Data[2].
const Pairs = "pairs"

// Sum is moment.Sum for passes of the kind Pairs, too.
func Sum(ctx context.Context, x block.Source, p block.Pass, threads int) ([]float64, error) {
	if p.Kind != Pairs {
		return moment.Sum(ctx, x, p, threads)
	}
	_, n := x.Shape()
	if len(p.Data) < 3 || len(p.Orders) < 1 || p.Orders[0] < 1 || p.Orders[0] > 64 || !(p.Unit > 0) {
		return nil, fmt.Errorf("a pass of kind %q has %d arrays, the orders %v and a unit of %g", p.Kind, len(p.Data), p.Orders, p.Unit)
	}
	// What their sender keeps to bounds the memory.
	if q, heavy := len(p.Data[0]), len(p.Data[2]); q%n != 0 || q/n > controlSize(p.Orders[0], n) || heavy > heavyMost {
		return nil, fmt.Errorf("a pass of kind %q for %d variables and order %d has %d numbers of vectors and %d heavy observations", p.Kind, n, p.Orders[0], q, heavy)
	}
	return sumPairs(ctx, x, p, n, threads)
}

func sumPairs(ctx context.Context, x block.Source, p block.Pass, n, threads int) ([]float64, error) {
	q, v, nu := p.Data[0], p.Data[1], p.Data[2]
	if len(v) != n*len(nu) {
		return nil, fmt.Errorf("a pass has %d weights for %d numbers of heavy observations", len(nu), len(v))
	}
	s := &sweep{control: &control{d: p.Orders[0], n: n, k: len(q) / n, q: linalg.Align(q, len(q)/n, n, 1), unit: p.Unit}}
	s.control.expand()
	if len(nu) > 0 {
		s.heavy = newHeavies(s.control, len(nu))
		for i, w := range nu {
			s.heavy.put(i, v[i*n:(i+1)*n], w)
		}
	}
	err := s.run(ctx, x, false, threads)
	return append(s.inner, s.self, s.pairs), err
}
