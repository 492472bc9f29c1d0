package repl

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// preloaded are the packages that every session has imported.
var preloaded = []string{"symmom/symmom", "symmom/charts", "gonum.org/v1/gonum/mat", "display", "fmt", "math"}

// supportName is the package, in cells only, of the functions that lowered
// code calls: see support.go.
const (
	supportName = "__repl"
	supportPath = "repl"
)

// library is what can be imported in a session.
type library struct {
	names        map[string]string // path -> package name
	symbols      map[string]map[string]reflect.Value
	unrestricted bool
}

// add takes in a package that is there in cells only.
func (l *library) add(name string, table map[string]reflect.Value) {
	l.names[name], l.symbols[name] = name, table
}

// name is the package name of an import path.
func (l *library) name(importPath string) string { return l.names[importPath] }

// has reports whether the session has a name of a package.
func (l *library) has(importPath, name string) bool {
	if _, ok := l.symbols[importPath][name]; ok {
		return true
	}
	return importPath == supportPath || l.symbols[importPath] == nil || librarySource(importPath, name) != nil || libraryType(importPath, name) != "" || generalNames[importPath+"."+name]
}

// generalNames are names of generic packages that are no functions: the
// interpreter never sees them.
var generalNames = map[string]bool{"cmp.Ordered": true, "iter.Seq": true, "iter.Seq2": true}

// refusal says why a package cannot be imported, or nothing.
func (l *library) refusal(importPath string) string {
	switch {
	case l.names[importPath] != "":
		return ""
	case guarded[importPath] != "":
		return fmt.Sprintf("package %s %s: %s", importPath, guarded[importPath], guardNote)
	case importPath == "symmom" || importPath == "charts" || importPath == "mat":
		return fmt.Sprintf("package %s is there already, without an import", importPath)
	}
	return fmt.Sprintf("no package %q in this session: it has the standard library, symmom, charts, paper, and of gonum mat, stat, floats, optimize, distuv", importPath)
}

// paths returns the import paths of the packages with this name.
func (l *library) paths(name string) []string {
	var out []string
	for p, n := range l.names {
		if n == name {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// example is an exported name of a package: the first function of its own.
func (l *library) example(importPath string) string {
	table := l.symbols[importPath]
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if table[name].Kind() == reflect.Func {
			return name
		}
	}
	return "Name"
}
