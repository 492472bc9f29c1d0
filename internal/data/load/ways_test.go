package load

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/system/memory"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// TestWaysOut: where a file does not fit, each way that the message advises needs less
// memory, and each that it does not advise would be no help.
func TestWaysOut(t *testing.T) {
	slow.Test(t)
	const p, n = 1 << 17, 20 // 21 MB, above what nobody needs to ask for
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, fortran := range map[string]string{"c.npy": "False", "f.npy": "True"} {
		head := npyFile(fmt.Sprintf("{'descr': '<f8', 'fortran_order': %s, 'shape': (%d, %d), }", fortran, p, n))
		if err := os.WriteFile(path(name), head, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path(name), int64(len(head)+8*p*n)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(path("x.npz"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "x.npy", Method: zip.Store})
	if err == nil {
		_, err = w.Write(read1(t, path("c.npy")))
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	var entries strings.Builder
	fmt.Fprintf(&entries, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", p, n, p*n/2)
	for l := range p * n / 2 {
		fmt.Fprintf(&entries, "%d %d 1\n", l/10+1, l%10+1)
	}
	for name, text := range map[string]string{"x.csv": strings.Repeat(strings.Repeat("1,", n-1)+"1\n", p), "x.mtx": entries.String()} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, ways := range map[string]string{"c.npy": "Stream Float32", "f.npy": "", "x.npz": "Stream Float32", "x.csv": "Stream Float32 Columns", "x.mtx": "Stream"} {
		o := Options{MemoryLimit: 17e6, Header: HeaderAbsent, Sparse: true}
		if name != "x.csv" {
			o.Header = HeaderAuto
		}
		needs := func(o Options) float64 {
			_, err := Load(t.Context(), path(name), o)
			var large *memory.Error
			if err != nil && !errors.As(err, &large) {
				t.Fatalf("%s: %v", name, err)
			}
			if err == nil {
				return 0
			}
			return large.Bytes
		}
		_, err := Load(t.Context(), path(name), o)
		if help := diag.Help(err); !slices.Equal(help, append(strings.Fields(ways), "MemoryLimit")) {
			t.Errorf("%s: advises %v, want %s, MemoryLimit: %v", name, help, ways, err)
		}
		whole := needs(o)
		single, few := o, o
		single.Float32, few.Columns = true, []string{"1"}
		_, err = OpenStream(t.Context(), path(name), o, nil)
		for way, helps := range map[string]bool{"Stream": err == nil, "Float32": needs(single) < whole, "Columns": needs(few) < whole} {
			if helps != strings.Contains(ways, way) {
				t.Errorf("%s: %s helps: %v; advised: %s", name, way, helps, ways)
			}
		}
	}
}
