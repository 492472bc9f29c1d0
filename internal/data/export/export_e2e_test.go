//go:build e2e

package export

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPythonReads has NumPy, pandas and pyarrow read random tables in all formats:
// the same bits, the types and the names.
func TestPythonReads(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has NumPy, pandas and pyarrow")
	}
	dir := t.TempDir()
	tables, values := map[string]Table{}, map[string][]float64{}
	for seed := range uint64(40) {
		for _, format := range Extensions() {
			path := filepath.Join(dir, fmt.Sprintf("%02d%s", seed, format))
			x, want := table(t, seed, path)
			name := filepath.Base(path)
			if x.Names != nil || x.Weighted {
				name = "named" + name
				if err := os.Rename(path, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			tables[name], values[name] = x, want
		}
	}
	cmd := exec.Command(python, "testdata/read.py", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]struct {
		Columns []string
		Type    string
		Shape   [2]int
		Values  []string
	}
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatal(err)
	}
	if len(read) != len(tables) {
		t.Errorf("%d tables, want %d", len(read), len(tables))
	}
	for name, x := range tables {
		got := make([]float64, len(read[name].Values))
		for i, hex := range read[name].Values {
			if got[i], err = strconv.ParseFloat(hex, 64); err != nil {
				t.Fatal(err)
			}
		}
		p, _ := x.Shape()
		if err := sameBits(got, values[name]); err != nil || read[name].Shape != [2]int{p, x.columns()} {
			t.Errorf("%s: %v, shape %v", name, err, read[name].Shape)
		}
		of := "float64"
		if x.Single && !strings.Contains(name, "sv") {
			of = "float32"
		}
		if read[name].Type != of {
			t.Errorf("%s: %s, want %s", name, read[name].Type, of)
		}
		for j, want := range x.Names {
			if columns := read[name].Columns; columns != nil && want != "" && len(columns) > 0 && columns[j] != want {
				t.Errorf("%s: column %d is called %q, want %q", name, j+1, columns[j], want)
			}
		}
	}
}
