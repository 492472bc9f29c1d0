package observations

import (
	"context"
	"os"
)

// openFile is os.Open, except for what is no regular file it obeys the context: a
// named pipe is not open until its other end is.
func openFile(ctx context.Context, path string) (*os.File, error) {
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

// ReadFile reads a whole file that is not a table, such as a model, which takes
// copies times its size to understand. Memory is held against what is free.
func ReadFile(ctx context.Context, path string, copies float64) ([]byte, error) {
	name := oneLine(path)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, OpenError(name, err)
	}
	defer f.Close()
	in := newInput(ctx, f, name, 0)
	if in.size > 0 {
		if err := in.room("its contents", copies*float64(in.size), 0); err != nil {
			return nil, err
		}
	}
	data, err := in.readAll(in.r)
	if err != nil {
		return nil, in.readError(err)
	}
	return data, in.room("its contents", copies*float64(len(data)), 0)
}
