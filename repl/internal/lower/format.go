package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// printers are the functions of fmt that the session replaces if the format is only
// known at run time, and those of log, with the functions that print what Sprintf makes.
var printers = map[string]map[string]string{
	"fmt": {"Printf": "", "Sprintf": "", "Fprintf": "", "Errorf": "", "Appendf": ""},
	"log": {"Printf": "Print", "Panicf": "Panic", "Fatalf": "Fatal"},
}

// spacers are the functions that add spaces between operands.
var spacers = map[string]bool{"Print": true, "Sprint": true, "Fprint": true, "Append": true, "Panic": true, "Fatal": true}

// prints returns the called function of fmt or log, or nil.
func (l *Lowering) prints(x *ast.CallExpr) *types.Func {
	f := l.callee(x)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "fmt" && f.Pkg().Path() != "log" {
		return nil
	}
	return f
}

// printer lowers a call of a printing function whose format is only known at run time
// to one that knows the types declared in cells.
func (l *Lowering) printer(p syntax.At, x, out *ast.CallExpr) {
	f := l.prints(x)
	if f == nil || len(out.Args) != len(x.Args) {
		return
	}
	instead, is := printers[f.Pkg().Path()][f.Name()]
	i := f.Signature().Params().Len() - 2
	if !is || i >= len(x.Args) {
		return
	}
	tv := l.info.Types[x.Args[i]]
	if tv.Value != nil && tv.Value.Kind() == constant.String {
		if format := constant.StringVal(tv.Value); !strings.Contains(format, "T") || !strings.ContainsAny(format, "[*") && !x.Ellipsis.IsValid() {
			return
		}
	}
	if instead == "" {
		out.Fun = p.Sel(p.ID(syntax.SupportName), f.Name())
		return
	}
	text := p.Support("Sprintf", out.Args...)
	text.Ellipsis = out.Ellipsis
	out.Fun.(*ast.SelectorExpr).Sel = p.ID(instead)
	out.Args, out.Ellipsis = []ast.Expr{text}, token.NoPos
}

// printerValue lowers a printing function that is not called to a function literal that
// calls it, or returns nil.
func (l *Lowering) printerValue(p syntax.At, x ast.Expr) ast.Expr {
	call := &ast.CallExpr{Fun: x, Lparen: token.Pos(p), Ellipsis: token.Pos(p), Rparen: token.Pos(p)}
	f := l.prints(call)
	if f == nil || f.Signature().Recv() != nil {
		return nil
	}
	if _, formats := printers[f.Pkg().Path()][f.Name()]; !formats && !spacers[f.Name()] {
		return nil
	}
	var names []string
	for v := range f.Signature().Params().Variables() {
		id := l.variableOf(p, v.Type())
		call.Args = append(call.Args, id)
		names = append(names, l.LocalName(l.info.Uses[id]))
	}
	y := l.call(call)
	var st ast.Stmt = p.Expr(y)
	if f.Signature().Results().Len() > 0 {
		st = p.Return(y)
	}
	return p.FuncLit(l.FuncType(p, f.Signature(), names), st)
}

// spaceOperands lets a printing function without a format add spaces between operands as
// if it saw which of them are strings.
func (l *Lowering) spaceOperands(p syntax.At, x, out *ast.CallExpr) {
	f := l.prints(x)
	if f == nil || !spacers[f.Name()] || len(out.Args) != len(x.Args) {
		return
	}
	operands := f.Signature().Params().Len() - 1
	if !slices.ContainsFunc(x.Args[min(operands, len(x.Args)):], func(a ast.Expr) bool {
		t := l.info.TypeOf(a)
		b, ok := t.Underlying().(*types.Basic)
		return x.Ellipsis.IsValid() || types.IsInterface(t) || ok && b.Info()&types.IsString != 0 && repr.NeedsBox(t)
	}) {
		return
	}
	spaced := p.Support("Spaced", out.Args[operands:]...)
	spaced.Ellipsis = out.Ellipsis
	out.Args = append(out.Args[:operands:operands], spaced)
	out.Ellipsis = token.Pos(p)
}

// typeVerbs handles %T in the format of a printing function. fmt would print the
// interpreter's type instead of the cell's, so the name of the type is printed with
// %s. It returns the lowered arguments that differ, by index.
func (l *Lowering) typeVerbs(x *ast.CallExpr, sig *types.Signature, prints bool) map[int]ast.Expr {
	f, n := l.prints(x), sig.Params().Len()
	if !prints || f == nil || !sig.Variadic() || n < 2 || x.Ellipsis.IsValid() || len(x.Args) < n {
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
