package load

import (
	"io"

	"symmom/internal/store/files"
	"symmom/internal/text/diag"
)

// gzipReader says in its errors that the compressed data are at fault.
type gzipReader struct {
	in     input
	z      *files.Gzip
	packed *counted // what z reads
	bytes  int64    // that it made of it
}

// counted counts the bytes that were read.
type counted struct {
	r     io.Reader
	bytes int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.bytes += int64(n)
	return n, err
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	g.bytes += int64(n)
	if large := g.in.Inflated(g.bytes, max(g.in.Size, g.packed.bytes)); large != nil {
		return 0, large
	}
	if err != nil && err != io.EOF {
		err = gzipError(g.in, err)
	}
	return n, err
}

func gzipError(in input, err error) error {
	if damage := diag.Gzip(in.Name, err); damage != nil {
		return damage
	}
	return in.readError(err)
}
