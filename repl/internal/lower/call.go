package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// call lowers a call, a conversion or a use of a builtin function.
func (l *Lowering) call(x *ast.CallExpr) ast.Expr {
	tv := l.info.Types[x.Fun]
	if tv.IsBuiltin() {
		return l.builtin(x)
	}
	if st := l.synchronized(x); st != nil {
		return st
	}
	if y := l.spread(x); y != nil {
		return y
	}
	fun := ast.Unparen(x.Fun)
	sel, isSelector := fun.(*ast.SelectorExpr)
	lit, isLiteral := fun.(*ast.FuncLit)
	instance := l.instanceNamed(x.Fun)
	switch {
	case instance != nil:
		fun = instance
		if sig, ok := l.info.TypeOf(x.Fun).(*types.Signature); ok && repr.TakesSigned(sig) {
			p := syntax.At(x.Lparen)
			fun = p.ID(l.Holder(p, instance.(*ast.Ident).Name, sig))
		}
	case isSelector && !tv.IsType():
		if s := l.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && mayEnd(s.Obj().(*types.Func)) {
			fun = l.methodValue(sel, s)
		} else {
			fun = l.called(sel)
		}
	case isLiteral:
		fun = l.function(lit)
	default:
		fun = l.expr(x.Fun)
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && l.self != nil && l.info.Uses[id] == l.self && !repr.TakesSigned(l.self.Type().(*types.Signature)) {
			fun = syntax.At(id.Pos()).ID(l.selfID)
		}
	}
	p := syntax.At(x.Lparen)
	if tv.IsType() {
		if types.IsInterface(tv.Type) && !repr.IsCompiled(tv.Type) && l.isNil(x) {
			return l.Zero(p, tv.Type)
		}
		if from := l.info.TypeOf(x.Args[0]); repr.Enters(from, tv.Type) {
			return l.Enter(p, l.expr(x.Args[0]), from, tv.Type)
		}
		y := l.value(x.Args[0], tv.Type)
		if l.Converts(l.info.TypeOf(x.Args[0]), tv.Type) {
			return y
		}
		if from := l.info.TypeOf(x.Args[0]); types.IsInterface(tv.Type) && !repr.IsEmpty(tv.Type) && from != nil && !repr.IsNilType(from) {
			// The interpreter's own conversion loses the type; returning a result
			// does not.
			v, r := l.Temporary("v"), l.Temporary("r")
			f := p.FuncType(p.Fields(p.Field(v, l.TypeExpr(p, from))), p.Fields(p.Field("", l.TypeExpr(p, tv.Type))))
			r0 := &ast.ValueSpec{Names: []*ast.Ident{p.ID(r)}, Type: l.TypeExpr(p, tv.Type), Values: p.IDs(v)}
			return p.Call(p.Paren(p.FuncLit(f,
				&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: token.Pos(p), Tok: token.VAR, Specs: []ast.Spec{r0}}},
				p.Return(p.ID(r)))), y)
		}
		return p.Call(fun, y)
	}
	if f := l.callee(x); f != nil && f.FullName() == "errors.As" && len(x.Args) == 2 {
		if y := l.errorsAs(x); y != nil {
			return y
		}
	}
	out := p.Call(fun, l.arguments(x)...)
	l.spreadVariable(x, out)
	l.passNoRest(x, out)
	l.spreadRest(x, out)
	l.printer(p, x, out)
	if y := l.encodes(p, x, out); y != nil {
		return y
	}
	if y := l.awaited(x, out); y != nil {
		return y
	}
	if y := l.argumentsFirst(x, out); y != nil {
		return y
	}
	return out
}

// callee returns the called function, if it has a name.
func (l *Lowering) callee(x *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := l.info.Uses[id].(*types.Func)
	return f
}

// boxTakers are the compiled packages that return or print their arguments. Other
// packages inspect them, which a box would prevent.
var boxTakers = map[string]bool{
	"fmt":            true,
	"log":            true,
	"log/slog":       true,
	"display":        true,
	"errors":         true,
	"container/heap": true,
	"container/list": true,
	"container/ring": true,
	"sync":           true,
	"sync/atomic":    true,
	"context":        true,
}

// takesBox reports whether the called function accepts a box.
func (l *Lowering) takesBox(x *ast.CallExpr) bool {
	f := l.callee(x)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() == "main" || l.instanceOf(x.Fun) != nil {
		return true
	}
	if f.FullName() == "reflect.DeepEqual" { // it also compares types
		return true
	}
	return boxTakers[f.Pkg().Path()] && !strings.Contains(f.Name(), "can") // fmt.Sscan and the like fill variables
}

// inspectionOf returns how the called function inspects its arguments.
func (l *Lowering) inspectionOf(x *ast.CallExpr) inspection {
	if f := l.callee(x); f != nil {
		return inspectors[f.FullName()]
	}
	return inspectsNothing
}

func anyParam(sig *types.Signature, i int) bool {
	return i < sig.Params().Len() && repr.IsEmpty(sig.Params().At(i).Type())
}

// arguments lowers the arguments of a call and converts them to the types of the
// parameters.
func (l *Lowering) arguments(x *ast.CallExpr) []ast.Expr {
	var sig *types.Signature
	if t := l.info.TypeOf(x.Fun); t != nil {
		sig, _ = t.Underlying().(*types.Signature)
	}
	if sig == nil {
		return l.exprs(x.Args)
	}
	n := len(x.Args)
	if n == 1 {
		if t, several := l.info.TypeOf(x.Args[0]).(*types.Tuple); several {
			n = t.Len()
		}
	}
	l.refuseReflecting(x)
	takesBox := l.takesBox(x)
	to := make([]types.Type, n)
	for i := range to {
		last := sig.Params().Len() - 1
		if i < last || i == last && (!sig.Variadic() || x.Ellipsis.IsValid()) {
			to[i] = sig.Params().At(i).Type()
		} else if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
			to[i] = s.Elem()
		}
		if to[i] != nil && repr.IsEmpty(to[i]) && !takesBox {
			to[i] = nil
		}
	}
	out := l.valueList(x.Args, to)
	if x.Ellipsis.IsValid() && takesBox { // the interpreter would pass a value as it is for an interface
		for i, t := range to {
			if from := l.info.TypeOf(x.Args[i]); t != nil && types.IsInterface(t) && !repr.IsCompiled(t) && !types.IsInterface(from) && !repr.IsNilType(from) {
				out[i] = l.evaluated(out[i], t)
			}
		}
	}
	if f := l.callee(x); f != nil && (spawns(f) || mayGo(f)) && len(out) == len(x.Args) {
		by := f.Pkg().Name() + "." + f.Name()
		if gofront.Interpreted(f) {
			by = "the method " + f.Name()
		}
		for i, t := range to {
			if t != nil {
				out[i] = l.guarded("a function that "+by+" calls", out[i], l.info.TypeOf(x.Args[i]), t)
			}
		}
	}
	if f := l.callee(x); f != nil && f.Pkg() != nil && (f.Pkg().Path() == "sync" || f.Pkg().Path() == "context") && len(out) == len(x.Args) {
		for i, t := range to { // keys of sync.Map and of contexts
			if t != nil && i < sig.Params().Len() && sig.Params().At(i).Name() == "key" {
				out[i] = l.keyed(syntax.At(x.Args[i].Pos()), out[i], l.info.TypeOf(x.Args[i]), types.NewMap(t, t))
			}
		}
	}
	for i, a := range x.Args {
		if name := l.instanceNamed(a); name != nil && len(out) == len(x.Args) { // an argument may be a declared instance
			if _, converted := out[i].(*ast.CallExpr); converted && to[i] != nil && !types.IsInterface(to[i]) && !l.Converts(l.info.TypeOf(a), to[i]) {
				out[i] = name
			}
		}
	}
	if f := l.callee(x); f != nil && f.Pkg() != nil && f.Pkg().Path() == "log/slog" && len(out) == n {
		for i, t := range to {
			p := syntax.At(x.Args[min(i, len(x.Args)-1)].Pos())
			switch {
			case t != nil && repr.IsEmpty(t):
				out[i] = p.Support("Logged", out[i])
			case x.Ellipsis.IsValid() && i == n-1:
				all := p.Support("AllLogged", out[i])
				all.Ellipsis = x.Ellipsis
				out[i] = all
			}
		}
	}
	if how := l.inspectionOf(x); how != inspectsNothing {
		for i, t := range to {
			if t == nil && i < len(x.Args) && len(out) == n && anyParam(sig, i) {
				out[i] = l.inspected(x.Args[i], how, l.callee(x).FullName())
			}
		}
		return out
	}
	for i, t := range to {
		if t == nil && i < len(x.Args) && len(out) == n && types.IsInterface(l.info.TypeOf(x.Args[i])) && repr.IsEmpty(l.info.TypeOf(x.Args[i])) {
			out[i] = syntax.At(x.Args[i].Pos()).Support("Raw", out[i])
		}
	}
	return out
}
