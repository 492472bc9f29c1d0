package gofront

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Member is a named object of a package, a type or a scope.
type Member struct {
	Object types.Object
	Owner  string // the type whose field or method it is
}

// TypeNameOf returns the name of a type, or of what it points to, "" if it has none.
func TypeNameOf(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Named:
		return t.Obj().Name()
	case *types.Alias:
		return t.Obj().Name()
	}
	return ""
}

// Members returns the fields and methods that can be selected from a value of type
// t, or from the type itself. Unexported ones of other packages are left out.
func Members(t types.Type, isType bool) []Member {
	byName := map[string]Member{}
	add := func(o types.Object, owner string) {
		if _, there := byName[o.Name()]; !there && (o.Exported() || o.Pkg() != nil && o.Pkg().Path() == "main") {
			byName[o.Name()] = Member{o, owner}
		}
	}
	if !isType {
		Fields(t, add)
	}
	of := t
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) && !isType {
		of = types.NewPointer(t)
	}
	set := types.NewMethodSet(of)
	for i := range set.Len() {
		if f, ok := set.At(i).Obj().(*types.Func); ok {
			add(f, TypeNameOf(f.Signature().Recv().Type()))
		}
	}
	if p, ok := t.(*types.TypeParam); ok {
		for m := range p.Constraint().Underlying().(*types.Interface).Methods() {
			add(m, "")
		}
	}
	return Sorted(byName)
}

// Fields calls add for the fields of a struct, level by level: those of embedded
// structs come after its own.
func Fields(t types.Type, add func(types.Object, string)) {
	seen := map[types.Type]bool{}
	level := []types.Type{t}
	for len(level) > 0 {
		var next []types.Type
		for _, t := range level {
			owner := TypeNameOf(t)
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t, owner = p.Elem(), TypeNameOf(p.Elem())
			}
			st, ok := t.Underlying().(*types.Struct)
			if !ok || seen[t] {
				continue
			}
			seen[t] = true
			for f := range st.Fields() {
				add(f, owner)
				if f.Embedded() {
					next = append(next, f.Type())
				}
			}
		}
		level = next
	}
}

// Keys returns the fields that a literal of a struct type can name.
func Keys(t types.Type) (keys []Member) {
	Fields(t, func(o types.Object, owner string) {
		if owner == TypeNameOf(t) && (o.Exported() || o.Pkg().Path() == "main") {
			keys = append(keys, Member{o, owner})
		}
	})
	return keys
}

// Sorted returns members by their names.
func Sorted(byName map[string]Member) []Member {
	var out []Member
	for _, name := range slices.SortedFunc(maps.Keys(byName), CompareNames) {
		out = append(out, byName[name])
	}
	return out
}

// CompareNames orders names for people: ignoring case.
func CompareNames(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
