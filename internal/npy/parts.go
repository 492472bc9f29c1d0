package npy

import (
	"io"
	"slices"
	"sync"
)

// Parts reads parts of an array in C order from a file. Several goroutines may read.
type Parts struct {
	File   io.ReaderAt
	Offset int64 // of the first element
	Dtype  Dtype

	raw sync.Pool // of *[]byte, for elements that are not float64 in the file
}

// Read reads elements from number from on: into v, or into v32 if v is nil, which is for
// float32 in the byte order of this machine. It returns the bytes read and, if they are
// too few, io.ErrUnexpectedEOF or why they could not be read.
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
