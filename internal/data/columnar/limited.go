//go:build !js && !slim

package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// limited is an allocator for a library that takes the sizes in a file as they
// are: a single one that the file's own bytes cannot explain ends in an error.
type limited struct {
	memory.Allocator
	most int
}

// newLimited bounds what one buffer of a file of size bytes may take: a
// hundredfold, which compression reaches in data that hardly vary, and 64 MB in
// any case.
func newLimited(size int64) *limited {
	return &limited{memory.NewGoAllocator(), int(min(max(64<<20, 100*size), math.MaxInt))}
}

func (l *limited) check(size int) {
	if size < 0 || size > l.most {
		panic(fmt.Errorf("a buffer of %d bytes", size))
	}
}

// Allocate panics beyond the bound; the panic is caught where the file is read.
func (l *limited) Allocate(size int) []byte {
	l.check(size)
	return l.Allocator.Allocate(size)
}

// Reallocate panics likewise.
func (l *limited) Reallocate(size int, b []byte) []byte {
	l.check(size)
	return l.Allocator.Reallocate(size, b)
}
