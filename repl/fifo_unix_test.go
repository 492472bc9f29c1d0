//go:build unix

package repl

import (
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// quotedFIFO makes a FIFO that nobody writes to, and returns its path as a literal.
func quotedFIFO(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return strconv.Quote(path)
}
