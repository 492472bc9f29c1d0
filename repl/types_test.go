package repl

import (
	"go/types"
	"reflect"
	"strings"
	"testing"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// The types that cells are checked with are those of the compiled packages:
// every function of the interpreter's tables takes and gives as much, and the
// own packages are known in full. It fails when go generate ./repl/symbols has
// to be run.
func TestTypesAreCurrent(t *testing.T) {
	s := newSession(t)
	seen := 0
	for path, table := range s.front.Library.Symbols {
		if path == "unsafe" || path == syntax.SupportPath || strings.HasSuffix(path, "/symmom/symmom") {
			continue
		}
		pkg, err := gofront.ImportTypes(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for name, v := range table {
			if strings.HasPrefix(name, "_") {
				continue
			}
			o := pkg.Scope().Lookup(name)
			if o == nil {
				t.Errorf("no types for %s.%s: run go generate ./repl/symbols", path, name)
				continue
			}
			f, isFunc := o.(*types.Func)
			if !isFunc || v.Kind() != reflect.Func {
				continue
			}
			seen++
			sig, r := f.Signature(), v.Type()
			if sig.Params().Len() != r.NumIn() || sig.Results().Len() != r.NumOut() || sig.Variadic() != r.IsVariadic() {
				t.Errorf("%s.%s is %v, but its types say %v: run go generate ./repl/symbols", path, name, r, sig)
			}
			for i := range min(r.NumIn(), sig.Params().Len()) {
				if b, ok := sig.Params().At(i).Type().(*types.Basic); ok && b.Kind() != types.UnsafePointer && r.In(i).Kind().String() != types.Typ[b.Kind()].Name() {
					t.Errorf("%s.%s: parameter %d is %v, but its types say %v", path, name, i+1, r.In(i), b)
				}
			}
		}
	}
	if seen < 1500 {
		t.Errorf("only %d functions seen", seen)
	}
}
