package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// cauchyPoint writes to b.z the generalized Cauchy point: the first local
// minimiser of the model along the projected path P(x - t*g), t >= 0 (Byrd et
// al. 1995, section 4, algorithm CP), and to b.c the vector W'(z - x). It costs
// 2*count*n multiplications, and O(count^2 + log n) for each breakpoint passed.
func (b *lbfgsb) cauchyPoint(x, g []float64) {
	k2 := 2 * b.count
	p, c, w, mw := b.p[:k2], b.c[:k2], b.w[:k2], b.mw[:k2]
	clear(c)

	// Breakpoints (4.1) and the direction before the first of them (4.2).
	heap := b.heap[:0]
	d := b.left
	first := math.Inf(1)
	unbounded := false // a variable moves and never meets a bound
	for i, v := range g {
		d[i], b.t[i] = -v, math.Inf(1)
		switch {
		case v < 0:
			b.t[i] = (x[i] - b.box.upper[i]) / v
		case v > 0:
			b.t[i] = (x[i] - b.box.lower[i]) / v
		default:
			continue
		}
		switch t := b.t[i]; {
		case t <= 0:
			d[i] = 0
		case math.IsInf(t, 1):
			unbounded = true
		default:
			heap = append(heap, i)
			first = min(first, t)
		}
	}
	copy(b.z, x)

	f1 := -floats.Dot(d, d) // derivative of the model along d
	if f1 == 0 {
		return
	}
	f2 := -b.theta * f1 // second derivative
	least := machineEpsilon * f2
	b.mulWT(p, d)
	if k2 > 0 {
		b.mulM(mw, p)
		f2 -= floats.Dot(p, mw)
	}
	f2 = max(f2, least) // positive in exact arithmetic
	dt := -f1 / f2      // to the minimiser on this segment
	at := 0.0           // t at the start of this segment

	if dt >= first {
		heapify(heap, b.t)
	}
	for len(heap) > 0 && dt >= b.next(heap)-at {
		i := heap[0]
		heap = pop(heap, b.t)
		step := b.t[i] - at
		at = b.t[i]

		// Variable i stops at its bound.
		di := d[i]
		if di > 0 {
			b.z[i] = b.box.upper[i]
		} else {
			b.z[i] = b.box.lower[i]
		}
		d[i] = 0
		zi := b.z[i] - x[i]

		// Update the derivatives, (4.9) and (4.10), with d_i = -g_i.
		f1 += step*f2 + di*di - b.theta*di*zi
		f2 -= b.theta * di * di
		if k2 > 0 {
			floats.AddScaled(c, step, p)
			b.row(w, i)
			b.mulM(mw, w)
			f1 += di * floats.Dot(mw, c)
			f2 += 2*di*floats.Dot(mw, p) - di*di*floats.Dot(mw, w)
			floats.AddScaled(p, -di, w)
		}
		f2 = max(f2, least)
		dt = -f1 / f2
		if len(heap) == 0 && !unbounded {
			dt = 0 // every variable is at its bound
		}
	}
	dt = max(dt, 0)
	at += dt
	for i, v := range d {
		if v != 0 {
			b.z[i] = min(max(x[i]+at*v, b.box.lower[i]), b.box.upper[i])
		}
	}
	floats.AddScaled(c, dt, p)
}

// next is the nearest breakpoint. It is wrong before heapify, but then no
// breakpoint is near enough, and the entry on top is not nearer than the first.
func (b *lbfgsb) next(heap []int) float64 { return b.t[heap[0]] }

// heapify orders h as a heap with the smallest key on top.
func heapify(h []int, key []float64) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		sink(h, key, i)
	}
}

// pop takes away the top of the heap.
func pop(h []int, key []float64) []int {
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	if last > 0 {
		sink(h, key, 0)
	}
	return h
}

func sink(h []int, key []float64, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && key[h[child+1]] < key[h[child]] {
			child++
		}
		if key[h[i]] <= key[h[child]] {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
