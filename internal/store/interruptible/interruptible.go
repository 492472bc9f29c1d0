// Package interruptible reads until a context ends, and has the error of what a person
// stopped.
package interruptible

import (
	"context"
	"errors"
	"io"
	"os"
)

// Err is symmom.ErrInterrupted and repl.ErrInterrupted: cells test for it under either name.
var Err = errors.New("interrupted")

// NewReader returns a reader that checks its context before each read.
func NewReader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (c *reader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// Pump reads ahead in a goroutine, so that a read that blocks (a pipe, a
// terminal, a network) does not outlive its context. The goroutine ends with the
// context, or when the read it is in returns.
type Pump struct {
	ctx  context.Context
	full chan block
	free chan []byte
	now  block
}

type block struct {
	buf  []byte
	rest []byte
	err  error
}

// NewPump begins to read, size bytes at a time.
func NewPump(ctx context.Context, r io.Reader, size int) *Pump {
	p := &Pump{ctx: ctx, full: make(chan block), free: make(chan []byte, 2)}
	p.free <- make([]byte, size)
	p.free <- make([]byte, size)
	go func() {
		for {
			var b block
			select {
			case b.buf = <-p.free:
			case <-ctx.Done():
				return
			}
			var n int
			n, b.err = r.Read(b.buf)
			b.rest = b.buf[:n]
			select {
			case p.full <- b:
			case <-ctx.Done():
				return
			}
			if b.err != nil {
				return
			}
		}
	}()
	return p
}

func (p *Pump) Read(dst []byte) (int, error) {
	for len(p.now.rest) == 0 {
		if p.now.err != nil {
			return 0, p.now.err
		}
		if p.now.buf != nil {
			p.free <- p.now.buf
			p.now.buf = nil
		}
		select {
		case p.now = <-p.full:
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
	}
	n := copy(dst, p.now.rest)
	p.now.rest = p.now.rest[n:]
	return n, nil
}

// Watch checks a context now and then in a long loop over values.
type Watch struct {
	Ctx  context.Context
	next int
}

// Stopped returns the context's error; done is how many values were dealt with.
func (w *Watch) Stopped(done int) error {
	if done < w.next {
		return nil
	}
	w.next = done + 1<<18
	return w.Ctx.Err()
}

// Open is os.Open, except that for what is not a regular file it obeys the context: a
// named pipe is not open until its other end is.
func Open(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() || ctx.Done() == nil {
		return os.Open(path)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		select {
		case <-ctx.Done():
			if f != nil {
				f.Close()
			}
		default:
		}
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
