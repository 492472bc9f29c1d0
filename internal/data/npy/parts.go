package npy

import (
	"context"
	"io"
	"slices"
	"sync"

	"symmom/internal/math/parallel"
)

// Parts reads parts of an array in C order from a file.
type Parts struct {
	File   io.ReaderAt
	Offset int64 // of the first element
	Dtype  Dtype

	raw sync.Pool // of *[]byte, for elements that are not float64 in the file
	filling
}

// filling is the shared state of the goroutines of Fill.
type filling struct {
	pool *parallel.Pool
	v    []float64
	from int

	mu     sync.Mutex
	err    error
	failed int // the first piece that was not read
	got    int // bytes of it
}

// pieceValues is how many values one goroutine of Fill reads at a time: 1 MB. From the
// system's cache two processors read twice as fast as one, with 128 KB as with 16 MB
// (measured).
const pieceValues = 1 << 17

// Read reads elements from number from on: into v, or into v32 if v is nil, which is for
// float32 in the byte order of this machine. It returns the bytes read and, if they are
// too few, io.ErrUnexpectedEOF or why they could not be read. Several goroutines may read.
func (p *Parts) Read(v []float64, v32 []float32, from int) (n int, err error) {
	switch {
	case v == nil:
		return p.read(BytesOf(v32), from)
	case p.Dtype.Native("f8"):
		return p.read(BytesOf(v), from)
	}
	raw, _ := p.raw.Get().(*[]byte)
	if raw == nil {
		raw = new([]byte)
	}
	defer p.raw.Put(raw)
	*raw = slices.Grow((*raw)[:0], len(v)*p.Dtype.Size)[:len(v)*p.Dtype.Size]
	if n, err = p.read(*raw, from); err == nil {
		p.Dtype.Convert(v, *raw)
	}
	return n, err
}

func (p *Parts) read(raw []byte, from int) (n int, err error) {
	n, err = p.File.ReadAt(raw, p.Offset+int64(from)*int64(p.Dtype.Size))
	switch {
	case n == len(raw):
		err = nil
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Fill is like Read into v, on all processors. Its error is the context's if that ended.
func (p *Parts) Fill(ctx context.Context, v []float64, from int) (n int, err error) {
	pieces := (len(v) + pieceValues - 1) / pieceValues
	if p.pool == nil {
		p.pool = &parallel.Pool{Threads: parallel.Threads(0), Job: p.piece}
	}
	p.v, p.from, p.err = v, from, nil
	if ok := p.pool.Run(ctx, pieces); p.err != nil {
		return p.failed*pieceValues*p.Dtype.Size + p.got, p.err
	} else if !ok {
		return 0, ctx.Err()
	}
	return len(v) * p.Dtype.Size, nil
}

// piece reads one piece for Fill.
func (p *Parts) piece(_, i int) {
	lo, hi := i*pieceValues, min((i+1)*pieceValues, len(p.v))
	got, err := p.Read(p.v[lo:hi], nil, p.from+lo)
	if err == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil || i < p.failed {
		p.err, p.failed, p.got = err, i, got
	}
}
