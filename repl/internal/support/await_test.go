package support

import (
	"io"
	"testing"
)

// A call that an interrupt ends, such as a read of the terminal, ends the cell: its error is
// not the cell's. Here, outside of a session, it ends the goroutine.
func TestCallEndedByAnInterrupt(t *testing.T) {
	for range 200 {
		interrupts := make(chan struct{})
		r := &Runtime{session: Session{Stderr: io.Discard, Interrupts: func() <-chan struct{} { return interrupts }}}
		goesOn := make(chan bool, 1)
		go func() {
			defer close(goesOn)
			r.await("read", func() { close(interrupts) })
			goesOn <- true
		}()
		if <-goesOn {
			t.Fatal("the cell goes on")
		}
	}
}
