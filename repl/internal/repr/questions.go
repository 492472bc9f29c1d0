package repr

import (
	"go/types"

	"symmom/repl/internal/gofront"
)

// NeedsBox reports whether the interpreter loses the type of a value: whether the
// type, which is no interface, contains types declared in cells.
func NeedsBox(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if NeedsBox(arg) {
				return true
			}
		}
		return gofront.Interpreted(t.Obj())
	case *types.Pointer:
		return NeedsBox(t.Elem())
	case *types.Slice:
		return NeedsBox(t.Elem())
	case *types.Array:
		return NeedsBox(t.Elem())
	case *types.Chan:
		return NeedsBox(t.Elem())
	case *types.Map:
		return NeedsBox(t.Key()) || NeedsBox(t.Elem())
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Struct:
		for f := range t.Fields() {
			if NeedsBox(f.Type()) || embedsCompiled(f) || isRenamed(t, f) || !f.Exported() && f.Pkg() != nil && f.Pkg().Path() == "main" { // which has another name in the interpreter
				return true
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if NeedsBox(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// IsCompiled reports whether values of an interface are represented as in compiled
// code, rather than in the interpreter's own form.
func IsCompiled(t types.Type) bool {
	if types.Unalias(t).Underlying().(*types.Interface).NumMethods() == 0 {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && !gofront.Interpreted(named.Obj())
}

func isStringer(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "fmt" && named.Obj().Name() == "Stringer"
}

func isError(t types.Type) bool { return types.Identical(t, ErrorType) }

// IsEmpty reports whether a type is an interface without methods.
func IsEmpty(t types.Type) bool {
	i, ok := types.Unalias(t).Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// HoldsBoxes reports whether an interface holds boxes.
func HoldsBoxes(t types.Type) bool { return IsEmpty(t) || isError(t) || isStringer(t) }

// HidesInterface reports whether comparing values of a type compares interfaces in
// the interpreter's own form, no two of which are equal.
func HidesInterface(t types.Type) bool {
	return compares(t, func(t types.Type) bool { return !IsCompiled(t) })
}

// HoldsWrapper reports whether comparing values of a type compares interfaces of
// packages, which may hold wrappers, within a struct or an array.
func HoldsWrapper(t types.Type) bool {
	return !types.IsInterface(t) && compares(t, func(t types.Type) bool { return IsCompiled(t) && !HoldsBoxes(t) })
}

// compares reports whether comparing values of a type compares interfaces for which is
// is true.
func compares(t types.Type, is func(types.Type) bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return is(t)
	case *types.Array:
		return compares(u.Elem(), is)
	case *types.Struct:
		for f := range u.Fields() {
			if compares(f.Type(), is) {
				return true
			}
		}
	}
	return false
}

// HasBlank reports whether a type contains a blank field, which == ignores.
func HasBlank(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return HasBlank(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || HasBlank(f.Type()) {
				return true
			}
		}
	}
	return false
}

// IsChan reports whether a type, which may be nil, is a channel.
func IsChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// IsNilType reports whether a type is that of an untyped nil.
func IsNilType(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// isRenamed reports whether a field of a struct of cells, not embedded itself, is beside an
// embedded one.
func isRenamed(s *types.Struct, v *types.Var) bool {
	if s == nil || v.Embedded() || v.Pkg() == nil || v.Pkg().Path() != "main" {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && !types.IsInterface(f.Type()) {
			return true
		}
	}
	return false
}

// StructOf returns the struct that a type is, or points to, or nil.
func StructOf(t types.Type) *types.Struct {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}
