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
	var err error
	limited(t, 100_000, func() { err = Write(path, data) })
	checkError(t, err, "writing failed: file too large; the old file is unchanged")
	if got := directory(t, dir); got != "x.json: precious\n" {
		t.Fatalf("left behind: %q", got)
	}
}

// limited calls do while no file may become longer than size: the system refuses what is
// beyond, as on a full disk.
func limited(t *testing.T, size uint64, do func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	do()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
}

// TestNoRoomToGrow: a file with two names is written over in place, and stays as it was
// where it cannot grow.
func TestNoRoomToGrow(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	old := strings.Repeat("old", 20_000)
	if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	f, err := newTemporary(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Repeat("new", 100_000)); err != nil {
		t.Fatal(err)
	}
	limited(t, 100_000, func() { err = over(path, f) })
	checkError(t, explain(err, path, true), "writing failed: file too large; the old file is unchanged")
	if b, err := os.ReadFile(path); err != nil || string(b) != old {
		t.Errorf("the old file has %d bytes, want the %d it had; %v", len(b), len(old), err)
	}
	for _, now := range []string{strings.Repeat("longer", 20_000), "short", ""} {
		if err := Write(path, []byte(now)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "b")); err != nil || string(b) != now {
			t.Errorf("the other name has %d bytes, want %d; %v", len(b), len(now), err)
		}
	}
}

// A program that is killed while it writes over a file leaves all of the new one beside it, where
// the next write finds it and does nothing.
func TestCutShort(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, []byte("half of o"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte("the whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(path, []byte("more"))
	if err == nil || !strings.Contains(err.Error(), path+".new is in the way") {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{"a": "half of o", "b": "half of o", "a.new": "the whole"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 3 {
		t.Errorf("%v, %v", names, err)
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
