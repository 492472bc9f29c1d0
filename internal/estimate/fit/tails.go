package fit

import (
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Tails measures how unequal the contributions of observations to a moment of order d
// are: the contribution of observation l is nu_l |v_l|^d. Blocks are added one after
// the other, during any number of other passes. It takes 2 n operations per
// observation.
type Tails struct {
	d     int
	n     int
	unit  float64
	share float64
	wide  []float64

	weight, sum, squares float64 // of nu, nu |v|^d, nu |v|^2d
	largest              float64 // of nu |v|^d
	seen, at             int
}

// NewTails makes an empty Tails for the observations of x divided by unit.
func NewTails(x block.Source, d int, unit float64) *Tails {
	_, n := x.Shape()
	return &Tails{d: d, n: n, unit: unit, share: x.Share()}
}

// Add adds a block.
func (t *Tails) Add(b block.Block) {
	for l := range b.Rows {
		nu := t.share
		if b.Nu != nil {
			nu *= b.Nu[l]
		}
		v := b.Values(l, l+1, t.n, &t.wide)
		part := linalg.Powi(linalg.Norm2(v)/t.unit, t.d)
		t.weight += nu
		t.sum += nu * part
		t.squares += nu * part * part
		if nu*part > t.largest {
			t.largest, t.at = nu*part, t.seen
		}
		t.seen++
	}
}

// Sum returns the sum of nu |v|^d.
func (t *Tails) Sum() float64 { return t.sum }

// Error returns the relative standard error of the mean of |v|^d over m observations
// drawn with probability nu: the square root of (E |v|^2d / (E |v|^d)^2 - 1) / m. It
// is not finite if a power is not.
func (t *Tails) Error(m int) float64 {
	mean := t.sum / t.weight
	return math.Sqrt(math.Max(0, t.squares/t.weight/(mean*mean)-1) / float64(m))
}

// Largest returns the largest share of a single observation in the sum, and the number
// of that observation, counted from 0.
func (t *Tails) Largest() (part float64, l int) { return t.largest / t.sum, t.at }
