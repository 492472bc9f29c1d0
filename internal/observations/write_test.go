package observations

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestWriteNPYRoundTrip writes matrices of random shapes and wants the same bits.
func TestWriteNPYRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	path := filepath.Join(t.TempDir(), "x.npy")
	for range 200 {
		p, n := 1+rng.IntN(300), 1+rng.IntN(90)
		m := mat.NewDense(p, n, nil)
		for i := range p {
			for j := range n {
				m.Set(i, j, rng.NormFloat64()*math.Exp(100*rng.NormFloat64()))
			}
		}
		var any mat.Matrix = m
		if rng.IntN(2) == 0 {
			any = m.T()
		}
		if err := WriteNPY(path, any); err != nil {
			t.Fatal(err)
		}
		got, err := LoadMatrix(t.Context(), path)
		if err != nil || !mat.Equal(got, any) {
			t.Fatalf("%d x %d did not come back: %v", p, n, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != int64(128+8*p*n) {
			t.Fatalf("%d bytes, want a header of 128 and 8 for each value", info.Size())
		}
	}
}

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

// TestWriteFails: no space left, at any point; the old file stays whole and no
// other is left behind.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	noSpace := func(after int) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, err := w.Write(make([]byte, after)); err != nil {
				return err
			}
			return &fs.PathError{Op: "write", Path: "y", Err: syscall.ENOSPC}
		}
	}
	for _, after := range []int{0, 1, 1 << 20} {
		err := writeAtomic(path, noSpace(after))
		checkError(t, err, path+": no space left on device; nothing was written: free some space or write elsewhere")
		if got := directory(t, dir); got != "" {
			t.Fatalf("left behind: %q", got)
		}
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{0, 1, 1 << 20} {
		err := writeAtomic(path, noSpace(after))
		checkError(t, err, path+": no space left on device; the old file is unchanged: free some space or write elsewhere")
		if !errors.Is(err, syscall.ENOSPC) {
			t.Error("the cause is lost")
		}
		if got := directory(t, dir); got != "x.npy: precious\n" {
			t.Fatalf("left behind: %q", got)
		}
	}
	err := writeAtomic(path, func(io.Writer) error { return &fs.PathError{Op: "write", Path: "y", Err: syscall.EIO} })
	checkError(t, err, path+": writing failed: input/output error; the old file is unchanged")
	err = writeAtomic(path, func(io.Writer) error { return fs.ErrPermission })
	checkError(t, err, path+": permission denied to write; the old file is unchanged")
	// The rename fails: the temporary file is closed already.
	err = writeAtomic(path, func(w io.Writer) error { return w.(io.Closer).Close() })
	checkErrorHas(t, err, "writing failed: ", "the old file is unchanged")
	if got := directory(t, dir); got != "x.npy: precious\n" {
		t.Fatalf("left behind: %q", got)
	}
}

func TestWritePlaces(t *testing.T) {
	dir := t.TempDir()
	m := mat.NewDense(1, 1, []float64{7})
	checkError(t, WriteNPY(dir, m), dir+": is a directory; give the name of a file")
	lost := filepath.Join(dir, "none", "x.npy")
	checkError(t, WriteNPY(lost, m), lost+": file does not exist: the directory is missing; make it first")
	var none *mat.Dense
	checkError(t, WriteNPY("x.npy", none), "x.npy: nothing was written: the matrix is nil")

	// The mode of an old file is kept, and a link goes on pointing to it.
	path, link := filepath.Join(dir, "x.npy"), filepath.Join(dir, "link.npy")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteNPY(link, m); err != nil {
		t.Fatal(err)
	}
	if got, err := LoadMatrix(t.Context(), path); err != nil || !mat.Equal(got, m) {
		t.Errorf("the file behind the link: %v, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}

	// To a pipe, as in --out /dev/stdout.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := WriteNPY(fmt.Sprintf("/dev/fd/%d", w.Fd()), m); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if s, err := Read(t.Context(), r, "", "", Options{}); err != nil || !slices.Equal(s.Values, []float64{7}) {
		t.Errorf("through a pipe: %v, %v", s, err)
	}
}
