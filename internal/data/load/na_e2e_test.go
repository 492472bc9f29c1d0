//go:build e2e

package load

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"symmom/internal/data/columns"
)

// TestPandasNA reads surveys as pandas does with na_values: the same complete rows, in memory
// and as a stream, and as many missing values as are counted by code.
func TestPandasNA(t *testing.T) {
	dir := t.TempDir()
	run(t, "testdata/na.py", dir, "60")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 60 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		var want struct {
			NA      []string
			Missing int
			Rows    [][]string
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		for _, row := range want.Rows {
			for _, text := range row {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, v)
			}
		}
		o := Options{Missing: MissingDrop, Header: HeaderPresent}
		if o.Codes, err = columns.Parse(want.NA); err != nil {
			t.Fatal(err)
		}
		path := file[:len(file)-len(".json")] + ".csv"
		s, err := Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := OpenStream(t.Context(), path, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		missing := 0
		for _, c := range stream.Coded {
			missing += c.Cells
		}
		if streamed, _ := collect(t, stream); !slices.Equal(s.Values, values) || !slices.Equal(streamed, values) || missing != want.Missing {
			t.Errorf("%s, %v: %v and %v with %d missing, pandas %v with %d", path, want.NA, s.Values, streamed, missing, values, want.Missing)
		}
	}
}
