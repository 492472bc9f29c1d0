package formats

import (
	"fmt"
	"io"
	"math"
	"runtime"

	"symmom/internal/math/linalg"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// What a file may become without being asked for: above bytes, or so many for each byte of
// it. Numbers that were measured hardly shrink to a tenth; a file made to fill memory or
// time grows a thousandfold.
const (
	above    = 64 << 20
	valuesOf = 32 // bytes of values, or of text that was compressed
	sparseOf = 64 // bytes of values with the zeros that a sparse file leaves out
	shapeOf  = 6  // bytes that rows and columns take besides their values
)

// What a row and a column take in bytes besides their values, while a table is described or
// fitted.
const (
	rowBytes    = 24
	columnBytes = 512
)

// Budget is the memory that reading a source may take.
type Budget struct {
	Name   string
	Limit  uint64 // in bytes; 0: what the machine has free
	Size   int64  // bytes of the file that the source comes from; 0: not known
	Direct int64  // the same, not of a file that is compressed once more
	Ways   Ways
}

// Ways are ways to read a source in less memory, which messages advise where a table does
// not fit. Allowing more is always one.
type Ways uint8

const (
	AsStream Ways = 1 << iota
	AsFloat32
	ByColumns
)

// advice returns the end of a message and the options that it names.
func (w Ways) advice() (text string, options []string) {
	for i, way := range [...]struct{ text, option string }{
		{"stream the table", "Stream"}, {"keep the values as float32", "Float32"}, {"choose fewer columns", "Columns"},
	} {
		if w>>i&1 == 1 {
			text += way.text + ", "
			options = append(options, way.option)
		}
	}
	if text != "" {
		text += "or "
	}
	return text + "allow more memory", append(options, "MemoryLimit")
}

// bound is the largest expansion of the file, in bytes for each of its own.
func (b Budget) bound(of float64) float64 {
	if b.Limit != 0 || b.Size <= 0 {
		return math.Inf(1)
	}
	return math.Max(above, of*float64(b.Size))
}

// Room refuses data that do not fit: bytes needed in all, of which the values
// take the last number.
func (b Budget) Room(what string, bytes, values float64) error {
	if bound := b.bound(valuesOf); values > bound {
		return diag.Helped(diag.Fail(b.Name, "%s of compressed data hold values of more than %s, as files do that are made to fill memory; decompress the data first, or allow more memory",
			words.Bytes(float64(b.Size)), words.Bytes(bound)), "MemoryLimit")
	}
	remedy, options := b.Ways.advice()
	return memory.Check(b.Name+": "+what, bytes, b.Limit, remedy, options...)
}

// Table is room for p x n values, held copies times.
func (b Budget) Table(p, n int, single bool, copies float64) error {
	bytes := 8 * float64(p) * float64(n)
	if single {
		bytes /= 2
	}
	return b.Room(fmt.Sprintf("its %s x %s values", words.Count(p), words.Count(n)), copies*bytes, bytes)
}

// Shape refuses a table of p rows and n columns whose bookkeeping the file cannot justify: of
// lists of names and of what is known of each column. p is 0 where the rows are not known, or
// take nothing but their values.
func (b Budget) Shape(p, n int) error {
	what, bytes := words.Plural(n, "column"), rowBytes*float64(p)+columnBytes*float64(n)
	if p > 0 {
		what = words.Plural(p, "row") + " and " + what
	}
	if bytes > b.bound(shapeOf) {
		return diag.Helped(diag.Fail(b.Name, "%s take %s besides their values, and the file has only %s; transpose the table if its rows are the variables, choose a smaller one, or allow more memory",
			what, words.Bytes(bytes), words.Bytes(float64(b.Size))), "MemoryLimit")
	}
	return b.Room("its "+what, bytes, 0)
}

// Sparse is Table for one that is made dense: its file leaves zeros out.
func (b Budget) Sparse(p, n int, single bool) error {
	if bytes := 8 * float64(p) * float64(n); bytes > b.bound(sparseOf) {
		return diag.Helped(diag.Fail(b.Name, "its %s x %s values take %s as a dense table, and the file has only %s; choose a smaller table, or allow more memory",
			words.Count(p), words.Count(n), words.Bytes(bytes), words.Bytes(float64(b.Size))), "MemoryLimit")
	}
	b.Size = 0
	return b.Table(p, n, single, 1)
}

// Inflated refuses text of so many bytes that were compressed to size.
func (b Budget) Inflated(bytes, size int64) error {
	b.Size = size
	if bound := b.bound(valuesOf); float64(bytes) > bound {
		return diag.Helped(diag.Fail(b.Name, "%s of compressed data become more than %s, as files do that are made to take memory and time; decompress the data first, or allow more memory",
			words.Bytes(float64(size)), words.Bytes(bound)), "MemoryLimit")
	}
	return nil
}

// Grown returns the capacity for n values of the given size that
// need room for more, and refuses it if it does not fit as well as the old one.
func (b Budget) Grown(n, more, bytes int) (int, error) {
	const large = 1 << 23
	size := max(2*n, n+more, 1<<10)
	if n > large {
		size = max(n+n/2, n+more)
	}
	if most := b.bound(valuesOf) / float64(bytes); most <= 2*above/float64(bytes) && float64(n+more) <= most && float64(4*n) > most {
		size = int(most) // without another copy: nothing beyond would be taken
	}
	err := b.Room("more than "+words.Count(n)+" values", float64(bytes)*float64(n+size), float64(bytes)*float64(n+more))
	return size, err
}

// ReadAll is io.ReadAll within the budget.
func (b Budget) ReadAll(r io.Reader) ([]byte, error) {
	data := make([]byte, 0, 1<<16)
	for {
		if len(data) == cap(data) {
			size, err := b.Grown(len(data), 1, 1)
			if err != nil {
				return nil, err
			}
			data = append(make([]byte, 0, size), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Grow returns v with room for size numbers in all. What was dropped before, such as a table
// that is read again in another way, leaves its room to a large one.
func Grow[T float32 | float64](v []T, size int) []T {
	if size > cap(v) && size > memory.Small/8 {
		runtime.GC()
	}
	return linalg.GrowLarge(v, size)
}
