package yaegi

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
)

// HoldRecursive decides how the types that were just declared under names are held,
// before a value of any of them is laid out.
//
// yaegi makes a reflect.Type when it meets the first use of a type. Package reflect
// makes no type that refers to itself, so yaegi puts an empty struct where a struct refers
// to itself, and the type in its place afterwards. It does so for few forms of types, and
// a struct in which it puts another one before that is complete is too small. So here the
// types that refer to themselves, or to each other, are made together.
//
// The size of a type, its alignment and its pointers depend only on the kinds of its
// references: a pointer is one word whatever it points to. So each type is made first with
// other references of the same kinds, and has its final form; then package reflect can make
// those that refer to it; and these take the places of those references. The types that are
// made so are structs and, where types refer to each other without one, all others, which
// yaegi then takes for types of compiled code, since it would follow them without end.
func HoldRecursive(i *interp.Interpreter, names []string) error {
	if !typesKnown() {
		return errors.New("interpreter: this version of yaegi has types of another form than the session expects")
	}
	h := holder{symbols: symbolsOf(i), recursive: map[*itype]bool{}, made: map[*itype]reflect.Type{}, refers: map[*itype]bool{}}
	var declared []*itype
	seen := map[*itype]bool{}
	for _, name := range names {
		s := h.symbols(name)
		if s == nil || s.typ == nil {
			return fmt.Errorf("interpreter: type %s is not declared", name)
		}
		h.tidy(&s.typ, seen)
		declared = append(declared, s.typ)
	}
	for t := range seen {
		if text := describe(t); t.str != text { // programs that run read those of earlier types
			t.str = text
		}
	}
	var structs, others []*itype
	for _, t := range declared {
		if t.cat == structT && refersTo(t, func(u *itype) bool { return u == t }, nil) {
			structs = append(structs, t)
		}
	}
	for _, t := range structs {
		h.recursive[t] = true
	}
	for _, t := range declared {
		if t.cat != structT && t.cat != linkedT && refersTo(t, func(u *itype) bool { return u == t }, h.recursive) {
			others = append(others, t)
		}
	}
	for _, t := range others {
		h.recursive[t] = true
	}
	for _, t := range slices.Concat(structs, others) {
		h.form(t)
	}
	for _, t := range slices.Concat(structs, others) {
		if err := complete(h.made[t], h.parts(t)); err != nil {
			return err
		}
	}
	seen = map[*itype]bool{}
	for _, t := range declared {
		h.assign(t, seen)
	}
	for _, t := range others {
		if t.cat != funcT && t.cat != chanT && t.cat != chanSendT && t.cat != chanRecvT { // at which yaegi stops by itself
			t.cat, t.key, t.val = valueT, nil, nil
		}
	}
	return nil
}

// holder makes the types of a group of declarations.
type holder struct {
	symbols   func(name string) *symbol
	recursive map[*itype]bool         // the declared types that are made here
	made      map[*itype]reflect.Type // what they became
	refers    map[*itype]bool         // what isCyclic found
}

// tidy completes the type at place and those to which it refers. While a type was
// incomplete, yaegi may have made several of it, and pointers to these. What is complete,
// code that runs may be reading.
func (h *holder) tidy(place **itype, seen map[*itype]bool) {
	t := *place
	if t == nil {
		return
	}
	if t.name != "" && t.path == "main" {
		if s := h.symbols(t.name); s != nil && s.typ != nil && s.typ != t {
			t = s.typ
			*place = t
		}
	}
	if !seen[t] {
		seen[t] = true
		h.tidyParts(t, seen)
	}
	if t.cat == ptrT && t.name == "" { // one pointer to each type
		if t.val.ptr == nil {
			t.val.ptr = t
		}
		if *place != t.val.ptr {
			*place = t.val.ptr
		}
	}
}

func (h *holder) tidyParts(t *itype, seen map[*itype]bool) {
	if t.incomplete {
		t.incomplete = false
	}
	for i := range t.field {
		h.tidy(&t.field[i].typ, seen)
	}
	h.tidy(&t.key, seen)
	h.tidy(&t.val, seen)
	for i := range t.arg {
		h.tidy(&t.arg[i], seen)
	}
	for i := range t.ret {
		h.tidy(&t.ret[i], seen)
	}
}

// references calls visit for the types of which the layout of t tells.
func (t *itype) references(visit func(*itype)) {
	if t.cat == interfaceT || t.cat == valueT {
		return // has the same form whatever its methods are
	}
	for _, list := range [][]*itype{{t.key, t.val}, t.arg, t.ret} {
		for _, u := range list {
			if u != nil {
				visit(u)
			}
		}
	}
	for _, f := range t.field {
		visit(f.typ)
	}
}

// refersTo reports whether a type refers to one for which is is true, ignoring references
// through without.
func refersTo(from *itype, is func(*itype) bool, without map[*itype]bool) bool {
	seen := map[*itype]bool{}
	var visit func(t *itype) bool
	visit = func(t *itype) bool {
		found := false
		t.references(func(u *itype) {
			found = found || is(u)
			if !found && !seen[u] && !without[u] {
				seen[u] = true
				found = visit(u)
			}
		})
		return found
	}
	return visit(from)
}

// isCyclic reports whether a type is, or refers to, one of those that are made here.
func (h *holder) isCyclic(t *itype) bool {
	known, ok := h.refers[t]
	if !ok {
		in := func(u *itype) bool { return h.recursive[u] }
		known = in(t) || refersTo(t, in, nil)
		h.refers[t] = known
	}
	return known
}

// form makes a type with its final form, but other references of the same kinds in the
// place of its own, which make it one that nobody else has.
func (h *holder) form(t *itype) reflect.Type {
	r := h.made[t]
	if r == nil {
		if contains(t) || t.cat == mapT {
			r = compose(t, h.formOf)
		} else {
			r = h.formOf(t)
		}
		h.made[t] = r
	}
	return r
}

// formOf returns a type of the form of t.
func (h *holder) formOf(t *itype) reflect.Type {
	switch {
	case !h.isCyclic(t):
		return h.typeOf(t)
	case t.cat == linkedT:
		return h.formOf(t.val)
	case contains(t) && h.recursive[t]:
		return h.form(t)
	case contains(t):
		return compose(t, h.formOf)
	case t.cat == mapT:
		return reflect.MapOf(reflect.TypeFor[int](), unique())
	}
	return compose(t, func(*itype) reflect.Type { return unique() })
}

// contains reports whether the form of a type depends on those of its parts.
func contains(t *itype) bool { return t.cat == arrayT || t.cat == structT }

var uniques atomic.Int64

// unique returns a type that nobody else has.
func unique() reflect.Type {
	tag := reflect.StructTag(strconv.FormatInt(uniques.Add(1), 10))
	return reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[struct{}](), Tag: tag}})
}

// typeOf returns the type of t, as yaegi makes it of the types of its parts.
func (h *holder) typeOf(t *itype) reflect.Type {
	if r := h.made[t]; r != nil {
		return r
	}
	if t.rtype != nil && !h.isCyclic(t) {
		return t.rtype
	}
	return compose(t, h.typeOf)
}

// parts returns the types of which t has to be made, in the order of partsOf.
func (h *holder) parts(t *itype) []reflect.Type {
	var out []reflect.Type
	switch t.cat {
	case structT:
		for _, f := range t.field {
			out = append(out, h.typeOf(f.typ))
		}
	case funcT:
		for _, u := range slices.Concat(t.arg, t.ret) {
			out = append(out, h.typeOf(u))
		}
	case mapT:
		out = []reflect.Type{h.typeOf(t.key), h.typeOf(t.val)}
	case arrayT:
		out = []reflect.Type{h.typeOf(t.val), reflect.SliceOf(h.typeOf(t.val))}
	default:
		out = []reflect.Type{h.typeOf(t.val)}
	}
	return out
}

// assign gives the types that refer to the structs theirs.
func (h *holder) assign(t *itype, seen map[*itype]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if h.isCyclic(t) {
		t.rtype = h.typeOf(t)
	}
	t.references(func(u *itype) { h.assign(u, seen) })
}
