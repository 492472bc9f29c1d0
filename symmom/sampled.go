package symmom

import (
	"fmt"

	"symmom/internal/text/words"
)

// defaultSamples is the s of the best row of the paper's table stoch.
const defaultSamples = 1000

// Sampled solves by Adam with gradients from s observations drawn at random
// (section 5 of the paper): the learning rate is .01, f is estimated after
// each epoch of 100 iterations on the same 1,000 observations, a failed epoch
// is undone and lowers the rate to .001, a second one ends the run as
// "stalled". s = 0 means 1,000. An iteration takes 4 s n r operations, for any
// p: s is at most p, or 1,000.
//
// The unit and the starts come from 4,096 random observations if there are more.
// At the end the best solution is evaluated on all observations, and in the same
// pass those whose estimates are worse by no more than the sampling error; the fit
// is the best of these: its objective, relative error and gradient norm are exact.
// Start.Unverified marks the others, whose f is estimated. There is a warning if
// samples are insufficient: if a few observations dominate the moment (heavy
// tails), if the estimate was off by more than the sampling error, or if the
// solution is far from an optimum, as measured by Fit.Cosine. Tolerance,
// RelativeDecrease and Corrections are ignored.
//
// From a stream, where random access is slow, 128 MB are drawn with Options.Seed
// in one pass (all observations if they fit), and all samples are drawn from this
// reservoir: the gradients are unbiased for the moment of the reservoir, not of
// all observations. The final evaluation uses all of them.
func (m *Moment) Sampled(s int) *Moment {
	c := m.as(FormSampled)
	c.fit.Samples = s
	if s == 0 {
		c.fit.Samples = defaultSamples
	}
	if c.Err() != nil {
		return c
	}
	if most := max(c.session.data.P, defaultSamples); s > most {
		c.err = &ArgumentError{Argument: "samples", Value: s, Want: fmt.Sprintf("at most %s: a step with more takes longer than one with all %s observations, as other forms make", words.Count(most), words.Count(c.session.data.P))}
	} else if s < 0 {
		c.err = &ArgumentError{Argument: "samples", Value: s, Want: "at least 1 (0 means 1,000)"}
	}
	return c
}
