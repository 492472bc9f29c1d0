package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// printers are the functions of fmt that the session replaces if the format is only
// known at run time.
var printers = map[string]bool{"Printf": true, "Sprintf": true, "Fprintf": true, "Errorf": true, "Appendf": true}

// printer returns the function to call instead of a function of fmt, or nil.
func (l *Lowering) printer(x *ast.CallExpr) ast.Expr {
	f := l.callee(x)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" || !printers[f.Name()] || x.Ellipsis.IsValid() {
		return nil
	}
	i := f.Signature().Params().Len() - 2
	if i >= len(x.Args) {
		return nil
	}
	tv := l.info.Types[x.Args[i]]
	if tv.Value != nil && tv.Value.Kind() == constant.String {
		if format := constant.StringVal(tv.Value); !strings.Contains(format, "T") || !strings.ContainsAny(format, "[*") {
			return nil
		}
	}
	p := syntax.At(x.Pos())
	return p.Sel(p.ID(syntax.SupportName), f.Name())
}

// typeVerbs handles %T in the format of a printing function. fmt would print the
// interpreter's type instead of the cell's, so the name of the type is printed with
// %s. It returns the lowered arguments that differ, by index.
func (l *Lowering) typeVerbs(x *ast.CallExpr, sig *types.Signature, prints bool) map[int]ast.Expr {
	f, n := l.callee(x), sig.Params().Len()
	if !prints || f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" && f.Pkg().Path() != "log" || !sig.Variadic() || n < 2 || x.Ellipsis.IsValid() || len(x.Args) < n {
		return nil
	}
	at0 := n - 2 // index of the format
	tv := l.info.Types[x.Args[at0]]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return nil
	}
	format, named, next := []byte(constant.StringVal(tv.Value)), map[int]ast.Expr{}, n-1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		switch {
		case i == len(format) || format[i] == '%':
			continue
		case format[i] == '*' || format[i] == '[' || next >= len(x.Args):
			return nil // explicit argument indexes are left to fmt
		case format[i] == 'T':
			a := x.Args[next]
			p, t := syntax.At(a.Pos()), l.info.TypeOf(a)
			if types.IsInterface(t) {
				format[i], named[next] = 's', p.Support("TypeName", l.Convert(p, l.expr(a), t, repr.AnyType))
			} else if repr.NeedsBox(t) {
				format[i], named[next] = 's', p.Support("TypeName", l.value(a, repr.AnyType))
			}
		}
		next++
	}
	if len(named) > 0 {
		named[at0] = syntax.At(x.Args[at0].Pos()).Quoted(string(format))
	}
	return named
}
