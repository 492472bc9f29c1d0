package load

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// written is what a file of columnar.py holds.
type written struct {
	Names, Others []string
	Rows          [][]*string
	About         string

	values  []float64 // NaN where missing
	missing int
}

func readWritten(t *testing.T, path string) *written {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &written{}
	if err := json.Unmarshal(text, w); err != nil {
		t.Fatal(err)
	}
	for _, row := range w.Rows {
		for _, hex := range row {
			v := math.NaN()
			if hex != nil {
				if v, err = strconv.ParseFloat(*hex, 64); err != nil {
					t.Fatal(err)
				}
			} else {
				w.missing++
			}
			w.values = append(w.values, v)
		}
	}
	return w
}

// whole returns the rows without a missing value, of the columns by number.
func (w *written) whole(columns []int) (rows [][]float64) {
	n := len(w.Names)
	for i := range w.Rows {
		var row []float64
		for _, j := range columns {
			row = append(row, w.values[i*n+j])
		}
		if !slices.ContainsFunc(row, func(v float64) bool { return v != v }) {
			rows = append(rows, row)
		}
	}
	return rows
}

func sameBits(got []float64, want [][]float64) error {
	flat := slices.Concat(want...)
	if len(got) != len(flat) {
		return fmt.Errorf("%d values, want %d", len(got), len(flat))
	}
	for i, v := range flat {
		if math.Float64bits(v) != math.Float64bits(got[i]) {
			return fmt.Errorf("value %d is %v, want %v", i, got[i], v)
		}
	}
	return nil
}

// checkColumnar reads a file whole, streamed (small: in parts of row groups), as
// float32, and some of its columns, and compares bit for bit.
func checkColumnar(t *testing.T, path string, w *written, small bool) {
	t.Helper()
	all := make([]int, len(w.Names))
	for j := range all {
		all[j] = j
	}
	fails := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s\n%s", path, fmt.Sprintf(format, args...), w.About)
	}
	set, err := Load(t.Context(), path, Options{Missing: MissingDrop})
	want := w.whole(all)
	switch {
	case len(w.Names) == 0:
		if err == nil || !strings.Contains(err.Error(), "has no column of numbers") {
			fails("%v, want that there are no numbers", err)
		}
		return
	case len(want) == 0:
		if err == nil || !strings.Contains(err.Error(), "each of the") {
			fails("%v, want that nothing is left", err)
		}
		return
	case err != nil:
		fails("%v", err)
		return
	}
	if err := sameBits(set.Values, want); err != nil || !slices.Equal(set.Names, w.Names) {
		fails("%v, names %q, want %q", err, set.Names, w.Names)
	}
	text := ""
	for _, warning := range set.Warnings {
		text += warning.Text
	}
	for _, name := range w.Others {
		if !strings.Contains(text, name) {
			fails("says %q, want that %s was left out", text, name)
		}
	}
	if _, err := Load(t.Context(), path, Options{}); (err != nil) != (w.missing > 0) {
		fails("%v where %d values are missing", err, w.missing)
	}
	var blocks []float64
	if small { // parts of row groups
		slabBytes = 1 << 12
	}
	if _, err := OpenStream(t.Context(), path, Options{Missing: MissingDrop}, func(_ *Stream, b block.Block) { blocks = append(blocks, b.V...) }); err != nil {
		fails("streamed: %v", err)
	} else if err := sameBits(blocks, want); err != nil {
		fails("streamed: %v", err)
	}
	slabBytes = 128 << 20
	checkNarrow(t, path, w, all, fails)
	// The columns of odd numbers, backwards.
	var some []int
	var names []string
	for j := len(all) - 1; j >= 0; j -= 2 {
		some, names = append(some, j), append(names, w.Names[j])
	}
	want = w.whole(some)
	set, err = Load(t.Context(), path, Options{Missing: MissingDrop, Columns: names})
	if err != nil && len(want) > 0 {
		fails("columns %q: %v", names, err)
	} else if err == nil {
		if err := sameBits(set.Values, want); err != nil {
			fails("columns %q: %v", names, err)
		}
	}
}

// checkNarrow compares what is kept as float32.
func checkNarrow(t *testing.T, path string, w *written, all []int, fails func(string, ...any)) {
	set, err := Load(t.Context(), path, Options{Missing: MissingDrop, Float32: true})
	if err != nil {
		fails("float32: %v", err)
		return
	}
	var got []float64
	for _, v := range set.Values32 {
		got = append(got, float64(v))
	}
	want := w.whole(all)
	for _, row := range want {
		for j := range row {
			row[j] = float64(float32(row[j]))
		}
	}
	if err := sameBits(got, want); err != nil {
		fails("float32: %v", err)
	}
}

// TestColumnar reads files that testdata/columnar.py wrote.
func TestColumnar(t *testing.T) {
	paths, err := filepath.Glob("testdata/columnar/*.[pfa]*") // not those of JSON
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for i, path := range paths {
		checkColumnar(t, path, readWritten(t, strings.TrimSuffix(path, filepath.Ext(path))+".json"), i%2 == 1)
	}
}

var damages = flag.Int("damages", 40, "how many times TestDamagedColumnar damages each file")

// TestDamagedColumnar damages files: each ends in one line that names the file, or
// in a table, within bounded time and memory.
func TestDamagedColumnar(t *testing.T) {
	slow.Test(t)
	paths, err := filepath.Glob("testdata/columnar/*.[pfa]*")
	if err != nil {
		t.Fatal(err)
	}
	slowest, largest, read := time.Duration(0), uint64(0), 0
	for _, path := range paths {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := filepath.Join(t.TempDir(), "x"+filepath.Ext(path))
		for seed := range uint64(*damages) {
			rng := rand.New(rand.NewPCG(seed, uint64(len(whole))))
			if err := os.WriteFile(damaged, damage(whole, rng), 0o666); err != nil {
				t.Fatal(err)
			}
			began, before := time.Now(), allocated()
			o := Options{Missing: MissingDrop, Float32: seed%3 == 0}
			if seed%2 == 0 {
				_, err = Load(t.Context(), damaged, o)
			} else {
				o.Float32 = false
				_, err = OpenStream(t.Context(), damaged, o, nil)
			}
			slowest, largest = max(slowest, time.Since(began)), max(largest, allocated()-before)
			if err == nil {
				read++
			} else if text := err.Error(); !strings.HasPrefix(text, damaged+":") || strings.Contains(text, "\n") {
				t.Errorf("%s, seed %d: %q", path, seed, text)
			}
		}
	}
	t.Logf("%d files, %d read; slowest %v, at most %d MB allocated", len(paths)**damages, read, slowest, largest>>20)
	if slowest > 10*time.Second || largest > 1<<30 {
		t.Errorf("slowest %v, at most %d bytes allocated", slowest, largest)
	}
}

// damage changes a few bytes or numbers, cuts, or repeats a part.
func damage(whole []byte, rng *rand.Rand) []byte {
	b := bytes.Clone(whole)
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(b) - 8)
		if rng.IntN(2) == 0 { // the footer, where the sizes are
			at = len(b) - 8 - rng.IntN(min(len(b)-8, 600))
		}
		switch rng.IntN(6) {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b[at] = byte(rng.Uint32())
		case 2:
			binary.LittleEndian.PutUint32(b[at:], rng.Uint32())
		case 3:
			binary.LittleEndian.PutUint32(b[at:], []uint32{0, 1, 0x7fffffff, 0xffffffff, 1 << 24}[rng.IntN(5)])
		case 4:
			if to := at + rng.IntN(min(64, len(b)-at)); len(b)-to > 16 {
				b = append(b[:at:at], b[to:]...)
			}
		case 5:
			b = slices.Insert(b, at, b[at:at+rng.IntN(8)]...)
		}
		if len(b) < 32 {
			break
		}
	}
	if rng.IntN(10) == 0 {
		b = b[:16+rng.IntN(len(b)-16)]
	}
	return b
}
