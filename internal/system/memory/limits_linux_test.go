package memory

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestGroups: the nearest limit counts, of both versions of control groups.
func TestGroups(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("memory.max", "max\n")
	write("pod/memory.max", "1000\n")
	write("pod/memory.current", "900\n")
	write("pod/memory.stat", "anon 1\ninactive_file 300\n")
	write("pod/inner/memory.max", "max\n")
	write("memory/old/memory.limit_in_bytes", "500\n")
	write("memory/old/memory.usage_in_bytes", "480\n")
	write("memory/old/memory.stat", "inactive_file 7\ntotal_inactive_file 10\n")
	for own, want := range map[string]float64{
		"0::/\n":                               math.Inf(1),
		"0::/pod\n":                            400,
		"0::/pod/inner\n":                      400,
		"4:memory:/old\n3:cpu:/pod\n0::/pod\n": 30,
		"nonsense\n":                           math.Inf(1),
	} {
		if got := leastOfGroups(root, own); got != want {
			t.Errorf("%q: %g, want %g", own, got, want)
		}
	}
}
