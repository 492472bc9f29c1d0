//go:build unix

package atomicfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The metadata of a file are preserved: its mode, also bits that a
// write would clear, its owner, and its other names.
func TestWhatAFileHasStays(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "x"), filepath.Join(dir, "other")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 { // only root can change owners
		uid, gid = 12345, 54321
	}
	for _, linked := range []bool{false, true} {
		os.Remove(path)
		if err := os.WriteFile(path, []byte("a longer old text"), 0o600); err != nil {
			t.Fatal(err)
		}
		if linked {
			if err := os.Link(path, other); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o664); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		s := info.Sys().(*syscall.Stat_t)
		if info.Mode() != 0o664 || int(s.Uid) != uid || int(s.Gid) != gid {
			t.Errorf("linked %v: mode %v, owner %d:%d, want %d:%d", linked, info.Mode(), s.Uid, s.Gid, uid, gid)
		}
		want := "x: new\n"
		if linked {
			want = "other: new\n" + want
		}
		if got := directory(t, dir); got != want {
			t.Errorf("linked %v: %q", linked, got)
		}
	}
}

// A file that no one may write to was made so on purpose. Root is refused, too.
func TestReadOnlyIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, []byte("precious"), 0o444); err != nil {
		t.Fatal(err)
	}
	checkError(t, Write(path, []byte("new")), "is read-only; the old file is unchanged: make it writable (chmod u+w) or write elsewhere")
	if got := directory(t, dir); got != "x: precious\n" {
		t.Errorf("%q", got)
	}
}

// TestMain is also the process that TestSweep kills: it writes a half and waits.
func TestMain(m *testing.M) {
	if path := os.Getenv("SYMMOM_TEST_WRITE_HALF"); path != "" {
		err := WriteFunc(path, func(w io.Writer) error {
			if _, err := w.Write(make([]byte, 1000)); err != nil {
				return err
			}
			fmt.Println("half")
			_, err := os.Stdin.Read(make([]byte, 1)) // until it is killed or gets a byte
			return err
		})
		if err != nil && err != io.EOF {
			fmt.Println(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Temporary files of processes that were killed go with the next write in the
// directory; those of processes that live stay.
func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [dir*?")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	foreign := []string{".notes" + suffix, ".m.json.12ab" + suffix} // files of people stay
	half := func(name string) (*exec.Cmd, io.WriteCloser) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SYMMOM_TEST_WRITE_HALF="+filepath.Join(dir, name))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		return cmd, in
	}
	temporary := func() (n int) {
		names, err := fs.Glob(os.DirFS(dir), ".*"+suffix)
		if err != nil {
			t.Fatal(err)
		}
		return len(names) - len(foreign)
	}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	killed, _ := half("m.json")
	alive, in := half(strings.Repeat("m", 250)) // as long as names may be
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	if n := temporary(); n != 2 {
		t.Fatalf("%d temporary files, want 2", n)
	}
	if err := Write(filepath.Join(dir, "other.json"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if n := temporary(); n != 1 {
		t.Errorf("%d temporary files are left, want that of the process that lives", n)
	}
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := alive.Wait(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, strings.Repeat("m", 250))); err != nil || info.Size() != 1000 || temporary() != 0 {
		t.Errorf("%v, %d temporary files", err, temporary())
	}
}
