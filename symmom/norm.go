package symmom

import (
	"fmt"

	"symmom/internal/words"
)

// Norm is ||X||^2 of a moment: exact, or an unbiased estimate with its
// standard error.
type Norm struct {
	Value  float64 // in the data's units to the power 2d
	StdErr float64 // 0 when exact
	Pairs  int     // sampled pairs of observations behind an estimate
}

// Exact reports whether the value was computed, not estimated.
func (n Norm) Exact() bool { return n.StdErr == 0 && n.Pairs == 0 }

// times brings the norm to other units. An exact one stays exact where c is
// beyond all numbers: 0 times infinity would be no number.
func (n Norm) times(c float64) Norm {
	t := Norm{Value: n.Value * c, Pairs: n.Pairs}
	if n.StdErr != 0 {
		t.StdErr = n.StdErr * c
	}
	return t
}

// String marks an estimate as one.
func (n Norm) String() string {
	if n.Exact() {
		return fmt.Sprintf("%.8g", n.Value)
	}
	return fmt.Sprintf("%.6g ± %.2g (estimate from %s pairs of observations)", n.Value, n.StdErr, words.Count(n.Pairs))
}
