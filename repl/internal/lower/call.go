package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"runtime"
	"strconv"
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
		if fun = l.called(sel); l.IsRecursive(l.info.TypeOf(sel)) {
			fun = l.UnwrapRecursive(syntax.At(sel.Pos()), fun, l.info.TypeOf(sel))
		}
	case isLiteral:
		fun = l.function(lit)
	default:
		fun = l.underlying(x.Fun)
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && l.self != nil && l.info.Uses[id] == l.self && !repr.TakesSigned(l.self.Type().(*types.Signature)) {
			fun = syntax.At(id.Pos()).ID(l.selfID)
		}
	}
	p := syntax.At(x.Lparen)
	if tv.IsType() {
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
	l.printer(p, x, out)
	l.spaceOperands(p, x, out)
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
	for i, y := range l.typeVerbs(x, sig, takesBox) {
		out[i] = y
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

func (l *Lowering) builtin(x *ast.CallExpr) ast.Expr {
	p := syntax.At(x.Pos())
	name := ""
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr: // package unsafe
		if y := l.unsafely(x, f.Sel.Name); y != nil {
			return y
		}
		return &ast.CallExpr{Fun: p.Sel(l.PackageName(p, "unsafe"), f.Sel.Name), Lparen: x.Lparen, Args: l.exprs(x.Args), Rparen: x.Rparen}
	}
	if len(x.Args) == 1 {
		if t, several := l.info.TypeOf(x.Args[0]).(*types.Tuple); several {
			return l.spreadBuiltin(x, t)
		}
	}
	switch name {
	case "min", "max":
		t := types.Default(l.info.TypeOf(x))
		d := gofront.LibrarySource("builtin", name)
		fun := p.ID(l.Instance(p, "builtin."+name, d, []types.Type{t}))
		var args []ast.Expr
		for _, a := range x.Args {
			args = append(args, l.expr(a))
		}
		return p.Call(fun, args...)
	case "recover":
		root := l.fn.root()
		if root.recovering == "" { // at the top level of a cell
			return p.Support("Recover", p.Support("Recoverable"))
		}
		return p.Support("Recover", p.ID(root.recovering))
	case "panic":
		return p.Call(p.ID("panic"), p.Support("PanicValue", l.value(x.Args[0], repr.AnyType)))
	case "print", "println":
		args := []ast.Expr{p.ID(strconv.FormatBool(name == "println"))}
		for _, a := range x.Args {
			y := l.expr(a)
			if types.IsInterface(l.info.TypeOf(a)) {
				y = p.Support("PrintedInterface", l.Dynamic(p, y, l.info.TypeOf(a)))
			}
			args = append(args, y)
		}
		return p.Support("Print", args...)
	case "clear":
		return p.Support("Clear", l.underlying(x.Args[0]))
	case "new":
		t := l.info.TypeOf(x.Args[0])
		own := types.IsInterface(t) && !repr.IsCompiled(t) // the interpreter's would not be nil
		if own || !l.info.Types[x.Args[0]].IsType() {      // new(x): a pointer to a copy of x
			given := l.Zero(p, t)
			if !l.info.Types[x.Args[0]].IsType() {
				given = l.expr(x.Args[0])
			}
			v := l.Temporary("v")
			sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "v", types.Default(t))),
				types.NewTuple(types.NewVar(0, nil, "", types.NewPointer(types.Default(t)))), false)
			return p.Call(p.Paren(p.FuncLit(l.FuncType(p, sig, []string{v}),
				p.Return(p.Unary(token.AND, p.ID(v))))), given)
		}
	}
	if name == "len" || name == "cap" {
		if t := l.info.TypeOf(x.Args[0]); l.info.Types[x].Value == nil {
			if array, is := arrayOf(t); is { // the interpreter would not evaluate x
				v := l.Temporary("v")
				f := p.FuncType(p.Fields(p.Field(v, l.TypeExpr(p, t))), p.Fields(p.Field("", p.ID("int"))))
				return p.Call(p.Paren(p.FuncLit(f, p.Return(p.Int(int(array.Len()))))), l.pointed(l.expr(x.Args[0]), t))
			}
		}
	}
	args := make([]ast.Expr, len(x.Args))
	for i, a := range x.Args {
		switch {
		case l.roomy[x] != "" && i == 1:
			args[i] = p.ID(l.roomy[x])
		case name == "make" && i > 0:
			args[i] = l.length(a, i, l.info.TypeOf(x.Args[0]))
		case name == "make":
			args[i] = l.makeType(a)
		case i == 0 && name != "new" || name == "copy" || x.Ellipsis.IsValid():
			args[i] = l.underlying(a)
		default:
			args[i] = l.value(a, l.placeIn(name, x, i))
			if m, ok := l.info.TypeOf(x.Args[0]).Underlying().(*types.Map); ok && name == "delete" {
				args[i] = l.wrapperKey(p, args[i], l.info.TypeOf(a), m)
			}
		}
		if name == "append" && i > 0 {
			list := l.info.TypeOf(x.Args[0]).Underlying().(*types.Slice)
			switch {
			case repr.IsNilType(l.info.TypeOf(a)) && x.Ellipsis.IsValid(): // the interpreter gives nil the type that it had last
				args[i] = l.Zero(p, list)
			case repr.IsNilType(l.info.TypeOf(a)):
				args[i] = l.Zero(p, list.Elem())
			case len(x.Args) > 2: // the interpreter reads elements while it sets others
				args[i] = l.copied(args[i], list.Elem())
			}
		}
	}
	out := &ast.CallExpr{Fun: p.ID(name), Lparen: x.Lparen, Args: args, Rparen: x.Rparen}
	l.spreadVariable(x, out)
	if c, ok := l.info.TypeOf(x).Underlying().(*types.Chan); ok && name == "make" && c.Dir() != types.SendRecv {
		out.Args[0] = l.ParenType(p, types.NewChan(types.SendRecv, c.Elem()))
		return p.Call(l.ParenType(p, l.info.TypeOf(x)), out)
	}
	if name == "make" || name == "append" {
		return l.WrapIfRecursive(p, out, l.info.TypeOf(x))
	}
	return out
}

// makeType lowers the type argument of make.
func (l *Lowering) makeType(x ast.Expr) ast.Expr {
	t := l.info.TypeOf(x)
	if l.IsRecursive(t) {
		t = t.Underlying()
	}
	return l.ParenType(syntax.At(x.Pos()), t)
}

// spreadBuiltin lowers a builtin function applied to the results of a single call,
// such as copy(f()).
func (l *Lowering) spreadBuiltin(x *ast.CallExpr, results *types.Tuple) ast.Expr {
	p := syntax.At(x.Pos())
	f := p.FuncType(p.Fields(), nil)
	call := &ast.CallExpr{Fun: x.Fun, Lparen: x.Lparen, Rparen: x.Rparen}
	l.info.Types[call] = l.info.Types[x]
	for v := range results.Variables() {
		id := l.variableOf(p, v.Type())
		call.Args = append(call.Args, id)
		f.Params.List = append(f.Params.List, p.Field(l.LocalName(l.info.Uses[id]), l.TypeExpr(p, v.Type())))
	}
	st := p.Expr(l.builtin(call))
	if t := l.info.Types[x]; t.IsValue() {
		f.Results = p.Fields(p.Field("", l.TypeExpr(p, t.Type)))
		st = p.Return(l.builtin(call))
	}
	return p.Call(p.Paren(p.FuncLit(f, st)), l.expr(x.Args[0]))
}

// elemSize returns the approximate size of an element, in bytes.
func (l *Lowering) elemSize(t types.Type) int {
	sizes := types.SizesFor("gc", runtime.GOARCH)
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return int(sizes.Sizeof(t.Elem()))
	case *types.Chan:
		return int(sizes.Sizeof(t.Elem()))
	}
	return 16 // element of a map
}

// length lowers a length argument of make and checks that there is enough memory for
// it.
func (l *Lowering) length(x ast.Expr, i int, t types.Type) ast.Expr {
	p, y := syntax.At(x.Pos()), l.expr(x)
	size := int64(l.elemSize(t))
	if v := l.info.Types[x].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n < syntax.LargeAllocation/max(size, 1) {
			return y
		}
	}
	if b, ok := l.info.TypeOf(x).Underlying().(*types.Basic); ok && b.Kind() != types.Int {
		y = p.Call(p.ID("int"), y)
	}
	what := "makeslice: len"
	if i > 1 {
		what = "makeslice: cap"
	} else if repr.IsChan(t) {
		what = "makechan: size"
	}
	return p.Support("Length", y, p.Int(int(size)), p.Quoted(what))
}

// placeIn returns the type to which a builtin function converts its argument i, or
// nil.
func (l *Lowering) placeIn(name string, x *ast.CallExpr, i int) types.Type {
	t := l.info.TypeOf(x.Args[0])
	switch {
	case t == nil || i == 0 || x.Ellipsis.IsValid():
		return nil
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		if name == "append" {
			return t.Elem()
		}
	case *types.Map:
		if name == "delete" {
			return repr.KeyType(t)
		}
	}
	return nil
}
