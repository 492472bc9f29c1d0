package repl

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"symmom/repl/internal/gofront"
	"symmom/repl/reference"
	"symmom/repl/symbols"
	"symmom/repl/with"
)

// add makes the types and the documentation of the packages known. They are the same for
// all sessions.
func (l *Library) add() (err error) {
	l.known.Do(func() {
		if l.Sources != nil {
			reference.Add(l.Sources)
		}
		if l.Types != nil {
			err = gofront.AddTypes(l.Types)
		}
	})
	return err
}

// newLibrary loads the packages into the interpreter.
func newLibrary(i *interp.Interpreter, unrestrict bool, own *Library) (*gofront.Library, error) {
	if err := own.add(); err != nil {
		return nil, fmt.Errorf("types of the library: %w", err)
	}
	// Use loads cmp, maps and slices from source.
	l := &gofront.Library{Names: map[string]string{"cmp": "cmp", "iter": "iter", "maps": "maps", "slices": "slices"},
		Symbols:   map[string]map[string]reflect.Value{},
		Preloaded: slices.Concat(own.Preloaded, gofront.Preloaded), Advice: own.Advice, Wants: own.Wants, Build: own.Build}
	l.Own = slices.Concat(own.Preloaded, []string{"symmom/widgets"})
	for _, key := range slices.Sorted(maps.Keys(own.Symbols)) {
		if p := path.Dir(key); !slices.Contains(l.Own, p) {
			l.Own = append(l.Own, p)
		}
	}
	// The binary tables of these are empty, because their functions are generic,
	// and would hide the source that Use loads.
	standard := maps.Clone(stdlib.Symbols)
	for p := range l.Names {
		delete(standard, p+"/"+p)
	}
	if !unrestrict {
		for p := range gofront.Guarded {
			delete(standard, p+"/"+path.Base(p))
		}
	}
	sets := []map[string]map[string]reflect.Value{standard, symbols.Newer(), symbols.All(), own.Symbols, with.Tables()}
	if unrestrict {
		sets = append(sets, unrestricted.Symbols, syscall.Symbols, unsafe.Symbols)
	}
	for _, set := range sets {
		if err := i.Use(shortened(set)); err != nil {
			return nil, fmt.Errorf("interpreter: %w", err)
		}
		for key, table := range set {
			if p := path.Dir(key); p != "." && !strings.HasPrefix(p, "github.com/traefik/yaegi") {
				if before := l.Symbols[p]; before != nil {
					before = maps.Clone(before)
					maps.Copy(before, table)
					table = before
				}
				l.Names[p], l.Symbols[p] = path.Base(key), table
			}
		}
	}
	for key := range with.Tables() { // those of internal packages are for code that runs from source
		if p := path.Dir(key); with.Packages()[p] == "" {
			delete(l.Names, p)
		}
	}
	for p, name := range with.Packages() {
		l.Names[p] = name
		if l.Symbols[p] == nil { // all of it is generic
			l.Symbols[p] = map[string]reflect.Value{}
		}
	}
	return l, nil
}

// shortened returns tables in which those of import paths that end in two equal parts, such
// as symmom/symmom, are also under the path that yaegi shortens these to.
func shortened(tables map[string]map[string]reflect.Value) map[string]map[string]reflect.Value {
	out := maps.Clone(tables)
	for key, table := range tables {
		if p := path.Dir(key); path.Base(path.Dir(p)) == path.Base(p) {
			out[p] = table
		}
	}
	return out
}
