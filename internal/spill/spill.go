// Package spill copies observations that are slow to read, from text or a network, to a
// temporary file in binary form, so that they are parsed once.
//
// The file is unnamed: where the system allows it, it is removed while open, otherwise
// when it is closed, so that not even a killed program leaves it behind. It may take half
// of the free space in its directory, os.TempDir, or /var/tmp if that is in memory. The
// remaining rows are read again from the source.
package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/shirou/gopsutil/v4/disk"

	"symmom/internal/npy"
	"symmom/internal/obs"
	"symmom/internal/parallel"
)

// share of what is free in the directory that a file may take.
const share = .5

// errNoRoom says that a file has reached its bound.
var errNoRoom = errors.New("no room for a temporary copy")

// File holds blocks of observations, in their order.
type File struct {
	n      int
	room   int64
	f      *os.File
	blocks []block
	size   int64

	mu    sync.Mutex
	spare []*obs.Block // of a pass that ended, for the next: they are large, and their pages new each time
}

// block is where a block begins: its values, then its weights, if it has any.
type block struct {
	at       int64
	rows     int
	weighted bool
}

// New makes a file for observations of n variables.
func New(n int) (*File, error) {
	dir, room, err := directory()
	if err != nil {
		return nil, err
	}
	f, err := create(dir)
	if err != nil {
		return nil, err
	}
	return &File{n: n, f: f, room: room}, nil
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
func (s *File) Add(b obs.Block) error {
	values := npy.BytesOf(b.V)
	weights := npy.BytesOf(b.Nu)
	if s.size+int64(len(values)+len(weights)) > s.room {
		return errNoRoom
	}
	s.blocks = append(s.blocks, block{s.size, b.Rows, b.Nu != nil})
	for _, bytes := range [][]byte{values, weights} {
		if _, err := s.f.WriteAt(bytes, s.size); err != nil {
			return err
		}
		s.size += int64(len(bytes))
	}
	return nil
}

// Close removes the file.
func (s *File) Close() { s.f.Close() }

// Pass calls do with one block after the other, which it may change, while the next one is
// read. It may be called by several goroutines. It returns ctx's error if that ends.
func (s *File) Pass(ctx context.Context, do func(obs.Block)) error {
	if len(s.blocks) == 0 {
		return nil
	}
	p := pass{s, ctx, &npy.Parts{File: s.f, Dtype: npy.Float64}, s.blocks}
	two := [2]*obs.Block{s.take(), s.take()}
	err := parallel.Ahead(ctx, two, p.next, func(b *obs.Block) { do(*b) }, func() {})
	if err == nil {
		s.give(two[:])
	}
	return err
}

func (s *File) take() *obs.Block {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.spare) - 1; last >= 0 {
		b := s.spare[last]
		s.spare = s.spare[:last]
		return b
	}
	return &obs.Block{}
}

// give keeps the blocks of a pass if no other pass left its own.
func (s *File) give(b []*obs.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spare) == 0 {
		s.spare = b
	}
}

// pass reads the blocks, one after the other.
type pass struct {
	*File
	ctx    context.Context
	parts  *npy.Parts
	blocks []block // not yet read
}

// next reads a block. Its error is io.EOF with the last one.
func (p *pass) next(b *obs.Block) error {
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
