package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// directory gives the names in dir and what is in each.
func directory(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("%s: %s\n", e.Name(), b)
	}
	return text
}

// TestFailures: no space left, at any point; the old file stays whole and no
// other is left behind.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	noSpace := func(after int) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, err := w.Write(make([]byte, after)); err != nil {
				return err
			}
			return &fs.PathError{Op: "write", Path: "y", Err: syscall.ENOSPC}
		}
	}
	for _, after := range []int{0, 1, 1 << 20} {
		err := WriteFunc(path, noSpace(after))
		checkError(t, err, "no space left on device; nothing was written: free some space or write elsewhere")
		if got := directory(t, dir); got != "" {
			t.Fatalf("left behind: %q", got)
		}
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{0, 1, 1 << 20} {
		err := WriteFunc(path, noSpace(after))
		checkError(t, err, "no space left on device; the old file is unchanged: free some space or write elsewhere")
		if !errors.Is(err, syscall.ENOSPC) {
			t.Error("the cause is lost")
		}
		if got := directory(t, dir); got != "x.json: precious\n" {
			t.Fatalf("left behind: %q", got)
		}
	}
	err := WriteFunc(path, func(io.Writer) error { return &fs.PathError{Op: "write", Path: "y" + suffix, Err: syscall.EIO} })
	checkError(t, err, "writing failed: input/output error; the old file is unchanged")
	err = WriteFunc(path, func(io.Writer) error { return &fs.PathError{Op: "write", Path: "y" + suffix, Err: fs.ErrPermission} })
	checkError(t, err, "permission denied to write; the old file is unchanged")
	// The rename fails: the temporary file is closed already.
	err = WriteFunc(path, func(w io.Writer) error { return w.(io.Closer).Close() })
	if err == nil || !strings.HasPrefix(err.Error(), "writing failed: ") || !strings.HasSuffix(err.Error(), "; the old file is unchanged") {
		t.Errorf("got %v", err)
	}
	if got := directory(t, dir); got != "x.json: precious\n" {
		t.Fatalf("left behind: %q", got)
	}
}

// TestPlaces: what is not an ordinary file must not be replaced by one.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	checkError(t, Write("", nil), "the name is empty; give the name of a file")
	checkError(t, Write(dir, nil), "is a directory; give the name of a file")
	checkError(t, Write(filepath.Join(dir, "none", "x"), nil), "file does not exist: the directory is missing; make it first")

	// The mode of an old file is kept, and a link goes on pointing to it.
	path, link := filepath.Join(dir, "x"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("the file behind the link: %q, %v", b, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("the mode is lost: %v", err)
	}
}

// TestLinksToNothing: they are followed as the system follows them, through links to
// directories too, and stay.
func TestLinksToNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, err := range []error{
		os.MkdirAll("d/e", 0o755), os.Symlink("d/e", "e"), os.Symlink("x", "one"), os.Symlink("e/../y", "up"), os.Symlink(filepath.Join(dir, "up"), "two"),
		os.Symlink("circle", "circle"), os.Symlink("none/z", "lost"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for link, file := range map[string]string{"one": "x", "d/../two": "d/y"} {
		if err := Write(link, []byte(link)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{link, file} {
			if b, err := os.ReadFile(name); err != nil || string(b) != link {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link %s is gone: %v", link, err)
		}
	}
	checkError(t, Write("circle", nil), "is a link that leads back to itself; give the name of a file")
	checkError(t, Check("circle"), "is a link that leads back to itself; give the name of a file")
	checkError(t, Write("lost", nil), "file does not exist: the directory is missing; make it first")
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A program that ends while a file is being written leaves no part of it: once it is
// abandoned there is the old file alone, whatever comes of the writing.
func TestAbandon(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := Write("x", []byte("old")); err != nil {
		t.Fatal(err)
	}
	err := WriteFunc("x", func(w io.Writer) error {
		_, err := w.Write([]byte("ne"))
		Abandon()
		return err
	})
	if err == nil {
		t.Error("no error from an abandoned write")
	}
	if b, err := os.ReadFile("x"); err != nil || string(b) != "old" {
		t.Errorf("%q, %v", b, err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// An error of the source is not reported as one of the file: another file is missing.
func TestErrorsOfTheSource(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, cause := range []error{fs.ErrNotExist, fs.ErrPermission} {
		source := fmt.Errorf("in.csv: gone: %w", &fs.PathError{Op: "open", Path: "in.csv", Err: cause})
		err := WriteFunc("out.npy", func(io.Writer) error { return source })
		if !errors.Is(err, cause) || err.Error() != "writing failed: "+source.Error()+"; nothing was written" {
			t.Error(err)
		}
	}
}
