package observations

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestWriteNoSpace has the system itself refuse: /dev/full, and a limit on the size
// of files, which fails in the middle of the data as a full disk does.
func TestWriteNoSpace(t *testing.T) {
	m := mat.NewDense(100_000, 1, nil)
	checkErrorHas(t, WriteNPY("/dev/full", m), "/dev/full: no space left on device; nothing was written: free some space")

	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_000, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	err := WriteNPY(path, m)
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); e != nil {
		t.Fatal(e)
	}
	checkError(t, err, path+": writing failed: file too large; the old file is unchanged")
	if got := directory(t, dir); got != "x.npy: precious\n" {
		t.Fatalf("left behind: %q", got)
	}
}
