package fit

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment/block"
)

// tracker tracks the state of a decomposition and reports it to the progress function.
// Several runs can report to it at a time.
type tracker struct {
	progress progress.Func // nil: no progress reports
	rank     int
	began    time.Time
	passes   atomic.Int64 // over the table, in all phases

	mu          sync.Mutex // guards what follows, and calls of progress
	phase       string
	phases      []progress.PhaseTime // those that ended
	phaseBegan  time.Time            // of the one that has not
	passesThen  int64                // before it
	pass        int                  // in this phase
	seen        float64              // share of the pass read
	starts      int                  // currently planned
	done        int                  // starts that have ended
	evaluations int
	best        float64 // lowest f, in the user's units; NaN at first
	failure     error   // that ended the run
}

// begin begins a phase.
func (t *tracker) begin(phase string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.close()
	t.phase, t.pass, t.seen = phase, 0, 0
	t.moved()
}

// close adds what the phase has taken so far to the phases, and begins to count anew.
// t.mu must be held.
func (t *tracker) close() {
	now, passes := time.Now(), t.passes.Load()
	if t.phase != "" {
		t.phases = progress.Add(t.phases, progress.PhaseTime{Phase: t.phase, Elapsed: now.Sub(t.phaseBegan), Passes: int(passes - t.passesThen)})
	}
	t.phaseBegan, t.passesThen = now, passes
}

// times returns the durations of the phases, in the order in which they began.
func (t *tracker) times() []progress.PhaseTime {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.close()
	return slices.Clone(t.phases)
}

// count counts an evaluation.
func (t *tracker) count() {
	t.mu.Lock()
	t.evaluations++
	t.mu.Unlock()
}

// try sets the number of starts to be tried.
func (t *tracker) try(starts int) {
	t.mu.Lock()
	t.starts = starts
	t.mu.Unlock()
}

// restart begins a search from so many starts, of which some are done: of others before it,
// none counts.
func (t *tracker) restart(starts, done int) {
	t.mu.Lock()
	t.starts, t.done = starts, done
	t.mu.Unlock()
}

// begun returns the number of starts to be tried.
func (t *tracker) begun() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.starts
}

// report reports an iteration of start k, which has taken so many evaluations and after
// which the objective is f in the user's units, or the end of that start by itself.
func (t *tracker) report(k, iterations, evaluations int, f float64, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f < t.best || math.IsNaN(t.best) {
		t.best = f
	}
	polishing := t.phase == progress.Polish
	if ended && !polishing {
		t.done++
	}
	p := progress.Report{Start: k, StartsDone: t.done, Iterations: iterations, StartEvaluations: evaluations, Objective: f, Remaining: -1}
	if elapsed := time.Since(t.began); t.done > 0 && !polishing {
		p.Remaining = elapsed * time.Duration(t.starts-t.done) / time.Duration(t.done)
	}
	t.tell(p)
}

// correct replaces the lowest f if it was an estimate.
func (t *tracker) correct(best float64) {
	t.mu.Lock()
	t.best = best
	t.mu.Unlock()
}

// fail ends the run with an error.
func (t *tracker) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failure == nil {
		t.failure = err
	}
}

// failed returns that error, or nil.
func (t *tracker) failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure
}

// end makes the last report, which is of the best start, if there were any, and says
// whether the run was stopped.
func (t *tracker) end(best progress.Report, stopped bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.phase != "" {
		best.StartsDone, best.Done, best.Stopped = t.done, true, stopped
		t.tell(best)
	}
}

// moved reports that work continues, without an iteration. t.mu must be held.
func (t *tracker) moved() {
	t.tell(progress.Report{Objective: math.NaN(), StartsDone: t.done, Remaining: -1})
}

// tell completes a progress report and delivers it. t.mu must be held.
func (t *tracker) tell(p progress.Report) {
	if t.progress == nil {
		return
	}
	p.Rank, p.Starts, p.Evaluations = t.rank, t.starts, t.evaluations
	p.Phase, p.Pass, p.Seen, p.Polishing = t.phase, t.pass, t.seen, t.phase == progress.Polish
	p.Best, p.Elapsed = t.best, time.Since(t.began)
	t.progress(p)
}

// observations returns the table's observations, whose passes are counted and
// reported: passes over data on disk are reported block by block.
func (c *plan) observations() block.Source {
	if x, ok := c.m.Table.Storage.(block.Far); ok {
		return far{x, c.tracker}
	}
	return &watched{c.counted(), c.tracker}
}

// counted returns the table's observations, whose passes are counted: for many short
// passes in parallel.
func (c *plan) counted() block.Source {
	if x, ok := c.m.Table.Storage.(block.Far); ok {
		return far{x, c.tracker}
	}
	return counted{c.m.Table.Storage, c.tracker}
}

// far is both for observations on other machines.
type far struct {
	block.Far
	t *tracker
}

func (x far) Pass(ctx context.Context, do func(block.Block)) bool {
	x.t.next()
	return x.Far.Pass(ctx, do)
}

func (x far) Sum(ctx context.Context, p block.Pass, _ func(float64)) ([]float64, bool) {
	x.t.next()
	return x.Far.Sum(ctx, p, x.t.see)
}

// next begins a pass that is counted and reported.
func (t *tracker) next() {
	t.passes.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass++
	t.seen = 0
	t.moved()
}

// see reports the share of the pass that is done.
func (t *tracker) see(share float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = share
	t.moved()
}

type counted struct {
	block.Source
	t *tracker
}

func (x counted) Pass(ctx context.Context, do func(block.Block)) bool {
	x.t.passes.Add(1)
	return x.Source.Pass(ctx, do)
}

type watched struct {
	block.Source
	t *tracker
}

func (w *watched) Pass(ctx context.Context, do func(block.Block)) bool {
	t := w.t
	t.mu.Lock()
	t.pass++
	t.seen = 0
	t.moved()
	t.mu.Unlock()
	p, _ := w.Shape()
	if w.BlockRows() == p { // one block
		return w.Source.Pass(ctx, do)
	}
	rows := 0
	return w.Source.Pass(ctx, func(b block.Block) {
		do(b)
		rows += b.Rows
		t.mu.Lock()
		defer t.mu.Unlock()
		t.seen = float64(rows) / float64(p)
		t.moved()
	})
}
