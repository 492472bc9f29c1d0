package parallel

import (
	"sync/atomic"
	"time"
)

// If another program takes a core, the goroutine on it may be suspended for
// milliseconds, the time of many short calls. So the gains and losses of such calls by
// helpers are booked for the whole program; when the losses exceed the gains, short
// calls are not shared for a while.
type account struct {
	alone     atomic.Int64 // until this time since epoch
	saved     atomic.Int64 // by the calls shared since, in nanoseconds, up to mostSaved
	doublings atomic.Int32 // of the next time alone
}

// shared is the account of the program, which starts with a full balance.
var shared = newAccount()

func newAccount() *account {
	a := &account{}
	a.saved.Store(int64(mostSaved))
	return a
}

// epoch is the zero of alone.
var epoch = time.Now()

const (
	// shortCall bounds these calls: those that take longer lose less than they gain.
	shortCall = 2 * time.Millisecond
	// mostSaved bounds the loss after a long series of gains, and mostLost the loss of
	// one call: if it takes longer, the whole machine was suspended.
	mostSaved, mostLost = 5 * time.Millisecond, 4 * time.Millisecond
	// trial is the loss allowed when sharing resumes: helpers that start take longer to
	// get to their cores than some calls.
	trial = 500 * time.Microsecond
	// Calls are not shared for this multiple of the loss plus the trial, and twice as long
	// each time until the balance is full: trying costs 5% at first, and then less.
	aloneTimes, mostDoublings = 20, 5
)

// closed reports whether short calls are not shared at a time since epoch.
func (a *account) closed(now time.Duration) bool { return int64(now) < a.alone.Load() }

// book books the time gained or lost by the helpers of a call that ended now.
func (a *account) book(now, saved time.Duration) {
	total := a.saved.Add(int64(max(saved, -mostLost)))
	switch {
	case total >= int64(mostSaved):
		a.saved.Store(int64(mostSaved))
		a.doublings.Store(0)
	case total < 0 && a.saved.CompareAndSwap(total, int64(trial)):
		doublings := min(a.doublings.Add(1)-1, mostDoublings)
		a.alone.Store(int64(now) + aloneTimes*(int64(trial)-total)<<doublings)
	}
}

// pace is how long calls take that are the same work again and again.
type pace struct {
	least time.Duration // of the shared calls
	job   time.Duration // of a job of worker 0 in these, the least
	alone time.Duration // of the calls that were not shared, about the median; 0 before
}

// short reports whether the calls are known to be short.
func (p *pace) short() bool { return 0 < p.least && p.least < shortCall }

// saved returns what helpers have saved a call that took so long, whose jobs took worker 0
// so long each, and whether it is short.
func (p *pace) saved(took, job time.Duration, jobs int) (saved time.Duration, short bool) {
	if p.least == 0 {
		p.least, p.job = took, job
	}
	p.least, p.job = min(p.least, took), min(p.job, job)
	if p.alone != 0 {
		return p.alone - took, p.short()
	}
	return p.job*time.Duration(jobs) - took, p.short()
}

// tookAlone follows the median.
func (p *pace) tookAlone(took time.Duration) {
	switch step := p.alone / 32; {
	case p.alone == 0:
		p.alone = took
	case took > p.alone:
		p.alone += step
	default:
		p.alone -= step
	}
}
