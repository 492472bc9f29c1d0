package moment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/linalg"
)

// Basis spans the leading eigenvectors of the second moment V D_nu V'.
type Basis struct {
	N, K   int
	Q      []float64 // K x N, rows orthonormal: Ritz vectors, the largest first
	Values []float64 // K Ritz values of the second moment, descending
	Passes int       // over the data, to find it
}

// oversampling is the number of columns beyond k that the range finder
// carries, and powerSteps the number of products with the second moment.
// With both the space of the eigenvalues that stand out is found to rounding
// error where they are well separated (Halko, Martinsson & Tropp 2011,
// section 4.5: the error falls with the gap to the power 2q + 1).
const (
	oversampling = 10
	powerSteps   = 2
)

// NewBasis finds k leading eigenvectors by the randomized range finder with
// power steps: powerSteps + 1 passes over all observations, 4 p n (k + 10)
// operations each. The start is fixed, so the result is a function of the data
// alone. It returns ctx's error when cancelled.
func NewBasis(ctx context.Context, x Source, k int, unit float64, threads int) (*Basis, error) {
	b, err := BasisOf(ctx, &Implicit{Data: x, D: 2}, k, unit, threads)
	if err == nil && b == nil {
		err = stopped(ctx, x)
	}
	return b, err
}

// BasisOf is NewBasis for a second moment held in any form. It returns nil
// without an error when a product was not finished.
func BasisOf(ctx context.Context, t Tensor, k int, unit float64, threads int) (*Basis, error) {
	n := t.N()
	l := min(k+oversampling, n)
	second := NewObjective(t, l, unit, threads)
	q := make([]float64, l*n)
	rng := rand.New(rand.NewPCG(2, 0))
	gaussian(q, rng)
	b := &Basis{N: n}
	for step := 0; ; step++ {
		l = linalg.Orthonormalize(q, l, n)
		if l*n < len(q) { // a rank-deficient second moment: go on with fewer
			q = q[:l*n]
			second = NewObjective(t, l, unit, threads)
		}
		y, _, ok := second.TTSV(ctx, q)
		if !ok {
			return nil, nil
		}
		b.Passes++
		if step < powerSteps {
			copy(q, y)
			continue
		}
		// Rayleigh-Ritz in the space found: T = Q' (V D_nu V') Q.
		ritz := make([]float64, l*l)
		linalg.MulABt(ritz, q, y, l, l, n)
		for i := range l { // rounding leaves it a little unsymmetric
			for j := range i {
				ritz[i*l+j] = (ritz[i*l+j] + ritz[j*l+i]) / 2
				ritz[j*l+i] = ritz[i*l+j]
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(mat.NewSymDense(l, ritz), true) {
			return nil, fmt.Errorf("eigenvectors of the second moment: no convergence")
		}
		var vectors mat.Dense
		eig.VectorsTo(&vectors)
		values := eig.Values(nil)
		b.K = min(k, l)
		b.Q, b.Values = make([]float64, b.K*n), make([]float64, b.K)
		for i := range b.K {
			from := l - 1 - i // gonum sorts ascending
			b.Values[i] = math.Max(0, values[from]) * unit * unit
			for j := range l {
				linalg.Axpy(vectors.At(j, from), q[j*n:(j+1)*n], b.Q[i*n:(i+1)*n])
			}
		}
		b.K = linalg.Orthonormalize(b.Q, b.K, n)
		b.Q, b.Values = b.Q[:b.K*n], b.Values[:b.K]
		return b, nil
	}
}

// Project returns the observations in the coordinates of the basis, Q'V: p x
// k numbers. One pass, 2 p n k operations. It returns ctx's error when
// cancelled.
func (b *Basis) Project(ctx context.Context, x Source, threads int) (*Data, error) {
	p, n := x.Shape()
	w := &Data{P: p, N: b.K, V: make([]float64, p*b.K)}
	const rows = 1024
	step := linalg.BlockRows(n)
	var now Block
	var to []float64
	t := &team{threads: min(Threads(threads), (x.BlockRows()+rows-1)/rows)}
	wide := make([][]float64, t.threads)
	t.job = func(worker, i int) {
		for lo, hi := i*rows, min((i+1)*rows, now.Rows); lo < hi; lo += step {
			end := min(lo+step, hi)
			linalg.MulABt(to[lo*b.K:end*b.K], now.Values(lo, end, n, &wide[worker]), b.Q, end-lo, b.K, n)
		}
	}
	done := 0
	if !x.Pass(ctx, func(block Block) {
		now, to = block, w.V[done*b.K:]
		w.Nu = appendWeights(w.Nu, done, block)
		t.run(ctx, (block.Rows+rows-1)/rows)
		done += block.Rows
	}) {
		return nil, stopped(ctx, x)
	}
	if share := x.Share(); w.Nu != nil && share != 1 {
		linalg.Scale(share, w.Nu)
	}
	return w, nil
}

// Second returns the second moment in the coordinates of the basis, of which
// it is the diagonal matrix of Values, of the observations divided by unit.
func (b *Basis) Second(unit float64) *Packed {
	t := &Packed{d: 2, n: b.K, unit: unit, x: make([]float64, b.K*(b.K+1)/2)}
	at := 0
	for i, v := range b.Values {
		t.x[at] = v / (unit * unit)
		at += b.K - i
	}
	return t
}

// Ritz returns the eigenvectors of a packed second moment as a basis of its own
// coordinates.
func (t *Packed) Ritz() (*Basis, error) {
	values, rows, err := t.eigen(true)
	for i, v := range values {
		values[i] = math.Max(0, v)
	}
	return &Basis{N: t.n, K: t.n, Q: rows, Values: values}, err
}

// Outside returns the largest eigenvalue of a second moment of the data in the
// directions that are orthogonal to the basis.
func (b *Basis) Outside(ctx context.Context, second *Packed, threads int) (float64, error) {
	o := NewObjective(second, 1, second.unit, threads)
	project := func(v []float64) {
		for i := range b.K {
			q := b.Q[i*b.N : (i+1)*b.N]
			linalg.Axpy(-linalg.Dot(q, v), q, v)
		}
	}
	in := make([]float64, b.N)
	value, _, err := lanczos(b.N, func(y, q []float64) error {
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

// Lift writes the columns Q a_j (r x n) of factors in the basis (r x k).
func (b *Basis) Lift(dst, a []float64, r int) {
	clear(dst)
	for j := range r {
		for i := range b.K {
			linalg.Axpy(a[j*b.K+i], b.Q[i*b.N:(i+1)*b.N], dst[j*b.N:(j+1)*b.N])
		}
	}
}

// Start fills a (r x k) with columns of unit norm distributed as the
// randomized range finder's in the coordinates of the basis: V D_nu^(1/2) Omega
// is Gaussian with covariance V D_nu V', which the basis makes diagonal. It
// needs no pass over the data.
func (b *Basis) Start(a []float64, rng *rand.Rand) {
	gaussian(a, rng)
	for j := 0; j < len(a); j += b.K {
		for i, v := range b.Values {
			a[j+i] *= math.Sqrt(v / b.Values[0])
		}
	}
	normalize(a, b.K)
}

// SuggestedRank returns the number of eigenvalues (descending) that stand out:
// those before the largest drop by a factor of at least 1.5. The first
// eigenvalue, which holds the mean, is passed over unless it stands alone. It
// is 0 where nothing stands out.
func SuggestedRank(values []float64) int {
	const standsOut, zero = 1.5, 1e-14
	best, rank := standsOut, 0
	for i := 1; i < len(values); i++ {
		if values[i] <= zero*values[0] {
			return i // the rank of the second moment itself
		}
		if drop := values[i-1] / values[i]; i > 1 && drop > best {
			best, rank = drop, i
		}
	}
	if rank == 0 && len(values) > 1 && values[0]/values[1] > standsOut {
		return 1
	}
	return rank
}
