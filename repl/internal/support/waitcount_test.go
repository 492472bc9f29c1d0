package support

import (
	"sync"
	"testing"
	"time"

	"symmom/internal/test/sessiontest"
)

// waitCount reads a field that sync does not export.
func TestWaitCount(t *testing.T) {
	if !counterKnown {
		t.Fatal("sync.WaitGroup has no field state in this version of Go")
	}
	var wg sync.WaitGroup
	wg.Add(3)
	if n := waitCount(&wg); n != 3 {
		t.Errorf("%d, want 3", n)
	}
	go func() { time.Sleep(time.Millisecond); wg.Add(-2) }()
	go wg.Wait() // a waiter is not counted
	sessiontest.Awaits(t, "the count is not 1", func() bool { return waitCount(&wg) == 1 })
	wg.Done()
}
