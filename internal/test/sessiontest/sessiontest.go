// Package sessiontest contains helpers shared by the tests of sessions.
package sessiontest

import (
	"bytes"
	"context"
	"regexp"
	"sync"
	"testing"
	"time"
)

const (
	// Enough is how long a test waits for an event, on a busy machine too.
	Enough = 5 * time.Minute
	// Promised is how long an interrupted cell may go on, not counting delays by a
	// busy machine.
	Promised = time.Second
)

// Escapes are control sequences of terminals.
var Escapes = regexp.MustCompile(`\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>78])`)

// Comes waits until a condition holds and reports whether it did.
func Comes(ctx context.Context, holds func() bool) bool {
	for begin := time.Now(); !holds(); time.Sleep(2 * time.Millisecond) {
		if ctx.Err() != nil || time.Since(begin) > Enough {
			return false
		}
	}
	return true
}

// Awaits is like Comes for conditions that a test requires.
func Awaits(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !Comes(t.Context(), holds) {
		t.Fatal(what)
	}
}

// Buffer is a bytes.Buffer that goroutines may share.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String returns all that was written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
