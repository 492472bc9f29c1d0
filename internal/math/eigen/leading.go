package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/linalg"
)

// Wanted says which eigenvectors Leading finds, and how well.
type Wanted struct {
	K        int     // so many, to the accuracy
	Also     int     // and up to so many in all, as well as they are then known
	Accuracy float64 // of a pair: |C u - value u| / value, but for the rounding of products
	Products int     // most products
	// Size of the numbers whose rounding is in the products, if they are larger than the
	// largest eigenvalue: no residual gets below that rounding.
	Size float64
}

// Pairs are eigenvalues and eigenvectors.
type Pairs struct {
	Values   []float64 // largest first
	Rows     []float64 // eigenvectors, one a row
	Residual float64   // the largest |C u - value u| / value of the K first, 0 if all have the accuracy
	Products int       // there were
}

// For Leading: columns in a block beside those wanted, whose number decides how fast the last
// one converges where many eigenvalues are nearly the same; blocks that are kept; the numbers
// that they may take; and the rounding of products.
const (
	ExtraColumns   = 10
	keptBlocks     = 4
	leastKept      = 160
	mostNumbers    = 1 << 26
	leadingRounded = 1e-14
)

// Leading finds the leading eigenvalues of a symmetric positive semidefinite operator C of
// size n and their eigenvectors, by the block Lanczos process with full reorthogonalization
// and restarts (Golub & Underwood 1977; Stewart 2001). apply returns the products with some
// rows, which it may keep in its own memory until it is called again. The start is fixed: the
// result is a function of the operator alone. An eigenvalue is off by at most the residual
// of its pair, and mostly by its square over the gap to the next; an eigenvector by an angle
// of the residual over the gap. An operator of rank below K has that many pairs, or some
// more whose value is 0.
//
// Each product with K + 10 rows is followed by some 8 n (K + 10) operations for each row kept.
func Leading(ctx context.Context, n int, want Wanted, threads int, apply func(q []float64, rows int) ([]float64, error)) (*Pairs, error) {
	b := min(want.K+ExtraColumns, n)
	room := min(n, max(keptBlocks*b, want.Also+b, min(leastKept, mostNumbers/n)))
	next := make([]float64, b*n)
	rng := rand.New(rand.NewPCG(2, 0))
	for i := range next {
		next[i] = rng.NormFloat64()
	}
	s := &subspace{n: n, room: room, v: make([]float64, 0, min(room, keptBlocks*b)*n), t: make([]float64, room*room), threads: threads}
	out := &Pairs{}
	for {
		var err error
		if b, err = s.fresh(ctx, next, b); err != nil {
			return nil, err
		}
		if b > 0 {
			if len(s.v)+b*n > cap(s.v) { // an operator of low rank ends before
				s.v = append(make([]float64, 0, room*n), s.v...)
			}
			s.v = append(s.v, next[:b*n]...)
			y, err := apply(s.v[s.dim*n:], b)
			if err != nil {
				return nil, err
			}
			out.Products++
			s.couple(y, b)
			next = append(next[:0], y[:b*n]...)
			if err = s.subtract(ctx, next); err != nil {
				return nil, err
			}
		}
		values, turn, err := s.ritz(ctx)
		if err != nil {
			return nil, err
		}
		floor := leadingRounded * math.Max(values[0], want.Size)
		out.Residual = 0
		for i, value := range values[:min(want.K, s.dim)] {
			u := make([]float64, n)
			for j := range b { // only the last rows have images outside
				linalg.Axpy(turn[(s.dim-b+j)*s.dim+i], next[j*n:(j+1)*n], u)
			}
			if r := linalg.Norm2(u); r > want.Accuracy*value+floor {
				out.Residual = math.Max(out.Residual, r/value)
			}
		}
		if out.Residual == 0 && s.dim >= want.K || b == 0 || s.dim == n || out.Products == want.Products {
			k := min(s.dim, max(want.K, want.Also))
			out.Values, out.Rows = values[:k], s.turned(turn, k)
			return out, nil
		}
		left := 0
		for j := range b { // what is rounding says of no new direction
			row := next[j*n : (j+1)*n]
			if linalg.Norm2(row) > floor {
				copy(next[left*n:(left+1)*n], row)
				left++
			}
		}
		b = min(left, n-s.dim)
		if s.dim+b > room {
			s.restart(values, turn, max(want.K, want.Also)+(room-b-max(want.K, want.Also))/2)
		}
	}
}

// subspace holds orthonormal rows v and T = v C v'.
type subspace struct {
	n, dim, room int
	v            []float64 // dim x n, and then what is new
	t            []float64 // room x room
	threads      int
}

// fresh makes rows orthonormal, and orthogonal to those that there are. It returns how many
// are left.
func (s *subspace) fresh(ctx context.Context, rows []float64, k int) (int, error) {
	for range 2 { // dividing by what little is left of a row magnifies rounding
		var err error
		if k, err = Orthonormalize(ctx, rows, k, s.n, s.threads); err != nil {
			return 0, err
		}
		if err = s.subtract(ctx, rows[:k*s.n]); err != nil {
			return 0, err
		}
	}
	return Orthonormalize(ctx, rows, k, s.n, s.threads)
}

// subtract subtracts from rows their parts in the space.
func (s *subspace) subtract(ctx context.Context, rows []float64) error {
	if !newOuter(s.n, len(rows)/s.n, len(s.v)/s.n, s.threads).subtract(ctx, rows, s.v, 2) {
		return ctx.Err()
	}
	return nil
}

// couple adds to T the last b rows, whose images are y.
func (s *subspace) couple(y []float64, b int) {
	from, dim := s.dim, s.dim+b
	s.dim = dim
	c := make([]float64, b*dim)
	linalg.MulABt(c, y[:b*s.n], s.v, b, dim, s.n)
	for i := range b {
		for j := range dim {
			s.t[(from+i)*s.room+j], s.t[j*s.room+from+i] = c[i*dim+j], c[i*dim+j]
		}
	}
}

// ritz returns the Ritz values, and the vectors as the columns of a matrix.
func (s *subspace) ritz(ctx context.Context) (values, turn []float64, err error) {
	turn = make([]float64, 0, s.dim*s.dim)
	for i := range s.dim {
		turn = append(turn, s.t[i*s.room:i*s.room+s.dim]...)
	}
	values, err = Ritz(ctx, turn, s.dim)
	return values, turn, err
}

// Ritz returns the eigenvalues of T = Q C Q', n x n, of a positive semidefinite operator C,
// largest first and none negative, and puts the eigenvectors in its place, as columns.
func Ritz(ctx context.Context, t []float64, n int) (values []float64, err error) {
	values, columns, ok, err := SymContext(ctx, SymOf(t, n), true)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errors.New("eigenvectors of the second moment: no convergence")
	}
	slices.Reverse(values) // gonum sorts ascending
	for i, v := range values {
		values[i] = math.Max(0, v)
		for j := range n {
			t[j*n+i] = columns[j*n+n-1-i]
		}
	}
	return values, nil
}

// turned returns the first k Ritz vectors.
func (s *subspace) turned(turn []float64, k int) []float64 {
	first := make([]float64, 0, s.dim*k)
	for j := range s.dim {
		first = append(first, turn[j*s.dim:j*s.dim+k]...)
	}
	rows := make([]float64, k*s.n)
	linalg.AddAtB(rows, first, s.v, k, s.n, s.dim)
	return rows
}

// restart keeps the space of the first k Ritz vectors.
func (s *subspace) restart(values, turn []float64, k int) {
	s.v = append(s.v[:0], s.turned(turn, k)...)
	clear(s.t)
	for i, v := range values[:k] {
		s.t[i*s.room+i] = v
	}
	s.dim = k
}
