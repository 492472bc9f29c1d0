package repl

import (
	"io"
	"os"
)

// fileOf is the file that a stream of a session is, or nil.
func fileOf(stream any) *os.File {
	switch x := stream.(type) {
	case *os.File:
		return x
	case interface{ File() *os.File }:
		return x.File()
	}
	return nil
}

// inputStream is os.Stdin in the cells of a session that reads from something
// else than a file, such as a person at a notebook. What a cell may do with a
// file compiles; reading is done elsewhere.
type inputStream struct {
	*os.File
	from io.Reader
}

func (i *inputStream) Read(p []byte) (int, error) { return i.from.Read(p) }

// WriteTo keeps io.Copy from reading the file.
func (i *inputStream) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{i.from})
}
