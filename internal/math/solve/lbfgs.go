package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// twoLoop is limited-memory BFGS without bounds (N&W algorithm 7.5): the
// direction is -H_k g with H_k given by the last m pairs.
type twoLoop struct {
	pairs
	rho   []float64 // 1/(y's), by slot
	alpha []float64 // by slot
	gamma float64   // H_k^0 = gamma*I, N&W (7.20)
}

func newTwoLoop(n, m int) *twoLoop {
	return &twoLoop{pairs: newPairs(n, m), rho: make([]float64, m+1), alpha: make([]float64, m+1)}
}

// direction is the two-loop recursion, N&W algorithm 7.4: 4*count*n + n
// multiplications.
func (t *twoLoop) direction(r *run) (step, longest float64, ok bool) {
	d := r.d
	floats.ScaleTo(d, -1, r.g)
	if t.count == 0 {
		// Nothing is known about the scale of f; do not move by more than 1.
		return min(1/math.Sqrt(floats.Dot(d, d)), 1), maxStep, true
	}
	t.first(d)
	floats.Scale(t.gamma, d)
	t.second(d)
	return 1, maxStep, true
}

// first is the loop before H_k^0, from the youngest pair to the oldest.
func (t *twoLoop) first(q []float64) {
	for j := t.count - 1; j >= 0; j-- {
		k := t.slot(j)
		t.alpha[k] = t.rho[k] * floats.Dot(t.s[k], q)
		floats.AddScaled(q, -t.alpha[k], t.y[k])
	}
}

// second is the loop after it, from the oldest pair to the youngest.
func (t *twoLoop) second(d []float64) {
	for j := range t.count {
		k := t.slot(j)
		beta := t.rho[k] * floats.Dot(t.y[k], d)
		floats.AddScaled(d, t.alpha[k]-beta, t.s[k])
	}
}

func (t *twoLoop) update(r *run) {
	sy, yy, use := t.form(r)
	if !use {
		return
	}
	t.rho[t.slot(t.count)] = 1 / sy
	t.gamma = sy / yy
	t.keep()
}

func (t *twoLoop) reset()      { t.clear() }
func (t *twoLoop) empty() bool { return t.count == 0 }
