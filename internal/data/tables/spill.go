package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/shirou/gopsutil/v4/disk"

	"symmom/internal/data/npy"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// share of what is free in the directory that a file may take.
const share = .5

// errNoRoom says that a file has reached its bound.
var errNoRoom = errors.New("no room for a temporary copy")

// Spill holds blocks of observations, in their order.
type Spill struct {
	n      int
	room   int64
	f      *os.File
	blocks []spilled
	size   int64

	mu    sync.Mutex
	spare []*block.Block // of a pass that ended, for the next: they are large, and their pages new each time
}

// spilled is where a block begins: its values, then its weights, if it has any, and of sparse
// observations the number of values in each and their variables.
type spilled struct {
	at       int64
	rows     int
	weighted bool
	stored   int // values; those of others are rows n
	sparse   bool
}

// New makes a file for observations of n variables.
func NewSpill(n int) (*Spill, error) {
	dir, room, err := directory()
	if err != nil {
		return nil, err
	}
	f, err := create(dir)
	if err != nil {
		return nil, err
	}
	return &Spill{n: n, f: f, room: room}, nil
}

// directory returns where a file may be, and how large.
func directory() (dir string, room int64, err error) {
	for _, dir := range []string{os.TempDir(), "/var/tmp"} {
		u, err := disk.Usage(dir)
		if err != nil || u.Fstype == "tmpfs" || u.Fstype == "ramfs" {
			continue // what is there takes memory
		}
		if room := int64(share * float64(u.Free)); room > 0 {
			return dir, room, nil
		}
	}
	return "", 0, errNoRoom
}

// Add appends a block. After an error the file must be closed.
func (s *Spill) Add(b block.Block) error {
	to := spilled{at: s.size, rows: b.Rows, weighted: b.Nu != nil, stored: len(b.V)}
	parts := [][]byte{npy.BytesOf(b.V), npy.BytesOf(b.Nu)}
	if x := b.Sparse; x != nil {
		to.sparse, to.stored = true, x.Stored()
		counts := make([]int32, b.Rows, b.Rows+1)
		for l := range counts {
			counts[l] = int32(x.Start[l+1] - x.Start[l])
		}
		if (b.Rows+to.stored)%2 == 1 {
			counts = append(counts, 0) // so that what follows begins at a multiple of 8 bytes
		}
		from, end := x.Start[0], x.Start[b.Rows]
		parts[0] = npy.BytesOf(x.V[from:end])
		parts = append(parts, npy.BytesOf(x.Index[from:end]), npy.BytesOf(counts))
	}
	size := int64(0)
	for _, bytes := range parts {
		size += int64(len(bytes))
	}
	if s.size+size > s.room {
		return errNoRoom
	}
	s.blocks = append(s.blocks, to)
	for _, bytes := range parts {
		if _, err := s.f.WriteAt(bytes, s.size); err != nil {
			return err
		}
		s.size += int64(len(bytes))
	}
	return nil
}

// Close removes the file.
func (s *Spill) Close() { s.f.Close() }

// Pass calls do with one block after the other, which it may change, while the next one is
// read. It may be called by several goroutines. It returns ctx's error if that ends.
func (s *Spill) Pass(ctx context.Context, do func(block.Block)) error {
	if len(s.blocks) == 0 {
		return nil
	}
	p := pass{Spill: s, ctx: ctx, parts: &npy.Parts{File: s.f, Dtype: npy.Float64}, blocks: s.blocks}
	two := [2]*block.Block{s.take(), s.take()}
	err := parallel.Ahead(ctx, two, p.next, func(b *block.Block) { do(*b) }, func() {})
	if err == nil {
		s.give(two[:])
	}
	return err
}

func (s *Spill) take() *block.Block {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.spare) - 1; last >= 0 {
		b := s.spare[last]
		s.spare = s.spare[:last]
		return b
	}
	return &block.Block{}
}

// give keeps the blocks of a pass if no other pass left its own.
func (s *Spill) give(b []*block.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spare) == 0 {
		s.spare = b
	}
}

// pass reads the blocks, one after the other.
type pass struct {
	*Spill
	ctx    context.Context
	parts  *npy.Parts
	blocks []spilled // not yet read
	counts []int32   // of values in each row
}

// next reads a block. Its error is io.EOF with the last one.
func (p *pass) next(b *block.Block) error {
	from := p.blocks[0]
	p.blocks = p.blocks[1:]
	b.Rows = from.rows
	values := &b.V
	if from.sparse {
		x := block.Sparse{} // another one for each block, by which others know them; its values are where others were
		if b.Sparse != nil {
			x = *b.Sparse
		}
		b.Sparse, values = &x, &x.V
	}
	*values = sized(*values, from.stored)
	if from.weighted {
		b.Nu = sized(b.Nu, from.rows)
	} else {
		b.Nu = nil
	}
	at := int(from.at / 8)
	_, err := p.parts.Fill(p.ctx, *values, at)
	if err == nil {
		_, err = p.parts.Fill(p.ctx, b.Nu, at+len(*values))
	}
	if err == nil && from.sparse {
		err = p.places(b.Sparse, from.rows, from.at+8*int64(len(*values)+len(b.Nu)))
	}
	if err != nil {
		return fmt.Errorf("the temporary copy of the observations: %w", err)
	}
	if len(p.blocks) == 0 {
		return io.EOF
	}
	return nil
}

// places reads where the values of sparse rows are.
func (p *pass) places(x *block.Sparse, rows int, at int64) error {
	x.Index, p.counts = sized(x.Index, len(x.V)), sized(p.counts, rows)
	for _, to := range [][]int32{x.Index, p.counts} {
		if _, err := p.f.ReadAt(npy.BytesOf(to), at); err != nil {
			return err
		}
		at += 4 * int64(len(to))
	}
	x.Start = append(x.Start[:0], 0)
	for l, c := range p.counts {
		x.Start = append(x.Start, x.Start[l]+int(c))
	}
	return nil
}

func sized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}
