package main

import (
	"context"
	"sync"

	"symmom/internal/linalg"
	"symmom/internal/moment"
)

// stored32 is an implicit moment of observations stored in 4 bytes each: the
// kernel linalg.TTSV32, split as moment.Implicit splits, without weights.
type stored32 struct {
	p, n, d int
	v       []float32
}

func newStored32(x *moment.Data, d int) *stored32 {
	t := &stored32{p: x.P, n: x.N, d: d, v: make([]float32, len(x.V))}
	for i, v := range x.V {
		t.v[i] = float32(v)
	}
	return t
}

func (t *stored32) Name() string  { return "float32" }
func (t *stored32) Order() int    { return t.d }
func (t *stored32) N() int        { return t.n }
func (t *stored32) Unit() float64 { return 1 }

// groups32 is the number of partial sums.
const groups32 = 16

// Worker returns a worker for r columns.
func (t *stored32) Worker(r, threads int) moment.Worker {
	w := &worker32{t: t, r: r, threads: min(moment.Threads(threads), groups32)}
	w.partial = make([]float64, groups32*r*t.n)
	for range w.threads {
		w.z = append(w.z, make([]float64, linalg.TTSVScratch(t.n, r)))
	}
	return w
}

type worker32 struct {
	t          *stored32
	r, threads int
	partial    []float64 // groups32 x r x n
	z          [][]float64
}

// TTSV computes Y = V D_nu [V'A]^(d-1).
func (w *worker32) TTSV(ctx context.Context, y, a []float64) bool {
	var wg sync.WaitGroup
	for worker := range w.threads {
		wg.Go(func() {
			for g := worker; g < groups32; g += w.threads {
				w.group(a, g, w.z[worker])
			}
		})
	}
	wg.Wait()
	clear(y)
	size := w.r * w.t.n
	for g := range groups32 {
		linalg.Axpy(1/float64(w.t.p), w.partial[g*size:(g+1)*size], y)
	}
	return ctx.Err() == nil
}

// group computes the partial sum of one group of observations.
func (w *worker32) group(a []float64, g int, z []float64) {
	size, n := w.r*w.t.n, w.t.n
	y := w.partial[g*size : (g+1)*size]
	clear(y)
	lo, hi := g*w.t.p/groups32&^7, (g+1)*w.t.p/groups32&^7
	if g == groups32-1 {
		hi = w.t.p
	}
	if lo < hi {
		linalg.TTSV32(y, w.t.v[lo*n:hi*n], hi-lo, n, a, w.r, nil, w.t.d-1, z, true)
	}
}
