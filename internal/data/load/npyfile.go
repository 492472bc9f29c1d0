package load

import (
	"context"
	"io"
	"os"

	"symmom/internal/data/npy"
	"symmom/internal/data/profile"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
)

// inPlaces reports whether the values have their places in the file that in reads from, in C
// order, and then sets parts: fill reads them on all processors. Objects in a store are
// better read from one end to the other.
func (e *elements) inPlaces(ctx context.Context, r io.Reader, h npy.Header) bool {
	if _, ok := r.(*os.File); !ok || !e.known || e.total == 0 {
		return false
	}
	f, ok := files.At(r, e.in.size)
	if ok {
		e.ctx, e.parts = ctx, &npy.Parts{File: f, Offset: h.Length, Dtype: e.dtype}
	}
	return ok
}

// readParts reads an array in C order on all processors, and looks at each part while it is
// in the cache.
func (e *elements) readParts(h npy.Header, p, n int, o Options) (t *table, err error) {
	if t, err = e.room(p, n, false, o); err != nil {
		return nil, err
	}
	t.notes, _ = e.rest()
	if o.Float32 {
		t.values32 = make([]float32, e.total)
	} else {
		t.values = make([]float64, e.total)
	}
	linalg.LargePages(t.values)
	linalg.LargePages(t.values32)
	t.swept, err = profile.Sweep(e.ctx, profile.Values{P: p, N: n, V: t.values, V32: t.values32, Fill: func(v []float64, v32 []float32, from int) error {
		got, err := e.parts.Read(v, v32, from)
		if err == io.ErrUnexpectedEOF {
			return e.truncated(int64(from)*int64(e.dtype.Size)+int64(got), h.ShapeString())
		}
		return err
	}})
	if err != nil {
		return nil, e.in.readError(err)
	}
	return t, nil
}

// Array is an NPY array of numbers in C order that is read some rows at a time.
type Array struct {
	Rows, Columns int
	e             *elements
	shape         string
}

// openArray opens the array that in reads from r, or returns nil for one in Fortran order.
func openArray(ctx context.Context, in input, r io.Reader, name string) (*Array, error) {
	e, h, p, n, err := newElements(in, name)
	if err != nil || h.Fortran && p > 1 && n > 1 {
		return nil, err
	}
	e.inPlaces(ctx, r, h)
	return &Array{p, n, e, h.ShapeString()}, nil
}

// Next reads the next rows, as many as to has room for.
func (a *Array) Next(to []float64) error {
	if err := a.e.fill(to); err != nil {
		return a.e.failed(err, a.shape)
	}
	return nil
}

// End checks what can only be checked after the last row.
func (a *Array) End() ([]diag.Warning, error) { return a.e.rest() }
