package repl

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"strings"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"symmom/repl/internal/gofront"
	"symmom/repl/symbols"
	"symmom/repl/with"
)

// newLibrary loads the packages into the interpreter.
func newLibrary(i *interp.Interpreter, unrestrict bool) (*gofront.Library, error) {
	// Use loads cmp, maps and slices from source.
	l := &gofront.Library{Names: map[string]string{"cmp": "cmp", "iter": "iter", "maps": "maps", "slices": "slices"},
		Symbols: map[string]map[string]reflect.Value{}}
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
	// yaegi shortens an import path of two equal parts to one of them.
	own := symbols.All()
	own["symmom/symmom"] = own["symmom/symmom/symmom"]
	sets := []map[string]map[string]reflect.Value{standard, symbols.Newer(), own, with.Tables()}
	if unrestrict {
		sets = append(sets, unrestricted.Symbols, syscall.Symbols, unsafe.Symbols)
	}
	for _, set := range sets {
		if err := i.Use(set); err != nil {
			return nil, fmt.Errorf("interpreter: %w", err)
		}
		for key, table := range set {
			if p := path.Dir(key); p != "." && key != "symmom/symmom" && !strings.HasPrefix(p, "github.com/traefik/yaegi") {
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
