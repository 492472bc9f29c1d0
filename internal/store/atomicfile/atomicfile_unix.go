//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable reports whether a file may be written to. Root may write to all, but a file
// that no one may write to was made so on purpose.
func writable(path string, info fs.FileInfo) bool {
	return info.Mode().Perm()&0o222 != 0 && unix.Access(path, unix.W_OK) == nil
}

// hold locks a file that was just made. It fails where a sweep came first.
func hold(f *os.File) bool {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		// A file system without locks: what is left there cannot be distinguished from
		// what is in use.
		return err != unix.EWOULDBLOCK
	}
	info, err := f.Stat()
	return err == nil && info.Sys().(*syscall.Stat_t).Nlink > 0
}

// discard removes a file that no process holds.
func discard(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.Remove(name)
	}
}

// inherit gives f the owner and the mode of an old file. It reports whether f may
// take the old one's place: not where that has more names, or another owner.
func inherit(f *os.File, info fs.FileInfo) bool {
	old, is := info.Sys().(*syscall.Stat_t)
	if !is || old.Nlink > 1 {
		return false
	}
	now, err := f.Stat()
	if err != nil {
		return false
	}
	new := now.Sys().(*syscall.Stat_t)
	if (new.Uid != old.Uid || new.Gid != old.Gid) && f.Chown(int(old.Uid), int(old.Gid)) != nil {
		return false
	}
	return f.Chmod(info.Mode()) == nil
}

// rename replaces target with f, which stays locked until it has its name.
func rename(f *os.File, target string) error {
	if err := os.Rename(f.Name(), target); err != nil {
		return err
	}
	return f.Close()
}
