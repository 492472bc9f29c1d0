package gofront

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"symmom/repl/internal/syntax"
	"symmom/repl/with"
)

// Preloaded are the packages that every session has imported.
var Preloaded = []string{"symmom/widgets", "gonum.org/v1/gonum/mat", "display", "fmt", "math"}

// Library describes the packages that cells can import.
type Library struct {
	Names   map[string]string // path -> package name
	Symbols map[string]map[string]reflect.Value

	Own       []string          // paths of those that are neither of the standard library nor of gonum
	Preloaded []string          // paths of those that are available without an import
	Advice    map[string]string // for names of other languages, before otherNames
	Wants     map[string]string // as Library.Wants of package repl
	Build     string            // the command that compiles packages in, if any

	once    sync.Once
	aliases map[string][2]string // path.name of a type -> path and name of its alias
}

// Add adds a package that exists only in cells.
func (l *Library) Add(name string, table map[string]reflect.Value) {
	l.Names[name], l.Symbols[name] = name, table
}

// Name returns the package name of an import path.
func (l *Library) Name(importPath string) string { return l.Names[importPath] }

// Importable returns the path and name by which a cell can name a type: those of a type
// itself, or of an alias for it if cells cannot import its package.
func (l *Library) Importable(importPath, name string) (string, string) {
	if l.Symbols[importPath] != nil {
		return importPath, name
	}
	l.once.Do(func() {
		l.aliases = map[string][2]string{}
		for path, table := range l.Symbols {
			for alias, v := range table {
				if v.Kind() != reflect.Pointer || !v.IsNil() { // a type is a nil pointer
					continue
				}
				if t := v.Type().Elem(); t.Name() != "" && t.PkgPath() != path {
					l.aliases[t.PkgPath()+"."+t.Name()] = [2]string{path, alias}
				}
			}
		}
	})
	if a, ok := l.aliases[importPath+"."+name]; ok {
		return a[0], a[1]
	}
	return importPath, name
}

// Has reports whether the session provides the given name of a package.
func (l *Library) Has(importPath, name string) bool {
	if _, ok := l.Symbols[importPath][name]; ok {
		return true
	}
	if with.IsGeneric(importPath) {
		return hasGeneric(importPath, name)
	}
	return importPath == syntax.SupportPath || l.Symbols[importPath] == nil || LibrarySource(importPath, name) != nil || LibraryType(importPath, name) != "" || generalNames[importPath+"."+name]
}

// generalNames are names of generic packages that are not functions, and functions
// that are replaced: the interpreter never sees them.
var generalNames = map[string]bool{
	"cmp.Ordered":       true,
	"iter.Seq":          true,
	"iter.Seq2":         true,
	"unsafe.Add":        true,
	"unsafe.Slice":      true,
	"unsafe.SliceData":  true,
	"unsafe.String":     true,
	"unsafe.StringData": true,
}

// refusal returns the reason why a package cannot be imported, or "" if it can.
func (l *Library) refusal(importPath string) string {
	switch {
	case l.Names[importPath] != "":
		return ""
	case Guarded[importPath] != "":
		return fmt.Sprintf("package %s %s: %s", importPath, Guarded[importPath], GuardNote)
	case slices.ContainsFunc(l.Preloaded, func(p string) bool { return path.Base(p) == importPath }):
		return fmt.Sprintf("package %s is available without an import", importPath)
	}
	var own []string
	for _, p := range l.Own {
		own = append(own, path.Base(p))
	}
	has := "it has most of the standard library, " + strings.Join(own, ", ") + ", and of gonum mat, stat, floats, optimize, distuv"
	if modules := with.Modules(); len(modules) > 0 {
		has += "; with " + strings.Join(with.Title(modules), ", ")
	}
	advice := ""
	if host, _, _ := strings.Cut(importPath, "/"); strings.Contains(host, ".") && l.Build != "" {
		advice = "; to make a kernel with it: " + l.Build
		for _, m := range with.Modules() {
			advice += " --with " + m.Request()
		}
		advice += " --with " + importPath
	}
	return fmt.Sprintf("no package %q in this session: %s%s", importPath, has, advice)
}

// IsPreloaded reports whether a package is available without an import.
func (l *Library) IsPreloaded(importPath string) bool {
	return slices.Contains(l.Preloaded, importPath)
}

// Paths returns the import paths of the packages with a name.
func (l *Library) Paths(name string) []string {
	var out []string
	for p, n := range l.Names {
		if n == name {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// example returns an exported name of a package: its first function.
func (l *Library) example(importPath string) string {
	table := l.Symbols[importPath]
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if table[name].Kind() == reflect.Func {
			return name
		}
	}
	return "Name"
}
