package moment

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/linalg"
)

// Explicit is a moment tensor with all its n^d entries in memory.
type Explicit struct {
	d, n int
	unit float64
	x    []float64 // n^d, row major, of the observations divided by unit
}

func (t *Explicit) Name() string  { return "explicit" }
func (t *Explicit) Order() int    { return t.d }
func (t *Explicit) N() int        { return t.n }
func (t *Explicit) Unit() float64 { return t.unit }

// TooLargeError refuses a dense tensor that would not fit in memory.
type TooLargeError struct {
	Order, N     int
	Bytes, Limit float64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("explicit moment of order %d of %d variables needs %s (8 n^d), more than the %s that may be used: choose the implicit form, which needs no tensor",
		e.Order, e.N, FormatBytes(e.Bytes), FormatBytes(e.Limit))
}

// FormatBytes writes a number of bytes for a person to read.
func FormatBytes(b float64) string {
	if b < 1e6 {
		return fmt.Sprintf("%.0f bytes", b)
	}
	units := []string{"MB", "GB", "TB", "PB", "EB"}
	i := 0
	for b /= 1e6; b >= 1000 && i < len(units)-1; i++ {
		b /= 1000
	}
	return fmt.Sprintf("%.4g %s", b, units[i])
}

// DenseBytes returns the size of the dense tensor, 8 n^d.
func DenseBytes(d, n int) float64 { return 8 * math.Pow(float64(n), float64(d)) }

// Worker returns a worker for r columns. Memory: n^(d-2) r numbers, and n r a
// thread.
func (t *Explicit) Worker(r, threads int) Worker {
	w := &explicitWorker{t: t, r: r, inner: 1}
	for range t.d - 2 {
		w.inner *= t.n
	}
	w.power = make([]float64, w.inner*r)
	w.spare = make([]float64, w.inner*r)
	w.chunk = min(w.inner, max(4, linalg.BlockRows(t.n)))
	w.z = make([][]float64, min(Threads(threads), t.n))
	for i := range w.z {
		w.z[i] = make([]float64, w.chunk*r)
	}
	w.team = team{threads: len(w.z), job: w.slice}
	return w
}

type explicitWorker struct {
	t            *Explicit
	r            int
	inner        int         // n^(d-2)
	chunk        int         // rows of the tensor multiplied at once
	y, a         []float64   // of the call under way
	power, spare []float64   // inner x r: column j is a_j^(x d-2)
	z            [][]float64 // scratch of each thread
	team         team
}

// TTSV computes y_j = X a_j^(d-1) (equation ExpXbdd) for all columns in one
// pass over the tensor. The tensor is read as n^(d-1) rows of n: a row with
// indices (i_1, ..., i_(d-1)) adds (row . a_j) a_j(i_2) ... a_j(i_(d-1)) to
// y_j(i_1).
func (w *explicitWorker) TTSV(ctx context.Context, y, a []float64) bool {
	if w.t.d == 1 {
		for j := range w.r {
			copy(y[j*w.t.n:(j+1)*w.t.n], w.t.x)
		}
		return ctx.Err() == nil
	}
	w.y, w.a = y, a
	w.powers()
	return w.team.run(ctx, w.t.n)
}

// powers fills power with the rank-one tensors a_j^(x d-2).
func (w *explicitWorker) powers() {
	n, r := w.t.n, w.r
	for j := range r {
		w.power[j] = 1
	}
	size := 1
	for range w.t.d - 2 {
		for i := range size {
			for k := range n {
				for j := range r {
					w.spare[(i*n+k)*r+j] = w.power[i*r+j] * w.a[j*n+k]
				}
			}
		}
		w.power, w.spare = w.spare, w.power
		size *= n
	}
}

// slice computes entry i of every y_j from the slice X(i, :, ..., :).
func (w *explicitWorker) slice(worker, i int) {
	n, r := w.t.n, w.r
	for j := range r {
		w.y[j*n+i] = 0
	}
	z := w.z[worker]
	for lo := 0; lo < w.inner; lo += w.chunk {
		rows := min(w.chunk, w.inner-lo)
		at := (i*w.inner + lo) * n
		linalg.MulABt(z, w.t.x[at:at+rows*n], w.a, rows, r, n)
		for l := range rows {
			p := w.power[(lo+l)*r : (lo+l+1)*r]
			for j, v := range z[l*r : (l+1)*r] {
				w.y[j*n+i] += v * p[j]
			}
		}
	}
}

// NormSquared returns ||X||^2 of the observations divided by Unit. O(n^d).
func (t *Explicit) NormSquared() float64 {
	var s float64
	for i := 0; i < len(t.x); i += t.n {
		row := t.x[i : i+t.n]
		s += linalg.Dot(row, row)
	}
	return s
}

// Entries returns the n^d entries of the tensor of the observations divided
// by Unit, row major. It is not a copy.
func (t *Explicit) Entries() []float64 { return t.x }
