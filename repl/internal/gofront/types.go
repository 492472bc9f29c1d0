package gofront

import (
	"archive/zip"
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"symmom/repl/internal/syntax"
	"symmom/repl/symbols"
)

// checker holds the types of the declarations of cells. It is the single source of
// truth for names; the interpreter only runs code that has passed it.
type checker struct {
	Pkg     *types.Package          // of all cells
	Objects map[string]types.Object // declared at the top level, by the user's name
	Dots    []string                // paths of packages imported with a dot

	Orphans map[*types.Func]bool // methods of failed cells, which go/types still knows
}

func newChecker() *checker {
	return &checker{Pkg: types.NewPackage("main", "main"), Objects: map[string]types.Object{}, Orphans: map[*types.Func]bool{}}
}

// packageTypes are the types of the library's packages: the compiler's export data,
// embedded, read on first use and shared by all sessions. Types made from the
// interpreter's tables would lack generics and unexported methods, and give false
// errors.
var packageTypes struct {
	sync.Mutex
	archive *zip.Reader
	loaded  map[string]*types.Package
	whole   map[string]bool
}

// ImportTypes returns the types of a package.
func ImportTypes(path string) (*types.Package, error) {
	switch path {
	case "unsafe":
		return types.Unsafe, nil
	case syntax.SupportPath:
		return supportTypes(), nil
	case "display":
		return displayTypes(), nil
	}
	t := &packageTypes
	t.Lock()
	defer t.Unlock()
	if t.archive == nil {
		archive, err := zip.NewReader(bytes.NewReader(symbols.Types), int64(len(symbols.Types)))
		if err != nil {
			return nil, err
		}
		t.archive, t.loaded, t.whole = archive, map[string]*types.Package{}, map[string]bool{}
	}
	if t.whole[path] {
		return t.loaded[path], nil
	}
	f, err := t.archive.Open(path)
	if err != nil {
		return nil, fmt.Errorf("no types for package %q", path)
	}
	defer f.Close()
	pkg, err := gcexportdata.Read(f, token.NewFileSet(), t.loaded, path)
	if err != nil {
		return nil, err
	}
	t.whole[path] = true
	return pkg, nil
}

// ImporterFunc is a function that implements go/types' Importer.
type ImporterFunc func(path string) (*types.Package, error)

// Import returns the types of a package.
func (f ImporterFunc) Import(path string) (*types.Package, error) { return f(path) }
