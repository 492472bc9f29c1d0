package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	"symmom/charts"
	"symmom/internal/text/words"
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
	When  []string // the name and the value of another one for which it counts, or nil
	Tasks bool     // it is of several ranks, and begins no fit; its buttons begin what compares them
	List  []string // of a text: what it may list, for those who would rather tick boxes
}

// Kind is what a page finds, in its words.
type Kind struct {
	Name    string                       // "fit", as in "the best fit so far"
	Heading string                       // above a result, before its name: "The fit: ", or ""
	Verb    string                       // of the button
	Doing   string                       // of the message while it runs
	Search  bool                         // starts minimize an objective, which is drawn, and ranks can be compared
	Says    func(symmom.Progress) string // what is being done; nil: as symmom says
	Models  []string                     // endings of the files that hold it
}

// Job is what was chosen.
type Job interface {
	String() string                     // "order 3, rank 5"
	Again() string                      // a command that makes it again
	Find(know func(norm float64)) Found // finds it; know takes ‖X‖², if there is a search, as soon as it is known
}

// Found is what a job came to.
type Found interface {
	None() bool             // there is nothing
	Err() error             // why, or an interrupt besides what there is
	Facts() string          // how good it is, in a line
	Notes() []string        // what a person should know before using it
	Report() *charts.Report // with how to make it again
	Source() string         // of the data
	Save(path string) error
}

// ChoiceError is an error that belongs to a control.
type ChoiceError struct {
	Control string
	Err     error
}

func (e *ChoiceError) Error() string { return e.Err.Error() }
func (e *ChoiceError) Unwrap() error { return e.Err }

// Prepare makes the job of the controls, which reports to tell.
type Prepare func(ctx context.Context, tell func(symmom.Progress)) (Job, error)

// lab does one job at a time. A choice ends the one that runs; of several that arrive
// meanwhile the last one counts.
type lab struct {
	ctx      context.Context
	o        Options
	latest   *widgets.Latest
	choosing sync.Mutex // held while values are accepted

	mu      sync.Mutex // guards what follows
	changed chan struct{}
	halted  bool // nothing is to begin before the next choice
	follows bool // another run begins after this one
	cancel  context.CancelFunc
	now     status
	lines   []line
	stamp   int // of the last change of one
	ended   int // starts, at the last report
	curve   []point
	shown   *result
	task    string // of the next run: "", or one of the tasks
	ranks   *compared
	spare   *result // of a run that another choice ended, until that gives more
	results int
	cut     bool // a run was cut short because the server ends
	cutKept bool // and had found something
}

func newLab(ctx context.Context, o Options) *lab {
	l := &lab{ctx: ctx, o: o, changed: make(chan struct{})}
	l.now = status{State: "idle", Errors: map[string]string{}, Remaining: -1}
	l.latest = widgets.NewLatest(l.run)
	return l
}

// touch wakes all waiters after a change. l.mu must be held.
func (l *lab) touch() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// begin asks for what the controls say now, or another task, in place of what runs.
func (l *lab) begin(task string) {
	l.supersede(task)
	l.latest.Ask()
}

// supersede ends the run, for another one.
func (l *lab) supersede(task string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.task = task
	l.halted, l.follows = false, true
	if l.cancel != nil {
		l.cancel()
	}
}

// stop ends what runs, if anything does; the best so far is kept.
func (l *lab) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.halted, l.follows = true, false
	if l.cancel != nil {
		l.cancel()
		l.now.State = "stopping"
		l.touch()
	}
}

// run finds what the controls say now.
func (l *lab) run() {
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	l.mu.Lock()
	if l.halted || ctx.Err() != nil {
		l.idle()
		l.settle()
		l.mu.Unlock()
		return
	}
	l.cancel, l.follows = cancel, false
	l.now = status{Run: l.now.Run + 1, State: "running", Doing: "preparing the data", Errors: map[string]string{}, Remaining: -1, began: time.Now()}
	l.now.Task = l.task
	task := l.task
	l.curve, l.lines, l.ended = nil, nil, 0
	l.touch()
	l.mu.Unlock()
	job, err := l.o.Prepare(ctx, l.tell)
	var found Found
	if err == nil {
		c, several := job.(comparer)
		several = several && task != ""
		l.mu.Lock()
		if l.now.Name = job.String(); several {
			l.now.Name = "several ranks, " + c.choice()
		}
		l.touch()
		l.mu.Unlock()
		if several {
			l.try(ctx, c, task)
			return
		}
		found = job.Find(l.know)
		err = found.Err()
	}
	l.end(job, found, err, ctx.Err() != nil)
}

// know takes ‖X‖².
func (l *lab) know(norm float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if norm > 0 {
		l.now.Norm = finite(norm)
		l.touch()
	}
}

// end keeps what a job has found; cancelled says that it was to end early.
func (l *lab) end(job Job, found Found, err error, cancelled bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	superseded := l.over(err)
	some := found != nil && !found.None()
	if l.cut {
		l.cutKept = some
	}
	n := &l.now
	interrupted := errors.Is(err, symmom.ErrInterrupted) || err != nil && cancelled
	if some {
		l.results++
		r := newResult(l.results, job, found)
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
	if !superseded {
		l.fail(err, interrupted)
	}
}

// over says that what ran has ended, and returns whether another choice has ended it.
// l.mu must be held.
func (l *lab) over(err error) (superseded bool) {
	l.cancel = nil
	if !l.follows {
		l.idle()
	}
	if l.ctx.Err() != nil && err != nil {
		l.cut = true
	}
	l.now.Seconds = time.Since(l.now.began).Seconds()
	return l.follows
}

// fail says why there is no result. l.mu must be held.
func (l *lab) fail(err error, interrupted bool) {
	l.settle()
	n, kept := &l.now, ""
	if l.shown != nil {
		kept = "; below is still " + l.shown.name()
	}
	switch {
	case interrupted:
		n.Message = "Stopped before anything was found" + kept + "."
	default:
		n.Bad = true
		if at := l.place(err); at != "" {
			n.Errors[at] = says(err)
			n.Message = "Nothing was found: see the control " + l.label(at) + kept + "."
		} else {
			n.Message = "Nothing was found: " + oneLine(err.Error()) + kept + "."
		}
	}
}

// idle says that nothing runs. l.mu must be held.
func (l *lab) idle() {
	l.now.State, l.now.Doing, l.now.Remaining = "idle", "", -1
	l.touch()
}

// settle shows what was kept until another run gave more. l.mu must be held.
func (l *lab) settle() {
	if l.spare != nil {
		l.shown, l.spare = l.spare, nil
		l.touch()
	}
}

// place returns the control that an error belongs to, or "".
func (l *lab) place(err error) string {
	if choice, ok := errors.AsType[*ChoiceError](err); ok {
		return choice.Control
	}
	names := symmom.Help(err)
	if argument, ok := errors.AsType[*symmom.ArgumentError](err); ok {
		names = append([]string{argument.Argument}, names...)
	}
	for _, name := range names {
		name = strings.ToLower(name)
		if other := elsewhere[name]; other != "" {
			name = other
		}
		for _, f := range l.o.Fields {
			if f.Name() == name {
				return name
			}
		}
	}
	return ""
}

// elsewhere maps names of methods and options to their control.
var elsewhere = map[string]string{"implicit": "form", "explicit": "form", "compressed": "form", "sampled": "form", "sigma": "noise", "coordinates": "whiten", "standardize": "center", "nonnegative": "form"}

// label returns the label of a control.
func (l *lab) label(name string) string {
	for _, f := range l.o.Fields {
		if f.Name() == name {
			return f.Label
		}
	}
	return name
}

// result returns the result on display, or nil.
func (l *lab) result() *result {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown
}

// accept gives the controls their values. One wrong value, and none of them changes.
func (l *lab) accept(values map[string]json.RawMessage) (changed bool, wrong map[string]string) {
	l.choosing.Lock()
	defer l.choosing.Unlock()
	wrong = map[string]string{}
	var undo []func()
	known := 0
	for _, f := range l.o.Fields {
		value, given := values[f.Name()]
		if !given {
			continue
		}
		known++
		before, _ := json.Marshal(f.State().Value) // plain types
		moved, err := f.accept(value)
		switch {
		case err != nil:
			wrong[f.Name()] = says(err)
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
	return changed, wrong
}

// accept is Accept, but that whole numbers are not made of others: the page would go on
// showing what was typed.
func (f Field) accept(value json.RawMessage) (changed bool, err error) {
	var x float64
	fraction := f.Whole() && json.Unmarshal(value, &x) == nil && x != math.Trunc(x)
	if !fraction {
		changed, err = f.Accept(value)
	}
	if s := f.State(); fraction || err != nil && s.Whole && s.Kind == widgets.KindSlider {
		err = fmt.Errorf("want a whole number, %s to %s", words.Count(int(s.From)), words.Count(int(s.To)))
	}
	return changed, err
}

var operation = regexp.MustCompile(`^[a-z]+: `) // that failed, which the page knows

// says returns what a person who sees the control reads of its error: no name of the
// control or of an argument, and no value, which stand beside it.
func says(err error) string {
	if argument, ok := errors.AsType[*symmom.ArgumentError](err); ok {
		return oneLine("want " + argument.Want)
	}
	if value, ok := errors.AsType[*widgets.ValueError](err); ok {
		err = value.Err
	}
	return oneLine(operation.ReplaceAllString(err.Error(), ""))
}

// close ends what runs, and waits for it.
func (l *lab) close() {
	l.stop()
	l.latest.Wait()
}
