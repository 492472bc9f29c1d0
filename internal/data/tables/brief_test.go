package tables

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/data/load"
)

// Passes are brief over small files of plain numbers, and over copies of text, and not while
// text is parsed each time, or over large files.
func TestBrief(t *testing.T) {
	dir := t.TempDir()
	csv, npy := filepath.Join(dir, "x.csv"), filepath.Join(dir, "x.npy")
	if err := os.WriteFile(csv, []byte(strings.Repeat("1,2\n3,5\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (20, 2), }"
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	data := append([]byte("\x93NUMPY\x01\x00\x76\x00"+header), bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 40)...)
	if err := os.WriteFile(npy, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		keep  bool
		brief bool
	}{{npy, true, true}, {npy, false, true}, {csv, true, true}, {csv, false, false}} {
		table, err := Open(t.Context(), c.path, load.Options{}, c.keep)
		if err != nil {
			t.Fatal(err)
		}
		if !table.Slow() || table.Brief() != c.brief {
			t.Errorf("%s, copied %v: slow %v, brief %v", filepath.Base(c.path), c.keep, table.Slow(), table.Brief())
		}
		table.Storage.(onDisk).P = briefBytes / 16
		if table.Brief() != c.brief {
			t.Errorf("%s at the bound: brief %v", filepath.Base(c.path), table.Brief())
		}
		if table.Storage.(onDisk).P++; table.Brief() {
			t.Errorf("%s: %d bytes are brief", filepath.Base(c.path), 16*(briefBytes/16+1))
		}
	}
}
