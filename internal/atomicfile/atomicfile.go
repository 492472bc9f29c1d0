// Package atomicfile writes files that appear whole or not at all: an old file
// stays as it is when writing fails, and a reader never sees half a new one.
// Errors say what became of the file and what to do, but not its name, which
// the caller puts before them.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// Write puts data into the file at path, as WriteFunc does.
func Write(path string, data []byte) error {
	return WriteFunc(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc has write fill a new file beside path and puts it in path's place.
// The mode of an old file is kept. A link goes on pointing to its file, and a
// device or a pipe (/dev/stdout, /dev/null) is written to directly: a rename
// would put an ordinary file in its place.
func WriteFunc(path string, write func(io.Writer) error) error {
	if path == "" {
		return errors.New("the name is empty; give the name of a file")
	}
	target := path
	if t, err := filepath.EvalSymlinks(path); err == nil {
		target = t // a rename would replace the link
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return errors.New("is a directory; give the name of a file")
	case err == nil && !info.Mode().IsRegular():
		return explain(direct(target, write), false)
	}
	f, err := renameio.NewPendingFile(target,
		renameio.WithTempDir(filepath.Dir(target)),
		renameio.WithPermissions(0o644),
		renameio.WithExistingPermissions())
	if err != nil {
		return explain(err, info != nil)
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return explain(err, info != nil)
	}
	return explain(f.CloseAtomicallyReplace(), info != nil)
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

// explain says what became of the file. The system's errors name the temporary
// file, so of those the cause alone is kept.
func explain(err error, old bool) error {
	kept := "nothing was written"
	if old {
		kept = "the old file is unchanged"
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; %s: free some space or write elsewhere", syscall.ENOSPC, kept)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: the directory is missing; make it first", fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w to write; %s", fs.ErrPermission, kept)
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("writing failed: %w; %s", err, kept)
}
