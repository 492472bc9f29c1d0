package moment

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Implicit is the moment of order D of observations, which is never formed: each
// product takes a pass over the data, 4 p n r operations and no memory of its own.
//
// With Noise it is the debiased moment, the mean of the Hermite tensors of the
// observations: with z = v'a and s = a'Sa,
//
//	y = sum nu He_(d-1)(z; s) v - (d-1) [sum nu He_(d-2)(z; s)] S a.
type Implicit struct {
	Data  block.Source
	D     int
	Noise *Noise // of the observations, or nil

	// Distinct leaves only the entries whose indices all differ, see distinctWorker; there is
	// no noise then.
	Distinct bool

	padding block.Padding // of Data
}

func (t *Implicit) Name() string  { return "implicit" }
func (t *Implicit) Order() int    { return t.D }
func (t *Implicit) N() int        { _, n := t.Data.Shape(); return n }
func (t *Implicit) Unit() float64 { return 1 }

// OverDistinct returns Distinct.
func (t *Implicit) OverDistinct() bool { return t.Distinct }

// Worker returns a worker for r columns. Memory: up to 16 n r numbers, and from some
// products on up to 36 MB for all workers.
func (t *Implicit) Worker(r, threads int) Worker {
	if x, ok := t.Data.(block.Far); ok {
		return farWorker{t, x}
	}
	return t.worker(r, threads)
}

func (t *Implicit) worker(r, threads int) passWorker {
	x := t.Data
	if t.Distinct {
		return newDistinctWorker(x, t.D, r, threads)
	}
	p, n := x.Shape()
	g := block.Groups(x, n*r)
	w := &implicitWorker{data: x, padding: &t.padding, n: n, k: t.D - 1, r: r}
	w.z = make([][]float64, min(parallel.Threads(threads), g))
	for i := range w.z {
		w.z[i] = make([]float64, linalg.TTSVScratch(n, r))
	}
	if t.Noise != nil && t.D > 1 {
		w.hermite = newHermiteSums(t.Noise, t.D, r, g)
	}
	w.pool = parallel.Pool{Threads: len(w.z), Job: w.group, Repeats: x.BlockRows() == p}
	w.groups = g
	w.add = w.block
	return w
}

type implicitWorker struct {
	data    block.Source
	padding *block.Padding
	n, k, r int
	reach   linalg.Reach // of a block
	groups  int
	partial []float64   // groups x r x n, from the first dense block on; nil for a single group, which adds to y
	z       [][]float64 // scratch of each thread
	pool    parallel.Pool
	add     func(block.Block)
	hermite *hermiteSums // nil for the plain moment
	sparse  sparseWorker

	// Of the current call.
	ctx  context.Context
	a    []float64
	y    []float64
	sums []float64 // partial, or y; nil before the first dense block
	now  block.Block
	// Numbers from one row of now to the next.
	stride int
}

// TTSV computes Y = V D_nu [V'A]^(d-1) (equation Y; lemma ttsv).
func (w *implicitWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.begin(ctx, y, a)
	ok := w.data.Pass(ctx, w.add)
	if ok {
		w.finish()
	}
	w.ctx, w.a, w.y, w.sums, w.now = nil, nil, nil, nil, block.Block{}
	return ok
}

// begin prepares for the blocks of a pass.
func (w *implicitWorker) begin(ctx context.Context, y, a []float64) {
	w.ctx, w.a, w.y, w.sums = ctx, a, y, nil
	w.hermite.begin(a)
	w.sparse.like = nil
}

// finish writes the sums of all blocks to y.
func (w *implicitWorker) finish() {
	y, sums := w.y, w.sums
	if sums != nil {
		sumGroups(y, sums, w.groups, w.data.Share())
	} else {
		clear(y)
	}
	w.sparse.finish(y, w.data.Share())
	w.hermite.finish(y, w.data.Share())
}

// dense prepares for the first block of a pass that is not sparse.
func (w *implicitWorker) dense() {
	w.sums = w.y[:w.r*w.n]
	if w.groups > 1 {
		if w.partial == nil {
			w.partial = make([]float64, w.groups*w.r*w.n)
		}
		w.sums = w.partial
	}
	clear(w.sums)
}

// sumGroups writes the sum of the partial sums, times share, to y.
func sumGroups(y, partial []float64, groups int, share float64) {
	size := len(y)
	copy(y, partial[:size])
	for g := 1; g < groups; g++ {
		linalg.Axpy(1, partial[g*size:(g+1)*size], y)
	}
	if share != 1 {
		linalg.Scale(share, y)
	}
}

// passWorker is the worker of an implicit moment that takes part in a pass made by others.
type passWorker interface {
	Worker
	begin(ctx context.Context, y, a []float64) // prepares for the blocks of a pass
	block(b block.Block)
	finish() // writes the sums of all blocks to y
}

// passOf makes the pass over x of workers that have begun, and finishes their products.
func passOf(ctx context.Context, x block.Source, workers []passWorker) bool {
	ok := x.Pass(ctx, func(b block.Block) {
		for _, w := range workers {
			w.block(b)
		}
	})
	for _, w := range workers {
		if ok {
			w.finish()
		}
	}
	return ok
}

// block adds a block to the partial sums.
func (w *implicitWorker) block(b block.Block) {
	w.now, w.stride = w.padding.Of(b, w.data)
	w.reach = block.Reach(w.data, 8)
	if b.V32 != nil {
		w.reach = block.Reach(w.data, 4)
	}
	groups := w.groups
	if w.sparse.takes(b) {
		w.sparse.begin(b, w.n, w.r, w.groups, len(w.z), w.a)
		groups = len(w.sparse.sums)
	} else if w.sums == nil {
		w.dense()
	}
	w.pool.Run(w.ctx, groups)
}

// group adds one group of the block to its partial sum.
func (w *implicitWorker) group(worker, g int) {
	if s := &w.sparse; s.takes(w.now) {
		lo, hi := block.GroupStart(g, len(s.sums), w.now.Rows), block.GroupStart(g+1, len(s.sums), w.now.Rows)
		s.sums[g].addTTSV(w.ctx, w.now.Part(lo, hi, w.n), s.columns, w.k, w.hermite.of(g), s.z[worker])
		return
	}
	size := w.r * w.n
	y := w.sums[g*size : (g+1)*size]
	lo, hi := block.GroupStart(g, w.groups, w.now.Rows), block.GroupStart(g+1, w.groups, w.now.Rows)
	var next block.Block
	if g := w.pool.Next(worker, g); g >= 0 && w.now.Sparse == nil {
		next = w.now.Part(block.GroupStart(g, w.groups, w.now.Rows), w.now.Rows, w.stride)
	}
	addTTSV(w.ctx, y, w.now.Part(lo, hi, w.stride), next, w.stride, w.n, w.a, w.r, w.k, w.hermite.of(g), w.z[worker], w.reach)
}

// addTTSV adds the part of Y of a block, whose rows are stride apart, to y; it stops
// when ctx is cancelled. What is read after it, if known, is next.
func addTTSV(ctx context.Context, y []float64, b, next block.Block, stride, n int, a []float64, r, k int, h linalg.Hermite, z []float64, reach linalg.Reach) {
	step := checkRows(n, r)
	for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += step {
		hi, after := min(lo+step, b.Rows), next
		if hi < b.Rows && b.Sparse == nil {
			after = b.Part(hi, b.Rows, stride)
		}
		c := b.Part(lo, hi, stride)
		if c.Sparse != nil { // in a pass that several share, or after others of another kind: rare
			var wide []float64
			c = block.Block{Rows: c.Rows, V: c.Values(0, c.Rows, n, &wide), Nu: c.Nu}
		}
		if c.V32 == nil {
			linalg.TTSV(y, linalg.Operands[float64]{V: c.V, A: a, Nu: c.Nu, Rows: c.Rows, N: n, R: r, K: k, Hermite: h, Reach: reach, Stride: stride, Next: after.V}, z)
		} else {
			linalg.TTSV(y, linalg.Operands[float32]{V: c.V32, A: a, Nu: c.Nu, Rows: c.Rows, N: n, R: r, K: k, Hermite: h, Reach: reach, Stride: stride, Next: after.V32}, z)
		}
	}
}

// checkRows returns the number of observations between two checks of the context: about
// 32 MB of them, or 8e9 operations, a fifth of a second, where there are many columns.
func checkRows(n, r int) int { return max(64, min(1<<22/n, (1<<31-1)/(n*r))&^63) }
