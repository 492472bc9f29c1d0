package moment

import (
	"context"
	"math/rand/v2"
	"sort"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Sampled draws stochastic moments: s observations with replacement, each with its
// probability nu_l, of equal weight 1/s. The expectation of their moment is the moment
// of all observations (lemma stoc), so f and gradient computed by Objective are
// unbiased. It can be used by several goroutines.
type Sampled struct {
	data *block.Dense
	d, s int
	pick picker
}

// NewSampled prepares to draw s >= 1 observations at a time of the moment of
// order d. O(p) operations and 8 p bytes with weights, nothing without.
func NewSampled(x *block.Dense, d, s int) *Sampled {
	return &Sampled{data: x, d: d, s: s, pick: newPicker(x)}
}

// Observations returns the number of observations that it draws from.
func (t *Sampled) Observations() int { return t.data.P }

// Stream returns a tensor that is another stochastic moment at each product, drawn
// from rng: an evaluation of its Objective uses the same one for f and gradient. It
// takes 4 s n r operations and s random reads of an observation, always on one
// goroutine.
func (t *Sampled) Stream(rng *rand.Rand) Tensor { return &stream{t, rng} }

// Draw returns a sample of size observations of equal weight, gathered: 8 size n
// bytes. Its moment, held by Implicit, does not change.
func (t *Sampled) Draw(size int, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: size, N: t.data.N, V: make([]float64, size*t.data.N)}
	t.gather(x.V, size, rng)
	return x
}

// Terms draws rows observations and returns, for each x of xs, the contribution of
// each observation to f: the sum over the components of lambda_j <v, a_j>^d, where
// observations and x are those of the problem divided by unit. f is lambda'[A'A]^d
// lambda minus twice the mean of them all. It takes 2 rows n r operations for each x.
func (t *Sampled) Terms(ctx context.Context, rows int, rng *rand.Rand, r int, unit float64, xs [][]float64) ([][]float64, error) {
	n := t.data.N
	block := linalg.BlockRows(n)
	v, z := make([]float64, block*n), make([]float64, block*r)
	terms := make([][]float64, len(xs))
	for i := range terms {
		terms[i] = make([]float64, 0, rows)
	}
	for done := 0; done < rows; done += block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(block, rows-done)
		t.gather(v, rows, rng)
		linalg.Scale(1/unit, v[:rows*n])
		for i, x := range xs {
			z := z[:rows*r]
			linalg.MulABt(z, v[:rows*n], x[r:], rows, r, n)
			linalg.PowInto(z, t.d)
			for l := range rows {
				terms[i] = append(terms[i], linalg.Dot(z[l*r:(l+1)*r], x[:r]))
			}
		}
	}
	return terms, nil
}

// gather copies rows drawn observations to v, as float64 however they are stored. To
// hide the latency of memory, the next ones are prefetched while some are copied.
func (t *Sampled) gather(v []float64, rows int, rng *rand.Rand) {
	together := linalg.RowsTogether()
	ahead := max(2, together)              // measured: 4 rows, one by one, are no faster than 2
	var drawn [2 * linalg.MostTogether]int // those ahead, and those that are drawn meanwhile
	n := t.data.N
	for i := 0; i < rows+ahead; i += together {
		next := min(i+together, rows)
		for l := i; l < next; l++ {
			drawn[l%len(drawn)] = t.pick.draw(rng)
		}
		t.fetch(drawn[:], i, next)
		for l := max(0, i-ahead); l < min(i-ahead+together, rows); l++ {
			t.copy(v[l*n:], drawn[l%len(drawn)])
		}
	}
}

// fetch prefetches the observations drawn from lo on and before hi.
func (t *Sampled) fetch(drawn []int, lo, hi int) {
	if x := t.data; x.V32 == nil {
		fetchRows(x.V, x.N, drawn, lo, hi)
	} else {
		fetchRows(x.V32, x.N, drawn, lo, hi)
	}
}

func fetchRows[T float32 | float64](v []T, n int, drawn []int, lo, hi int) {
	var rows [linalg.MostTogether][]T
	together := rows[:0]
	for l := lo; l < hi; l++ {
		at := drawn[l%len(drawn)] * n
		together = append(together, v[at:at+n])
	}
	linalg.FetchRows(together)
}

// copy writes observation l to v.
func (t *Sampled) copy(v []float64, l int) {
	if x := t.data; x.V32 == nil {
		copy(v, x.V[l*x.N:(l+1)*x.N])
	} else {
		linalg.Widen(v[:x.N], x.V32[l*x.N:(l+1)*x.N])
	}
}

// stream is the result of Sampled.Stream.
type stream struct {
	*Sampled
	rng *rand.Rand
}

func (t *stream) Name() string       { return "sampled" }
func (t *stream) Order() int         { return t.d }
func (t *stream) N() int             { return t.data.N }
func (t *stream) Unit() float64      { return 1 }
func (t *stream) OverDistinct() bool { return false }

// Worker returns a worker for r columns; threads are not used: a sample is
// small, and starts run side by side.
func (t *stream) Worker(r, _ int) Worker {
	n := t.data.N
	block := min(t.s, linalg.BlockRows(n))
	return &streamWorker{stream: t, r: r, block: block,
		v: make([]float64, padded(block)*n), z: make([]float64, linalg.TTSVScratch(n, r))}
}

// padded returns the rows of a block with those of zeros after it, which add nothing: the kernels
// take at least 8. Of many rows, whole panels of 8 may lie in lanes; with 10 rows, six of zeros
// would take 8% more time.
func padded(rows int) int {
	const few, panel = 32, 8
	if rows < few {
		return max(rows, panel)
	}
	return (rows + panel - 1) / panel * panel
}

type streamWorker struct {
	*stream
	r, block int
	v, z     []float64 // gathered observations, and scratch
}

// TTSV computes a stochastic Y. Observations are gathered in blocks that are still in
// cache when they are multiplied.
func (w *streamWorker) TTSV(ctx context.Context, y, a []float64) bool {
	n := w.data.N
	clear(y)
	for done := 0; done < w.s; done += w.block {
		if ctx.Err() != nil {
			return false
		}
		rows := min(w.block, w.s-done)
		w.gather(w.v, rows, w.rng)
		all := padded(rows)
		clear(w.v[rows*n : all*n])
		linalg.TTSV(y, linalg.Operands[float64]{V: w.v[:all*n], A: a, Rows: all, N: n, R: w.r, K: w.d - 1}, w.z)
	}
	linalg.Scale(1/float64(w.s), y)
	return true
}

// picker draws observations with probability nu.
type picker struct {
	p          int
	cumulative []float64 // sums of nu; nil for uniform weights
}

func newPicker(x *block.Dense) picker {
	k := picker{p: x.P}
	if x.Nu == nil {
		return k
	}
	k.cumulative = make([]float64, x.P)
	sum := 0.0
	for l, nu := range x.Nu {
		sum += nu
		k.cumulative[l] = sum
	}
	return k
}

func (k picker) draw(rng *rand.Rand) int {
	if k.cumulative == nil {
		return rng.IntN(k.p)
	}
	u := rng.Float64() * k.cumulative[k.p-1]
	return min(sort.SearchFloat64s(k.cumulative, u), k.p-1)
}
