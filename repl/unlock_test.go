package repl

import (
	"strings"
	"testing"
)

// Unlocking what is not locked ends the cell; in Go it ends the process.
func TestUnlockOfUnlocked(t *testing.T) {
	s := newSession(t)
	s.must(t, `import "sync"
var mu sync.Mutex
var rw sync.RWMutex
type counter struct { sync.Mutex; n int }
var c counter
func twice() { mu.Lock(); defer mu.Unlock(); mu.Unlock() }`)
	for source, want := range map[string]string{
		"mu.Unlock()":                    "sync: unlock of unlocked mutex",
		"c.Unlock()":                     "sync: unlock of unlocked mutex",
		"twice()":                        "sync: unlock of unlocked mutex",
		"func() { defer mu.Unlock() }()": "sync: unlock of unlocked mutex",
		"rw.Unlock()":                    "sync: Unlock of unlocked RWMutex",
		"rw.RLock(); rw.Unlock()":        "sync: Unlock of unlocked RWMutex",
		"func() { defer rw.RUnlock(); rw.RUnlock() }()": "sync: RUnlock of unlocked RWMutex",
	} {
		if e := s.fails(t, source); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %s, want %s", source, e.Report(), want)
		}
		s.must(t, "rw = sync.RWMutex{}")
	}
	// A locked mutex is unlocked, by many.
	if got := s.must(t, `var wg sync.WaitGroup
n, m := 0, 0
for range 8 {
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 100 {
			mu.Lock()
			n++
			mu.Unlock()
			rw.RLock()
			rw.RUnlock()
			func() { rw.Lock(); defer rw.Unlock(); m++ }()
			c.Lock()
			c.n++
			c.Unlock()
		}
	}()
}
wg.Wait()
n + m + c.n`); got != "2400" {
		t.Error(got)
	}
}
