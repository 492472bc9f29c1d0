// Package register adds the packages of symmom to gomacro, the interpreter inside
// gophernotes. build.sh links it into gophernotes. It consists of its init, since
// gophernotes has no other hook.
package register

import (
	"go/build"
	"go/constant"
	"path"
	"reflect"
	"strings"

	"github.com/cosmos72/gomacro/base/untyped"
	"github.com/cosmos72/gomacro/imports"

	libsymbols "symmom/lab/symbols"
	"symmom/repl/symbols"
)

func init() {
	// gomacro v0.0.0-20220530 type-checks the library of the Go toolchain that it
	// finds, and panics on a current one. It needs none: the packages that notebooks
	// import are compiled in.
	build.Default.GOROOT = "/nonexistent"
	for _, tables := range []map[string]map[string]reflect.Value{symbols.All(), libsymbols.All()} {
		for key, table := range tables {
			imports.Packages.MergePackage(path.Dir(key), convert(path.Base(key), table))
		}
	}
}

// convert converts a yaegi table, as the REPL uses it, to gomacro's form: types are
// separate from functions, variables and constants, and untyped constants are text.
func convert(name string, table map[string]reflect.Value) imports.PackageUnderlying {
	p := imports.PackageUnderlying{
		Name:     name,
		Binds:    map[string]reflect.Value{},
		Types:    map[string]reflect.Type{},
		Untypeds: map[string]string{},
	}
	for symbol, v := range table {
		switch {
		case strings.HasPrefix(symbol, "_"):
			// yaegi's wrapper of an interface
		case v.Kind() == reflect.Pointer && v.IsNil():
			p.Types[symbol] = v.Type().Elem()
		default:
			if c, ok := v.Interface().(constant.Value); ok {
				p.Untypeds[symbol] = untyped.Marshal(untyped.MakeKind(c.Kind()), c)
				v = reflect.ValueOf(constant.Val(c)) // gomacro wants the name here too
			}
			p.Binds[symbol] = v
		}
	}
	return p
}
