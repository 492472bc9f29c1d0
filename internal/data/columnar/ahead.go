//go:build !js && !slim

package columnar

import (
	"io"
	"slices"
	"sync"
)

const (
	mostAhead = 8 << 20  // bytes that are read of a few columns before they are decoded
	nearBytes = 64 << 10 // between two columns cost less than another request
)

// ahead is a file to which each request takes long. What lies side by side in it can be
// read as one, before it is asked for.
type ahead struct {
	io.ReaderAt
	size int64

	mu     sync.Mutex
	blocks []*block
}

// block is a part of a file.
type block struct {
	off, size int64
	data      []byte
}

// ReadAt takes from a block what it has.
func (a *ahead) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	a.mu.Lock()
	for _, b := range a.blocks {
		if b.off <= off && off < b.off+b.size {
			n = copy(p, b.data[off-b.off:])
			break
		}
	}
	a.mu.Unlock()
	if n == len(p) {
		return n, nil
	}
	rest, err := a.ReaderAt.ReadAt(p[n:], off+int64(n))
	return n + rest, err
}

// fetch reads blocks, which are there until done is called.
func (a *ahead) fetch(blocks []*block) (done func(), err error) {
	for _, b := range blocks {
		b.data = make([]byte, b.size)
		if _, err := a.ReaderAt.ReadAt(b.data, b.off); err != nil && err != io.EOF {
			return nil, damaged(err)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.blocks = append(a.blocks, blocks...)
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.blocks = slices.DeleteFunc(a.blocks, func(b *block) bool { return slices.Contains(blocks, b) })
	}, nil
}

func (p *parquetFile) far() bool { return p.ahead != nil }

// fetch reads the chunks of columns, neighbours as one block. Those beyond the bound, and
// those that are not where they should be, are left to their readers.
func (p *parquetFile) fetch(part int, columns []job) (done func(), err error) {
	if p.ahead == nil {
		return func() {}, nil
	}
	var blocks []*block
	room, end := int64(mostAhead), int64(0) // of the last block
	for _, c := range columns {
		chunk, err := p.groups[part].MetaData().ColumnChunk(p.indexes[c.column])
		if err != nil {
			break
		}
		off, size := chunkBytes(chunk)
		if off < 0 || size <= 0 || size > p.ahead.size-off {
			continue
		}
		gap := off - end
		beside := len(blocks) > 0 && gap >= 0 && gap <= nearBytes
		if !beside {
			gap = 0
		}
		if gap+size > room {
			continue
		}
		if !beside {
			blocks = append(blocks, &block{off: off})
		}
		last := blocks[len(blocks)-1]
		last.size += gap + size
		room, end = room-gap-size, off+size
	}
	return p.ahead.fetch(blocks)
}
