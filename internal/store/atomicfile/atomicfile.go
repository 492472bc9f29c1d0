package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Write puts data into the file at path, as WriteFunc does.
func Write(path string, data []byte) error {
	return WriteFunc(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc has write fill a new file beside path and puts it in path's place,
// with the mode and the owner of the old one. A link goes on pointing to its
// file, which may be missing yet, and a device or a pipe (/dev/stdout, /dev/null) is
// written to directly: a rename would put an ordinary file in its place. A file that
// is read-only is refused. One that has other names too (hard links), or an owner that the new one
// cannot get, is written over when the new one is complete.
func WriteFunc(path string, write func(io.Writer) error) error {
	target, info, err := find(path)
	switch {
	case err != nil:
		return err
	case info != nil && !info.Mode().IsRegular():
		return explain(direct(target, write), target, false)
	}
	sweep(filepath.Dir(target))
	return explain(replace(target, info, write), target, info != nil)
}

// Check returns the error that a write to path would have, as far as that can be
// seen before.
func Check(path string) error {
	_, _, err := find(path)
	return err
}

// find follows links to the file that is to be written. Of one that is there
// already it returns what it is.
func find(path string) (target string, info fs.FileInfo, err error) {
	if path == "" {
		return "", nil, errors.New("the name is empty; give the name of a file")
	}
	if target, err = Follow(path); err != nil { // a rename would replace the link
		return "", nil, err
	}
	info, err = os.Stat(target)
	switch {
	case err != nil:
		return target, nil, nil // making it says what is wrong
	case info.IsDir():
		return "", nil, errors.New("is a directory; give the name of a file")
	case info.Mode().IsRegular() && !writable(target, info):
		return "", nil, errors.New("is read-only; the old file is unchanged: make it writable (chmod u+w) or write elsewhere")
	}
	return target, info, nil
}

// Follow returns the file that a write to path makes or replaces: what links lead to, even
// where it is missing.
func Follow(path string) (string, error) {
	for range 40 { // the most that Linux follows
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, nil
		}
		to, err := os.Readlink(path)
		if err != nil || isThere(path) { // no link, or one to a pipe, as /dev/fd has
			return path, nil
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(path)
			to = dir + to // not cleaned: the parent of a link to a directory is another one
		}
		path = to
	}
	return "", errors.New("is a link that leads back to itself; give the name of a file")
}

// replace fills a temporary file and replaces target with it; info
// describes target if it exists.
func replace(target string, info fs.FileInfo, write func(io.Writer) error) error {
	f, err := newTemporary(target, info)
	if err != nil {
		return err
	}
	unfinished.Store(f.Name(), nil)
	defer unfinished.Delete(f.Name())
	defer os.Remove(f.Name()) // not there any more when all went well
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if info != nil && !inherit(f, info) {
		return over(target, f)
	}
	return rename(f, target)
}

// unfinished are the temporary files of this process.
var unfinished sync.Map

// Abandon removes what is being written, for a program that ends without waiting for it.
func Abandon() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// over writes the contents of f over target, which keeps everything besides
// its content. What goes beyond the old end comes first: it alone needs room, and where
// there is none the old file is cut back to what it was. Meanwhile f has a name that people find:
// if the process is killed it is all that is whole.
func over(target string, f *os.File) (err error) {
	kept := target + ".new"
	if _, err := os.Lstat(kept); err == nil {
		return fmt.Errorf("%s is in the way: it has all of what was being written when a program was killed here, unless it is yours; move it away: %w", kept, fs.ErrExist)
	}
	if err := os.Rename(f.Name(), kept); err != nil {
		return err
	}
	defer func() {
		if !errors.Is(err, errHalf) {
			os.Remove(kept)
		}
	}()
	t, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer t.Close()
	old, err := t.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	err = put(t, f, min(old, size), size)
	if err != nil && t.Truncate(old) == nil {
		return err
	}
	if err == nil {
		err = put(t, f, 0, min(old, size))
	}
	if err == nil {
		err = t.Truncate(size)
	}
	if err == nil {
		err = t.Sync()
	}
	if closed := t.Close(); err == nil {
		err = closed
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w; all of the new one is in %s", errHalf, err, kept)
}

// put writes bytes from..to-1 of f at their places in t, through to the disk.
func put(t, f *os.File, from, to int64) error {
	_, err := io.Copy(io.NewOffsetWriter(t, from), io.NewSectionReader(f, from, to-from))
	if err == nil {
		err = t.Sync()
	}
	return err
}

var errHalf = errors.New("the old file was written over in part")

const suffix = ".symmom" // of temporary files

// newTemporary makes a file next to target that is locked as long as this process
// has it open, so that others see whether it is in use.
func newTemporary(target string, info fs.FileInfo) (*os.File, error) {
	dir, base := filepath.Split(target)
	base = base[:min(len(base), 200)] // the whole name may have 255 bytes
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = 0o600 // until it is complete
	}
	for tries := 0; ; tries++ {
		name := fmt.Sprintf("%s.%s.%016x%s", dir, base, rand.Uint64(), suffix)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && tries < 100 {
			continue
		}
		if err != nil {
			return nil, err
		}
		if hold(f) {
			return f, nil
		}
		f.Close() // swept before it was locked
		if tries >= 100 {
			return nil, fmt.Errorf("the temporary file %s cannot be locked", name)
		}
	}
}

// sweep removes the temporary files of processes that were killed. What cannot
// be removed stays.
func sweep(dir string) {
	names, _ := filepath.Glob(filepath.Join(escape(dir), ".*."+strings.Repeat("[0-9a-f]", 16)+suffix))
	for _, name := range names {
		discard(name)
	}
}

// escape makes a pattern of a name.
func escape(dir string) string {
	if filepath.Separator == '\\' {
		return dir // where the pattern has no way to escape
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

func direct(target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// explain adds the outcome for the file. The system's errors name the temporary
// file, so of those the cause alone is kept; others, such as those of what is read to be
// written, are complete.
func explain(err error, target string, old bool) error {
	kept := "nothing was written"
	if old {
		kept = "the old file is unchanged"
	}
	var path *fs.PathError
	var link *os.LinkError
	own := errors.As(err, &link) || errors.As(err, &path) && (path.Path == target || strings.HasSuffix(path.Path, suffix))
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errHalf), errors.Is(err, fs.ErrExist):
		return err
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; %s: free some space or write elsewhere", syscall.ENOSPC, kept)
	case !own:
		return fmt.Errorf("writing failed: %w; %s", err, kept)
	case errors.Is(err, fs.ErrNotExist) && isThere(filepath.Dir(target)): // as /proc is
		return fmt.Errorf("no file can be made in this directory (%w); %s: write elsewhere", fs.ErrNotExist, kept)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: the directory is missing; make it first", fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w to write; %s", fs.ErrPermission, kept)
	case link != nil:
		err = link.Err
	default:
		err = path.Err
	}
	return fmt.Errorf("writing failed: %w; %s", err, kept)
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
