package observations

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// gzipReader says in its errors that the compressed data are at fault.
type gzipReader struct {
	in input
	z  *gzip.Reader
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(g.in, err)
	}
	return n, err
}

func gzipError(in input, err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail(in.name, "the gzip data are cut off; copy or compress the file again")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fail(in.name, "the gzip data are damaged (%w); copy or compress the file again", err)
	}
	return in.readError(err)
}
