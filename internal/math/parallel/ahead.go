package parallel

import (
	"context"
	"io"
)

// Ahead calls do with one block after the other while read fills the next one, in two
// buffers. The error of read is io.EOF with the last block, for which Ahead returns nil, or
// why there is none. When ctx ends, Ahead returns its error at once: then a call of read may
// go on, and the buffer is its own. end is called after the last call of read.
func Ahead[T any](ctx context.Context, buffers [2]T, read func(T) error, do func(T), end func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type block struct {
		buffer T
		err    error
	}
	full, free := make(chan block), make(chan T, len(buffers))
	for _, b := range buffers {
		free <- b
	}
	go func() {
		defer end()
		for {
			var b block
			select {
			case b.buffer = <-free:
			case <-ctx.Done():
				return
			}
			b.err = read(b.buffer)
			select {
			case full <- b:
			case <-ctx.Done():
				return
			}
			if b.err != nil {
				return
			}
		}
	}()
	for {
		var b block
		select {
		case b = <-full:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.err != nil && b.err != io.EOF {
			return b.err
		}
		do(b.buffer)
		if b.err == io.EOF {
			return ctx.Err() // at which do may have left out what it saw
		}
		free <- b.buffer
	}
}
