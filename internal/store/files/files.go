// Package files opens, writes and lists files by path, and objects in stores and on the
// web by URL. Stores register themselves, as database drivers do; the web (https://)
// is built in.
//
// Messages never contain credentials: the query and the user of a URL are omitted, and
// errors of stores are reworded.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"symmom/internal/store/atomicfile"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
)

// File is an open file (*os.File) or object (*Object).
type File interface {
	io.ReadCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// Open opens a file or an object to read. Reads from an object end with ctx. Their errors,
// and those of Open for a URL, are complete: *diag.Failure.
func Open(ctx context.Context, path string) (File, error) {
	u, ok := parse(path)
	if !ok {
		f, err := interruptible.Open(ctx, path)
		if err != nil {
			return nil, err // not a *os.File that is nil
		}
		return f, nil
	}
	o, err := open(ctx, u)
	if err != nil {
		return nil, u.fail(err)
	}
	return o, nil
}

// Remaining is the number of bytes that r surely still has; -1: unknown.
func Remaining(r io.Reader) int64 {
	switch r := r.(type) {
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return -1
		}
		at, err := r.Seek(0, io.SeekCurrent)
		// Files of /proc are regular and say that they have no bytes.
		if err != nil || info.Size() == 0 || at > info.Size() {
			return -1
		}
		return info.Size() - at
	case *Object:
		if !r.info.Ranges {
			return -1
		}
		return r.info.Size - r.at
	case interface{ Len() int }: // bytes.Reader, bytes.Buffer, strings.Reader
		return int64(r.Len())
	}
	return -1
}

// At gives random access to the last size bytes of r, if r can do that.
func At(r io.Reader, size int64) (at io.ReaderAt, ok bool) {
	whole := int64(-1)
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil {
			at, whole = r, info.Size()
		}
	case *Object:
		at, whole = r, r.info.Size
	case interface {
		io.ReaderAt
		Size() int64
	}: // bytes.Reader, strings.Reader
		at, whole = r, r.Size()
	}
	switch {
	case whole < size:
		return nil, false
	case whole > size:
		at = io.NewSectionReader(at, whole-size, size)
	}
	return at, true
}

// Change says how an open file or object is no longer as it was; "" if it is.
func Change(f File, before fs.FileInfo) string {
	now, err := f.Stat()
	if err != nil {
		return err.Error()
	}
	if same(before, now) {
		return ""
	}
	const clock = "15:04:05.000"
	return fmt.Sprintf("%d bytes of %s, then %d of %s", before.Size(), before.ModTime().Format(clock), now.Size(), now.ModTime().Format(clock))
}

func same(before, now fs.FileInfo) bool {
	a, remote := before.(objectInfo)
	if b, ok := now.(objectInfo); ok || remote {
		return ok && remote && a.Info.Size == b.Info.Size && a.Version == b.Version && a.Modified.Equal(b.Modified)
	}
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// Write puts data where path says, as WriteFunc does.
func Write(ctx context.Context, path string, data []byte) error {
	return WriteFunc(ctx, path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc has write fill a file, as atomicfile.WriteFunc does, or an object, which also
// appears whole or not at all. Errors do not name it.
func WriteFunc(ctx context.Context, path string, write func(io.Writer) error) error {
	return told(path, write, func(write func(io.Writer) error) error { return writeFunc(ctx, path, write) })
}

func writeFunc(ctx context.Context, path string, write func(io.Writer) error) error {
	u, ok := parse(path)
	if !ok {
		return atomicfile.WriteFunc(path, write)
	}
	store, err := u.store()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := store.Create(ctx, u)
	if err != nil {
		return kept(err)
	}
	if err := write(w); err != nil {
		w.Abort()
		return kept(err)
	}
	return kept(w.Close())
}

// Abandon removes files that are still being written to disk. It is for programs that exit
// without waiting for them.
func Abandon() { atomicfile.Abandon() }

// kept reports the outcome for the object.
func kept(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; nothing was written", err)
}

// Check returns the error that a write to path would have, as far as that can be seen
// before without writing.
func Check(ctx context.Context, path string) error {
	if u, ok := parse(path); ok {
		return u.check(ctx)
	}
	dir := filepath.Dir(path)
	switch info, err := os.Stat(dir); {
	case err != nil:
		return fmt.Errorf("there is no directory %s; make it first", dir)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return atomicfile.Check(path)
}

// check asks a store whether there is the bucket, with the settings and credentials of
// this user. One that does not answer soon may do so by the time of the write.
func (u URL) check(ctx context.Context) error {
	store, err := u.store()
	if err != nil {
		return err
	}
	const soon = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	if u.web() {
		_, err = store.Create(ctx, u)
		return err
	}
	var final *Problem
	if err = store.List(ctx, u, true, func(string) { cancel() }); errors.As(err, &final) && !errors.Is(err, ErrDenied) {
		return err
	}
	return nil
}

// fail is an error about what the URL names.
func (u URL) fail(err error) error {
	if _, ok := errors.AsType[*Problem](err); ok {
		return diag.Fail(u.String(), "%w", err)
	}
	return diag.Open(u.String(), err)
}
