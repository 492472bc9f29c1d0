package passes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/data/columns"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
)

// Codes of missing values are, on workers, what they are in memory, and are counted over all
// splits, also in one of which no observation is left.
func TestCodes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.csv": "x,y,w\n1,2,1\n-9,4,2\n5,refused,1\n7,8,3\n",
		"b.csv": "x,y,w\n-9,2,1\n5,-9,1\n",
		"c.csv": "y,x,w\n3,2,1\n9,-9.0,2\n1,1,-9\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "*.csv")
	list, err := columns.Parse([]string{"-9", "y=refused", "7=7"})
	if err != nil {
		t.Fatal(err)
	}
	o := load.Options{Codes: list, Missing: load.MissingDrop, Weights: "w"}
	if _, err := Open(t.Context(), Local{1}, path, o); err == nil || !strings.Contains(err.Error(), `values "7": out of range`) {
		t.Errorf("a code of column 7: %v", err)
	}
	o.Codes[2].Column = "1"
	if _, err := Open(t.Context(), Local{1}, path, o); err == nil || !strings.Contains(err.Error(), "name the columns of codes") {
		t.Errorf("a code of column 1: %v", err)
	}
	if _, err := load.Load(t.Context(), path, o); err == nil || !strings.Contains(err.Error(), "name the columns of codes") {
		t.Errorf("in memory: %v", err)
	}
	o.Codes[2].Column = "x"
	x, err := Open(t.Context(), Local{2}, path, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := load.Load(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	if x.P != want.P || x.P != 2 || x.Dropped != want.Dropped || fmt.Sprint(x.Notes) != fmt.Sprint(want.Notes) || x.Notes[0].Text != `codes are missing values: "-9" in 5 cells (x: 3, w: 1, y: 1), "y=refused" in 1 cell (y: 1), "x=7" in 1 cell (x: 1)` {
		t.Errorf("%d left of %d, %v; in memory %d of %d, %v", x.P, x.P+x.Dropped, x.Notes, want.P, want.P+want.Dropped, want.Notes)
	}
}

// Weights that are equal within each file, and not between files, count as in memory; where
// all are equal, so do none. Means of a few small numbers are off by some 2^-52.
func TestWeightsEqualInFiles(t *testing.T) {
	for _, w := range []int{1, 2, 3} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"a.csv": "x,y,w\n1,2,1\n3,4,1\n5,6,NA\n7,8,1\n",
			"b.csv": fmt.Sprintf("x,y,w\n3,2,%d\n5,1,%[1]d\n", w),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		o := load.Options{Weights: "w", Missing: load.MissingDrop}
		x, err := Open(t.Context(), Local{2}, filepath.Join(dir, "*.csv"), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tables.Describe(t.Context(), x.Storage)
		if err != nil {
			t.Fatal(err)
		}
		sum := 3 + 2*float64(w)
		for j, mean := range []float64{(11 + 8*float64(w)) / sum, (14 + 3*float64(w)) / sum} {
			if math.Abs(got.Mean[j]-mean) > 1e-14 || x.P != 5 || x.Dropped != 1 || x.Storage.Weighted() != (w != 1) {
				t.Errorf("weights 1 and %d: mean %g, want %g; %d and %d rows, weighted %v", w, got.Mean[j], mean, x.P, x.Dropped, x.Storage.Weighted())
			}
		}
	}
}
