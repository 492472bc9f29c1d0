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
// responsibilities and the sums weighted with them while a block is in cache. The
// center is subtracted from observations, which are divided by the unit; parameters
// are in these coordinates. Operations per observation: 4 n r, 8 n r for Diagonal, 4
// n^2 r for Full. A step allocates nothing, and gives the same bits for any number of
// threads.
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
	groups  int
	size    int       // of the sums of a group
	sums    []float64 // groups x (1 + r + r n + size of the second moments + r + 1)
	work    []emScratch
	shift   []float64 // the center, for each row that is fetched at once; empty: 0
	pool    parallel.Pool
	stats   bool // or only the likelihood
	add     func(block.Block)

	ctx context.Context
	now block.Block
}

// emScratch is the scratch space of a thread.
type emScratch struct {
	wide, v, v2, y, z []float64
}

// NewEM prepares steps that give mixtures of r components of a shape. A nil center
// means 0.
func NewEM(x block.Source, center []float64, unit float64, r int, shape Shape, threads int) *EM {
	p, n := x.Shape()
	e := &EM{x: x, n: n, r: r, center: center, unit: unit, shape: shape, dims: float64(n), floor: make([]float64, n), weight: float64(p), density: newDensity(n, r)}
	e.size = 1 + r + r*n + r + 1
	switch shape {
	case Spherical:
		e.size += r
	case Diagonal:
		e.size += r * n
	case Full:
		e.size += r * n * n
	}
	e.groups = 1
	if _, far := x.(block.Far); !far { // otherwise the sums are made elsewhere
		e.groups = block.Groups(x, e.size)
	}
	e.sums = make([]float64, e.groups*e.size)
	e.work = make([]emScratch, min(parallel.Threads(threads), e.groups))
	rows := linalg.BlockRows(n)
	e.shift = slices.Repeat(center, rows)
	for i := range e.work {
		e.work[i] = emScratch{v: make([]float64, rows*n), v2: make([]float64, rows*n), y: make([]float64, rows*max(n, r)), z: make([]float64, rows*r)}
	}
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
	s, rows := &e.work[0], linalg.BlockRows(e.n)
	done := 0
	return e.x.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rows {
			hi := min(lo+rows, b.Rows)
			e.now = b
			v := e.fetch(s, lo, hi)
			e.density.logs(s.z, v, s.v2, s.y, hi-lo)
			if g.Shape == Tied { // what logs leaves out
				linalg.MulABt(s.y, v, e.density.precision, hi-lo, e.n, e.n)
			}
			for l := range hi - lo {
				z := s.z[l*e.r : (l+1)*e.r]
				top, others := softmax(z, 1)
				density := top + others - e.dims*math.Log(e.unit)
				if g.Shape == Tied {
					density -= linalg.Dot(s.y[l*e.n:(l+1)*e.n], v[l*e.n:(l+1)*e.n]) / 2
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
	s, rows := &e.work[0], linalg.BlockRows(e.n)
	by := e.x.Share() * e.weight
	ok := e.x.Pass(ctx, func(b block.Block) {
		e.now = b
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rows {
			hi := min(lo+rows, b.Rows)
			v := e.fetch(s, lo, hi)
			w := v
			if b.Nu != nil {
				w = s.y[:len(v)]
				copy(w, v)
				for l := range hi - lo {
					linalg.Scale(b.Nu[lo+l], w[l*e.n:(l+1)*e.n])
				}
			}
			linalg.AddAtB(e.total, w, v, e.n, e.n, hi-lo)
		}
	})
	linalg.Scale(by, e.total)
	return ok
}

func (e *EM) block(b block.Block) {
	e.now = b
	e.pool.Run(e.ctx, e.groups)
}

// fetch returns observations lo..hi-1 of the block in the coordinates of the
// mixture, with their squares in s.v2 if they are needed.
func (e *EM) fetch(s *emScratch, lo, hi int) []float64 {
	n := e.n
	v := e.now.Values(lo, hi, n, &s.wide)
	if e.center != nil || e.unit != 1 {
		out := s.v[:copy(s.v, v)]
		if len(e.shift) > 0 {
			linalg.Axpy(-1, e.shift[:len(out)], out)
		}
		linalg.Scale(1/e.unit, out)
		v = out
	}
	if e.density.shape == Diagonal || e.shape == Diagonal {
		for i, x := range v {
			s.v2[i] = x * x
		}
	}
	return v
}

// group adds the contribution of one group of the block.
func (e *EM) group(worker, g int) {
	n, r := e.n, e.r
	s, sum := &e.work[worker], e.sums[g*e.size:(g+1)*e.size]
	counts, first, second, squares := sum[1:1+r], sum[1+r:1+r+r*n], sum[1+r+r*n:e.size-r-1], e.squares(sum)
	step := linalg.BlockRows(n)
	end := block.GroupStart(g+1, e.groups, e.now.Rows)
	for lo := block.GroupStart(g, e.groups, e.now.Rows); lo < end && e.ctx.Err() == nil; lo += step {
		hi := min(lo+step, end)
		rows := hi - lo
		v := e.fetch(s, lo, hi)
		z := s.z[:rows*r]
		e.density.logs(z, v, s.v2, s.y, rows)
		for l := range rows {
			w := 1.
			if e.now.Nu != nil {
				w = e.now.Nu[lo+l]
			}
			row := z[l*r : (l+1)*r]
			top, others := softmax(row, w)
			sum[0] += w * (top + others)
			sum[e.size-1] += w * others
			if e.stats {
				linalg.Axpy(1, row, counts)
				linalg.Axpy(w, row, squares)
			}
			if e.stats && e.shape == Spherical {
				u := v[l*n : (l+1)*n]
				linalg.Axpy(linalg.Dot(u, u), row, second)
			}
		}
		if !e.stats {
			continue
		}
		linalg.AddAtB(first, z, v, r, n, rows)
		switch e.shape {
		case Diagonal:
			linalg.AddAtB(second, z, s.v2, r, n, rows)
		case Full:
			y := s.y[:rows*n]
			for j := range r {
				for l := range rows {
					copy(y[l*n:(l+1)*n], v[l*n:(l+1)*n])
					linalg.Scale(z[l*r+j], y[l*n:(l+1)*n])
				}
				linalg.AddAtB(second[j*n*n:(j+1)*n*n], y, v, n, n, rows)
			}
		}
	}
}

// maximize is the M step, from the sums of a pass. It returns false, with g of no use, if
// cancelled.
func (e *EM) maximize(ctx context.Context, g *Mixture, sum []float64) bool {
	n, r := e.n, e.r
	counts, first, second := sum[1:1+r], sum[1+r:1+r+r*n], sum[1+r+r*n:e.size-r-1]
	if size := covSize(n, r, e.shape); g.Shape != e.shape || len(g.Cov) != size {
		g.Shape, g.Cov = e.shape, make([]float64, size)
	}
	var all float64
	for _, c := range counts {
		all += c
	}
	const least = 1e-12 // of a weight, so that the logarithm is finite
	if e.shape == Tied {
		copy(g.Cov, e.total)
		linalg.Scale(1/all, g.Cov)
	}
	for j := range r {
		g.Weights[j] = math.Max(counts[j]/all, least)
		f := 1 / math.Max(counts[j], least*all)
		mu := g.Means[j*n : (j+1)*n]
		copy(mu, first[j*n:(j+1)*n])
		linalg.Scale(f, mu)
		if e.locked {
			mu[n-1] = 0
		}
		switch e.shape {
		case Spherical:
			g.Cov[j] = math.Max(e.least, (second[j]*f-linalg.Dot(mu, mu))/e.dims)
		case Diagonal:
			for i, m := range mu {
				g.Cov[j*n+i] = math.Max(e.floor[i], second[j*n+i]*f-m*m)
			}
		case Tied:
			for i, m := range mu {
				linalg.Axpy(-g.Weights[j]*m, mu, g.Cov[i*n:(i+1)*n])
			}
		case Full:
			c := g.Cov[j*n*n : (j+1)*n*n]
			copy(c, second[j*n*n:(j+1)*n*n])
			linalg.Scale(f, c)
			for i, m := range mu {
				linalg.Axpy(-m, mu, c[i*n:(i+1)*n])
			}
			if !e.lift(ctx, c) {
				return false
			}
		}
	}
	return e.shape != Tied || e.lift(ctx, g.Cov)
}
