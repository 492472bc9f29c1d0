package moment

import (
	"context"

	"symmom/internal/linalg"
)

// Implicit is the moment of order D of observations, never formed: a pass
// over the data for each product, 4 p n r operations and no memory of its own.
type Implicit struct {
	Data *Data
	D    int
}

func (t *Implicit) Name() string  { return "implicit" }
func (t *Implicit) Order() int    { return t.D }
func (t *Implicit) N() int        { return t.Data.N }
func (t *Implicit) Unit() float64 { return 1 }

// Observations are split into groups whose partial sums are added in order.
// The split depends on the shape of the problem alone, so any number of
// threads gives the same bits.
const (
	maxGroups    = 16
	minGroupRows = 512
	maxGroupMem  = 64 << 20 // bytes of partial sums of one worker
	streamBytes  = 16 << 20 // data beyond it are taken not to stay in the third-level cache
)

func groups(p, n, r int) int {
	return max(1, min(maxGroups, p/minGroupRows, maxGroupMem/(8*n*r)))
}

// Worker returns a worker for r columns. Memory: up to 16 n r numbers.
func (t *Implicit) Worker(r, threads int) Worker {
	x := t.Data
	g := groups(x.P, x.N, r)
	w := &implicitWorker{data: x, k: t.D - 1, r: r, stream: 8*x.P*x.N > streamBytes}
	w.partial = make([]float64, g*r*x.N)
	w.z = make([][]float64, min(Threads(threads), g))
	for i := range w.z {
		w.z[i] = make([]float64, linalg.TTSVScratch(x.N, r))
	}
	w.team = team{threads: len(w.z), job: w.group}
	w.groups = g
	return w
}

type implicitWorker struct {
	data    *Data
	k, r    int
	stream  bool // the data do not stay in cache
	groups  int
	a       []float64   // of the call under way
	partial []float64   // groups x r x n
	z       [][]float64 // scratch of each thread
	team    team
}

// TTSV computes Y = V D_nu [V'A]^(d-1) (equation Y; lemma ttsv).
func (w *implicitWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.a = a
	if !w.team.run(ctx, w.groups) {
		return false
	}
	size := w.r * w.data.N
	copy(y, w.partial[:size])
	for g := 1; g < w.groups; g++ {
		linalg.Axpy(1, w.partial[g*size:(g+1)*size], y)
	}
	if s := w.data.share(); s != 1 {
		linalg.Scale(s, y)
	}
	return true
}

// group computes the partial sum of one group of observations.
func (w *implicitWorker) group(worker, g int) {
	size := w.r * w.data.N
	y := w.partial[g*size : (g+1)*size]
	clear(y)
	lo, hi := groupStart(g, w.groups, w.data.P), groupStart(g+1, w.groups, w.data.P)
	for step := checkRows(w.data.N); lo < hi; lo += step {
		if w.team.ctx.Err() != nil {
			return
		}
		end := min(lo+step, hi)
		linalg.TTSV(y, w.data.rows(lo, end), end-lo, w.data.N, w.a, w.r, w.data.weights(lo, end), w.k, w.z[worker], w.stream)
	}
}

// groupStart returns the first observation of group g; all groups but the last
// have a multiple of 8 of them, which suits the kernels.
func groupStart(g, groups, p int) int {
	if g == groups {
		return p
	}
	return g * p / groups &^ 7
}

// checkRows is the number of observations between two looks at the context,
// about 32 MB of them.
func checkRows(n int) int { return max(64, 1<<22/n&^63) }
