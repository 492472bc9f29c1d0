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

// spilled is where a block begins: its values, then its weights, if it has any.
type spilled struct {
	at       int64
	rows     int
	weighted bool
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
	values := npy.BytesOf(b.V)
	weights := npy.BytesOf(b.Nu)
	if s.size+int64(len(values)+len(weights)) > s.room {
		return errNoRoom
	}
	s.blocks = append(s.blocks, spilled{s.size, b.Rows, b.Nu != nil})
	for _, bytes := range [][]byte{values, weights} {
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
	p := pass{s, ctx, &npy.Parts{File: s.f, Dtype: npy.Float64}, s.blocks}
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
}

// next reads a block. Its error is io.EOF with the last one.
func (p *pass) next(b *block.Block) error {
	from := p.blocks[0]
	p.blocks = p.blocks[1:]
	b.Rows, b.V = from.rows, sized(b.V, from.rows*p.n)
	if from.weighted {
		b.Nu = sized(b.Nu, from.rows)
	} else {
		b.Nu = nil
	}
	at := int(from.at / 8)
	if _, err := p.parts.Fill(p.ctx, b.V, at); err != nil {
		return fmt.Errorf("the temporary copy of the observations: %w", err)
	}
	if _, err := p.parts.Fill(p.ctx, b.Nu, at+len(b.V)); err != nil {
		return fmt.Errorf("the temporary copy of the observations: %w", err)
	}
	if len(p.blocks) == 0 {
		return io.EOF
	}
	return nil
}

func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
