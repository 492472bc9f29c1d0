package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/data/tables"
	"symmom/internal/math/eigen"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Where a sample shows how many directions stand out, the basis spans the images
// X a_j^(d-1) of the components a_j of a fit to the sample.
const (
	sampleStarts = 3       // of that fit at most
	sampleSteps  = 50      // of each
	sampleBytes  = 4 << 20 // of its moment
	leastGram    = .05     // least eigenvalue of [A'A]^(d-1) of components that span a space
	nearSample   = .8      // least cosine between the images and what stands out in the sample
	spareVectors = 2       // of a basis, to show where the spectrum drops

	probes       = 10 // random directions that look for what the sample missed
	missedShare  = .5 // of the last eigenvalue that stands out, which what was missed may have
	probedRows   = 128
	probedStride = 8 * probedRows
)

// imageBasis returns a basis of the r = basisRank() directions that stand out in a sample,
// whose basis is start, and spareVectors more, or nil if that does not hold all that the
// observations have. It takes a pass of r columns, and reads one in eight observations twice,
// which counts as another.
//
// Noise around the components leaves in X a^(d-1) what it is times the part of a outside
// them, the error of a. As it is nearly the same in all directions, which the sample tells,
// nearly all of that can be taken out: a power step with a shift. What is left lets the
// first step on the full problem end within the tolerance, where after a step with the
// second moment, whose eigenvectors have errors of their own, it takes another pass.
func (c *plan) imageBasis(start *moment.Basis, sample *block.Dense, span float64) (*moment.Basis, error) {
	n, r := c.n, c.basisRank()
	a, beyond, err := c.sampleFit(start, sample, span)
	if err != nil || a == nil {
		return nil, err
	}
	some := &spread{Source: c.m.Table.Storage}
	c.passes.Add(1) // the two of some, which do not count themselves
	var q []float64
	for _, x := range []block.Source{some, c.observations()} {
		if q, err = c.images(x, a, beyond, span); err != nil || q == nil {
			return nil, err
		}
		if !sameSpace(q, start.Q[:r*n], r, n) {
			return nil, nil
		}
	}
	seen, hidden, err := c.probe(some, q, span)
	if least := start.Values[r-1] / span / span; err != nil || !(hidden < missedShare*least) {
		return nil, err
	}
	q = append(q[:r*n:r*n], seen[:spareVectors*n]...)
	k, err := eigen.Orthonormalize(c.ctx, q, r+spareVectors, n, c.o.Threads)
	k = min(k, start.K) // the sample may have no more directions
	return &moment.Basis{N: n, K: k, Q: q[: k*n : k*n], Values: start.Values[:k:k]}, err
}

// images returns orthonormal rows (r x n) that span the images of a in x, less what is noise.
// It then leaves in a only what these span.
func (c *plan) images(x block.Source, a, beyond []float64, span float64) ([]float64, error) {
	n, r := c.n, len(beyond)
	y, _, ok := moment.NewObjective(c.m.implicit(x), r, span, c.o.Threads).TTSV(c.ctx, a)
	if !ok {
		return nil, block.Stopped(c.ctx, x)
	}
	q, rest := slices.Clone(y), slices.Clone(a)
	if k, err := eigen.Orthonormalize(c.ctx, q, r, n, c.o.Threads); err != nil || k < r {
		return nil, err
	}
	outside(rest, q, n)
	for j, s := range beyond {
		linalg.Axpy(-float64(c.m.Order-1)*s, rest[j*n:(j+1)*n], y[j*n:(j+1)*n])
	}
	if k, err := eigen.Orthonormalize(c.ctx, y, r, n, c.o.Threads); err != nil || k < r {
		return nil, err
	}
	copy(rest, a)
	outside(rest, y, n)
	linalg.Axpy(-1, rest, a)
	return y, nil
}

// sampleFit returns the columns a_j (r x n) of a fit to the sample in its leading r
// directions, for r = basisRank(), and how X a_j^(d-2) acts outside them. They are nil if it
// finds no r components.
func (c *plan) sampleFit(start *moment.Basis, sample *block.Dense, span float64) (a, beyond []float64, err error) {
	d, r := c.m.Order, c.basisRank()
	bytes := moment.PackedBytes(d, r)
	if !(bytes <= sampleBytes && sampleStarts*sampleSteps*bytes/8 <= float64(c.p)*float64(c.n)) {
		return nil, nil, nil // it could take longer than the pass that it saves
	}
	lead := &moment.Basis{N: c.n, K: r, Q: start.Q[:r*c.n], Values: start.Values[:r]}
	unit := math.Sqrt(lead.Values[0])
	t, err := moment.NewPacked(c.ctx, sample, lead, d, unit, c.o.Threads)
	if err != nil {
		return nil, nil, err
	}
	o := moment.NewObjective(t, r, unit, 1)
	evaluate := func(x, g []float64) (float64, bool) { return o.Evaluate(c.ctx, x, g) }
	for k := range sampleStarts {
		x0 := make([]float64, o.Size())
		for j := range r {
			x0[j] = 1
		}
		lead.Start(x0[r:], rand.New(rand.NewPCG(tables.Seed, uint64(k))))
		if _, ok := moment.Align(c.ctx, o, x0[r:]); !ok {
			return nil, nil, c.stopped()
		}
		res, err := solve.GaussNewton(evaluate, ktensor.NewGaussNewton(d, r, r).Solve, x0, solve.Settings{MaxIterations: sampleSteps})
		if err != nil || !linalg.Finite(res.X...) || !independent(res.X[r:], r, d) {
			continue // it is for the search on all observations to say why
		}
		a = make([]float64, r*c.n)
		lead.Lift(a, res.X[r:], r)
		return a, actsBeyond(lead, sample, res.X[r:], d, span), c.stopped()
	}
	return nil, nil, c.stopped()
}

// independent reports whether the images of the rows of a (r x r), which it brings to unit
// norm, span what these do.
func independent(a []float64, r, d int) bool {
	for j := range r {
		column := a[j*r : (j+1)*r]
		norm := linalg.Norm2(column)
		if norm == 0 {
			return false
		}
		linalg.Scale(1/norm, column)
	}
	b := make([]float64, r*r)
	linalg.MulABt(b, a, a, r, r, r)
	linalg.PowInto(b, d-1)
	return leastEigenvalue(b, r) > leastGram
}

// leastEigenvalue returns that of a symmetric n x n matrix, -Inf if there is none.
func leastEigenvalue(s []float64, n int) float64 {
	values, _, ok := eigen.Sym(eigen.SymOf(s, n), false)
	if !ok {
		return math.Inf(-1)
	}
	return slices.Min(values)
}

// sameSpace reports whether the rows of q and of p, r x n and orthonormal each, span nearly
// the same space.
func sameSpace(q, p []float64, r, n int) bool {
	both, square := make([]float64, r*r), make([]float64, r*r)
	linalg.MulABt(both, q, p, r, r, n)
	linalg.MulABt(square, both, both, r, r, r)
	return leastEigenvalue(square, r) > nearSample*nearSample
}

// outside takes from the rows of w what lies in the span of the rows of q, all of length n.
func outside(w, q []float64, n int) {
	rows, k := len(w)/n, len(q)/n
	in := make([]float64, rows*k)
	linalg.MulABt(in, w, q, rows, k, n)
	linalg.Scale(-1, in)
	for i := range rows {
		for j := range k {
			linalg.Axpy(in[i*k+j], q[j*n:(j+1)*n], w[i*n:(i+1)*n])
		}
	}
}

// probe multiplies random directions orthogonal to the rows of q by the second moment of an
// eighth of the observations, divided by span. It returns the products outside q (probes x
// n), and the largest eigenvalue outside q that these make likely, beyond that of noise: a
// random direction has 1/sqrt(n) of an eigenvector, and of m observations with noise of
// variance s its product has sqrt(n/m) s that is not along it.
func (c *plan) probe(some *spread, q []float64, span float64) (seen []float64, hidden float64, err error) {
	n := c.n
	w := make([]float64, probes*n)
	moment.Gaussian(w, n, rand.New(rand.NewPCG(2, 0)))
	outside(w, q, n)
	if k, err := eigen.Orthonormalize(c.ctx, w, probes, n, c.o.Threads); err != nil || k < probes {
		return nil, math.Inf(1), err
	}
	y, along, ok := moment.NewObjective(&moment.Implicit{Data: some, D: 2}, probes, span, c.o.Threads).TTSV(c.ctx, w)
	if !ok {
		return nil, 0, block.Stopped(c.ctx, some)
	}
	outside(y, q, n)
	seen = slices.Clone(y)
	outside(y, w, n)
	for i, v := range along {
		left := linalg.Norm2(y[i*n : (i+1)*n])
		hidden += left*left - v*v*float64(n)/float64(some.rows)
	}
	return seen, math.Sqrt(max(0, hidden) * float64(n) / probes), nil
}

// spread has an eighth of the observations of a source, in runs of rows all over it.
type spread struct {
	block.Source
	rows int // of the last pass
}

func (x *spread) Share() float64 {
	p, _ := x.Shape()
	return x.Source.Share() * float64(p) / float64(x.rows)
}

func (x *spread) BlockRows() int { return min(probedRows, x.Source.BlockRows()) }

func (x *spread) Pass(ctx context.Context, do func(block.Block)) bool {
	_, n := x.Shape()
	x.rows = 0
	return x.Source.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += probedStride {
			part := b.Part(lo, min(lo+probedRows, b.Rows), n)
			x.rows += part.Rows
			do(part)
		}
	}) && ctx.Err() == nil
}
