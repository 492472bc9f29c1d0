package files

import (
	"context"
	"io"
	"os"

	"symmom/internal/system/origin"
)

type tellKey struct{}

// Telling returns a context that is told of each file and object that WriteFunc writes for the
// goroutines that have it as their origin: its name, and its size in bytes.
func Telling(ctx context.Context, tell func(name string, size int64)) context.Context {
	return context.WithValue(ctx, tellKey{}, tell)
}

// told calls do, which writes to path, and tells of it.
func told(path string, write func(io.Writer) error, do func(write func(io.Writer) error) error) error {
	tell, _ := origin.Context().Value(tellKey{}).(func(string, int64))
	if tell == nil {
		return do(write)
	}
	size := int64(0)
	err := do(func(w io.Writer) error {
		size = 0
		return write(writerFunc(func(p []byte) (int, error) {
			n, err := w.Write(p)
			size += int64(n)
			return n, err
		}))
	})
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil // a pipe or a terminal
	}
	tell(Name(path), size)
	return nil
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
