package moment

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Worker returns a worker for r columns. Memory: C(n+d-3, d-2) r numbers, up to
// 16 times more of them for partial sums.
func (t *Explicit) Worker(r, threads int) Worker {
	if t.d <= 2 {
		return &smallWorker{t, r}
	}
	w := &explicitWorker{t: t, r: r}
	for m := 1; m <= t.d-2; m++ {
		size := roundUp(multisets(t.n, m))
		w.sizes = append(w.sizes, size)
		w.products = append(w.products, make([]float64, r*size))
		w.gradients = append(w.gradients, make([]float64, r*size))
	}
	w.rows = w.sizes[t.d-3]
	w.split()
	w.partial = make([]float64, (len(w.groups)-1)*r*(w.sizes[0]+w.rows))
	w.z = make([][]float64, min(parallel.Threads(threads), len(w.groups)-1))
	for i := range w.z {
		w.z[i] = make([]float64, w.scratch)
	}
	w.pool = parallel.Pool{Threads: len(w.z), Job: w.group, Repeats: true}
	return w
}

// smallWorker is the worker for a vector or a matrix.
type smallWorker struct {
	t *Explicit
	r int
}

// TTSV computes y_j = X a_j^(d-1) for d <= 2. 2 r n^d operations.
func (w *smallWorker) TTSV(ctx context.Context, y, a []float64) bool {
	n := w.t.n
	if w.t.d == 2 {
		linalg.MulABt(y, a, w.t.x, w.r, n, n)
		return ctx.Err() == nil
	}
	for j := range w.r {
		copy(y[j*n:(j+1)*n], w.t.x)
	}
	return ctx.Err() == nil
}

type explicitWorker struct {
	t       *Explicit
	r       int
	rows    int // in the list of rows, rounded up
	blocks  []explicitBlock
	groups  []int // the first block of each, and the end
	scratch int
	a       []float64 // of the current call

	// For tuples of 1, 2, ... d-2 indices, in the order of rows: for each column the
	// products of its components, and the derivatives with respect to them.
	sizes               []int // of a column, rounded up
	products, gradients [][]float64

	partial []float64   // of each group, for y and the last of gradients
	z       [][]float64 // scratch of each thread
	pool    parallel.Pool
}

// explicitBlock is a range of rows of a slab that are multiplied at once.
type explicitBlock struct {
	at   int // in x
	slab linalg.Slab
}

// Bounds of the groups of blocks that have their own partial sums: the minimum number
// of entries, and the minimum for each of the sums. The split depends only on the
// shape of the problem.
const (
	minGroupEntries = 1 << 15
	groupEntries    = 64
)

// aheadBytes is the size of a tensor from which on its next block is prefetched while
// one is multiplied.
const aheadBytes = 1 << 19

// split divides the tensor into blocks, and these into groups.
func (w *explicitWorker) split() {
	t := w.t
	ahead := 8*len(t.x) > aheadBytes
	for _, s := range t.slabs {
		most := linalg.SlabPanels(s.width)
		b := linalg.Slab{R: w.r, First: s.first, Width: s.width, Variables: w.sizes[0], Products: w.rows}
		at, panels := s.at, 0
		end := func() {
			size := chunk * panels * s.width
			if b.Ahead = 0; ahead && at+2*size <= len(t.x) {
				b.Ahead = size
			}
			if panels > 0 {
				w.blocks = append(w.blocks, explicitBlock{at, b})
				w.scratch = max(w.scratch, linalg.SlabScratch(panels, w.r))
			}
			at, panels, b.Middle = at+size, 0, nil
		}
		for k := s.first; k < s.end; k++ {
			for row, left := 0, s.rows(t.d, k)/chunk; left > 0; {
				m := linalg.Middle{K: k, Row: row, Panels: min(left, most-panels)}
				b.Middle = append(b.Middle, m)
				left, panels, row = left-m.Panels, panels+m.Panels, row+chunk*m.Panels
				if panels == most {
					end()
				}
			}
		}
		end()
	}
	sums := w.sizes[0] + w.rows
	groups := max(1, min(block.MaxGroups, len(t.x)/max(minGroupEntries, groupEntries*sums), block.MaxGroupBytes/(8*w.r*sums)))
	for i, b := range w.blocks {
		if b.at >= len(w.groups)*(len(t.x)/groups) && len(w.groups) < groups {
			w.groups = append(w.groups, i)
		}
	}
	w.groups = append(w.groups, len(w.blocks))
}

// TTSV computes y_j = X a_j^(d-1) (equation ExpXbdd) for all columns in one pass over
// the tensor, as the gradient of a polynomial. It takes 4 r C(n+d-1, d) operations and
// some for the C(n+d-2, d-1) rows.
func (w *explicitWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.a = a
	w.multiply()
	clear(w.partial)
	if !w.pool.Run(ctx, len(w.groups)-1) {
		return false
	}
	n, size := w.t.n, w.r*w.sizes[0]
	last := w.gradients[len(w.gradients)-1]
	clear(y)
	clear(last)
	for at := 0; at < len(w.partial); at += size + len(last) {
		for j := range w.r {
			linalg.Axpy(1, w.partial[at+j*w.sizes[0]:][:n], y[j*n:])
		}
		linalg.Axpy(1, w.partial[at+size:][:len(last)], last)
	}
	for j := range w.r {
		w.derive(y[j*n:(j+1)*n], a[j*n:(j+1)*n], j)
	}
	w.a = nil
	return true
}

// group adds the part of one group of blocks to its partial sums.
func (w *explicitWorker) group(worker, i int) {
	size := w.r * w.sizes[0]
	y := w.partial[i*(size+w.r*w.rows):][:size]
	g := w.partial[i*(size+w.r*w.rows)+size:][:w.r*w.rows]
	p := w.products[len(w.products)-1]
	for b := w.groups[i]; b < w.groups[i+1]; b++ {
		block := &w.blocks[b]
		block.slab.Add(y, g, w.t.x[block.at:], w.products[0], p, w.z[worker])
	}
}

// multiply computes the products for each column: those of tuples whose last index is
// k are the products of tuples one index shorter, with indices up to k, times a_k.
func (w *explicitWorker) multiply() {
	n := w.t.n
	for j := range w.r {
		a := w.a[j*n : (j+1)*n]
		copy(w.column(w.products, 0, j), a)
		for m := 1; m < len(w.sizes); m++ {
			before, at := w.column(w.products, m-1, j), w.column(w.products, m, j)
			for k, v := range a {
				size := multisets(k+1, m)
				copy(at[:size], before)
				linalg.Scale(v, at[:size])
				at = at[size:]
			}
		}
	}
}

// derive turns the derivatives with respect to the products of column j into those
// with respect to its components, and adds them to y.
func (w *explicitWorker) derive(y, a []float64, j int) {
	for m := len(w.sizes) - 1; m > 0; m-- {
		before, products := w.column(w.gradients, m-1, j), w.column(w.products, m-1, j)
		clear(before)
		at := w.column(w.gradients, m, j)
		for k, v := range a {
			size := multisets(k+1, m)
			y[k] += linalg.Dot(products[:size], at)
			linalg.Axpy(v, at[:size], before)
			at = at[size:]
		}
	}
	linalg.Axpy(1, w.column(w.gradients, 0, j)[:len(y)], y)
}

// column returns column j of the products or derivatives of level m.
func (w *explicitWorker) column(of [][]float64, m, j int) []float64 {
	return of[m][j*w.sizes[m] : (j+1)*w.sizes[m]]
}
