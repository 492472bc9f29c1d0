package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"symmom/internal/moment/block"
)

// Where there is no room for eight groups of 32 MB, formats that gather them are refused
// before anything is written, and the others are written. The limit would stay, so that
// this is done in a process of its own.
func TestNoRoom(t *testing.T) {
	if os.Getenv("SYMMOM_NO_ROOM") == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestNoRoom$")
		cmd.Env = append(os.Environ(), "SYMMOM_NO_ROOM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%.2000s", err, out)
		}
		return
	}
	x := Table{Source: &block.Dense{P: 1 << 20, N: 4, V: make([]float64, 4<<20)}, Label: strconv.Itoa}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	most := pages*uint64(os.Getpagesize()) + 300<<20 // three quarters are less than 256 MB
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, format := range []string{"parquet", "arrow", "feather", "npy"} {
		path := filepath.Join(dir, "x."+format)
		err := Write(t.Context(), path, x, nil)
		refused := err != nil && strings.HasPrefix(err.Error(), "writing "+format+" would take 268.4 MB of memory, ") && strings.HasSuffix(err.Error(), "write NPY or CSV, which need less")
		if _, there := os.Stat(path); refused == (format == "npy") || (there == nil) != (format == "npy") {
			t.Errorf("%s: %v, %v", format, err, there)
		}
	}
}
