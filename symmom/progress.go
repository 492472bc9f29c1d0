package symmom

import (
	"fmt"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/text/words"
)

// Progress is a report of a running decomposition.
type Progress struct {
	Rank             int           // rank being fitted
	Phase            string        // one of the Phase names
	Pass             int           // over all observations, in this phase, counted from 1; 0 where passes are not counted
	Seen             float64       // share of the observations that the pass has seen, of data on disk
	Start            int           // the reporting start, counted from 0
	StartsDone       int           // starts that have ended by themselves
	Starts           int           // starts in all
	Iterations       int           // of the reporting start
	StartEvaluations int           // of f and its gradient, of that start
	Evaluations      int           // of f and its gradient, all starts so far
	Objective        float64       // f of the reporting start, shifted, user's units; of a search or a polish
	Best             float64       // lowest f of all starts so far; NaN before there is one
	Elapsed          time.Duration // since the decomposition began
	Remaining        time.Duration // estimate; negative while unknown
	Polishing        bool          // a solution of the compressed form is polished
	Done             bool          // the last call of this decomposition
	Stopped          bool          // with Done: by an interrupt, before the work was finished
}

// String describes the phase outside of the search, such as "basis, pass 2, 40%", and work
// that is done other than a decomposition: "bootstrap, 20 of 20 draws". It is empty during a
// search and a polish, for which starts and objective are more informative, and at the end of
// a decomposition.
func (p Progress) String() string {
	switch {
	case p.Done && p.Phase == PhaseBootstrap:
		return fmt.Sprintf("%s, %d of %s", p.Phase, p.StartsDone, words.Plural(p.Starts, "draw"))
	case p.Done && p.Starts == 0:
		return p.Phase
	case p.Done || p.Phase == PhaseSearch || p.Phase == PhasePolish:
		return ""
	}
	text := p.Phase
	if p.Rank > 0 && (p.Phase == PhaseEM || p.Phase == PhaseMoments) {
		text += ", " + words.Plural(p.Rank, "component")
	}
	if p.Phase == PhaseEM && p.Iterations > 0 {
		text += fmt.Sprintf(", iteration %d, log-likelihood %.8g", p.Iterations, p.Objective)
	}
	if p.Rank > 0 && (p.Phase == PhaseHalves || p.Phase == PhaseMixtures || p.Phase == PhasePermuted) {
		text += fmt.Sprintf(", rank %d", p.Rank)
	}
	if p.Phase == PhaseBootstrap {
		text += fmt.Sprintf(", draw %d of %d", p.StartsDone, p.Starts)
	}
	if p.Pass > 0 {
		text += fmt.Sprintf(", pass %d", p.Pass)
	}
	if p.Seen > 0 {
		text += fmt.Sprintf(", %.0f%%", 100*p.Seen)
	}
	return text
}

// reports returns a function that forwards an engine's reports to tell, or nil if that is
// nil. The time is measured from began.
func reports(tell func(Progress), began time.Time) progress.Func {
	if tell == nil {
		return nil
	}
	return func(r progress.Report) {
		r.Elapsed = time.Since(began)
		tell(Progress(r))
	}
}

// watcher returns the function to report progress to: the given one, or the host's.
func (s *Session) watcher(given func(Progress)) func(Progress) {
	if given == nil && s.host != nil && s.host.Progress != nil {
		return func(p Progress) { s.host.Progress(progress.Report(p)) }
	}
	return given
}
