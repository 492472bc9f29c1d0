package gmm

import (
	"context"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// EM fits a Gaussian mixture to the observations of a source by expectation and
// maximization (Dempster, Laird & Rubin 1977): a step is one pass, which computes
// responsibilities and the sums weighted with them while a block is in cache, both by a product
// with the features of its observations. The center is subtracted from observations, which are
// divided by the unit; parameters are in these coordinates. Operations per observation: 4 n r,
// 8 n r for Diagonal, 2 n^2 r for Full; of sparse observations n is the number of stored values, except for
// Full. A step allocates nothing, and gives the same bits for any number of threads.
type EM struct {
	x      block.Source
	n, r   int
	center []float64 // n
	unit   float64
	shape  Shape // of the mixture after a step
	// dims is the number of dimensions of the likelihood. It exceeds n if
	// observations are coordinates in a basis and, last, the distance from its span;
	// the means then have no last coordinate, and locked is set.
	dims   float64
	locked bool
	floor  []float64 // of variances, n: S - diag(floor) has no negative eigenvalue
	least  float64   // their mean
	lower  []float64 // n x n, of lift

	weight float64   // of all observations: p
	total  []float64 // sum of weight v v', of Tied

	density *density
	count   int // of features that sums are made of
	groups  int
	size    int       // of the sums of a group
	sums    []float64 // groups x size: see terms, squares and overlap
	work    []emScratch
	pool    parallel.Pool
	stats   bool // or only the likelihood
	add     func(block.Block)

	ctx context.Context
	now block.Block

	// Of sparse observations.
	sparse bool // only stored values are computed with
	stored stored
	apart  sparseTerms
}

// emScratch is the scratch space of a thread.
type emScratch struct {
	wide      []float64
	features  []float64 // one row for each of those that all observations of a piece have
	products  []float64 // of two variables, if they take another piece
	z         []float64 // r x rows
	y         []float64 // n x rows, for what is far from narrow components
	sums      []float64 // r x features of a piece
	top, over []float64 // rows
	inverse   []float64 // rows
	ones      []float64 // rows
	sparse    sparseScratch
}

// NewEM prepares steps that give mixtures of r components of a shape. A nil center
// means 0.
func NewEM(x block.Source, center []float64, unit float64, r int, shape Shape, threads int) *EM {
	p, n := x.Shape()
	e := &EM{x: x, n: n, r: r, center: center, unit: unit, shape: shape, dims: float64(n), floor: make([]float64, n), weight: float64(p), density: newDensity(n, r), count: features(n, shape)}
	e.size = SumsSize(n, r, shape)
	e.groups = 1
	if _, far := x.(block.Far); !far { // otherwise the sums are made elsewhere
		e.groups = block.Groups(x, e.size)
	}
	e.sums = make([]float64, e.groups*e.size)
	e.work = make([]emScratch, min(parallel.Threads(threads), e.groups))
	e.pool = parallel.Pool{Threads: len(e.work), Job: e.group}
	e.add = e.block
	return e
}

// Coordinates declares that the last of the n variables is the distance of an
// observation of dims variables from the span that the others are coordinates in.
func (e *EM) Coordinates(dims int) { e.dims, e.locked = float64(dims), true }

// SetSecond sets the sum of weight v v' over all p observations, n x n, which is their
// covariance times p. Otherwise Tied takes a pass to compute it.
func (e *EM) SetSecond(total []float64) { e.total = total }

// Step replaces g by the mixture after one step and returns the log-likelihood before
// it, a sum over all observations, with weights counted as repetitions whose mean is
// 1. It returns false if g has a covariance that is not positive definite, with g
// unchanged, or if cancelled: g may then be of no use.
func (e *EM) Step(ctx context.Context, g *Mixture) (logLikelihood float64, ok bool) {
	e.stats = true
	if e.shape == Tied && e.total == nil {
		e.total = make([]float64, e.n*e.n)
		if !e.second(ctx) {
			e.total = nil
			return 0, false
		}
	}
	if logLikelihood, ok = e.pass(ctx, g); ok {
		ok = e.maximize(ctx, g, e.sums[:e.size])
	}
	return logLikelihood, ok
}

// LogLikelihood returns the log-likelihood of a mixture, as Step does.
func (e *EM) LogLikelihood(ctx context.Context, g *Mixture) (float64, bool) {
	e.stats = false
	if g.Shape == Tied && e.total == nil {
		e.total = make([]float64, e.n*e.n)
		if !e.second(ctx) {
			e.total = nil
			return 0, false
		}
	}
	return e.pass(ctx, g)
}

// Responsibilities calls each with the r responsibilities of each observation in
// turn and the logarithm of its density; they are invalid once it returns. It returns
// false if cancelled.
func (e *EM) Responsibilities(ctx context.Context, g *Mixture, each func(l int, z []float64, density float64)) bool {
	if !e.density.set(ctx, g, e.dims) {
		return false
	}
	n, r := e.n, e.r
	s, z := &e.work[0], make([]float64, r)
	done := 0
	return e.x.Pass(ctx, func(b block.Block) {
		e.begin(b, g.Shape == Tied)
		count := e.density.count
		step := e.rows(count)
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += step {
			hi := min(lo+step, b.Rows)
			rows := hi - lo
			likely := e.likely(s, lo, hi, count)
			softmax(likely, s.top[:rows], s.over[:rows], s.inverse[:rows])
			var common []float64
			if g.Shape == Tied { // what logs leaves out
				v := s.features[rows : (1+n)*rows]
				common = make([]float64, n*rows)
				linalg.AddAtB(common, e.density.precision, v, n, rows, n)
				linalg.Multiply(common, common, v)
			}
			for l := range rows {
				for j := range z {
					z[j] = likely[j*rows+l]
				}
				density := s.top[l] + math.Log(s.over[l]) - e.dims*math.Log(e.unit)
				for at := l; at < len(common); at += rows {
					density -= common[at] / 2
				}
				each(done+lo+l, z, density)
			}
		}
		done += b.Rows
	})
}

// pass is the E step: it leaves the sums of all groups in the first.
func (e *EM) pass(ctx context.Context, g *Mixture) (float64, bool) {
	if !e.density.set(ctx, g, e.dims) {
		return 0, false
	}
	all := e.sums[:e.size]
	if x, far := e.x.(block.Far); far {
		sums, ok := x.Sum(ctx, e.message(g), nil)
		if !ok || len(sums) != e.size {
			return 0, false
		}
		copy(all, sums)
	} else if !e.local(ctx) {
		return 0, false
	}
	// Weights of a block must be multiplied by share; here their mean is 1.
	if by := e.x.Share() * e.weight; by != 1 {
		linalg.Scale(by, all)
		linalg.Scale(by, e.squares(all))
	}
	logLikelihood := all[0]
	if g.Shape == Tied && e.total != nil {
		logLikelihood -= linalg.Dot(e.density.precision, e.total) / 2
	}
	return logLikelihood - e.weight*e.dims*math.Log(e.unit), !math.IsNaN(logLikelihood)
}

// local makes the pass over observations that are here.
func (e *EM) local(ctx context.Context) bool {
	clear(e.sums)
	e.ctx = ctx
	ok := e.x.Pass(ctx, e.add)
	e.ctx, e.now = nil, block.Block{}
	for i := 1; ok && i < e.groups; i++ {
		linalg.Axpy(1, e.sums[i*e.size:(i+1)*e.size], e.sums[:e.size])
	}
	return ok
}

// second computes the sum of weight v v'.
func (e *EM) second(ctx context.Context) bool {
	if _, far := e.x.(block.Far); far {
		t, err := moment.NewCentral(ctx, e.x, nil, e.center, []int{2}, e.unit, 1)
		if err != nil {
			return false
		}
		copy(e.total, t[0].Dense())
		linalg.Scale(e.weight/(e.unit*e.unit), e.total)
		return true
	}
	n, s := e.n, &e.work[0]
	count := features(n, Tied)
	by := e.x.Share() * e.weight
	product := make([]float64, n*n)
	ok := e.x.Pass(ctx, func(b block.Block) {
		e.now = b
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rowsOf(n, count) {
			hi := min(lo+rowsOf(n, count), b.Rows)
			rows := hi - lo
			e.fetch(s, lo, hi, count)
			v := s.features[rows : count*rows]
			w := v
			if b.Nu != nil {
				w = slices.Clone(v)
				for at := 0; at < len(w); at += rows {
					linalg.Multiply(w[at:at+rows], w[at:at+rows], b.Nu[lo:hi])
				}
			}
			linalg.MulABt(product, w, v, n, n, rows)
			linalg.Axpy(1, product, e.total)
		}
	})
	linalg.Scale(by, e.total)
	return ok
}

func (e *EM) block(b block.Block) {
	e.begin(b, e.stats && e.shape == Full)
	e.pool.Run(e.ctx, e.groups)
}

// begin takes the next block, of which all features of observations are needed or what log densities and sums take.
func (e *EM) begin(b block.Block, all bool) {
	e.now = b
	e.sparse = b.Sparse != nil && !all && e.density.shape != Full && e.stored.set(b.Sparse, e.n, e.center, e.unit)
	if e.sparse {
		e.apart.set(e.density, &e.stored)
	}
}

// rows returns how many observations with so many features are worked on at once.
func (e *EM) rows(count int) int {
	if e.sparse {
		return e.stored.rows()
	}
	return rowsOf(e.n, count)
}

// likely returns the log densities, r x rows, of observations lo..hi-1 of the block, but for v'Pv/2 of Tied, and
// fetches the first count features of these.
func (e *EM) likely(s *emScratch, lo, hi, count int) []float64 {
	if s.z == nil {
		s.z, s.top, s.over, s.inverse = make([]float64, e.r*mostRows), make([]float64, mostRows), make([]float64, mostRows), make([]float64, mostRows)
		s.ones = slices.Repeat([]float64{1}, mostRows)
	}
	z := s.z[:e.r*(hi-lo)]
	if e.sparse {
		e.stored.fetch(&s.sparse.rows, lo, hi)
		e.apart.logs(&s.sparse, z, e.n)
		return z
	}
	e.fetch(s, lo, hi, count)
	e.logs(s, z, hi-lo)
	return z
}

// logs sets z, r x rows, to the log densities of the rows fetched, but for v'Pv/2 of Tied.
func (e *EM) logs(s *emScratch, z []float64, rows int) {
	q, n := e.density, e.n
	if q.narrow*slices.Max(s.features[(1+n)*rows:(2+n)*rows]) > mostLost {
		if s.y == nil {
			s.y = make([]float64, n*mostRows)
		}
		q.logsOf(z, s.features[rows:(1+n)*rows], s.y, rows)
		return
	}
	clear(z)
	e.pieces(s, rows, q.count, func(from int, f []float64) { q.logs(z, f, from, rows) })
}

// group adds the contribution of one group of the block.
func (e *EM) group(worker, g int) {
	n, r, count := e.n, e.r, e.density.count
	if e.stats {
		count = max(count, e.count)
	}
	s, sum := &e.work[worker], e.sums[g*e.size:(g+1)*e.size]
	from, end, step := block.GroupStart(g, e.groups, e.now.Rows), block.GroupStart(g+1, e.groups, e.now.Rows), e.rows(count)
	if from == end {
		return
	}
	if e.sparse && e.stats {
		s.sparse.begin(n, r, e.shape)
		defer s.sparse.end(&e.stored, r, e.shape, func(j int) []float64 { return e.terms(sum, j) })
	}
	for lo := from; lo < end && e.ctx.Err() == nil; lo += step {
		hi := min(lo+step, end)
		rows := hi - lo
		z, top, over := e.likely(s, lo, hi, count), s.top[:rows], s.over[:rows]
		softmax(z, top, over, s.inverse[:rows])
		var tops, others float64
		if e.now.Nu == nil {
			others = logProduct(over)
			for _, v := range top {
				tops += v
			}
		} else {
			for l, w := range e.now.Nu[lo:hi] {
				tops += w * top[l]
				others += w * math.Log(over[l])
			}
		}
		sum[0] += tops + others
		sum[e.size-1] += others
		if !e.stats {
			continue
		}
		weights := s.ones[:rows]
		if e.now.Nu != nil {
			weights = e.now.Nu[lo:hi]
			for at := 0; at < len(z); at += rows {
				linalg.Multiply(z[at:at+rows], z[at:at+rows], weights)
			}
		}
		squares := e.squares(sum)
		for j := range r {
			squares[j] += linalg.Dot(z[j*rows:(j+1)*rows], weights)
		}
		if e.sparse {
			s.sparse.add(z, n, r, e.shape)
			continue
		}
		e.pieces(s, rows, e.count, func(from int, f []float64) {
			k := len(f) / rows
			if len(s.sums) < r*k {
				s.sums = make([]float64, r*max(k, e.count))
			}
			linalg.MulABt(s.sums, z, f, r, k, rows)
			for j := range r {
				linalg.Axpy(1, s.sums[j*k:(j+1)*k], e.terms(sum, j)[from:])
			}
		})
	}
}

// maximize is the M step, from the sums of a pass. It returns false, with g of no use, if
// cancelled.
func (e *EM) maximize(ctx context.Context, g *Mixture, sum []float64) bool {
	n, r := e.n, e.r
	if size := covSize(n, r, e.shape); g.Shape != e.shape || len(g.Cov) != size {
		g.Shape, g.Cov = e.shape, make([]float64, size)
	}
	var all float64
	for j := range r {
		all += e.terms(sum, j)[0]
	}
	const least = 1e-12 // of a weight, so that the logarithm is finite
	if e.shape == Tied {
		copy(g.Cov, e.total)
		linalg.Scale(1/all, g.Cov)
	}
	for j := range r {
		terms := e.terms(sum, j)
		g.Weights[j] = math.Max(terms[0]/all, least)
		f := 1 / math.Max(terms[0], least*all)
		mu := g.Means[j*n : (j+1)*n]
		copy(mu, terms[1:])
		linalg.Scale(f, mu)
		if e.locked {
			mu[n-1] = 0
		}
		switch e.shape {
		case Spherical:
			g.Cov[j] = math.Max(e.least, (terms[1+n]*f-linalg.Dot(mu, mu))/e.dims)
		case Diagonal:
			for i, m := range mu {
				g.Cov[j*n+i] = math.Max(e.floor[i], terms[2+n+i]*f-m*m)
			}
		case Tied:
			for i, m := range mu {
				linalg.Axpy(-g.Weights[j]*m, mu, g.Cov[i*n:(i+1)*n])
			}
		case Full:
			c, pairs := g.Cov[j*n*n:(j+1)*n*n], terms[2+2*n:]
			for i, m := range mu {
				c[i*n+i] = terms[2+n+i]*f - m*m
				for k := i + 1; k < n; k++ {
					c[i*n+k] = pairs[0]*f - m*mu[k]
					c[k*n+i] = c[i*n+k]
					pairs = pairs[1:]
				}
			}
			if !e.lift(ctx, c) {
				return false
			}
		}
	}
	return e.shape != Tied || e.lift(ctx, g.Cov)
}
