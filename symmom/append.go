package symmom

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
	"symmom/internal/text/words"
)

// Append returns a session that also has the observations of block, m x n, one per
// row, which it copies, for data that arrive incrementally. Each new observation has
// the weight of the others if the session has no weights, and their mean weight if
// it has. The session itself does not change.
//
// The first Append makes one pass over the session's data. Each further one costs
// only the work for its block, m n^2 operations and its memory, plus a copy of the
// sums below.
//
// Append updates, exactly except for rounding, the number of observations, the
// second moment (n^2/2 numbers; only its trace for n above 2,048) with its largest
// eigenvalue, and, once a compressed fit has fixed the basis Q of this session or
// one that it was made from, the moment of the fit's order in the coordinates of Q.
// Moment.Accumulated solves a fit of all observations from these sums alone,
// without a pass over the data (Fit.DataPasses is 0); other fits read all
// observations, and equal those of data loaded together, except for rounding.
//
// An accumulated fit is approximate, as Q holds the leading eigenvectors of the
// observations from which it was computed, not of all. Among the models whose
// factors lie in the span of Q the fit is the best, its f is exact, and so is the
// gradient within the span; it is not polished, so a gradient outside of the span
// goes unnoticed. ||X||^2 is estimated from a sample of all observations if it
// would cost too much. A warning of the fit has the numbers. To polish, use the
// model as Options.InitialModel of an implicit fit.
//
// Q must be renewed if an eigenvalue of the second moment outside of its span is
// more than half the r-th inside, and twice its value, relative to the largest, at
// the time when Q was chosen. Such a fit chooses a new Q, reads all observations
// for the moment in it and for the polish, and has a warning. So does a fit that
// needs more vectors than Q has, another order, or another form.
//
// All observations stay in memory (those of a stream on disk), 8 n bytes each, or 4
// n if the session was loaded with Float32, until Forget.
//
// The coordinates of Whiten do not change: with the appended observations the
// session need not have mean 0 and covariance 1 in them.
//
// labels are those of the new observations, one for each row of block, "" for none.
// Without any, the rows have none if the session has labels.
func (s *Session) Append(block mat.Matrix, labels ...string) *Session {
	if s.Err() != nil {
		return s
	}
	add, err := load.FromMatrix(block, load.Options{Float32: s.data.Single()})
	if err == nil && add.N != s.data.N {
		err = &ArgumentError{Argument: "block", Value: words.Plural(add.N, "column"), Want: words.Plural(s.data.N, "column") + ", as the session has variables"}
	}
	if err == nil && len(labels) > 0 {
		add.Labels, err = columnOf(labels, add.P)
	}
	if err != nil {
		return s.with(nil, fmt.Errorf("append: %w", err))
	}
	if s.move.Center != nil {
		add, err = add.Mapped(s.context(), s.move.Of)
	}
	grown := s.data
	if err == nil {
		grown, err = s.data.Append(s.context(), add)
	}
	if err != nil {
		return s.with(nil, interrupted("append", err))
	}
	c := *s
	c.data = grown
	c.whitening = s.whitening.kept()
	return &c
}
