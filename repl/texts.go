package repl

import (
	"fmt"
	"go/ast"
	"go/types"
)

// The interpreter hands a value to compiled code without the methods of its
// type. Where the value is printed, its Error or String method goes with it.

// textMethod is the method by which fmt would print a value of type t, if the
// interpreter would lose it.
func textMethod(t types.Type) string {
	base := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		base = p.Elem()
	}
	named, ok := types.Unalias(base).(*types.Named)
	if !ok {
		return ""
	}
	own := named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == "main"
	if !own && !types.IsInterface(t) {
		return ""
	}
	for _, name := range []string{"Error", "String"} {
		o, _, indirect := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := o.(*types.Func)
		if !ok || indirect {
			continue
		}
		sig := f.Signature()
		if sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]) {
			if name == "String" && !types.IsInterface(t) {
				return "" // the interpreter knows this one
			}
			return name
		}
	}
	return ""
}

// withText is x, of type t, with the method by which it is printed.
func (l *lowering) withText(p at, x ast.Expr, t types.Type) ast.Expr {
	method := textMethod(t)
	if method == "" {
		return x
	}
	v := l.made("v")
	text := &ast.FuncLit{Type: &ast.FuncType{Params: p.fields(), Results: p.fields(p.field("", p.id("string")))},
		Body: p.block(p.give(p.call(p.sel(p.id(v), method))))}
	lit := &ast.FuncLit{Type: &ast.FuncType{Params: p.fields(p.field(v, l.typeExpr(p, t))), Results: p.fields(p.field("", p.id("any")))},
		Body: p.block(p.give(p.support(method+"Text", p.id(v), text)))}
	return p.call(lit, x)
}

// printed lowers the arguments of a function that prints them.
func (l *lowering) printed(c *ast.CallExpr, args []ast.Expr) []ast.Expr {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || c.Ellipsis.IsValid() {
		return args
	}
	f, ok := l.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "fmt" && f.Pkg().Path() != "log" && f.Pkg().Path() != "display" {
		return args
	}
	for i, a := range c.Args {
		if t := l.info.TypeOf(a); t != nil && i < len(args) && len(args) == len(c.Args) {
			args[i] = l.withText(at(a.Pos()), args[i], t)
		}
	}
	return args
}

// spoken is a value of a cell together with what its method says.
type spoken struct {
	value any
	text  func() string
}

// Format prints the value as fmt prints one that has the method.
func (s spoken) Format(f fmt.State, verb rune) {
	if (verb == 'v' && !f.Flag('#')) || verb == 's' || verb == 'q' {
		fmt.Fprintf(f, fmt.FormatString(f, verb), s.text())
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), s.value)
}

type spokenError struct{ spoken }

func (s spokenError) Error() string { return s.text() }

type spokenString struct{ spoken }

func (s spokenString) String() string { return s.text() }

func errorText(v any, text func() string) any {
	if _, ok := v.(error); ok || v == nil {
		return v
	}
	return spokenError{spoken{v, text}}
}

func stringText(v any, text func() string) any {
	switch v.(type) {
	case nil, fmt.Stringer, error:
		return v
	}
	return spokenString{spoken{v, text}}
}
