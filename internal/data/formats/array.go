package formats

import (
	"context"
	"errors"
	"io"
	"os"

	"symmom/internal/data/npy"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Array is an array of numbers, whose bytes In has.
type Array struct {
	In            Input
	Rows, Columns int
	Fortran       bool // column by column; false if that is the same
	Dtype         npy.Dtype
	Shape         string // in messages
	Known         bool   // the source surely has the data

	read   int64     // bytes
	buf    []byte    // raw elements
	file   io.Reader // what In reads from, or nil
	begins int64     // where in the file

	parts *npy.Parts      // if they are read from their places in a file, else nil
	ctx   context.Context // of that reading
}

// Total is the number of elements.
func (a *Array) Total() int { return a.Rows * a.Columns }

// InPlaces reports whether the values have their places in the file, in C order, and from
// then on they are read from there, on all processors. Objects in a store are better read
// from one end to the other.
func (a *Array) InPlaces(ctx context.Context) bool {
	if _, ok := a.file.(*os.File); !ok || !a.Known || a.Total() == 0 {
		return false
	}
	f, ok := files.At(a.file, a.In.Length)
	if ok {
		a.ctx, a.parts = ctx, &npy.Parts{File: f, Offset: a.begins, Dtype: a.Dtype}
	}
	return ok
}

// Part reads elements, from one on, to v or to v32, after InPlaces.
func (a *Array) Part(v []float64, v32 []float32, from int) error {
	got, err := a.parts.Read(v, v32, from)
	if err == io.ErrUnexpectedEOF {
		return a.truncated(int64(from)*int64(a.Dtype.Size) + int64(got))
	}
	return err
}

// Next reads as many elements as to has room for.
func (a *Array) Next(to []float64) error {
	err := a.fill(to)
	if err == io.ErrUnexpectedEOF {
		return a.truncated(a.read)
	}
	return a.In.ReadError(err)
}

var moreBytes = diag.New(diag.TrailingBytes, "there are more bytes after the array; only the first array of the file was read")

// End looks for what should not be there after an array.
func (a *Array) End() (notes []diag.Warning, err error) {
	if a.parts != nil {
		if a.In.Length > a.parts.Offset+int64(a.Total())*int64(a.Dtype.Size) {
			notes = append(notes, moreBytes)
		}
		return notes, nil
	}
	_, err = a.In.R.ReadByte()
	if err == nil {
		notes = append(notes, moreBytes)
		if a.In.Summed {
			_, err = io.Copy(io.Discard, a.In.R)
		}
	}
	if err != nil && err != io.EOF {
		return nil, a.In.ReadError(err)
	}
	return notes, nil
}

// openNPY reads the header of an NPY array, and checks it against the size of the source. r
// is what in reads from, or nil.
func openNPY(in Input, r io.Reader) (*Array, error) {
	h, err := npy.ReadHeader(in.R)
	a := &Array{In: in, Known: in.Length >= 0, file: r, begins: h.Length}
	if err == nil {
		a.Shape = h.ShapeString()
		a.Dtype, err = npy.NewDtype(h.Descr)
	}
	if err == nil {
		a.Rows, a.Columns, err = h.Dims()
	}
	var header *npy.Error
	switch {
	case err == nil:
	case !errors.As(err, &header):
		return nil, in.ReadError(err)
	case header.Empty:
		return nil, empty(in.Name, "%s", header.Text)
	default:
		return nil, fail(in.Name, "%w", err)
	}
	if err := in.Budget.Shape(0, a.Columns); err != nil {
		return nil, err
	}
	a.Fortran = h.Fortran && a.Rows > 1 && a.Columns > 1
	if here := in.Length - h.Length; a.Known && here/int64(a.Dtype.Size) < int64(a.Total()) {
		return nil, a.truncated(max(here, 0))
	}
	return a, nil
}

// Plausible refuses an array that the compressed bytes cannot hold.
func (a *Array) Plausible() error {
	const most = 1032 // bytes that deflate makes of one
	if packed := a.In.Direct; packed > 0 && float64(a.Total())*float64(a.Dtype.Size) > most*float64(packed)+bufferSize {
		return fail(a.In.Name, "truncated: the header announces %s x %s elements, more than %s of compressed data can hold; copy or save the file again",
			words.Count(a.Rows), words.Count(a.Columns), words.Bytes(float64(packed)))
	}
	return nil
}

func (a *Array) truncated(have int64) error {
	return fail(a.In.Name, "truncated: the header announces %s elements of %d bytes, but only %d of %d bytes are there; copy or save the file again",
		a.Shape, a.Dtype.Size, have, int64(a.Total())*int64(a.Dtype.Size))
}

// fill reads len(dst) elements. Its error is io.ErrUnexpectedEOF when the data end before.
func (a *Array) fill(dst []float64) error {
	if a.parts != nil {
		n, err := a.parts.Fill(a.ctx, dst, int(a.read/int64(a.Dtype.Size)))
		a.read += int64(n)
		return err
	}
	const piece = 1 << 19 // elements: 4 MB, so that the context is looked at every few milliseconds
	native := a.Dtype.Native("f8")
	for len(dst) > 0 {
		part := dst[:min(piece, len(dst))]
		raw := npy.BytesOf(part)
		if !native {
			if a.buf == nil {
				a.buf = make([]byte, min(piece/8, a.Total())*a.Dtype.Size)
			}
			part = part[:min(len(part), len(a.buf)/a.Dtype.Size)]
			raw = a.buf[:len(part)*a.Dtype.Size]
		}
		k, err := io.ReadFull(a.In.R, raw)
		if a.read += int64(k); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if !native {
			a.Dtype.Convert(part, raw)
		}
		dst = dst[len(part):]
	}
	return nil
}

// All reads the elements in the order of the file.
func (a *Array) All() ([]float64, error) {
	size := a.Total()
	if !a.Known {
		// Compressed data mostly make no more than eightfold.
		const first, likely = 1 << 20, 8
		size = min(size, max(first, likely*int(a.In.Direct))/8)
	}
	v := make([]float64, size)
	linalg.LargePages(v)
	for from := 0; ; {
		if err := a.Next(v[from:]); err != nil {
			return nil, err
		}
		if from = len(v); from == a.Total() {
			return v, nil
		}
		size, err := a.In.Grown(from, 1, 8)
		if err != nil {
			return nil, err
		}
		v = Grow(v, min(size, a.Total()))
		v = v[:cap(v)]
	}
}

// list refuses an array that is not one number after the other; want says what is read.
func (a *Array) list(want string) error {
	if a.Columns != 1 {
		return fail(a.In.Name, "has %s, want %s", words.Plural(a.Columns, "column"), want)
	}
	return nil
}

// single reads an array of one number after the other; want says what is read.
func (a *Array) single(want string) ([]float64, error) {
	err := a.list(want)
	if err == nil {
		a.In.Ways = 0
		err = a.Plausible()
	}
	if err == nil {
		err = a.In.Table(a.Rows, 1, false, 1)
	}
	if err != nil {
		return nil, err
	}
	v, err := a.All()
	if err == nil {
		_, err = a.End()
	}
	return v, err
}

// Transposed reads an array that comes column by column. It needs 32 MB (or one column) in
// addition to the result, and a second copy if the size of the source is not known.
func (a *Array) Transposed(ctx context.Context) ([]float64, error) {
	const buffer = 4 << 20 // elements
	p, n := a.Rows, a.Columns
	columns := max(1, min(n, buffer/p))
	next := func(buf []float64) ([]float64, error) { return buf, a.Next(buf) }
	var buf []float64
	if a.Known {
		buf = make([]float64, p*columns)
	} else {
		flat, err := a.All()
		if err != nil {
			return nil, err
		}
		buf = flat
		next = func(part []float64) ([]float64, error) {
			part = flat[:len(part)]
			flat = flat[len(part):]
			return part, a.In.ReadError(ctx.Err())
		}
	}
	v := make([]float64, p*n)
	linalg.LargePages(v)
	for j := 0; j < n; j += columns {
		k := min(columns, n-j)
		part, err := next(buf[:p*k])
		if err != nil {
			return nil, err
		}
		linalg.Transpose(v[j:], n, part, p, k)
	}
	return v, nil
}
