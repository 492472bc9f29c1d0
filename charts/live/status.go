package live

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// status is the progress shown on the page.
type status struct {
	Run         int               `json:"run"`   // counts them
	State       string            `json:"state"` // "idle", "running" or "stopping"
	Name        string            `json:"name"`
	Doing       string            `json:"doing"`
	Starts      int               `json:"starts"`
	StartsDone  int               `json:"startsDone"`
	Evaluations int               `json:"evaluations"`
	Best        *float64          `json:"best"`
	Norm        *float64          `json:"norm"` // ‖X‖², once it is known: 1 + f / norm is the relative error
	Seconds     float64           `json:"seconds"`
	Remaining   float64           `json:"remaining"` // seconds; negative: unknown
	Message     string            `json:"message"`
	Bad         bool              `json:"bad"` // the message is an error
	Errors      map[string]string `json:"errors"`
	Task        string            `json:"task"` // "": a job
	began       time.Time
}

// line is how far a start is, or the polish of a solution on all of the data.
type line struct {
	At          int      `json:"at"`    // its index
	Start       int      `json:"start"` // counted from 0
	Polish      bool     `json:"polish"`
	Evaluations int      `json:"evaluations"`
	Objective   *float64 `json:"f"`
	Done        bool     `json:"done"`
	recorded    int      // evaluations at its last point of the curve
	stamp       int      // of its last change
}

// point is one of the curve: the index of its line, evaluations, f.
type point [3]float64

// tell takes a report of what runs.
func (l *lab) tell(p symmom.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.touch()
	n := &l.now
	n.Doing, n.Starts, n.StartsDone = p.String(), p.Starts, p.StartsDone
	if says := l.o.Kind.Says; says != nil {
		n.Doing = says(p)
	}
	if n.Evaluations = p.Evaluations; p.Phase == symmom.PhaseSearch || p.Phase == symmom.PhasePolish {
		n.Doing = string(p.Phase)
		if p.Polishing {
			n.Doing = "polish on all of the data"
			if p.Pass > 0 {
				n.Doing += fmt.Sprintf(", pass %d", p.Pass)
			}
		}
	}
	if n.Task != "" && p.Rank > 0 {
		n.Doing = strings.TrimSuffix(fmt.Sprintf("rank %d, %s", p.Rank, n.Doing), ", ")
	}
	n.Best, n.Seconds, n.Remaining = finite(p.Best), time.Since(n.began).Seconds(), p.Remaining.Seconds()
	if p.Remaining < 0 {
		n.Remaining = -1
	}
	if n.Task == "" && linalg.Finite(p.Objective) && !p.Done && p.StartEvaluations > 0 {
		l.record(p)
	}
}

// record adds a point to the line of a start, unless the last one is less than a
// hundredth of the way back.
func (l *lab) record(p symmom.Progress) {
	at := len(l.lines) - 1
	for at >= 0 && (l.lines[at].Start != p.Start || l.lines[at].Polish != p.Polishing) {
		at--
	}
	if at < 0 || p.StartEvaluations < l.lines[at].Evaluations { // also a start that begins anew in another form
		l.lines = append(l.lines, line{At: len(l.lines), Start: p.Start, Polish: p.Polishing})
		at = len(l.lines) - 1
	}
	s := l.change(at)
	s.Evaluations, s.Objective = p.StartEvaluations, finite(p.Objective)
	ended := p.StartsDone > l.ended
	if l.ended = p.StartsDone; ended {
		s.Done = true
	}
	if s.recorded == 0 || ended || s.Evaluations >= s.recorded+max(1, s.recorded/100) {
		s.recorded = s.Evaluations
		l.curve = append(l.curve, point{float64(at), float64(s.Evaluations), p.Objective})
	}
}

// change returns a line to change. l.mu must be held.
func (l *lab) change(at int) *line {
	l.stamp++
	l.lines[at].stamp = l.stamp
	return &l.lines[at]
}

// view is the state sent to a page.
type view struct {
	status
	Lines  []line         `json:"lines"`  // that have changed
	Points int            `json:"points"` // of the curve so far
	Values map[string]any `json:"values"`
	Result *resultView    `json:"result"`
	Ranks  *compared      `json:"ranks"`
	stamp  int            // of the last change of a line
}

// since returns the state, with the lines that changed after a stamp, the points of the
// curve of the run after the first from, all if it is another run, and a channel that is
// closed at the next change.
func (l *lab) since(run, stamp, from int) (v view, points []point, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if run != l.now.Run {
		from, stamp = 0, 0
	}
	v = view{status: l.now, Values: map[string]any{}, Lines: []line{}, Points: len(l.curve), stamp: l.stamp}
	for _, s := range l.lines {
		if s.stamp > stamp {
			v.Lines = append(v.Lines, s)
		}
	}
	v.Errors = maps.Clone(l.now.Errors)
	if v.State != "idle" {
		v.Seconds = time.Since(l.now.began).Seconds()
	}
	if l.shown != nil {
		v.Result = l.shown.view()
	}
	v.Ranks = l.ranks
	for _, f := range l.o.Fields {
		v.Values[f.Name()] = f.State().Value
	}
	return v, append([]point{}, l.curve[min(from, len(l.curve)):]...), l.changed
}

func finite(x float64) *float64 {
	if !linalg.Finite(x) {
		return nil
	}
	return &x
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
