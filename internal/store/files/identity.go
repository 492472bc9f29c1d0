package files

import (
	"cmp"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"symmom/internal/store/atomicfile"
)

// Identity identifies a file or object, however its path is spelled.
type Identity struct {
	url   URL
	far   bool
	there fs.FileInfo // nil if nothing is there yet
	name  string      // absolute, of a file that is not there
}

// Identify returns the identity of path, without asking stores.
func Identify(path string) Identity {
	if u, ok := parse(path); ok {
		return Identity{url: u, far: true}
	}
	if info, err := os.Stat(path); err == nil {
		return Identity{there: info}
	}
	return Identity{name: destination(path)}
}

// Replaceable reports whether a write to the path can replace what others read or write:
// it is not a new file, and no device or pipe, which keep nothing.
func (a Identity) Replaceable() bool { return a.far || a.there != nil && a.there.Mode().IsRegular() }

// Is reports whether a write to one is a write to the other. It is false for devices and
// pipes, in which there is nothing to lose. Settings distinguish objects only if both name
// their server or account, as one may be the default.
func (a Identity) Is(b Identity) bool {
	switch {
	case a.far != b.far:
		return false
	case a.far:
		return a.url.is(b.url)
	case a.there != nil && b.there != nil:
		return a.Replaceable() && os.SameFile(a.there, b.there)
	case a.there != nil || b.there != nil:
		return false
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin": // names differ in more than case there
		return strings.EqualFold(a.name, b.name)
	}
	return a.name == b.name
}

func (u URL) is(v URL) bool {
	if u.Scheme != v.Scheme || u.Bucket != v.Bucket || path.Clean("/"+u.Key) != path.Clean("/"+v.Key) {
		return false
	}
	// An invalid URL is refused by the store, and identifies nothing here.
	a, _ := url.ParseQuery(u.Query)
	b, _ := url.ParseQuery(v.Query)
	for _, where := range []string{"endpoint", "account"} {
		if x, y := a.Get(where), b.Get(where); x != "" && y != "" && x != y {
			return false
		}
	}
	return true
}

// destination returns the absolute name under which a file that is not there will be
// made.
func destination(path string) string {
	target, err := atomicfile.Follow(path)
	if err != nil {
		target = path
	}
	dir, base := filepath.Split(target)
	if real, err := filepath.EvalSymlinks(cmp.Or(dir, ".")); err == nil {
		dir = real
	}
	if abs, err := filepath.Abs(filepath.Join(dir, base)); err == nil {
		return abs
	}
	return filepath.Clean(path)
}
