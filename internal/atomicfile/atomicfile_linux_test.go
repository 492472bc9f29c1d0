package atomicfile

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoSpace has the system itself refuse: /dev/full, and a limit on the size
// of files, which fails in the middle of the data as a full disk does.
func TestNoSpace(t *testing.T) {
	data := make([]byte, 800_000)
	checkError(t, Write("/dev/full", data), "no space left on device; nothing was written: free some space or write elsewhere")

	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
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
	err := Write(path, data)
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); e != nil {
		t.Fatal(e)
	}
	checkError(t, err, "writing failed: file too large; the old file is unchanged")
	if got := directory(t, dir); got != "x.json: precious\n" {
		t.Fatalf("left behind: %q", got)
	}
}

// When a file with other names cannot be written over to the end, the new
// content is kept whole.
func TestOverwritingFails(t *testing.T) {
	dir := t.TempDir()
	f, err := newTemporary(filepath.Join(dir, "x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("all of it"); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, "full")
	if err := os.Symlink("/dev/full", target); err != nil {
		t.Fatal(err)
	}
	err = explain(over(target, f), target, true)
	if err == nil || !strings.Contains(err.Error(), "all of the new one is in "+target+".new") {
		t.Errorf("got %v", err)
	}
	if b, err := os.ReadFile(target + ".new"); err != nil || string(b) != "all of it" {
		t.Errorf("%q, %v", b, err)
	}
}
