package gofront

import (
	"archive/zip"
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/gcexportdata"

	"symmom/repl/symbols"
)

// checker is what the session knows of types: what go/types says of the names
// that cells have declared, and of the packages that they can import. It is
// the one source of truth for names; the interpreter only runs what has
// passed it.
type checker struct {
	pkg     *types.Package          // of all cells
	Objects map[string]types.Object // declared at the top of cells, by the user's name
	Dots    []string                // paths of packages imported with a dot

	// inner is the name of an object in the interpreter where it is not the
	// user's: yaegi cannot replace a type, nor change the type of a variable.
	Inner    map[types.Object]string
	versions map[string]int    // of inner names that were given out
	Imported map[string]string // path -> name of the package in the interpreter

	generic    map[types.Object]*genericDecl   // source of generic functions and methods
	written    map[string]string               // instance -> name in the interpreter
	named      map[types.Object][]*types.Named // instances of a generic type
	owned      map[string]*ownEntry            // types of which values were put into a box
	tracked    map[string]*tracked
	recovering map[types.Object]bool // functions: whether they call recover themselves
	selfMade   map[*types.Named]bool // types: whether they are made of themselves, see self.go
	dissecting map[dissecting]string // parameters -> what looks at them, see dissect.go
	returning  map[string]types.Type // interfaces, see return.go
	recoverers map[string]bool       // types of functions that call recover, see recover.go
	Orphans    map[*types.Func]bool  // methods that go/types knows of a cell that failed
}

func newChecker() *checker {
	return &checker{pkg: types.NewPackage("main", "main"), Objects: map[string]types.Object{}, Inner: map[types.Object]string{}, versions: map[string]int{}, Imported: map[string]string{},
		generic: map[types.Object]*genericDecl{}, written: map[string]string{}, named: map[types.Object][]*types.Named{}, Orphans: map[*types.Func]bool{}, recovering: map[types.Object]bool{}, recoverers: map[string]bool{}, returning: map[string]types.Type{}, dissecting: map[dissecting]string{}, selfMade: map[*types.Named]bool{},
		owned: map[string]*ownEntry{}, tracked: map[string]*tracked{}}
}

// packageTypes are the types of the packages of the library, read when they
// are first asked for. They are shared by all sessions.
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
	case SupportPath:
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

// ImporterFunc makes a function an importer of go/types.
type ImporterFunc func(path string) (*types.Package, error)

// Import returns the types of a package.
func (f ImporterFunc) Import(path string) (*types.Package, error) { return f(path) }
