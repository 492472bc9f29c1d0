package widgets

import "sync"

// Latest runs a function for requests that may come faster than it runs: requests
// during a run lead to one more run, not to one each. So a function that reads the
// values of controls when it begins always ends with the last ones.
type Latest struct {
	mu              sync.Mutex
	run             func()
	running, wanted bool
	idle            *sync.Cond
}

// NewLatest returns a Latest that calls run, one call at a time; nil, as of the zero
// value, is a function that does nothing.
func NewLatest(run func()) *Latest { return &Latest{run: run} }

// Ask requests a run and returns at once.
func (l *Latest) Ask() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted = l.run != nil
	if l.wanted && !l.running {
		l.running = true
		go l.work()
	}
}

func (l *Latest) work() {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { // also if the function ends the goroutine
		l.running = false
		if l.idle != nil { // somebody waits
			l.idle.Broadcast()
		}
	}()
	for l.wanted {
		l.wanted = false
		l.unlocked()
	}
}

// unlocked runs the function with the mutex unlocked.
func (l *Latest) unlocked() {
	l.mu.Unlock()
	defer l.mu.Lock()
	l.run()
}

// Wait waits until every run that was requested has ended.
func (l *Latest) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.running {
		if l.idle == nil {
			l.idle = sync.NewCond(&l.mu)
		}
		l.idle.Wait()
	}
}

// watchers are functions to call on changes.
type watchers struct {
	mu   sync.Mutex
	next int
	all  map[int]func()
}

func (w *watchers) add(f func()) (remove func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int]func(){}
	}
	n := w.next
	w.next++
	w.all[n] = f
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, n)
	}
}

func (w *watchers) tell() {
	w.mu.Lock()
	var all []func()
	for n := range w.next {
		if f := w.all[n]; f != nil {
			all = append(all, f)
		}
	}
	w.mu.Unlock()
	for _, f := range all {
		f()
	}
}
