package repr

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// TypeTitle returns a type as %T prints it.
func TypeTitle(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Default(t).(*types.Basic).Name()
	case *types.Named:
		name := t.Obj().Name()
		if p := t.Obj().Pkg(); p != nil {
			name = p.Name() + "." + name
		}
		if t.TypeArgs().Len() == 0 {
			return name
		}
		var args []string
		for arg := range t.TypeArgs().Types() {
			args = append(args, TypeTitle(arg))
		}
		return name + "[" + strings.Join(args, ",") + "]"
	case *types.Pointer:
		return "*" + TypeTitle(t.Elem())
	case *types.Slice:
		return "[]" + TypeTitle(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), TypeTitle(t.Elem()))
	case *types.Map:
		return "map[" + TypeTitle(t.Key()) + "]" + TypeTitle(t.Elem())
	case *types.Chan:
		elem := TypeTitle(t.Elem())
		switch {
		case t.Dir() == types.SendOnly:
			return "chan<- " + elem
		case t.Dir() == types.RecvOnly:
			return "<-chan " + elem
		case strings.HasPrefix(elem, "<-"):
			return "chan (" + elem + ")"
		}
		return "chan " + elem
	case *types.Signature:
		return "func" + signatureTitle(t)
	case *types.Struct:
		return structTitle(t)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return "interface {}"
		}
		var methods []string
		for m := range t.Methods() {
			methods = append(methods, m.Name()+signatureTitle(m.Signature()))
		}
		return "interface { " + strings.Join(methods, "; ") + " }"
	}
	return types.TypeString(t, (*types.Package).Name)
}

func structTitle(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	var fields []string
	for i := range t.NumFields() {
		f := t.Field(i)
		text := TypeTitle(f.Type())
		if !f.Embedded() {
			text = f.Name() + " " + text
		}
		if tag := t.Tag(i); tag != "" {
			text += " " + strconv.Quote(tag)
		}
		fields = append(fields, text)
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

func signatureTitle(t *types.Signature) string {
	list := func(vars *types.Tuple, variadic bool) string {
		var out []string
		for i := range vars.Len() {
			text := TypeTitle(vars.At(i).Type())
			if variadic && i == vars.Len()-1 {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			out = append(out, text)
		}
		return strings.Join(out, ", ")
	}
	out := "(" + list(t.Params(), t.Variadic()) + ")"
	switch t.Results().Len() {
	case 0:
		return out
	case 1:
		return out + " " + list(t.Results(), false)
	}
	return out + " (" + list(t.Results(), false) + ")"
}
