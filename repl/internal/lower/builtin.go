package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"runtime"
	"strconv"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// builtin lowers a call of a builtin function.
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
		x1, rest := types.NewVar(0, nil, "", t), types.NewVar(0, nil, "", types.NewSlice(t))
		if sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(x1, rest), types.NewTuple(x1), true); repr.TakesSigned(sig) {
			fun = p.ID(l.Holder(p, fun.Name, sig))
		}
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
		return p.Support("Clear", l.expr(x.Args[0]))
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
			args[i] = l.expr(a)
		default:
			args[i] = l.value(a, l.placeIn(name, x, i))
			if m, ok := l.info.TypeOf(x.Args[0]).Underlying().(*types.Map); ok && name == "delete" {
				args[i] = l.keyed(p, args[i], l.info.TypeOf(a), m)
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
	if name == "append" && len(args) == 2 {
		if elem := l.info.TypeOf(x.Args[0]).Underlying().(*types.Slice).Elem(); repr.MadeOfItself(elem) && types.AssignableTo(types.NewSlice(elem), elem) {
			// The interpreter does not know the list from an element.
			f := "Append"
			if x.Ellipsis.IsValid() {
				f = "AppendSlice"
			}
			return p.Assert(p.Support(f, args...), l.ParenType(p, l.info.TypeOf(x)))
		}
	}
	l.spreadVariable(x, out)
	if c, ok := l.info.TypeOf(x).Underlying().(*types.Chan); ok && name == "make" && c.Dir() != types.SendRecv {
		out.Args[0] = l.ParenType(p, types.NewChan(types.SendRecv, c.Elem()))
		return p.Call(l.ParenType(p, l.info.TypeOf(x)), out)
	}
	return out
}

// makeType lowers the type argument of make.
func (l *Lowering) makeType(x ast.Expr) ast.Expr {
	return l.ParenType(syntax.At(x.Pos()), l.info.TypeOf(x))
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
