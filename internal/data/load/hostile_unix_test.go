//go:build unix

package load

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFIFO: a named pipe that nobody writes to was deaf to Ctrl-C.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(ctx context.Context) error { _, err := Load(ctx, path, Options{}); return err }
	whole := func(ctx context.Context) error { _, err := ReadFile(ctx, path, 1); return err }
	stream := func(ctx context.Context) error { _, err := OpenStream(ctx, path, Options{}, nil); return err }
	stops(t, load)
	stops(t, whole)
	stops(t, stream)
	// One whose writer has begun and says no more.
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString("1,2\n3,4\n"); err != nil {
		t.Fatal(err)
	}
	stops(t, load)
	stops(t, whole)
}
