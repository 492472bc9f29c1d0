//go:build unix

package atomicfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: they are written to and not replaced.
func TestPipes(t *testing.T) {
	dir := t.TempDir()

	// A pipe, as /dev/stdout may be.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := Write(fmt.Sprintf("/dev/fd/%d", w.Fd()), []byte("through")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if b, err := io.ReadAll(r); err != nil || string(b) != "through" {
		t.Errorf("through a pipe: %q, %v", b, err)
	}

	// A named pipe that is there before and after.
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(fifo, os.O_RDWR, 0) // so that neither end waits
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(fifo, []byte("named")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 5)
	if _, err := io.ReadFull(f, b); err != nil || string(b) != "named" {
		t.Errorf("through a named pipe: %q, %v", b, err)
	}
	if info, err := os.Lstat(fifo); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the named pipe is gone: %v", err)
	}
}
