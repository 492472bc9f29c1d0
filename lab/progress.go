package lab

import (
	"fmt"
	"strings"

	"symmom/internal/text/words"
	"symmom/repl"
	"symmom/symmom"
)

// describeProgress describes the progress of a decomposition, or of other work, for a session.
func describeProgress(p symmom.Progress) repl.Progress {
	out := repl.Progress{Value: p.Best, Curve: p.Rank, Elapsed: p.Elapsed, Remaining: p.Remaining, Done: p.Done, Stopped: p.Stopped}
	if p.Starts > 0 {
		out.Share = float64(p.StartsDone) / float64(p.Starts)
	}
	finished := p
	finished.Done = true
	if out.Did = finished.String(); out.Did == "" {
		out.Did = fmt.Sprintf("rank %d, %d of %s, %s, f %.8g",
			p.Rank, p.StartsDone, words.Plural(p.Starts, "start"), words.Plural(p.Evaluations, "evaluation"), p.Best)
	}
	doing := strings.TrimSuffix(p.String(), fmt.Sprintf(", rank %d", p.Rank))
	if doing == "" || p.Done {
		out.Label = "f"
		doing = fmt.Sprintf("start %d of %d", min(p.StartsDone+1, p.Starts), p.Starts)
		if p.Polishing {
			doing = "polishing"
		}
		doing += fmt.Sprintf("  iteration %d", p.Iterations)
	} else if p.Rank == 0 {
		out.Doing = doing // saving has no rank
		return out
	}
	out.Doing = fmt.Sprintf("rank %d  %s", p.Rank, doing)
	return out
}
