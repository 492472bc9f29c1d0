package moment

import (
	"context"
	"math"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// span is a basis of all that a few observations in memory span, in place of Q: its vectors are sums of
// these, and are not stored, as they would take as much memory as the observations.
type span struct {
	of     *block.Dense
	unit   float64
	weight []float64 // K x P: Q = weight V' / unit
	gram   []float64 // P x P, inner products of the observations divided by the unit
}

// Eigenvalues of the second moment, relative to the largest: up to zeroSpan they are rounding, and from leastSpan on
// the inner products of observations tell the eigenvectors.
const (
	zeroSpan  = 1e-13
	leastSpan = 1e-11
)

// NewSpanned returns the basis of all eigenvectors of the second moment of observations in memory, fewer than
// variables, which x passes over: 4 p^2 n operations and p^3, and p^2 numbers of memory. It returns nil and no error if
// the eigenvalues fall off so far that inner products do not tell the last ones.
func NewSpanned(ctx context.Context, x block.Source, of *block.Dense, unit float64, threads int) (*Basis, error) {
	p := of.P
	s := &span{of: of, unit: unit}
	var err error
	if s.gram, err = s.products(ctx, x, p, threads, nil); err != nil {
		return nil, err
	}
	// The second moment has the eigenvalues of D^(1/2) G D^(1/2).
	turn, root := make([]float64, p*p), make([]float64, p)
	for i := range root {
		root[i] = math.Sqrt(of.Weight(i))
	}
	for i := range p {
		for j := range p {
			turn[i*p+j] = root[i] * root[j] * s.gram[i*p+j]
		}
	}
	values, err := eigen.Ritz(ctx, turn, p)
	if err != nil {
		return nil, err
	}
	k := p
	for k > 0 && values[k-1] <= zeroSpan*values[0] {
		k--
	}
	if k == 0 || values[k-1] < leastSpan*values[0] {
		return nil, nil
	}
	s.weight = make([]float64, k*p)
	for j := range k {
		for i, r := range root {
			s.weight[j*p+i] = turn[i*p+j] * r / math.Sqrt(values[j])
		}
	}
	// Cholesky QR, for the second time: where eigenvalues are small, the first left more than rounding.
	again, err := s.products(ctx, x, k, threads, s.weight)
	if err != nil || !linalg.Cholesky(again, k, k) {
		return nil, err
	}
	for j := range k {
		w := s.weight[j*p : (j+1)*p]
		for i := range j {
			linalg.Axpy(-again[j*k+i], s.weight[i*p:(i+1)*p], w)
		}
		linalg.Scale(1/again[j*k+j], w)
	}
	orient(s.weight, p)
	b := &Basis{N: of.N, K: k, Values: values[:k], Passes: 2, Whole: true, span: s}
	linalg.Scale(unit*unit, b.Values)
	return b, nil
}

// Stored is the basis with all of Q, which others have anyway.
func (b *Basis) Stored() *Basis {
	if b.span == nil {
		return b
	}
	own, one := *b, make([]float64, b.K*b.K)
	for i := range b.K {
		one[i*b.K+i] = 1
	}
	own.span, own.Q = nil, make([]float64, b.K*b.N)
	b.Lift(own.Q, one, b.K)
	return &own
}

// Some of the variables are multiplied at once, so few that they stay in cache, and sums of groups of these added.
const (
	spanNumbers = 1 << 15
	spanSums    = 1 << 22 // numbers in those of all groups
)

// products returns the inner products of the observations divided by the unit, or of k sums of them with weights.
func (s *span) products(ctx context.Context, x block.Source, k, threads int, weight []float64) ([]float64, error) {
	p, n := s.of.P, s.of.N
	columns := max(8, min(512, spanNumbers/p))
	parts := (n + columns - 1) / columns
	groups := max(1, min(block.MaxGroups, parts, spanSums/(k*k)))
	sums := make([]float64, groups*k*k)
	turned := make([]float64, len(weight))
	if weight != nil {
		linalg.Transpose(turned, k, weight, p, k)
	}
	threads = min(parallel.Threads(threads), groups)
	scratch, size := make([][]float64, threads), (p+k)*columns+k*k
	for i := range scratch {
		scratch[i] = make([]float64, size)
	}
	var now block.Block
	pool := parallel.Pool{Threads: threads, Job: func(worker, g int) {
		v, z, own := scratch[worker][:p*columns], scratch[worker][p*columns:(p+k)*columns], scratch[worker][(p+k)*columns:]
		for i := g * parts / groups; i < (g+1)*parts/groups && ctx.Err() == nil; i++ {
			lo, hi := i*columns, min((i+1)*columns, n)
			wide := hi - lo
			for l := range p {
				row := v[l*wide : (l+1)*wide]
				if now.V32 != nil {
					linalg.Widen(row, now.V32[l*n+lo:l*n+hi])
				} else {
					copy(row, now.V[l*n+lo:l*n+hi])
				}
				linalg.Scale(1/s.unit, row)
			}
			of := v[:p*wide]
			if weight != nil {
				of = z[:k*wide]
				clear(of)
				linalg.AddAtB(of, turned, v, k, wide, p)
			}
			linalg.MulABt(own, of, of, k, k, wide)
			linalg.Axpy(1, own, sums[g*k*k:(g+1)*k*k])
		}
	}}
	if !x.Pass(ctx, func(b block.Block) {
		now = b
		pool.Run(ctx, groups)
	}) {
		return nil, block.Stopped(ctx, x)
	}
	for g := 1; g < groups; g++ {
		linalg.Axpy(1, sums[g*k*k:(g+1)*k*k], sums[:k*k])
	}
	return sums[:k*k], ctx.Err()
}

// project returns the observations in the coordinates of the basis.
func (s *span) project(k int) *block.Dense {
	p := s.of.P
	w := &block.Dense{P: p, N: k, V: make([]float64, p*k), Nu: s.of.Nu}
	linalg.MulABt(w.V, s.gram, s.weight, p, k, p)
	linalg.Scale(s.unit, w.V)
	return w
}

// spanRows is how many observations are widened at once.
const spanRows = 8

// lower writes Q'a_j (r x k) of columns a (r x n) to dst.
func (s *span) lower(dst, a []float64, r, k int) {
	p, n := s.of.P, s.of.N
	z, part := make([]float64, r*p), make([]float64, r*spanRows)
	var wide []float64
	for lo := 0; lo < p; lo += spanRows {
		hi := min(lo+spanRows, p)
		linalg.MulABt(part, a, s.of.Values(lo, hi, &wide), r, hi-lo, n)
		for j := range r {
			copy(z[j*p+lo:], part[j*(hi-lo):(j+1)*(hi-lo)])
		}
	}
	linalg.Scale(1/s.unit, z)
	linalg.MulABt(dst, z, s.weight, r, k, p)
}

// lift writes the columns Q a_j (r x n) for factors a in the basis (r x k) to dst.
func (s *span) lift(dst, a []float64, r, k int) {
	p, n := s.of.P, s.of.N
	turned, factors := make([]float64, k*r), make([]float64, p*r) // of a; of the observations in each column
	linalg.Transpose(turned, r, a, k, r)
	linalg.AddAtB(factors, s.weight, turned, p, r, k)
	linalg.Scale(1/s.unit, factors)
	clear(dst[:r*n])
	var wide []float64
	for lo := 0; lo < p; lo += spanRows {
		hi := min(lo+spanRows, p)
		linalg.AddAtB(dst, factors[lo*r:hi*r], s.of.Values(lo, hi, &wide), r, n, hi-lo)
	}
}
