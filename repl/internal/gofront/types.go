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
	"symmom/repl/with"
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
var packageTypes allTypes

type allTypes struct {
	sync.Mutex
	inner    *zip.Reader   // of packages that were compiled in, or nil
	archives []*zip.Reader // of the others
	loaded   map[string]*types.Package
	whole    map[string]bool
	checked  bool // the generic packages that were compiled in
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
	if err := t.begin(); err != nil {
		return nil, err
	}
	return t.read(path)
}

// AddTypes makes the types of further packages known, from a zip of export data.
func AddTypes(data []byte) error {
	t := &packageTypes
	t.Lock()
	defer t.Unlock()
	if err := t.begin(); err != nil {
		return err
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		t.archives = append(t.archives, archive)
	}
	return err
}

// begin opens the archives that every session has; the caller has locked t.
func (t *allTypes) begin() (err error) {
	if t.archives != nil {
		return nil
	}
	if data := with.Types(); data != nil {
		if t.inner, err = zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
			return err
		}
	}
	own, err := zip.NewReader(bytes.NewReader(symbols.Types), int64(len(symbols.Types)))
	if err != nil {
		return err
	}
	t.archives = []*zip.Reader{own}
	t.loaded, t.whole = map[string]*types.Package{}, map[string]bool{}
	return nil
}

// read returns the types of a package; the caller has locked t.
func (t *allTypes) read(path string) (*types.Package, error) {
	if t.whole[path] {
		return t.loaded[path], nil
	}
	f, inner, err := t.open(path)
	if err != nil {
		return nil, fmt.Errorf("no types for package %q", path)
	}
	if inner {
		// The export data of a package that was compiled in may refer to generic ones,
		// whose types are those of their source.
		if err := t.checkGeneric(); err != nil {
			return nil, err
		}
	}
	if f == nil {
		if !t.whole[path] {
			return nil, fmt.Errorf("no types for package %q", path)
		}
		return t.loaded[path], nil
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
