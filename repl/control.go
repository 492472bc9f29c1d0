package repl

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/traefik/yaegi/interp"
)

// control stops the interpreter. yaegi can be stopped only through the
// context of one of its ...WithContext calls, and those return at once while
// the code may still be running; when that ends they do not tell (and the
// race detector finds their results being written then). So the code is run
// by plain Execute, which tells when it ends, and beside it stands a call of
// EvalPathWithContext that does nothing but wait for the file system, which
// is this one, until it is let go or its context is cancelled.
type control struct {
	armed   chan struct{} // receives one value when a call waits
	release chan struct{} // lets it go
}

func newControl() *control {
	return &control{armed: make(chan struct{}), release: make(chan struct{})}
}

// arm prepares the interpreter to be stopped. stop ends all interpreted code
// between two steps, goroutines of earlier cells too, and wakes it from
// channel operations; disarm must be called otherwise.
func (c *control) arm(i *interp.Interpreter) (stop, disarm func()) {
	ctx, cancel := context.WithCancel(context.Background())
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		// The error is the one of ReadFile below, or that of ctx.
		_, _ = i.EvalPathWithContext(ctx, baseName)
	}()
	<-c.armed
	stop = func() {
		cancel()
		<-returned
		c.release <- struct{}{}
	}
	disarm = func() {
		c.release <- struct{}{}
		<-returned
		cancel()
	}
	return stop, disarm
}

var errNoFile = errors.New("no files here")

// Stat makes control a file system that holds up its caller.
func (c *control) Stat(name string) (fs.FileInfo, error) {
	if name != baseName {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	c.armed <- struct{}{}
	<-c.release
	return regularFile{}, nil
}

// ReadFile fails, so that nothing is evaluated.
func (c *control) ReadFile(string) ([]byte, error) { return nil, errNoFile }

// Open finds nothing: a session imports no packages from source.
func (c *control) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// regularFile is what fs.Stat must see for EvalPath to go on to ReadFile.
type regularFile struct{}

func (regularFile) Name() string       { return baseName }
func (regularFile) Size() int64        { return 0 }
func (regularFile) Mode() fs.FileMode  { return 0o444 }
func (regularFile) ModTime() time.Time { return time.Time{} }
func (regularFile) IsDir() bool        { return false }
func (regularFile) Sys() any           { return nil }
