package observations

import (
	"fmt"
	"io"
	"math"

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

// budget is the memory that reading a source may take.
type budget struct {
	name   string
	limit  uint64 // Options.MemoryLimit
	packed int64  // compressed bytes that the source comes from; 0: none, or not known
	direct int64  // the same, not of a file that is compressed once more
}

// waysOut end the message where a table does not fit.
const waysOut = "stream the table, keep the values as float32, choose fewer columns, or allow more memory"

// room refuses what does not fit: bytes needed in all, of which the values
// take the last number.
func (b budget) room(what string, bytes, values float64) error {
	if bound := math.Max(bombAbove, bombOf*float64(b.packed)); b.limit == 0 && b.packed > 0 && values > bound {
		return notice.Helped(fail(b.name, "%s of compressed data hold values of more than %s, as files do that are made to fill memory; decompress the data first, or allow more memory",
			words.Bytes(float64(b.packed)), words.Bytes(bound)), "MemoryLimit")
	}
	return memory.Check(b.name+": "+what, bytes, b.limit, waysOut, "Stream", "Float32", "Columns", "MemoryLimit")
}

// table is room for p x n values, held copies times.
func (b budget) table(p, n int, single bool, copies float64) error {
	bytes := 8 * float64(p) * float64(n)
	if single {
		bytes /= 2
	}
	return b.room(fmt.Sprintf("its %s x %s values", words.Count(p), words.Count(n)), copies*bytes, bytes)
}

// grown returns the capacity for n values of the given size that
// need room for more, and refuses it if it does not fit as well as the old one.
func (b budget) grown(n, more, bytes int) (int, error) {
	const large = 1 << 23
	size := max(2*n, n+more, 1<<10)
	if n > large {
		size = max(n+n/2, n+more)
	}
	err := b.room("more than "+words.Count(n)+" values", float64(bytes)*float64(n+size), float64(bytes)*float64(n))
	return size, err
}

// readAll is io.ReadAll within the budget.
func (b budget) readAll(r io.Reader) ([]byte, error) {
	data := make([]byte, 0, 1<<16)
	for {
		if len(data) == cap(data) {
			size, err := b.grown(len(data), 1, 1)
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
