// Package with holds the third-party packages compiled into this binary. It is empty
// unless symmom kernel build made the binary: that adds files to this package, which
// set contents.
package with

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Module is a module whose packages were compiled in.
type Module struct {
	Path    string
	Version string // or the directory that it was built from
}

// Request returns the module as symmom kernel build takes it.
func (m Module) Request() string {
	if filepath.IsAbs(m.Version) {
		return m.Path + "=" + m.Version
	}
	return m.Path + "@" + m.Version
}

// contents describes what was compiled in.
var contents struct {
	modules  []Module
	packages map[string]string // that cells can import: path -> name

	// generic are the paths of the packages that have generic declarations, and of
	// the internal packages that these need, each after those that it imports. Cells
	// run such declarations from source.
	generic []string

	tables  func() map[string]map[string]reflect.Value // as symbols.All
	types   []byte                                     // a zip of export data, as symbols.Types
	sources []byte                                     // a zip of the files of packages: path/file.go
}

// Modules returns the modules that were compiled in.
func Modules() []Module { return slices.Clone(contents.modules) }

// Packages returns the packages that cells can import, by path with their names.
func Packages() map[string]string { return contents.packages }

// Tables returns the contents of the packages in the form that the interpreter's Use
// takes.
var Tables = sync.OnceValue(func() map[string]map[string]reflect.Value {
	if contents.tables == nil {
		return nil
	}
	return contents.tables()
})

// Has reports whether a package was compiled in and its table has a name.
func Has(importPath, name string) bool {
	return Tables()[importPath+"/"+contents.packages[importPath]][name].IsValid()
}

// Generic returns the packages whose generic declarations cells run from source, each
// after those that it imports.
func Generic() []string { return contents.generic }

// IsGeneric reports whether Generic returns a package.
func IsGeneric(importPath string) bool { return slices.Contains(contents.generic, importPath) }

// Types returns the types of packages as a zip of export data, or nil.
func Types() []byte { return contents.types }

var archive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(contents.sources), int64(len(contents.sources)))
})

// Sources returns the files of a package, or nil if the package was not compiled in.
func Sources(importPath string) ([][]byte, error) {
	if contents.sources == nil {
		return nil, nil
	}
	z, err := archive()
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, f := range z.File {
		if path.Dir(f.Name) != importPath {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// Title names the modules in a few words: the last parts of their paths.
func Title(modules []Module) []string {
	var out []string
	for _, m := range modules {
		name := path.Base(m.Path)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" && path.Dir(m.Path) != "." {
			name = path.Base(path.Dir(m.Path)) // v2 is no name
		}
		out = append(out, name)
	}
	return out
}
