//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// writable reports whether a file may be written to.
func writable(_ string, info fs.FileInfo) bool { return info.Mode().Perm()&0o200 != 0 }

// hold does nothing: here a file that is open cannot be removed.
func hold(*os.File) bool { return true }

// discard removes a file that no process has open.
func discard(name string) { os.Remove(name) }

// inherit gives f the mode of an old file.
func inherit(f *os.File, info fs.FileInfo) bool { return f.Chmod(info.Mode()) == nil }

// rename replaces target with f: closed, as it must be on this system.
func rename(f *os.File, target string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}
