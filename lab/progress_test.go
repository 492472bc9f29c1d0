package lab

import (
	"testing"
	"time"

	"symmom/repl"
	"symmom/symmom"
)

// A fit has a rank and an objective, a bootstrap draws, and saving has neither.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		p    symmom.Progress
		want repl.Progress
	}{
		{symmom.Progress{Phase: symmom.PhaseSearch, Rank: 3, StartsDone: 4, Starts: 10, Iterations: 7, Evaluations: 1, Best: -1.5, Elapsed: time.Second, Remaining: 2},
			repl.Progress{Doing: "rank 3  start 5 of 10  iteration 7", Did: "rank 3, 4 of 10 starts, 1 evaluation, f -1.5", Label: "f", Value: -1.5, Curve: 3, Share: .4, Elapsed: time.Second, Remaining: 2}},
		{symmom.Progress{Phase: symmom.PhasePolish, Rank: 3, StartsDone: 10, Starts: 10, Iterations: 7, Polishing: true, Remaining: -1},
			repl.Progress{Doing: "rank 3  polishing  iteration 7", Did: "rank 3, 10 of 10 starts, 0 evaluations, f 0", Label: "f", Curve: 3, Share: 1, Remaining: -1}},
		{symmom.Progress{Phase: symmom.PhaseBasis, Rank: 3, Starts: 10, Pass: 2},
			repl.Progress{Doing: "rank 3  basis, pass 2", Did: "rank 3, 0 of 10 starts, 0 evaluations, f 0", Curve: 3}},
		{symmom.Progress{Phase: symmom.PhaseMixtures, Rank: 7}, repl.Progress{Doing: "rank 7  mixtures", Did: "mixtures", Curve: 7}},
		{symmom.Progress{Phase: symmom.PhaseWrite, Seen: .03}, repl.Progress{Doing: "write, 3%", Did: "write"}},
		{symmom.Progress{Phase: symmom.PhaseBootstrap, StartsDone: 20, Starts: 20, Done: true, Stopped: true},
			repl.Progress{Doing: "rank 0  start 20 of 20  iteration 0", Did: "bootstrap, 20 of 20 draws", Label: "f", Share: 1, Done: true, Stopped: true}},
	} {
		if got := describeProgress(c.p); got != c.want {
			t.Errorf("%+v\n got %+v\nwant %+v", c.p, got, c.want)
		}
	}
}
