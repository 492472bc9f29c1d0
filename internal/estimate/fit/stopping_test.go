package fit

import (
	"testing"

	"symmom/internal/math/solve"
)

// A run within bounds goes on below the tolerance; where it can go no further it has converged all
// the same, unless it was stopped.
func TestSettledWithinBounds(t *testing.T) {
	plan := planOf(t, []float64{1, 2, 3, 4}, 2, 3, 1, 1)
	plan.o.Nonnegative = true
	c := plan.search(1, nil)
	for _, at := range []struct {
		status solve.Status
		cosine float64
		want   bool
	}{
		{solve.Stalled, .9e-4, true}, {solve.LineSearchFailed, .9e-4, true}, {solve.MaxEvaluations, .9e-4, true},
		{solve.Interrupted, .9e-4, false}, {solve.NotFinite, .9e-4, false}, {solve.MaxEvaluations, 1.1e-4, false},
	} {
		res := solve.Result{Status: at.status, Stationarity: at.cosine, X: []float64{1, 1, 1}}
		if got := c.settled(res); got != at.want {
			t.Errorf("%v with a cosine of %g: %v, want %v", at.status, at.cosine, got, at.want)
		}
	}
}
