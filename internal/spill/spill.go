// Package spill keeps observations that are slow to read, text and what comes over a
// network, in a temporary file as they are in memory, so that they are parsed once.
//
// The file has no name: where the system allows it is removed while it is open, and
// otherwise when it is closed, so that nothing is left even of a program that is killed.
// It may take half of what is free in its directory, os.TempDir, or /var/tmp where that is
// memory. What does not fit is read again from where it came.
package spill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/shirou/gopsutil/v4/disk"

	"symmom/internal/npy"
	"symmom/internal/obs"
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
	spare []obs.Block // of a pass that ended, for the next: they are large, and their pages new each time
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type read struct {
		obs.Block
		err error
	}
	full, free := make(chan read), make(chan obs.Block, 2)
	free <- s.take()
	free <- s.take()
	go func() {
		for _, b := range s.blocks {
			var r read
			select {
			case r.Block = <-free:
			case <-ctx.Done():
				return
			}
			r.err = s.read(b, &r.Block)
			select {
			case full <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range s.blocks {
		select {
		case r := <-full:
			if r.err != nil {
				return fmt.Errorf("the temporary copy of the observations: %w", r.err)
			}
			do(r.Block)
			free <- r.Block
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.give(<-free, <-free) // the reader has ended
	return nil
}

// take returns arrays for a block.
func (s *File) take() (b obs.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.spare) - 1; last >= 0 {
		b, s.spare = s.spare[last], s.spare[:last]
	}
	return b
}

// give keeps the arrays of one pass for the next.
func (s *File) give(b ...obs.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spare) == 0 {
		s.spare = b
	}
}

// read reads a block into b, whose arrays it uses again.
func (s *File) read(from block, b *obs.Block) error {
	b.Rows, b.V = from.rows, sized(b.V, from.rows*s.n)
	if b.Nu = sized(b.Nu, 0); from.weighted {
		b.Nu = sized(b.Nu, from.rows)
	}
	values, weights := npy.BytesOf(b.V), npy.BytesOf(b.Nu)
	if _, err := s.f.ReadAt(values, from.at); err != nil {
		return err
	}
	if !from.weighted {
		b.Nu = nil
		return nil
	}
	_, err := s.f.ReadAt(weights, from.at+int64(len(values)))
	return err
}

func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}
