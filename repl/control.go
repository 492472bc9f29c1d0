package repl

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

// control stops the interpreter, and lets it go on.
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
type control struct {
	run  *uint64
	done chan struct{}
}

var (
	runField, runKnown   = reflect.TypeFor[interp.Interpreter]().FieldByName("id")
	doneField, doneKnown = reflect.TypeFor[interp.Interpreter]().FieldByName("done")
)

func newControl(i *interp.Interpreter, first string) (*control, error) {
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
	return &control{run: (*uint64)(at(runField)), done: *(*chan struct{})(at(doneField))}, nil
}

// stop ends all interpreted code, goroutines of earlier cells too, and wakes
// it from channel operations until ended is closed or patience is at its end.
// It reports whether ended was closed.
func (c *control) stop(ended <-chan struct{}, patience time.Duration) bool {
	atomic.AddUint64(c.run, 1)
	limit := time.After(patience)
	for {
		select {
		case <-ended:
			return true
		case c.done <- struct{}{}:
		case <-limit:
			return false
		}
	}
}

// resume lets code run again. What stop has not ended goes on.
func (c *control) resume() { atomic.AddUint64(c.run, ^uint64(0)) }

// noFiles is the file system of the interpreter: cells import no packages
// from source.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
