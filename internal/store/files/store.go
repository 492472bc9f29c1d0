package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// Store reads and writes objects. Its errors say in words of their own what is wrong
// and what to do; they hold nothing secret, and keep fs.ErrNotExist and the errors of
// a context.
type Store interface {
	// Stat describes an object.
	Stat(ctx context.Context, u URL) (Info, error)

	// Read returns n bytes of an object from off on, all that follow if n is
	// negative. It returns ErrChanged if the object is not the one of info any more.
	Read(ctx context.Context, u URL, info Info, off, n int64) (io.ReadCloser, error)

	// Create begins to write an object, which is there after Close.
	Create(ctx context.Context, u URL) (Writer, error)

	// List calls add for the objects whose keys begin with that of u, in any
	// order; with flat those without a slash after it.
	List(ctx context.Context, u URL, flat bool, add func(key string)) error
}

// Writer writes an object.
type Writer interface {
	io.WriteCloser
	Abort() // leaves things as they were
}

// Info describes an object.
type Info struct {
	Size     int64 // -1: unknown
	Modified time.Time
	Version  string // differs for other contents, unless ""
	Ranges   bool   // any bytes can be read; false: only all, in order
}

// ErrChanged says that an object is another one by now.
var ErrChanged = errors.New("the object changed while it was read; load it again")

// ErrDenied is the cause where a store knows who asks, and does not let them. Who may not
// do one thing may be allowed another.
var ErrDenied = fmt.Errorf("access is denied (%w)", fs.ErrPermission)

// stores are those of the schemes.
var stores = map[string]Store{}

// Register makes a store known, at the start of a program.
func Register(scheme string, s Store) { stores[scheme] = s }

// Problem is an error of a store that trying again does not cure.
type Problem struct {
	text  string
	cause error
}

func (p *Problem) Error() string { return p.text }
func (p *Problem) Unwrap() error { return p.cause }

// NewProblem makes a Problem with a cause, or nil.
func NewProblem(cause error, format string, args ...any) *Problem {
	return &Problem{fmt.Sprintf(format, args...), cause}
}

func problem(cause error, format string, args ...any) error {
	return NewProblem(cause, format, args...)
}
