package symmom

import (
	"fmt"

	"symmom/internal/words"
)

// defaultSamples is the s of the best row of the paper's table stoch.
const defaultSamples = 1000

// Sampled solves by Adam with gradients from s observations drawn at random
// (section 5 of the paper): the learning rate is .01, f is estimated after
// each epoch of 100 iterations on the same 1,000 observations, a failed epoch
// is undone and lowers the rate to .001, a second one ends the run as
// "stalled". s = 0 means 1,000. 4 s n r operations an iteration, whatever p
// is: s may be no more than p, or 1,000.
//
// The unit and the starts are found from 4,096 random observations where there are
// more. At the end the best solution is evaluated on all observations, and in the
// same pass those whose estimates are worse by no more than sampling error; the
// best of these is the fit's: its objective, relative error and gradient norm are
// exact. Of the others Start.Unverified says that f is estimated. A warning says
// where samples tell too little: where the parts of a few observations are most
// of the moment (heavy tails), where the estimate was off by more than sampling
// error, or where the solution is far from an optimum; Fit.Cosine tells how far. Tolerance,
// RelativeDecrease and Corrections play no part.
//
// Of a stream, whose observations are slow to reach at random, 128 MB are drawn
// with Options.Seed in one pass (all of them where they fit), and everything
// else from these: the gradients then estimate the moment of this reservoir
// without bias, not that of all observations. The evaluation at the end is of
// all of them.
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
