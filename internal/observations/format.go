package observations

import (
	"io"

	"symmom/internal/faults"
	"symmom/internal/files"
)

// gzipReader says in its errors that the compressed data are at fault.
type gzipReader struct {
	in input
	z  *files.Gzip
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(g.in, err)
	}
	return n, err
}

func gzipError(in input, err error) error {
	if said := faults.Gzip(in.Name, err); said != nil {
		return said
	}
	return in.readError(err)
}
