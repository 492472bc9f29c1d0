package shards

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// A pipe among files is refused: who opens it would wait. Directories and hidden files are
// left out, a list may begin with a byte order mark.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "c.csv"), 0o755), syscall.Mkfifo(filepath.Join(dir, ".d.csv"), 0o600), syscall.Mkfifo(filepath.Join(dir, "e.txt.log"), 0o600),
		os.WriteFile(filepath.Join(dir, "_list"), []byte("\ufeffb.csv\r\na.csv\r\n"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a, b := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")
	for path, want := range map[string][]string{dir: {a, b}, filepath.Join(dir, "*.csv"): {a, b}, "@" + filepath.Join(dir, "_list"): {b, a}} {
		if names, err := Here(t.Context(), path); err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: got %v, %v; want %v", path, names, err, want)
		}
	}
	pipe := filepath.Join(dir, "z.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "*.csv")} {
		want := path + ": " + pipe + " is a pipe or a device, no file; move it, or choose the files with a pattern such as 'part-*.csv' or with a list (@files.txt)"
		if names, err := Files(t.Context(), path); err == nil || err.Error() != want {
			t.Errorf("got %v, %v; want %s", names, err, want)
		}
	}
	if names, err := Files(t.Context(), filepath.Join(dir, "[ab].csv")); err != nil || len(names) != 2 {
		t.Errorf("beside the pipe: %v, %v", names, err)
	}
}
