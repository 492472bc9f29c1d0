package moment

import (
	"context"
	"math"
	"sync"

	"symmom/internal/linalg"
)

// Packed is a moment tensor that holds each of its distinct entries once:
// those of indices i_1 <= ... <= i_d, in lexicographic order, C(n+d-1, d) of
// them. It is never changed.
type Packed struct {
	d, n int
	unit float64
	x    []float64 // of the observations divided by unit

	once sync.Once
	full []float64 // x times the number of permutations of the indices
}

func (t *Packed) Name() string  { return "packed" }
func (t *Packed) Order() int    { return t.d }
func (t *Packed) N() int        { return t.n }
func (t *Packed) Unit() float64 { return t.unit }

// PackedBytes returns the size of the packed tensor, 8 C(n+d-1, d).
func PackedBytes(d, n int) float64 {
	c := 8.0
	for i := range d {
		c *= float64(n+i) / float64(i+1)
	}
	return math.Round(c)
}

// tails returns the table of how many sorted tuples of m indices from i..n-1
// there are, at [m][i] for m = 0..d and i = 0..n.
func tails(d, n int) [][]int {
	t := make([][]int, d+1)
	for m := range t {
		t[m] = make([]int, n+1)
		for i := n - 1; i >= 0; i-- {
			if m == 0 {
				t[m][i] = 1
			} else {
				t[m][i] = t[m][i+1] + t[m-1][i]
			}
		}
	}
	return t
}

// weighted returns the entries times the number of their permutations,
// d!/prod(counts!), which makes X a^d a sum over the packed entries.
func (t *Packed) weighted() []float64 {
	t.once.Do(func() {
		t.full = make([]float64, len(t.x))
		at := 0
		// times is the number of permutations of the indices so far, of which
		// the last has come run times in a row.
		var down func(depth, from, run int, times float64)
		down = func(depth, from, run int, times float64) {
			if depth == t.d {
				t.full[at] = t.x[at] * times
				at++
				return
			}
			for i := from; i < t.n; i++ {
				r := 1
				if i == from && depth > 0 {
					r = run + 1
				}
				down(depth+1, i, r, times*float64(depth+1)/float64(r))
			}
		}
		down(0, 0, 0, 1)
	})
	return t.full
}

// NormSquared returns ||X||^2 of the observations divided by Unit.
func (t *Packed) NormSquared() float64 { return linalg.Dot(t.weighted(), t.x) }

// Trace returns the sum of the diagonal entries in the units of the data.
func (t *Packed) Trace() float64 {
	size, at, sum := tails(t.d, t.n), 0, 0.
	for i := range t.n {
		sum += t.x[at]
		at += size[t.d-1][i]
	}
	return sum * math.Pow(t.unit, float64(t.d))
}

// Mix returns the moment of the observations of t and u together, which make
// up shares a and b of the weight. Both must be of the same kind and unit.
func (t *Packed) Mix(a float64, u *Packed, b float64) *Packed {
	m := &Packed{d: t.d, n: t.n, unit: t.unit, x: make([]float64, len(t.x))}
	for i, v := range t.x {
		m.x[i] = a*v + b*u.x[i]
	}
	return m
}

// Dense returns the tensor with all its n^d entries, each copied to its
// permutations. It returns ctx's error when cancelled.
func (t *Packed) Dense(ctx context.Context, threads int) (*Explicit, error) {
	size := 1
	for range t.d {
		size *= t.n
	}
	e := &Explicit{d: t.d, n: t.n, unit: t.unit, x: make([]float64, size)}
	at := 0
	var down func(depth, from, to int)
	down = func(depth, from, to int) {
		if depth == t.d-1 {
			at += copy(e.x[to*t.n+from:(to+1)*t.n], t.x[at:])
			return
		}
		for i := from; i < t.n; i++ {
			down(depth+1, i, to*t.n+i)
		}
	}
	down(0, 0, 0)
	team := &team{threads: min(Threads(threads), t.n), job: mirror{e}.slice}
	if !team.run(ctx, t.n) {
		return nil, ctx.Err()
	}
	return e, nil
}

// Worker returns a worker for r columns, which are shared out to the threads.
func (t *Packed) Worker(r, threads int) Worker {
	w := &packedWorker{t: t, r: r, columns: make([]packedColumn, min(Threads(threads), r))}
	for i := range w.columns {
		w.columns[i] = packedColumn{d: t.d, n: t.n, full: t.weighted()}
	}
	w.team = team{threads: len(w.columns), job: w.column}
	return w
}

type packedWorker struct {
	t       *Packed
	r       int
	y, a    []float64 // of the call under way
	columns []packedColumn
	team    team
}

// TTSV computes y_j = X a_j^(d-1) as the gradient of X a_j^d divided by d:
// with the permutations counted in the entries, X a^d is a polynomial that
// Horner's rule evaluates and whose gradient comes by the way. 4 r C(n+d-1, d)
// operations.
func (w *packedWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.y, w.a = y, a
	return w.team.run(ctx, w.r)
}

func (w *packedWorker) column(worker, j int) {
	n := w.t.n
	c := &w.columns[worker]
	c.at, c.a, c.y = 0, w.a[j*n:(j+1)*n], w.y[j*n:(j+1)*n]
	clear(c.y)
	c.down(w.t.d, 0, 1)
	linalg.Scale(1/float64(w.t.d), c.y)
}

// packedColumn evaluates one polynomial.
type packedColumn struct {
	d, n int
	full []float64
	at   int
	a, y []float64
}

// down returns the sum over the entries whose last m indices run from from on,
// times the components of those indices; outer is the product of the
// components of the indices before. It adds the derivatives to y.
func (c *packedColumn) down(m, from int, outer float64) (s float64) {
	if m == 1 {
		row := c.full[c.at : c.at+c.n-from]
		c.at += len(row)
		a, y := c.a[from:][:len(row)], c.y[from:][:len(row)]
		for k, v := range row { // short rows: a call would cost more
			s += v * a[k]
			y[k] += outer * v
		}
		return s
	}
	for i := from; i < c.n; i++ {
		v := c.down(m-1, i, outer*c.a[i])
		s += v * c.a[i]
		c.y[i] += outer * v
	}
	return s
}
