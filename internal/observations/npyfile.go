package observations

import (
	"context"
	"io"
	"os"

	"symmom/internal/files"
	"symmom/internal/linalg"
	"symmom/internal/notice"
	"symmom/internal/npy"
	"symmom/internal/sweep"
)

// inParts returns the file that in reads from, if the values have their places in it and
// in memory. Objects in a store are better read from one end to the other.
func (e *elements) inParts(r io.Reader, h npy.Header, p, n int, o Options) (io.ReaderAt, bool) {
	if _, ok := r.(*os.File); !ok || !e.known || e.total == 0 || o.wanted().Selects() || h.Fortran && p > 1 && n > 1 || o.Float32 && !e.dtype.Native("f4") {
		return nil, false
	}
	return files.At(r, e.in.size)
}

// readParts reads an array in C order on all processors, and looks at each part while it is
// in the cache.
func (e *elements) readParts(ctx context.Context, f io.ReaderAt, h npy.Header, p, n int, o Options) (t *table, err error) {
	if t, err = e.room(p, n, false, o); err != nil {
		return nil, err
	}
	size := int64(e.dtype.Size)
	if e.in.size > h.Length+int64(e.total)*size {
		t.notes = []notice.Warning{moreBytes}
	}
	if o.Float32 {
		t.values32 = make([]float32, e.total)
	} else {
		t.values = make([]float64, e.total)
	}
	linalg.LargePages(t.values)
	linalg.LargePages(t.values32)
	parts := &npy.Parts{File: f, Offset: h.Length, Dtype: e.dtype}
	t.swept, err = sweep.Of(ctx, sweep.Table{P: p, N: n, V: t.values, V32: t.values32, Fill: func(v []float64, v32 []float32, from int) error {
		got, err := parts.Read(v, v32, from)
		if err == io.ErrUnexpectedEOF {
			return e.truncated(int64(from)*size+int64(got), h.ShapeString())
		}
		return err
	}})
	if err != nil {
		return nil, e.in.readError(err)
	}
	return t, nil
}
