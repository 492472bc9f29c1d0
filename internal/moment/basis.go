package moment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Basis spans the leading eigenvectors of the second moment V D_nu V', or the range
// finder's approximation of them.
type Basis struct {
	N, K   int
	Q      []float64 // K x N, rows orthonormal, largest eigenvalue first
	Values []float64 // K estimated eigenvalues of the second moment, descending
	Passes int       // over the data, to compute it
	Whole  bool      // K is the rank of the second moment: nothing is outside

	span *span // unless nil, Q is not stored, but follows from the observations
}

// For the range finder: the number of random columns in addition to those requested,
// and the maximum number of passes over the data. If eigenvalues stand out, these
// passes reduce the error of their space by the gap to the power 2 powerSteps (Halko,
// Martinsson & Tropp 2011, section 4.5).
const (
	Oversampling = 10
	powerSteps   = 2
)

// NewBasis finds k leading eigenvectors by the randomized range finder: two passes
// over all observations, 4 p n (k + 10) operations each. The start is fixed, so the
// result is a function of the data alone. It returns ctx's error if cancelled.
//
// A basis of a sample of the observations, unless nil, gives the range finder k start
// columns so good that one pass can be enough: it is if the first lead eigenvectors
// then have an error of less than an angle of .1, and the random columns, of which
// there are still 10, saw no direction that the sample missed.
//
// Of a second moment that is 0 the basis is one direction, with the eigenvalue 0.
func NewBasis(ctx context.Context, x block.Source, sample *Basis, k, lead int, unit float64, threads int) (*Basis, error) {
	return NewBasisOf(ctx, &Implicit{Data: x, D: 2}, sample, k, lead, unit, threads)
}

// NewBasisOf is like NewBasis for a second moment that may be debiased.
func NewBasisOf(ctx context.Context, second *Implicit, sample *Basis, k, lead int, unit float64, threads int) (*Basis, error) {
	n := second.N()
	l := min(k+Oversampling, n)
	q := make([]float64, l*n)
	gaussian(q, rand.New(rand.NewPCG(2, 0)))
	if sample != nil {
		keep := min(max(k-Oversampling, lead), sample.K)
		l = min(keep+Oversampling, l)
		q = append(slices.Clone(sample.Q[:keep*n]), q[:(l-keep)*n]...)
	}
	b := &Basis{N: n}
	for {
		var err error
		if l, err = eigen.Orthonormalize(ctx, q, l, n, threads); err != nil {
			return nil, err
		}
		if l == 0 {
			return b, b.end(ctx, 0, k, unit, threads)
		}
		q = q[:l*n]
		products := NewObjective(second, l, unit, threads)
		y, _, ok := products.TTSV(ctx, q)
		if !ok {
			return nil, block.Stopped(ctx, second.Data)
		}
		b.Passes++
		values, turn, err := rayleighRitz(ctx, q, y, l, n)
		if err != nil {
			return nil, err
		}
		// The images of the Ritz vectors, which are nearer to the eigenvectors.
		image, err := turned(ctx, turn, y, l, n, threads)
		if err != nil {
			return nil, err
		}
		for l > 1 && linalg.Norm2(image[(l-1)*n:l*n]) <= 1e-13*linalg.Norm2(image[:n]) {
			l-- // the second moment has no higher rank: this is rounding
		}
		enough := b.Passes == powerSteps || l == n
		if sample != nil && !enough {
			if q, err = turned(ctx, turn, q, len(values), n, threads); err != nil {
				return nil, err
			}
			enough = goodEnough(q, image, values, lead, n)
		}
		q = image[:l*n]
		if enough {
			b.Q, b.Values = q, values
			return b, b.end(ctx, min(k, l), k, unit, threads)
		}
	}
}

// rayleighRitz returns the eigenvalues of T = Q' (V D_nu V') Q for orthonormal rows q
// and y = q V D_nu V', both l x n, largest first and not negative, and the
// eigenvectors of T as the columns of an l x l matrix.
func rayleighRitz(ctx context.Context, q, y []float64, l, n int) (values, turn []float64, err error) {
	turn = make([]float64, l*l)
	linalg.MulABt(turn, q, y, l, l, n)
	values, err = eigen.Ritz(ctx, turn, l)
	return values, turn, err
}

// turned returns U' Q for an l x l matrix U and l rows of Q: 2 n l^2 operations.
func turned(ctx context.Context, u, q []float64, l, n, threads int) ([]float64, error) {
	const rows = 16
	to := make([]float64, l*n)
	jobs := (l + rows - 1) / rows
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), jobs), Job: func(_, i int) {
		lo, hi := i*rows, min((i+1)*rows, l)
		part := make([]float64, 0, l*(hi-lo))
		for k := range l {
			part = append(part, u[k*l+lo:k*l+hi]...)
		}
		linalg.AddAtB(to[lo*n:hi*n], part, q, hi-lo, n, l)
	}}
	t.Run(ctx, jobs)
	return to, ctx.Err()
}

// goodEnough reports whether the images of Ritz vectors can serve as eigenvectors. For
// a Ritz vector u of value theta the residual M u - theta u is theta times its angle
// to the eigenvector. M u has that angle reduced by the ratio of the eigenvalues left
// out, of which the last Ritz value is an example, to theta. An eigenvalue mu whose
// direction all columns miss except for the random ones, which have 1/sqrt(n) of it
// each, leaves mu sqrt(10/n) in the residuals. It overwrites the Ritz vectors.
func goodEnough(ritz, image, values []float64, lead, n int) bool {
	const angle, unseen = .1, .5
	l := len(values)
	lead = min(lead, l)
	least := values[lead-1]
	hidden := 0. // square of the residuals after the leading ones
	for i := 0; i < l && values[i] > 0; i++ {
		u := ritz[i*n : (i+1)*n]
		linalg.Scale(-values[i], u)
		linalg.Axpy(1, image[i*n:(i+1)*n], u)
		residual := linalg.Norm2(u)
		if i >= lead {
			hidden += residual * residual
		} else if !(residual*values[l-1] < angle*values[i]*values[i]) {
			return false
		}
	}
	return math.Sqrt(hidden*float64(n)/Oversampling) < unseen*least
}

// BasisOf finds k leading eigenvectors of a second moment held in any form by the
// range finder: three products with k + 10 columns, the last of which gives the Ritz
// vectors and values. It returns nil and no error if a product was not completed. Of 0 it
// is what NewBasis returns.
func BasisOf(ctx context.Context, t Tensor, k int, unit float64, threads int) (*Basis, error) {
	n := t.N()
	l := min(k+Oversampling, n)
	second := NewObjective(t, l, unit, threads)
	q := make([]float64, l*n)
	gaussian(q, rand.New(rand.NewPCG(2, 0)))
	for step := 0; ; step++ {
		var err error
		if l, err = eigen.Orthonormalize(ctx, q, l, n, threads); err != nil {
			return nil, err
		}
		if l == 0 {
			b := &Basis{N: n}
			return b, b.end(ctx, 0, k, unit, threads)
		}
		if l*n < len(q) { // a rank-deficient second moment: continue with fewer
			q = q[:l*n]
			second = NewObjective(t, l, unit, threads)
		}
		y, _, ok := second.TTSV(ctx, q)
		if !ok {
			return nil, nil
		}
		if step < powerSteps {
			copy(q, y)
			continue
		}
		values, turn, err := rayleighRitz(ctx, q, y, l, n)
		if err != nil {
			return nil, err
		}
		b := &Basis{N: n, Values: values}
		if b.Q, err = turned(ctx, turn, q, l, n, threads); err != nil {
			return nil, err
		}
		return b, b.end(ctx, min(k, l), k, unit, threads)
	}
}

// end makes the first so many rows of Q orthonormal and the rest, up to k, be gone, and
// brings the eigenvalues into the units of the data.
func (b *Basis) end(ctx context.Context, rows, k int, unit float64, threads int) (err error) {
	if b.K, err = eigen.Orthonormalize(ctx, b.Q, rows, b.N, threads); err != nil {
		return err
	}
	b.Whole = b.K < k || b.K == b.N
	if b.K == 0 {
		b.K, b.Q, b.Values = 1, make([]float64, b.N), []float64{0}
		b.Q[0] = 1
	}
	b.Q, b.Values = b.Q[:b.K*b.N:b.K*b.N], b.Values[:b.K]
	orient(b.Q, b.N)
	linalg.Scale(unit*unit, b.Values)
	return nil
}

// Project returns the observations in the coordinates of the basis, Q'V: p x k
// numbers. One pass, 2 p n k operations. It returns ctx's error if cancelled.
func (b *Basis) Project(ctx context.Context, x block.Source, threads int) (*block.Dense, error) {
	if b.span != nil { // these are the observations
		return b.span.project(b.K), ctx.Err()
	}
	p, n := x.Shape()
	w := &block.Dense{P: p, N: b.K, V: make([]float64, p*b.K)}
	linalg.LargePages(w.V)
	const rows = 1024
	step := linalg.BlockRows(n)
	q, reach := linalg.Unaligned(b.Q, b.K, n), block.Reach(x, 8)
	if p >= rows {
		q = linalg.Align(b.Q, b.K, n, 1)
	}
	var now block.Block
	var to []float64
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), (x.BlockRows()+rows-1)/rows)}
	wide, z := make([][]float64, t.Threads), make([][]float64, t.Threads)
	for i := range z {
		z[i] = make([]float64, b.K*step)
	}
	var columns *sparseColumns
	t.Job = func(worker, i int) {
		if now.Sparse != nil {
			lo, hi := i*rows, min((i+1)*rows, now.Rows)
			columns.multiply(to[lo*b.K:hi*b.K], now.Part(lo, hi, n).Sparse, make([]float64, linalg.SparseScratch(rows, n, b.K)))
			return
		}
		for lo, hi := i*rows, min((i+1)*rows, now.Rows); lo < hi; lo += step {
			end := min(lo+step, hi)
			m, v, z := end-lo, now.Values(lo, end, n, &wide[worker]), z[worker]
			if m < 8 { // with the bits of larger parts
				linalg.MulABt(to[lo*b.K:end*b.K], v, b.Q, m, b.K, n)
				continue
			}
			ahead := linalg.Ahead{V: now.InPlace(end, end+step, n), Reach: reach}
			linalg.MulABtColumns(z, m, q, v, m, ahead)
			linalg.Transpose(to[lo*b.K:], b.K, z, m, b.K)
		}
	}
	done := 0
	if !x.Pass(ctx, func(part block.Block) {
		now, to = part, w.V[done*b.K:]
		if part.Sparse != nil {
			columns = newSparseColumns(n, b.K)
			columns.set(b.Q, part.Sparse)
		}
		w.Nu = block.AppendWeights(w.Nu, done, part)
		t.Run(ctx, (part.Rows+rows-1)/rows)
		done += part.Rows
	}) {
		return nil, block.Stopped(ctx, x)
	}
	if share := x.Share(); w.Nu != nil && share != 1 {
		linalg.Scale(share, w.Nu)
	}
	return w, nil
}

// Ritz returns the eigenvectors of a packed second moment as a basis in its
// coordinates.
func (t *Packed) Ritz(ctx context.Context) (*Basis, error) {
	values, rows, err := t.eigen(ctx, true)
	for i, v := range values {
		values[i] = math.Max(0, v)
	}
	orient(rows, t.n)
	return &Basis{N: t.n, K: t.n, Q: rows, Values: values}, err
}

// orient makes the largest component of every row positive: this sign does not depend
// on rounding, so neither do starts.
func orient(q []float64, n int) {
	for ; len(q) > 0; q = q[n:] {
		at := 0
		for j, x := range q[:n] {
			if math.Abs(x) > math.Abs(q[at]) {
				at = j
			}
		}
		if q[at] < 0 {
			linalg.Scale(-1, q[:n])
		}
	}
}

// Outside returns the largest eigenvalue of a second moment of the data in the
// directions orthogonal to the basis.
func (b *Basis) Outside(ctx context.Context, second *Packed, threads int) (float64, error) {
	o := NewObjective(second, 1, second.unit, threads)
	project := func(v []float64) {
		for i := range b.K {
			q := b.Q[i*b.N : (i+1)*b.N]
			linalg.Axpy(-linalg.Dot(q, v), q, v)
		}
	}
	in := make([]float64, b.N)
	value, _, err := eigen.Largest(b.N, func(y, q []float64) error {
		copy(in, q)
		project(in)
		v, _, ok := o.TTSV(ctx, in)
		if !ok {
			return ctx.Err()
		}
		copy(y, v)
		project(y)
		return nil
	})
	return math.Max(0, value) * second.unit * second.unit, err
}

// Lower writes the directions of Q'a_j (r x k) of some columns a (r x n) to dst.
func (b *Basis) Lower(dst, a []float64, r int) {
	if b.span != nil {
		b.span.lower(dst[:r*b.K], a[:r*b.N], r, b.K)
	} else {
		linalg.MulABt(dst[:r*b.K], a[:r*b.N], b.Q, r, b.K, b.N)
	}
	normalize(dst[:r*b.K], b.K)
}

// Lift writes the columns Q a_j (r x n) for factors a in the basis (r x k) to dst.
func (b *Basis) Lift(dst, a []float64, r int) {
	if b.span != nil {
		b.span.lift(dst, a, r, b.K)
		return
	}
	clear(dst)
	for j := range r {
		for i := range b.K {
			linalg.Axpy(a[j*b.K+i], b.Q[i*b.N:(i+1)*b.N], dst[j*b.N:(j+1)*b.N])
		}
	}
}

// Start fills a (r x k) with columns of unit norm distributed like the randomized
// range finder's in the coordinates of the basis: V D_nu^(1/2) Omega is Gaussian with
// covariance V D_nu V', which the basis makes diagonal. It needs no pass over the
// data.
func (b *Basis) Start(a []float64, rng *rand.Rand) {
	gaussian(a, rng)
	for j := 0; j < len(a); j += b.K {
		for i, v := range b.Values {
			a[j+i] *= math.Sqrt(v / b.Values[0])
		}
	}
	normalize(a, b.K)
}
