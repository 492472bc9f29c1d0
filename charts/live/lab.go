package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"symmom/charts"
	"symmom/internal/linalg"
	"symmom/symmom"
	"symmom/widgets"
)

// Field is a control of the page. A control that a person can set wrong in a way that
// only the fit notices is named as the argument of package symmom is: "rank", "starts".
type Field struct {
	*widgets.Control
	Label string
	Hint  string   // a few words below it, or ""
	Top   float64  // of a number: where its slider ends; 0: there is none
	List  []string // of a text: what it may list, for those who would rather tick boxes
}

// Job is a fit that was chosen.
type Job struct {
	Name   string // "order 3, rank 5"
	Moment *symmom.Moment
	Rank   int
	Report charts.ReportOptions // what its page shows
	Shown  *symmom.Session      // the observations on it
	Notes  []string             // what the choice means, for a line each
}

// ChoiceError is an error that belongs to a control.
type ChoiceError struct {
	Control string
	Err     error
}

func (e *ChoiceError) Error() string { return e.Err.Error() }
func (e *ChoiceError) Unwrap() error { return e.Err }

// Prepare makes the job that the controls stand for. Fits report to tell.
type Prepare func(ctx context.Context, tell func(symmom.Progress)) (*Job, error)

var (
	errSuperseded = errors.New("another choice was made")
	errStopped    = errors.New("stopped by hand")
)

// lab makes one fit at a time. A choice ends the fit that runs; of several that arrive
// meanwhile the last one counts.
type lab struct {
	ctx      context.Context
	fields   []Field
	prepare  Prepare
	latest   *widgets.Latest
	choosing sync.Mutex // held while values are accepted

	mu      sync.Mutex // guards what follows
	changed chan struct{}
	halted  bool // no fit is to begin before the next choice
	cancel  context.CancelCauseFunc
	now     status
	lines   []line
	ended   int // starts, at the last report
	curve   []point
	shown   *result
	spare   *result // of a fit that another choice ended, until that gives more
	results int
	cut     bool // a fit was cut short because the server ends
}

// status is what the page shows of the work.
type status struct {
	Run         int               `json:"run"`   // counts the fits
	State       string            `json:"state"` // "idle", "running" or "stopping"
	Name        string            `json:"name"`
	Doing       string            `json:"doing"`
	Starts      int               `json:"starts"`
	StartsDone  int               `json:"startsDone"`
	Evaluations int               `json:"evaluations"`
	Best        *float64          `json:"best"`
	Seconds     float64           `json:"seconds"`
	Remaining   float64           `json:"remaining"` // seconds; negative: unknown
	Message     string            `json:"message"`
	Bad         bool              `json:"bad"` // the message is an error
	Errors      map[string]string `json:"errors"`
	began       time.Time
}

// line is how far a start is, or the polish of a solution on all of the data.
type line struct {
	Start       int      `json:"start"` // counted from 0
	Polish      bool     `json:"polish"`
	Evaluations int      `json:"evaluations"`
	Objective   *float64 `json:"f"`
	Done        bool     `json:"done"`
	recorded    int      // evaluations at its last point of the curve
}

// point is one of the curve: the index of its line, evaluations, f.
type point [3]float64

func newLab(ctx context.Context, fields []Field, prepare Prepare) *lab {
	l := &lab{ctx: ctx, fields: fields, prepare: prepare, changed: make(chan struct{})}
	l.now = status{State: "idle", Errors: map[string]string{}, Remaining: -1}
	l.latest = widgets.NewLatest(l.run)
	return l
}

// touch tells everybody who waits that something has changed. l.mu must be held.
func (l *lab) touch() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// begin asks for a fit of what the controls say now, in place of the one that runs.
func (l *lab) begin() {
	l.mu.Lock()
	l.halted = false
	if l.cancel != nil {
		l.cancel(errSuperseded)
	}
	l.mu.Unlock()
	l.latest.Ask()
}

// stop ends the fit that runs; the best so far is kept. It reports whether there was
// one.
func (l *lab) stop() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.halted = true
	if l.cancel == nil {
		return false
	}
	l.cancel(errStopped)
	l.now.State = "stopping"
	l.touch()
	return true
}

// run makes the fit of what the controls say now.
func (l *lab) run() {
	ctx, cancel := context.WithCancelCause(l.ctx)
	defer cancel(nil)
	l.mu.Lock()
	if l.halted || ctx.Err() != nil {
		l.settle()
		l.mu.Unlock()
		return
	}
	l.cancel = cancel
	l.now = status{Run: l.now.Run + 1, State: "running", Doing: "preparing the data", Errors: map[string]string{}, Remaining: -1, began: time.Now()}
	l.curve, l.lines, l.ended = nil, nil, 0
	l.touch()
	l.mu.Unlock()
	job, err := l.prepare(ctx, l.tell)
	var fit *symmom.Fit
	if err == nil {
		l.mu.Lock()
		l.now.Name = job.Name
		l.touch()
		l.mu.Unlock()
		fit = job.Moment.Decompose(job.Rank)
		err = fit.Err()
	}
	l.end(job, fit, err, context.Cause(ctx))
}

// end keeps what a fit has found.
func (l *lab) end(job *Job, fit *symmom.Fit, err, cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.touch()
	l.cancel = nil
	n := &l.now
	n.State, n.Doing, n.Remaining = "idle", "", -1
	l.cut = l.cut || l.ctx.Err() != nil && err != nil
	n.Seconds = time.Since(n.began).Seconds()
	superseded := errors.Is(cause, errSuperseded) && !l.halted
	interrupted := errors.Is(err, symmom.ErrInterrupted) || err != nil && cause != nil
	if fit != nil && fit.Model.Rank() > 0 {
		l.results++
		r := newResult(l.results, job, fit)
		if l.spare = r; superseded {
			return
		}
		l.settle()
		n.Message = "Done: " + r.line()
		if interrupted {
			n.Message = "Interrupted: the best so far is kept, " + r.line()
		}
		return
	}
	if superseded {
		return
	}
	l.settle()
	kept := ""
	if l.shown != nil {
		kept = "; below is still " + l.shown.name()
	}
	switch {
	case interrupted:
		n.Message = "Stopped before the first evaluation, nothing was found yet" + kept + "."
	default:
		n.Bad = true
		if at := l.place(err); at != "" {
			n.Errors[at] = oneLine(err.Error())
			n.Message = "No fit: see the control " + l.label(at) + kept + "."
		} else {
			n.Message = "No fit: " + oneLine(err.Error()) + kept + "."
		}
	}
}

// settle shows what was kept until another fit gave more. l.mu must be held.
func (l *lab) settle() {
	if l.spare != nil {
		l.shown, l.spare = l.spare, nil
		l.touch()
	}
}

// place returns the control that an error belongs to, or "".
func (l *lab) place(err error) string {
	var choice *ChoiceError
	if errors.As(err, &choice) {
		return choice.Control
	}
	names := symmom.Help(err)
	var argument *symmom.ArgumentError
	if errors.As(err, &argument) {
		names = append([]string{argument.Argument}, names...)
	}
	for _, name := range names {
		name = strings.ToLower(name)
		if other := elsewhere[name]; other != "" {
			name = other
		}
		for _, f := range l.fields {
			if f.Name() == name {
				return name
			}
		}
	}
	return ""
}

// elsewhere maps names of methods and options to the control that stands for them.
var elsewhere = map[string]string{"implicit": "form", "explicit": "form", "compressed": "form", "sampled": "form", "sigma": "noise", "nonnegative": "form"}

// label returns the label of a control.
func (l *lab) label(name string) string {
	for _, f := range l.fields {
		if f.Name() == name {
			return f.Label
		}
	}
	return name
}

// tell takes a report of the fit that runs.
func (l *lab) tell(p symmom.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.touch()
	n := &l.now
	n.Doing, n.Starts, n.StartsDone = p.String(), p.Starts, p.StartsDone
	if n.Evaluations = p.Evaluations; p.Phase == symmom.PhaseSearch || p.Phase == symmom.PhasePolish {
		n.Doing = string(p.Phase)
		if p.Polishing {
			n.Doing = "polish on all of the data"
			if p.Pass > 0 {
				n.Doing += fmt.Sprintf(", pass %d", p.Pass)
			}
		}
	}
	n.Best, n.Seconds, n.Remaining = finite(p.Best), time.Since(n.began).Seconds(), p.Remaining.Seconds()
	if p.Remaining < 0 {
		n.Remaining = -1
	}
	if linalg.Finite(p.Objective) && !p.Done && p.StartEvaluations > 0 {
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
		l.lines = append(l.lines, line{Start: p.Start, Polish: p.Polishing})
		at = len(l.lines) - 1
	}
	s := &l.lines[at]
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

// view is what a page is told.
type view struct {
	status
	Lines  []line         `json:"lines"`
	Values map[string]any `json:"values"`
	Result *resultView    `json:"result"`
}

// since returns the state, the points of the curve of the run after the first from, all
// if it is another run, and a channel that is closed at the next change.
func (l *lab) since(run, from int) (v view, points []point, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if run != l.now.Run {
		from = 0
	}
	v = view{status: l.now, Values: map[string]any{}, Lines: append([]line{}, l.lines...)}
	v.Errors = maps.Clone(l.now.Errors)
	if v.State != "idle" {
		v.Seconds = time.Since(l.now.began).Seconds()
	}
	if l.shown != nil {
		v.Result = l.shown.view()
	}
	for _, f := range l.fields {
		v.Values[f.Name()] = f.State().Value
	}
	return v, append([]point{}, l.curve[min(from, len(l.curve)):]...), l.changed
}

// result returns what is shown, or nil.
func (l *lab) result() *result {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown
}

func finite(x float64) *float64 {
	if !linalg.Finite(x) {
		return nil
	}
	return &x
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// accept gives the controls their values. One wrong value, and none of them changes.
func (l *lab) accept(values map[string]json.RawMessage) (changed bool, wrong map[string]string) {
	l.choosing.Lock()
	defer l.choosing.Unlock()
	wrong = map[string]string{}
	var undo []func()
	known := 0
	for _, f := range l.fields {
		value, given := values[f.Name()]
		if !given {
			continue
		}
		known++
		before, _ := json.Marshal(f.State().Value) // plain types
		moved, err := f.Accept(value)
		switch {
		case err != nil:
			wrong[f.Name()] = oneLine(strings.TrimPrefix(err.Error(), "widgets: "))
		case moved:
			changed = true
			undo = append(undo, func() { _, _ = f.Accept(before) }) // a value it had
		}
	}
	if known < len(values) {
		wrong[""] = "there is no such control"
	}
	if len(wrong) > 0 {
		for _, f := range undo {
			f()
		}
		return false, wrong
	}
	return changed, nil
}

// close ends the fit that runs, and waits for it.
func (l *lab) close() {
	l.stop()
	l.latest.Wait()
}
