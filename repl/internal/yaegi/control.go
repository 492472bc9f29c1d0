// Package yaegi reaches into the interpreter, for what it does not offer: to be
// stopped and go on, to let go of what is not needed, to name where a panic came
// from. Where a version has another form than that it was read from, v0.16.1,
// NewControl says so, and the rest does nothing; tests hold it to the version in
// use.
package yaegi

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Control stops the interpreter, and lets it go on.
//
// yaegi has a way to be stopped of its own, the context of EvalWithContext,
// but no way back: a function value that was made before the interrupt does
// nothing when it is called afterwards, because each carries the run that it
// was made in, and waits for channels with the signal of that run. So here
// all cells are one run with one signal. To stop it the number of the run is
// changed, at which all code ends between two steps, and everything that waits
// for a channel is woken by a value each; when all have ended the number is
// put back. Number and signal are fields of the interpreter that it does not
// export; a test holds them to the version in use.
type Control struct {
	run  *uint64
	Done chan struct{}
}

var (
	runField, runKnown   = reflect.TypeFor[interp.Interpreter]().FieldByName("id")
	doneField, doneKnown = reflect.TypeFor[interp.Interpreter]().FieldByName("done")
)

// NewControl makes the control of an interpreter, with a variable of that name at
// its top.
func NewControl(i *interp.Interpreter, first string) (*Control, error) {
	if !runKnown || runField.Type.Kind() != reflect.Uint64 || !doneKnown || doneField.Type != reflect.TypeFor[chan struct{}]() {
		return nil, errors.New("interpreter: this version of yaegi has another form than the session expects")
	}
	// This makes the signal, and has channels waited for together with it. The
	// variable takes the first place at the top: yaegi looks into that one when
	// it has declared something, and must not meet a variable of the user's.
	if _, err := i.EvalWithContext(context.Background(), "var "+first+" int"); err != nil {
		return nil, err
	}
	at := func(f reflect.StructField) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(i), f.Offset) }
	return &Control{run: (*uint64)(at(runField)), Done: *(*chan struct{})(at(doneField))}, nil
}

// Stop ends all interpreted code, goroutines of earlier cells too, and wakes
// it from channel operations until ended is closed or patience is at its end.
// It reports whether ended was closed.
func (c *Control) Stop(ended <-chan struct{}, patience time.Duration) bool {
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

// Resume lets code run again. What stop has not ended goes on.
func (c *Control) Resume() { atomic.AddUint64(c.run, ^uint64(0)) }

// NoFiles is the file system of the interpreter: cells import no packages
// from source.
type NoFiles struct{}

func (NoFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
