package yaegi

import (
	"sync"
	"testing"
	"time"
)

// wide takes 128 kB of stack and waits.
//
//go:noinline
func wide(ready *sync.WaitGroup, wait <-chan struct{}) byte {
	var b [100 << 10]byte
	ready.Done()
	<-wait
	return b[time.Now().Second()]
}

//go:noinline
func recurse(n int, wait <-chan struct{}) byte {
	var b [1 << 10]byte
	if n == 0 {
		<-wait
		return 0
	}
	return recurse(n-1, wait) + b[n%len(b)]
}

// TestWatchStack: many goroutines are no recursion, and do not hide one.
func TestWatchStack(t *testing.T) {
	done, overflow, wait := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer close(done)
	watching := make(chan struct{})
	go WatchStack(done, overflow, func() { close(watching) })
	<-watching
	var ready, ended sync.WaitGroup
	for range 5000 { // 640 MB
		ready.Add(1)
		ended.Go(func() { wide(&ready, wait) })
	}
	ready.Wait()
	if size := stackBytes(); size < stackMost {
		t.Fatalf("stacks take %d bytes", size)
	}
	select {
	case <-overflow:
		t.Fatal("many goroutines are taken for a recursion")
	case <-time.After(100 * stackPeriod):
	}
	ended.Go(func() { recurse(300_000, wait) })
	<-overflow
	close(wait)
	ended.Wait()
}
