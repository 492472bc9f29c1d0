package tables

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"symmom/internal/moment/block"
)

// Sparse rows come back as added, those of a part of a block too.
func TestSparseFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const n = 9
	s, err := NewSpill(n)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rng := rand.New(rand.NewPCG(1, 3))
	var want []block.Block
	for _, rows := range []int{6, 1, 9, 4, 11} {
		x := &block.Sparse{Start: []int{0}}
		for range rows {
			for i := range n {
				if rng.IntN(3) == 0 {
					x.Index, x.V = append(x.Index, int32(i)), append(x.V, rng.NormFloat64())
				}
			}
			x.Start = append(x.Start, len(x.V))
		}
		b := block.Block{Rows: rows, Sparse: x}
		if rows%2 == 1 {
			b.Nu = make([]float64, rows)
			b.Nu[rows-1] = 7
		}
		b = b.Part(rows/4, rows, n)
		want = append(want, b)
		if err := s.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[*block.Sparse]bool{}
	for range 2 {
		i := 0
		if err := s.Pass(t.Context(), func(b block.Block) {
			var wide, of []float64
			if seen[b.Sparse] {
				t.Error("a block has the sparse rows of another")
			}
			if seen[b.Sparse] = true; b.Sparse == nil || b.Rows != want[i].Rows || !slices.Equal(b.Values(0, b.Rows, n, &wide), want[i].Values(0, b.Rows, n, &of)) || !slices.Equal(b.Nu, want[i].Nu) {
				t.Errorf("block %d: %v, want %v", i, b, want[i])
			}
			i++
		}); err != nil || i != len(want) {
			t.Errorf("%d blocks, %v", i, err)
		}
	}
}

// Rows come back as added, the same bits in the same blocks, to several readers at once,
// who may change what they see; no file is left.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const n = 3
	s, err := NewSpill(n)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var blocks []block.Block
	for _, rows := range []int{5, 0, 1, 7, 2} {
		b := block.Block{Rows: rows}
		for range rows * n {
			b.V = append(b.V, math.Float64frombits(rng.Uint64()))
		}
		if rows%2 == 1 {
			for range rows {
				b.Nu = append(b.Nu, rng.Float64())
			}
		}
		blocks = append(blocks, b)
		if err := s.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				i := 0
				err := s.Pass(t.Context(), func(b block.Block) {
					want := blocks[i]
					i++
					same := slices.EqualFunc(b.V, want.V, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
					if b.Rows != want.Rows || !same || !slices.Equal(b.Nu, want.Nu) || (b.Nu == nil) != (want.Nu == nil) {
						t.Errorf("block %d: %v, want %v", i-1, b, want)
					}
					clear(b.V)
					clear(b.Nu)
				})
				if err != nil || i != len(blocks) {
					t.Errorf("%d blocks, %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 && !strings.Contains(os.Getenv("OS"), "Windows") {
		t.Errorf("left: %v", left)
	}
	s.Close()
	if err := s.Pass(t.Context(), func(block.Block) {}); err == nil || !strings.Contains(err.Error(), "temporary copy") {
		t.Errorf("after Close: %v", err)
	}
}

// A file does not grow beyond its room, and a pass ends with its context.
func TestBounds(t *testing.T) {
	s, err := NewSpill(1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.room = 64
	if err := s.Add(block.Block{Rows: 8, V: make([]float64, 8)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(block.Block{Rows: 1, V: make([]float64, 1)}); err != errNoRoom {
		t.Errorf("beyond its room: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.Pass(ctx, func(block.Block) { cancel() }); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// A pass uses the arrays of the one before: fresh pages would take longer than the reading.
func TestPassAllocates(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const n, rows, passes = 100, 1000, 10
	s, err := NewSpill(n)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		if err := s.Add(block.Block{Rows: rows, V: make([]float64, rows*n), Nu: make([]float64, rows)}); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	for pass := range passes + 1 {
		if err := s.Pass(t.Context(), func(block.Block) {}); err != nil {
			t.Fatal(err)
		}
		if pass == 0 {
			runtime.ReadMemStats(&before)
		}
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > rows*n*8 {
		t.Errorf("%d passes allocate %d bytes; a block has %d", passes, got, rows*n*8)
	}
}
