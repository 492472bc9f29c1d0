//go:build e2e

package load

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPyArrowWrites reads tables of random types, encodings, pages and row groups
// that pyarrow wrote.
func TestPyArrowWrites(t *testing.T) {
	const cases = 80
	dir := t.TempDir()
	run(t, "testdata/columnar.py", dir, strconv.Itoa(cases))
	for seed := range cases {
		base := filepath.Join(dir, fmt.Sprintf("%04d", seed))
		w := readWritten(t, base+".json")
		for _, kind := range []string{".parquet", ".feather", ".arrow"} {
			checkColumnar(t, base+kind, w, seed%2 == 1)
		}
	}
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

// TestPandasWritesText reads tables of text that pandas wrote: separators, decimal
// signs, separated thousands, quotation marks, columns of text and times.
func TestPandasWritesText(t *testing.T) {
	const cases = 60
	dir := t.TempDir()
	run(t, "testdata/text.py", dir, strconv.Itoa(cases))
	for seed := range cases {
		base := filepath.Join(dir, fmt.Sprintf("%04d", seed))
		checkColumnar(t, base+".csv", readWritten(t, base+".json"), false)
	}
}
