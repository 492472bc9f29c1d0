package yaegi

import (
	"fmt"
	"strings"
)

// describe returns the text by which yaegi compares types. yaegi writes it when it makes a
// type, from those of the parts, which may still be incomplete: all pointers to incomplete
// structs are "*struct {}", and therefore the same type in a type switch.
func describe(t *itype) string {
	if t.name != "" && t.path != "" {
		return t.path + "." + t.name
	}
	switch t.cat {
	case ptrT:
		return "*" + describe(t.val)
	case sliceT:
		return "[]" + describe(t.val)
	case variadicT:
		return "..." + describe(t.val)
	case arrayT:
		return fmt.Sprintf("[%d]%s", t.length, describe(t.val))
	case mapT:
		return fmt.Sprintf("map[%s]%s", describe(t.key), describe(t.val))
	case chanT:
		return "chan " + describe(t.val)
	case chanSendT:
		return "chan<- " + describe(t.val)
	case chanRecvT:
		return "<-chan " + describe(t.val)
	case funcT:
		results := describeAll(t.ret)
		switch len(t.ret) {
		case 0:
		case 1:
			results = " " + results
		default:
			results = " (" + results + ")"
		}
		return "func(" + describeAll(t.arg) + ")" + results
	case structT, interfaceT:
		if len(t.field) == 0 {
			break
		}
		fields := make([]string, len(t.field))
		for i, f := range t.field {
			fields[i] = describe(f.typ)
			switch {
			case t.cat == interfaceT:
				fields[i] = f.name + strings.TrimPrefix(fields[i], "func")
			case !f.embed:
				fields[i] = f.name + " " + fields[i]
			}
		}
		word := "struct"
		if t.cat == interfaceT {
			word = "interface"
		}
		return word + " { " + strings.Join(fields, "; ") + "}"
	}
	return t.str
}

func describeAll(types []*itype) string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = describe(t)
	}
	return strings.Join(out, ",")
}
