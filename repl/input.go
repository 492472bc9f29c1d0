package repl

import (
	"io"
	"os"
)

// fileOf returns the file underlying a stream of a session, or nil.
func fileOf(stream any) *os.File {
	switch x := stream.(type) {
	case *os.File:
		return x
	case interface{ File() *os.File }:
		return x.File()
	}
	return nil
}

// inputStream is os.Stdin in the cells of a session whose input is not a file, such
// as that of a notebook. Cells that use it as a file compile, but do not read the
// session's input.
type inputStream struct {
	*os.File
	from io.Reader
}

func (i *inputStream) Read(p []byte) (int, error) { return i.from.Read(p) }

// WriteTo keeps io.Copy from reading the file.
func (i *inputStream) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{i.from})
}
