package kernelbuild

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Request is a module or a package to compile in.
type Request struct {
	Path    string
	Version string // as go get takes it; empty for the latest
	Dir     string // a directory with the module, in place of a download, or ""
}

// ParseRequest reads MODULE[@VERSION] or MODULE=DIR.
func ParseRequest(text string) (Request, error) {
	var r Request
	var here, versioned bool
	r.Path, r.Dir, here = strings.Cut(text, "=")
	r.Path, r.Version, versioned = strings.Cut(r.Path, "@")
	host, _, _ := strings.Cut(r.Path, "/")
	switch {
	case here && versioned:
		return r, fmt.Errorf("got %q: a directory has no version, want MODULE=DIR or MODULE@VERSION", text)
	case here && r.Dir == "":
		return r, fmt.Errorf("got %q, want a directory after =", text)
	case versioned && (r.Version == "" || r.Version == "none" || strings.ContainsAny(r.Version, " /\\")):
		return r, fmt.Errorf("got %q, want a version after @, such as @v1.2.3 or @latest", text)
	case strings.HasPrefix(r.Path, ".") || filepath.IsAbs(r.Path) || strings.ContainsAny(r.Path, " \\"):
		return r, fmt.Errorf("got %q, want the path of a module, such as github.com/samber/lo; for a directory write MODULE=DIR", text)
	case !strings.Contains(host, ".") && !here:
		return r, fmt.Errorf("got %q, want the path of a module with its host, such as github.com/samber/lo; the standard library is there already", text)
	}
	if here {
		dir, err := filepath.Abs(r.Dir)
		if err != nil {
			return r, err
		}
		r.Dir = dir
	}
	return r, nil
}

func (r Request) String() string {
	switch {
	case r.Dir != "":
		return r.Path + "=" + r.Dir
	case r.Version != "":
		return r.Path + "@" + r.Version
	}
	return r.Path
}
