//go:build e2e

package load

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"symmom/internal/data/fixed"
)

// TestPandasFixed reads text in columns of fixed positions as pandas.read_fwf does, with the
// positions given or inferred, in memory and as a stream.
func TestPandasFixed(t *testing.T) {
	dir := t.TempDir()
	run(t, "testdata/fixed.py", dir, "200")
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 200 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		var want struct {
			Fixed   string
			Header  bool
			Columns []string
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
		o := Options{Missing: MissingDrop, Header: HeaderAbsent, Columns: want.Columns}
		if want.Header {
			o.Header = HeaderPresent
		}
		o.Fixed, _ = fixed.Parse(want.Fixed)
		path := file[:len(file)-len(".json")] + ".fwf"
		s, err := Load(t.Context(), path, o)
		if err != nil {
			t.Error(err)
			continue
		}
		stream, err := OpenStream(t.Context(), path, o, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if streamed, _ := collect(t, stream); !slices.Equal(s.Values, values) || !slices.Equal(streamed, values) {
			t.Errorf("%s: %v and %v, pandas %v", path, s.Values, streamed, values)
		}
	}
}
