//go:build !js && !slim

package columnar

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// distant counts how often it is asked for bytes, and how often at once.
type distant struct {
	*bytes.Reader
	mu               sync.Mutex
	asked, now, most int
	wait             int // answers are kept back until so many are asked for at once
	enough           chan struct{}
	once             sync.Once
	fails            error
}

func (d *distant) BlockSize() int { return 1 << 20 }

func (d *distant) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	d.asked++
	d.now++
	d.most = max(d.most, d.now)
	if d.now == d.wait {
		d.once.Do(func() { close(d.enough) })
	}
	fails, wait := d.fails, d.wait > 0
	d.mu.Unlock()
	defer func() { d.mu.Lock(); d.now--; d.mu.Unlock() }()
	if fails != nil {
		return 0, fails
	}
	if wait {
		select {
		case <-d.enough:
		case <-time.After(time.Minute): // they are not asked for at once
			d.once.Do(func() { close(d.enough) })
		}
	}
	return d.Reader.ReadAt(p, off)
}

// Over a network the chunks of neighbouring columns come as one request, several requests
// at once, and hold the same bits; nothing is kept afterwards.
func TestNeighboursAreOneRequest(t *testing.T) {
	const columns, rows, parts = 40, 700, 3
	rng := rand.New(rand.NewPCG(9, 1))
	names := make([]string, columns)
	for j := range names {
		names[j] = string(rune('a'+j/26)) + string(rune('a'+j%26))
	}
	var file bytes.Buffer
	w, err := NewWriter(&file, "parquet", names, false)
	if err != nil {
		t.Fatal(err)
	}
	for range parts {
		values := make([]float64, rows*columns)
		for i := range values {
			values[i] = math.Float64frombits(rng.Uint64()) // bits of all kinds, NaN too
		}
		if err := w.Write(values); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(r io.ReaderAt, place []int, width, lo, hi int) ([]uint64, error) {
		f, err := Open("parquet", r, int64(file.Len()))
		if err != nil {
			return nil, err
		}
		if d, ok := r.(*distant); ok {
			d.asked = 0
		}
		var bits []uint64
		for part := range f.Parts() {
			to := make([]float64, (hi-lo)*width)
			if err := Read(t.Context(), f, part, lo, hi, place, to, width); err != nil {
				return nil, err
			}
			for _, v := range to {
				bits = append(bits, math.Float64bits(v))
			}
		}
		if p := f.(*parquetFile); p.ahead != nil && len(p.ahead.blocks) > 0 {
			t.Errorf("%d blocks are kept", len(p.ahead.blocks))
		}
		return bits, nil
	}
	all, some, ends := make([]int, columns), make([]int, columns), make([]int, columns)
	for j := range all {
		all[j], some[j], ends[j] = j, -1, -1
		if j%2 == 0 {
			some[j] = j / 2
		}
	}
	ends[0], ends[columns-1] = 0, 1
	for _, c := range []struct {
		name          string
		place         []int
		width, lo, hi int
		most          int // requests a part
	}{
		{"all", all, columns, 0, rows, (columns + columnsAtOnce - 1) / columnsAtOnce},
		{"every second one", some, columns / 2, 0, rows, (columns/2 + columnsAtOnce - 1) / columnsAtOnce}, // the others are small
		{"the first and the last", ends, 2, 0, rows, 2},                                                   // 38 columns of 5,600 bytes lie between
		{"some rows", all, columns, 100, 300, 2 * columns},
	} {
		near, err := read(bytes.NewReader(file.Bytes()), c.place, c.width, c.lo, c.hi)
		if err != nil {
			t.Fatal(err)
		}
		d := &distant{Reader: bytes.NewReader(file.Bytes())}
		far, err := read(d, c.place, c.width, c.lo, c.hi)
		if err != nil || !slices.Equal(far, near) {
			t.Errorf("%s: other bits over a network, %v", c.name, err)
		}
		if d.asked > c.most*parts {
			t.Errorf("%s: %d requests, want at most %d", c.name, d.asked, c.most*parts)
		}
	}
	// all jobs of a part ask at once, on however many processors
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	d := &distant{Reader: bytes.NewReader(file.Bytes())}
	f, err := Open("parquet", d, int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	d.wait, d.enough = columns/columnsAtOnce, make(chan struct{})
	if err := Read(t.Context(), f, 1, 0, rows, all, make([]float64, rows*columns), columns); err != nil || d.most < d.wait {
		t.Errorf("%d requests at once, want %d; %v", d.most, d.wait, err)
	}
	d.wait, d.fails = 0, errors.New("the line is dead")
	if err := Read(t.Context(), f, 1, 0, rows, all, make([]float64, rows*columns), columns); !errors.Is(err, d.fails) {
		t.Errorf("a broken line: %v", err)
	}
	if n := len(f.(*parquetFile).ahead.blocks); n > 0 {
		t.Errorf("%d blocks are kept after an error", n)
	}
}
