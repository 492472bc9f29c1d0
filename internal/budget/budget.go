// Package budget is the memory that reading a source may take: what does not fit, or is a
// small file made to fill memory, is refused before it is taken.
package budget

import (
	"fmt"
	"io"
	"math"

	"symmom/internal/faults"
	"symmom/internal/memory"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// What compressed data may become without being asked for: bombOf bytes of
// values for each compressed byte, or bombAbove bytes. Numbers that were measured
// hardly shrink to a tenth; a file made to fill memory grows a thousandfold.
const (
	bombOf    = 32
	bombAbove = 256 << 20
)

// Budget is the memory that reading a source may take.
type Budget struct {
	Name   string
	Limit  uint64 // in bytes; 0: what the machine has free
	Packed int64  // compressed bytes that the source comes from; 0: none, or not known
	Direct int64  // the same, not of a file that is compressed once more
	Ways   Ways
}

// Ways are ways to read a source in less memory, which messages advise where a table does
// not fit. Allowing more is always one.
type Ways uint8

const (
	Stream Ways = 1 << iota
	Float32
	Columns
)

// WaysOf returns those of a file of a format, which may not be a regular one.
func WaysOf(format string, regular, single bool) (w Ways) {
	switch format {
	case "csv", "tsv", "parquet", "arrow":
		w = Stream | Float32 | Columns
	case "npy": // is read whole, and so are its columns
		w = Stream | Float32
	case "npz":
		w = Float32
	}
	if !regular {
		w &^= Stream
	}
	if single {
		w &^= Float32
	}
	return w
}

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

// Room refuses what does not fit: bytes needed in all, of which the values
// take the last number.
func (b Budget) Room(what string, bytes, values float64) error {
	if bound := math.Max(bombAbove, bombOf*float64(b.Packed)); b.Limit == 0 && b.Packed > 0 && values > bound {
		return notice.Helped(faults.Fail(b.Name, "%s of compressed data hold values of more than %s, as files do that are made to fill memory; decompress the data first, or allow more memory",
			words.Bytes(float64(b.Packed)), words.Bytes(bound)), "MemoryLimit")
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

// Grown returns the capacity for n values of the given size that
// need room for more, and refuses it if it does not fit as well as the old one.
func (b Budget) Grown(n, more, bytes int) (int, error) {
	const large = 1 << 23
	size := max(2*n, n+more, 1<<10)
	if n > large {
		size = max(n+n/2, n+more)
	}
	err := b.Room("more than "+words.Count(n)+" values", float64(bytes)*float64(n+size), float64(bytes)*float64(n))
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
