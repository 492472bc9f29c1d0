package load

import (
	"context"
	"errors"
	"io"

	"symmom/internal/data/columns"
	"symmom/internal/data/matfile"
	"symmom/internal/data/npy"
	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// readNPY reads an array of p x n, or p.
//
// float64 of this machine's byte order in C order is read straight into the
// Values, with no second copy, and float32 so into Values32. Nothing is allocated
// on a header's word: where the size of the source is known (a file, an array in
// memory) the data must be there, and elsewhere memory grows as they come. Sparse
// files have their size without their data, so memory is asked for before.
// A file in C order is read in parts, side by side (npyfile.go): r is what in reads from.
func readNPY(ctx context.Context, in input, r io.Reader, name string, o Options) (*table, error) {
	e, h, p, n, err := newElements(in, name)
	if err != nil {
		return nil, err
	}
	straight := !o.wanted().Selects() && !(h.Fortran && p > 1 && n > 1) && (!o.Float32 || e.dtype.Native("f4"))
	if straight && e.inPlaces(ctx, r, h) {
		return e.readParts(h, p, n, o)
	}
	t, err := e.table(ctx, p, n, h.Fortran, h.ShapeString(), o)
	if err == nil {
		t.notes, err = e.rest()
	}
	return t, err
}

// table reads p x n elements; shape is what messages call their number.
func (e *elements) table(ctx context.Context, p, n int, fortran bool, shape string, o Options) (t *table, err error) {
	if t, err = e.room(p, n, fortran, o); err != nil {
		return nil, err
	}
	switch {
	case fortran && p > 1 && n > 1:
		t.values, err = e.readFortran(ctx, p, n)
	case o.Float32 && (e.known || !o.wanted().Selects()):
		err = t.read32(e, o)
	default:
		t.values, err = e.readAll()
	}
	var place *ParseError
	var damage *matfile.Error
	if errors.As(err, &place) || errors.As(err, &damage) {
		return nil, err
	}
	if err != nil {
		return nil, e.failed(err, shape)
	}
	return t, nil
}

// failed is the error for what fill returned, at the bytes that were read before.
func (e *elements) failed(err error, shape string) error {
	if err == io.ErrUnexpectedEOF {
		return e.truncated(e.bytes, shape)
	}
	return e.in.readError(err)
}

var moreBytes = diag.New(diag.TrailingBytes, "there are more bytes after the array; only the first array of the file was read")

// rest looks for what should not be there after an array.
func (e *elements) rest() (notes []diag.Warning, err error) {
	if e.parts != nil {
		if e.in.size > e.parts.Offset+int64(e.total)*int64(e.dtype.Size) {
			notes = append(notes, moreBytes)
		}
		return notes, nil
	}
	_, err = e.in.r.ReadByte()
	if err == nil {
		notes = append(notes, moreBytes)
		if e.in.summed {
			_, err = io.Copy(io.Discard, e.in.r)
		}
	}
	if err != nil && err != io.EOF {
		return nil, e.in.readError(err)
	}
	return notes, nil
}

// newElements reads the header of an array of p x n, and checks it against the
// size of the source.
func newElements(in input, name string) (e *elements, h npy.Header, p, n int, err error) {
	wrong := func(err error) (*elements, npy.Header, int, int, error) {
		var header *npy.Error
		switch {
		case !errors.As(err, &header):
			err = in.readError(err)
		case header.Empty:
			err = empty(name, "%s", header.Text)
		default:
			err = fail(name, "%w", err)
		}
		return nil, h, 0, 0, err
	}
	if h, err = npy.ReadHeader(in.r); err != nil {
		return wrong(err)
	}
	d, err := npy.NewDtype(h.Descr)
	if err != nil {
		return wrong(err)
	}
	if p, n, err = h.Dims(); err != nil {
		return wrong(err)
	}
	if err := in.Shape(0, n); err != nil {
		return nil, h, 0, 0, err
	}
	e = &elements{in: in, name: name, dtype: d, total: p * n, known: in.size >= 0}
	if here := in.size - h.Length; e.known && here/int64(d.Size) < int64(e.total) {
		return nil, h, 0, 0, e.truncated(max(here, 0), h.ShapeString())
	}
	return e, h, p, n, nil
}

// room makes a table for an array, without its values. It refuses one for which there is
// no memory, or which the compressed bytes cannot hold.
func (e *elements) room(p, n int, fortran bool, o Options) (*table, error) {
	const most = 1032 // bytes that deflate makes of one
	if packed := e.in.Direct; packed > 0 && float64(e.total)*float64(e.dtype.Size) > most*float64(packed)+bufferSize {
		return nil, fail(e.name, "truncated: the header announces %s x %s elements, more than %s of compressed data can hold; copy or save the file again",
			words.Count(p), words.Count(n), words.Bytes(float64(packed)))
	}
	kept, copies := n, 1.
	fortran = fortran && p > 1 && n > 1
	if fortran && !e.known {
		copies = 2
	}
	switch {
	case fortran, o.wanted().Selects() && !e.known: // all columns are read, as float64
		e.in.Ways = 0
		if o.Float32 {
			copies *= 3
		}
	case o.Float32:
		if o.wanted().Selects() {
			sel, err := columns.Select(e.name, nil, n, o.wanted())
			if err != nil {
				return nil, err
			}
			kept = len(sel.Variables)
		}
		e.in.Ways |= ByColumns
	}
	t := &table{source: e.name, budget: e.in.Budget, p: p, n: n}
	if e.dtype.Rounds() {
		t.whole = allWhole(n)
	}
	return t, e.in.Table(p, kept, o.Float32, copies)
}

// elements reads the data of an NPY file as float64.
type elements struct {
	in    input
	name  string
	dtype npy.Dtype
	total int
	known bool   // the source surely has the data
	bytes int64  // read so far
	buf   []byte // raw elements

	parts *npy.Parts      // if they are read from their places in a file, else nil
	ctx   context.Context // of that reading
}

func (e *elements) truncated(have int64, shape string) error {
	return fail(e.name, "truncated: the header announces %s elements of %d bytes, but only %d of %d bytes are there; copy or save the file again",
		shape, e.dtype.Size, have, int64(e.total)*int64(e.dtype.Size))
}

// fill reads len(dst) elements. Its error is io.ErrUnexpectedEOF when the data end before.
func (e *elements) fill(dst []float64) error {
	if e.parts != nil {
		n, err := e.parts.Fill(e.ctx, dst, int(e.bytes/int64(e.dtype.Size)))
		e.bytes += int64(n)
		return err
	}
	const piece = 1 << 19 // elements: 4 MB, so that the context is looked at every few milliseconds
	for len(dst) > 0 {
		part := dst[:min(piece, len(dst))]
		raw := npy.BytesOf(part)
		if !e.dtype.Native("f8") {
			if e.buf == nil {
				e.buf = make([]byte, min(piece/8, e.total)*e.dtype.Size)
			}
			part = part[:min(len(part), len(e.buf)/e.dtype.Size)]
			raw = e.buf[:len(part)*e.dtype.Size]
		}
		if err := e.read(raw); err != nil {
			return err
		}
		if !e.dtype.Native("f8") {
			e.dtype.Convert(part, raw)
		}
		dst = dst[len(part):]
	}
	return nil
}

// read fills raw with bytes of elements; its error is that of fill.
func (e *elements) read(raw []byte) error {
	k, err := io.ReadFull(e.in.r, raw)
	e.bytes += int64(k)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// readAll reads the elements in the order of the file.
func (e *elements) readAll() ([]float64, error) {
	size := e.total
	if !e.known {
		// Compressed data mostly make no more than eightfold.
		const first, likely = 1 << 20, 8
		size = min(size, max(first, likely*int(e.in.Direct))/8)
	}
	v := make([]float64, size)
	linalg.LargePages(v)
	for from := 0; ; {
		if err := e.fill(v[from:]); err != nil {
			return nil, err
		}
		if from = len(v); from == e.total {
			return v, nil
		}
		size, err := e.in.Grown(from, 1, 8)
		if err != nil {
			return nil, err
		}
		v = grow(v, min(size, e.total))
		v = v[:cap(v)]
	}
}

// readFortran reads p x n elements that come column by column. It needs 32 MB (or
// one column) in addition to the result, and a second copy if the size of the source is
// not known.
func (e *elements) readFortran(ctx context.Context, p, n int) ([]float64, error) {
	const buffer = 4 << 20 // elements
	columns := max(1, min(n, buffer/p))
	next := func(buf []float64) ([]float64, error) { return buf, e.fill(buf) }
	var buf []float64
	if e.known {
		buf = make([]float64, p*columns)
	} else {
		flat, err := e.readAll()
		if err != nil {
			return nil, err
		}
		buf = flat
		next = func(part []float64) ([]float64, error) {
			part = flat[:len(part)]
			flat = flat[len(part):]
			return part, ctx.Err()
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
