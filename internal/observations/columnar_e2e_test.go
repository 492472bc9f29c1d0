//go:build e2e

package observations

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/obs"
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

// TestPyArrowWrites reads tables of random types, encodings, pages and row groups
// that pyarrow wrote, whole, streamed, as float32, and some columns of them, and
// compares bit for bit.
func TestPyArrowWrites(t *testing.T) {
	const cases = 80
	dir := t.TempDir()
	run(t, "testdata/columnar.py", dir, strconv.Itoa(cases))
	tables := 0
	for seed := range cases {
		base := filepath.Join(dir, fmt.Sprintf("%04d", seed))
		w := readWritten(t, base+".json")
		all := make([]int, len(w.Names))
		for j := range all {
			all[j] = j
		}
		for _, kind := range []string{".parquet", ".feather", ".arrow"} {
			path := base + kind
			fails := func(format string, args ...any) {
				t.Errorf("%d%s: %s\n%s", seed, kind, fmt.Sprintf(format, args...), w.About)
			}
			set, err := Load(t.Context(), path, Options{Missing: MissingDrop})
			want := w.whole(all)
			switch {
			case len(w.Names) == 0:
				if err == nil || !strings.Contains(err.Error(), "has no column of numbers") {
					fails("%v, want that there are no numbers", err)
				}
				continue
			case len(want) == 0:
				if err == nil || !strings.Contains(err.Error(), "each of the") {
					fails("%v, want that nothing is left", err)
				}
				continue
			case err != nil:
				fails("%v", err)
				continue
			}
			tables++
			if err := sameBits(set.Values, want); err != nil || !slices.Equal(set.Names, w.Names) {
				fails("%v, names %q, want %q", err, set.Names, w.Names)
			}
			told := ""
			for _, warning := range set.Warnings {
				told += warning.Text
			}
			for _, name := range w.Others {
				if !strings.Contains(told, name) {
					fails("says %q, want that %s was left out", told, name)
				}
			}
			if _, err := Load(t.Context(), path, Options{}); (err != nil) != (w.missing > 0) {
				fails("%v where %d values are missing", err, w.missing)
			}
			var blocks []float64
			if seed%2 == 1 { // parts of row groups
				slabBytes = 1 << 12
			}
			if _, err := OpenStream(t.Context(), path, Options{Missing: MissingDrop}, func(b obs.Block) { blocks = append(blocks, b.V...) }); err != nil {
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
	}
	t.Logf("%d tables", tables)
	const index = "__index_level_0__"
	for _, name := range []string{"texts.parquet", "numbers.parquet"} {
		set, err := Load(t.Context(), filepath.Join(dir, name), Options{})
		if err != nil || !slices.Equal(set.Values, []float64{1, 3, 2.5, 4, 7, 5}) || len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0].Text, index) {
			t.Errorf("%s: %+v, %v", name, set, err)
		}
	}
	set, err := Load(t.Context(), filepath.Join(dir, "numbers.parquet"), Options{Columns: []string{"b", index}})
	if err != nil || !slices.Equal(set.Values, []float64{3, 10, 4, 30, 5, 31}) {
		t.Errorf("with the index: %+v, %v", set, err)
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
