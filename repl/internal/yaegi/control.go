// Package yaegi accesses unexported fields of the interpreter, for operations that it
// does not offer: stopping and resuming it, releasing unneeded memory, holding types
// that refer to themselves, and finding the origin of a panic. The fields are those of v0.16.1. If a version differs,
// NewControl reports it, and the other functions do nothing; tests check the version
// in use.
package yaegi

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Control stops and resumes the interpreter.
//
// yaegi can be stopped by the context of EvalWithContext, but not resumed: a function
// value made before the interrupt does nothing when it is called afterwards, because
// it carries the ID of the run in which it was made, and waits for channels with the
// signal of that run. So here all cells are one run with one signal. To stop the run,
// its ID is changed, which ends all code between two steps, and everything that waits
// for a channel is woken by one value each; when all code has ended, the ID is
// restored. ID and signal are unexported fields of the interpreter; a test checks
// them for the version in use.
type Control struct {
	run   *uint64
	going uint64 // its value unless the run is stopped
	stops atomic.Uint64
	Done  chan struct{}
}

var (
	runField, runKnown   = reflect.TypeFor[interp.Interpreter]().FieldByName("id")
	doneField, doneKnown = reflect.TypeFor[interp.Interpreter]().FieldByName("done")
)

// NewControl returns the control of an interpreter and declares variables of type int
// at its top level.
func NewControl(i *interp.Interpreter, names ...string) (*Control, error) {
	if !runKnown || runField.Type.Kind() != reflect.Uint64 || !doneKnown || doneField.Type != reflect.TypeFor[chan struct{}]() {
		return nil, errors.New("interpreter: this version of yaegi has another form than the session expects")
	}
	// This creates the signal and makes channel operations wait for it too. The first
	// variable takes the first slot at the top level: yaegi looks there after
	// declarations, and must not find one of the user's variables.
	if _, err := i.EvalWithContext(context.Background(), "var "+strings.Join(names, ", ")+" int"); err != nil {
		return nil, err
	}
	at := func(f reflect.StructField) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(i), f.Offset) }
	run := (*uint64)(at(runField))
	return &Control{run: run, going: *run, Done: *(*chan struct{})(at(doneField))}, nil
}

// Stop ends all interpreted code, including goroutines of earlier cells, and wakes
// it from channel operations until ended is closed or patience has passed. It
// reports whether ended was closed.
func (c *Control) Stop(ended <-chan struct{}, patience time.Duration) bool {
	c.stops.Add(1)
	atomic.AddUint64(c.run, 1)
	limit := time.After(patience)
	for {
		select {
		case <-ended:
			return true
		case c.Done <- struct{}{}:
		case <-limit:
			return false
		}
	}
}

// Resume lets code run again. Code that Stop has not ended continues.
func (c *Control) Resume() { atomic.AddUint64(c.run, ^uint64(0)) }

// Stopped reports whether the run is stopped: interpreted functions that compiled code
// calls then return at once, with whatever result.
func (c *Control) Stopped() bool { return atomic.LoadUint64(c.run) != c.going }

// Stops counts how often code was stopped: what was running then may have ended early.
func (c *Control) Stops() uint64 { return c.stops.Load() }

// NoFiles is the interpreter's file system: cells import no packages from source.
type NoFiles struct{}

func (NoFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
