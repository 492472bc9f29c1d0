package symmom

import (
	"fmt"
	"math"

	"symmom/internal/estimate/fit"
	"symmom/internal/text/words"
)

// Norm is ||X||^2 of a moment: exact, or an unbiased estimate with its
// standard error.
type Norm struct {
	Value  float64 // in the data's units to the power 2d
	StdErr float64 // 0 when exact
	Pairs  int     // sampled pairs of observations in an estimate

	// Doubtful says that the standard error is unreliable: a few of the sampled
	// pairs dominate it, as happens with heavy tails, or the estimate was below a
	// lower bound of ||X||^2 and was raised to it.
	Doubtful bool
}

// Exact reports whether the value was computed, not estimated.
func (n Norm) Exact() bool { return n.StdErr == 0 && n.Pairs == 0 }

// Relative returns the relative error f/||X||^2 of a model with the given shifted
// objective, f - ||X||^2, and its standard error: 0 if ||X||^2 is exact. A value that only
// rounding makes negative is then 0, and one below 1e-8 a multiple of 1e-14, so that all its
// digits are right.
func (n Norm) Relative(shifted float64) (value, stderr float64) {
	if !n.Exact() && n.Value != 0 { // 1 + shifted/||X||^2, differentiated
		stderr = math.Abs(shifted/n.Value) * (n.StdErr / math.Abs(n.Value))
	}
	if value = 1 + shifted/n.Value; n.Exact() {
		value = fit.Relative(shifted, n.Value)
	}
	return value, stderr
}

// isEstimate is a note on numbers.
const isEstimate = " (||X||^2 is an estimate)"

// relative writes a relative error, with its standard error and a note if it is an estimate.
func (n Norm) relative(value, shifted float64, note string) string {
	text := fmt.Sprintf("%.6g", value)
	if n.Exact() || n.Value == 0 {
		return text
	}
	_, stderr := n.Relative(shifted)
	return text + words.PlusMinus(stderr) + note
}

// String marks an estimate as one.
func (n Norm) String() string {
	if n.Exact() {
		return fmt.Sprintf("%.8g", n.Value)
	}
	if math.IsInf(n.StdErr, 1) {
		return fmt.Sprintf("%.6g (estimate whose error is not known)", n.Value)
	}
	doubt := ""
	if n.Doubtful {
		doubt = "; its error may be larger, few pairs carry it"
	}
	return fmt.Sprintf("%.6g ± %.2g (estimate from %s pairs of observations%s)", n.Value, n.StdErr, words.Count(n.Pairs), doubt)
}

// NormSquared returns ||X||^2, exact if that takes at most 1e10 operations or 512
// for each number of the data (n p^2 / 2 from pairs of observations, for data on disk
// of up to 64 MB; p C(n+d-1, d) from the tensor, of up to 256 MB; 2e9 at most between the
// values that are not zero, by variable), else an
// unbiased estimate. It is never below its known lower bounds: the part of X in its
// leading directions and, for even orders, the terms of each observation with itself.
// It returns an error if an exact value is 0 up to rounding. A fit in the explicit form
// has the exact value in any case.
func (m *Moment) NormSquared() (Norm, error) {
	if err := m.Err(); err != nil {
		return Norm{}, err
	}
	if err := m.needsNoise("||X||^2"); err != nil {
		return Norm{}, err
	}
	o, err := m.options.withDefaults()
	if err != nil {
		return Norm{}, err
	}
	n, err := m.fit.NormSquared(m.session.context(), o.engine(nil))
	return Norm(n), interrupted("norm", err)
}
