package shards

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// A pattern for a directory that may not be read names that directory; it does not say
// that nothing matches, nor leave its files out.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	open, closed, within := filepath.Join(dir, "d1"), filepath.Join(dir, "d2"), filepath.Join(dir, "d2", "e")
	for _, d := range []string{open, closed, within} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "x.csv"), []byte("1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, mode := range map[string]os.FileMode{closed: 0, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(closed, 0o755)
	ctx, done := t.Context(), make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // without an end: the thread is not one for other goroutines
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(12345); err != nil { // root may read all
				t.Error(err)
				return
			}
		}
		for pattern, path := range map[string]string{"d2/*.csv": closed, "d*/*.csv": closed, "d2/e/*.csv": within, "*/e/*.csv": closed} {
			names, err := Files(ctx, filepath.Join(dir, pattern))
			if !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), path+": permission denied") {
				t.Errorf("%s: %v, %v", pattern, names, err)
			}
		}
		if names, err := Files(ctx, filepath.Join(dir, "d1", "*.csv")); err != nil || len(names) != 1 {
			t.Errorf("what can be read: %v, %v", names, err)
		}
	}()
	<-done
}
