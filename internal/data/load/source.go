package load

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"symmom/internal/store/files"
	"symmom/internal/store/interruptible"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
)

// bufferSize is large enough that a check of the context for each fill costs
// nothing and small enough that parsing one takes a few milliseconds.
const bufferSize = 256 << 10

// input is a source being read. Its reader fails with the context's error soon
// after the context ends.
type input struct {
	Budget
	r    *bufio.Reader
	size int64 // bytes from where r began to its end; -1: unknown, or not to be trusted

	// summed says that a checksum is compared when the end is reached.
	summed bool
}

func newInput(ctx context.Context, r io.Reader, name string, limit uint64) input {
	size := files.Remaining(r)
	if size < 0 && ctx.Done() != nil {
		r = interruptible.NewPump(ctx, r, bufferSize)
	}
	return input{Budget: Budget{Name: name, Limit: limit, Size: max(0, size)}, r: bufioReader(interruptible.NewReader(ctx, r)), size: size}
}

// named is for messages alone.
func named(name string) input { return input{Budget: Budget{Name: name}} }

// peek returns the first n bytes without consuming them, fewer if the input is shorter.
func (in input) peek(n int) ([]byte, error) {
	b, err := in.r.Peek(n)
	if err == io.EOF {
		err = nil
	}
	if err != nil {
		err = in.readError(err)
	}
	return b, err
}

// readError reports an error of the underlying reader.
func (in input) readError(err error) error {
	var failure *diag.Failure
	var large *memory.Error
	switch {
	case err == nil:
		return nil
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

func bufioReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, bufferSize) }
