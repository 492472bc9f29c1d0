package formats

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"symmom/internal/data/columnar"
	"symmom/internal/store/files"
	"symmom/internal/store/interruptible"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
)

// bufferSize is large enough that a check of the context for each fill costs
// nothing and small enough that parsing one takes a few milliseconds.
const bufferSize = 256 << 10

// Input is a source being read. Its reader fails with the context's error soon
// after the context ends.
type Input struct {
	Budget
	R      *bufio.Reader
	Length int64 // bytes from where R began to its end; -1: unknown, or not to be trusted

	// Summed says that a checksum is compared when the end is reached.
	Summed bool
}

// NewInput reads r, of that name in messages, within a limit of memory.
func NewInput(ctx context.Context, r io.Reader, name string, limit uint64) Input {
	size := files.Remaining(r)
	if size < 0 && ctx.Done() != nil {
		r = interruptible.NewPump(ctx, r, bufferSize)
	}
	return Input{Budget: Budget{Name: name, Limit: limit, Size: max(0, size)}, R: Buffered(interruptible.NewReader(ctx, r)), Length: size}
}

// Named is for messages alone.
func Named(name string) Input { return Input{Budget: Budget{Name: name}} }

// Peek returns the first n bytes without consuming them, fewer if the input is shorter.
func (in Input) Peek(n int) ([]byte, error) {
	b, err := in.R.Peek(n)
	if err == io.EOF {
		err = nil
	}
	if err != nil {
		err = in.ReadError(err)
	}
	return b, err
}

// ReadError reports an error of the underlying reader.
func (in Input) ReadError(err error) error {
	var helped *diag.Error
	var failure *diag.Failure
	var large *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &helped):
		return helped
	case errors.As(err, &failure):
		return failure
	case errors.As(err, &large):
		return large
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fail(in.Name, "reading stopped: %w", err)
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err // the name is there already
	}
	return fail(in.Name, "reading failed: %w", err)
}

// ColumnarError names the file in an error of one of its columns.
func (in Input) ColumnarError(err error) error {
	var place *columnar.Error
	var large *memory.Error
	var failure *diag.Failure
	switch {
	case errors.As(err, &large):
		return large
	case errors.As(err, &failure), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return in.ReadError(err)
	case errors.As(err, &place):
		return fail(in.Name, "%w", place)
	case errors.Is(err, columnar.ErrLeftOut):
		return fail(in.Name, "%w", err)
	}
	return fail(in.Name, "%w; write or copy the file again", err)
}

// readerAt gives random access to the bytes that in has from its beginning on. r is what in
// reads from, for an access of its own; nil, or a stream, means that they are read into memory.
func (in Input) readerAt(r io.Reader) (io.ReaderAt, int64, error) {
	if in.Length >= 0 {
		if at, ok := files.At(r, in.Length); ok {
			return at, in.Length, nil
		}
	}
	b, err := in.ReadAll(in.R)
	if err != nil {
		return nil, 0, in.ReadError(err)
	}
	return bytes.NewReader(b), int64(len(b)), nil
}

// Buffered returns a reader that peeks far enough.
func Buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, bufferSize) }

func fail(source, format string, args ...any) error { return diag.Fail(source, format, args...) }

func empty(source, format string, args ...any) error { return diag.Empty(source, format, args...) }

// gunzipped takes gzip off.
func (in Input) gunzipped() (Input, error) {
	packed := &counted{r: in.R}
	z, err := files.NewGzip(Buffered(packed))
	if err != nil {
		return in, gzipError(in, err)
	}
	// The size announced by compressed bytes is unknown until they are inflated.
	of := in.Budget
	of.Direct = of.Size
	return Input{Budget: of, R: Buffered(&gzipReader{in: in, z: z, packed: packed}), Length: -1, Summed: true}, nil
}

// gzipReader says in its errors that the compressed data are at fault.
type gzipReader struct {
	in     Input
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

func gzipError(in Input, err error) error {
	if damage := diag.Gzip(in.Name, err); damage != nil {
		return damage
	}
	return in.ReadError(err)
}
