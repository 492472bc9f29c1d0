// Package register gives gomacro, the interpreter inside gophernotes, the
// packages of symmom. It is linked into gophernotes by build.sh; its init is
// all there is to it, since gophernotes has no other place to hook into.
package register

import (
	"go/build"
	"go/constant"
	"path"
	"reflect"
	"strings"

	"github.com/cosmos72/gomacro/base/untyped"
	"github.com/cosmos72/gomacro/imports"

	"symmom/repl/symbols"
)

func init() {
	// gomacro v0.0.0-20220530 type-checks the library of the Go toolchain that
	// it finds, and panics on one of today. It needs none: what notebooks
	// import is compiled in.
	build.Default.GOROOT = "/nonexistent"
	for key, table := range symbols.All() {
		imports.Packages.MergePackage(path.Dir(key), convert(path.Base(key), table))
	}
}

// convert turns a table of yaegi's, which the REPL uses, into gomacro's form:
// types apart from functions, variables and constants, and untyped constants
// as text.
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
