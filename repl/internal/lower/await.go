package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// A call of a package that may wait in the system, for a connection or for input, is made
// in a goroutine of its own, so that an interrupt ends the cell although the call goes on:
//
//	func repl_await(r net.Listener) (net.Conn, error) {
//		var v1 net.Conn
//		var v2 error
//		__repl.Await("net.Listener.Accept", func() { v1, v2 = r.Accept() })
//		return v1, v2
//	}
//
// Later results of the call are set in variables that are no longer read.

// reaching are the packages whose functions reach out of the process.
var reaching = map[string]bool{
	"net": true, "net/http": true, "net/http/httptest": true, "net/rpc": true, "net/rpc/jsonrpc": true, "net/smtp": true, "net/textproto": true,
	"crypto/tls": true, "database/sql": true, "os": true, "os/exec": true, "io/ioutil": true, "log/syslog": true, "archive/zip": true,
}

// computing are packages that take or hold readers and writers, and wait for nothing.
var computing = map[string]bool{"hash": true, "log": true, "log/slog": true, "text/tabwriter": true, "display": true, "errors": true, "context": true, "reflect": true, "testing": true}

// waiting are names of methods of interfaces that may wait.
var waiting = map[string]bool{"Read": true, "Write": true, "Accept": true, "ReadFrom": true, "WriteTo": true, "ReadByte": true, "ReadRune": true,
	"ReadAt": true, "WriteAt": true, "RoundTrip": true, "Open": true}

// steps are names of methods that have only one result, whether there is more.
var steps = map[string]bool{"Scan": true, "Next": true, "NextResultSet": true, "More": true}

// mayWait reports whether a function of a package may wait in the system: it says whether
// it went well, and reaches out of the process, or takes or holds what may do so.
func (l *Lowering) mayWait(f *types.Func) bool {
	known, there := l.lowerer.waits[f]
	if !there {
		known = l.findWaiting(f)
		l.lowerer.waits[f] = known
	}
	return known
}

func (l *Lowering) findWaiting(f *types.Func) bool {
	if f.Pkg() != nil && f.Pkg().Path() == "fmt" { // what it writes is awaited in support/print.go
		return f.Signature().Recv() == nil && (strings.HasPrefix(f.Name(), "Scan") || strings.HasPrefix(f.Name(), "Fscan"))
	}
	if f.Pkg() == nil || computing[f.Pkg().Path()] || l.lowerer.front.Library.IsPreloaded(f.Pkg().Path()) || f.FullName() == "os.Exit" {
		return false
	}
	sig := f.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false
	}
	if gofront.Interpreted(f) { // an interface of a cell may hold a value of a package
		if sig.Recv() == nil || !types.IsInterface(sig.Recv().Type()) || sig.Results().Len() == 0 || !waiting[f.Name()] && !steps[f.Name()] {
			return false
		}
	}
	if n := sig.Results().Len(); n > 0 && !types.Identical(sig.Results().At(n-1).Type(), types.Universe.Lookup("error").Type()) && !steps[f.Name()] {
		return false
	}
	if gofront.Interpreted(f) || sig.Recv() == nil && reaching[f.Pkg().Path()] && f.Pkg().Path() != "os" || sig.Recv() != nil && l.holdsWaiting(sig.Recv().Type(), 0) {
		return true
	}
	if l.holdWaiting(sig.Params()) {
		return true
	}
	// What only asks for names and sizes of files takes a tenth of the time that awaiting would.
	return sig.Recv() == nil && f.Pkg().Path() == "os" && (f.Name() == "ReadFile" || f.Name() == "WriteFile" || l.holdWaiting(sig.Results()))
}

func (l *Lowering) holdWaiting(list *types.Tuple) bool {
	for v := range list.Variables() {
		if l.holdsWaiting(v.Type(), 0) {
			return true
		}
	}
	return false
}

// holdsWaiting reports whether values of a type are or hold what may wait.
func (l *Lowering) holdsWaiting(t types.Type, depth int) bool {
	if depth > 6 {
		return false
	}
	t = types.Unalias(t)
	if p, is := t.(*types.Pointer); is {
		t = types.Unalias(p.Elem())
	}
	if n, is := t.(*types.Named); is {
		if n.Obj().Pkg() == nil || computing[n.Obj().Pkg().Path()] || l.lowerer.front.Library.IsPreloaded(n.Obj().Pkg().Path()) {
			return false
		}
		if _, is := n.Underlying().(*types.Struct); is && reaching[n.Obj().Pkg().Path()] {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for m := range u.Methods() {
			if waiting[m.Name()] {
				return true
			}
		}
	case *types.Struct:
		for f := range u.Fields() {
			if l.holdsWaiting(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// awaited returns out, the lowered form of x, as a call that an interrupt leaves behind, or
// nil if the called function does not wait.
func (l *Lowering) awaited(x, out *ast.CallExpr) ast.Expr {
	f := l.callee(x)
	if f == nil || l.several(x) != nil || !l.mayWait(f) || l.Err() != nil {
		return nil
	}
	p := syntax.At(x.Lparen)
	sel, _ := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	var method *types.Selection
	if sel != nil {
		method = l.info.Selections[sel]
	}
	if method == nil {
		if name := l.awaiter(p, f, nil); name != "" {
			return &ast.CallExpr{Fun: p.ID(name), Lparen: x.Lparen, Args: out.Args, Ellipsis: out.Ellipsis, Rparen: x.Rparen}
		}
		return nil
	}
	fun, ok := out.Fun.(*ast.SelectorExpr)
	if !ok || method.Kind() != types.MethodVal {
		return nil
	}
	recv, t := l.receiver(p, sel, fun.X)
	if name := l.awaiter(p, f, t); name != "" {
		return &ast.CallExpr{Fun: p.ID(name), Lparen: x.Lparen, Args: append([]ast.Expr{recv}, out.Args...), Ellipsis: out.Ellipsis, Rparen: x.Rparen}
	}
	return nil
}

// receiver returns the receiver of a method that x selects, of which the lowered form is
// recv, as the method takes it, and its type.
func (l *Lowering) receiver(p syntax.At, x *ast.SelectorExpr, recv ast.Expr) (ast.Expr, types.Type) {
	sel, t := l.info.Selections[x], l.info.TypeOf(x.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		f := repr.StructOf(t).Field(i)
		if !gofront.InterpretedField(t, f) {
			break
		}
		t = f.Type()
	}
	m := sel.Obj().(*types.Func).Signature()
	_, wants := m.Recv().Type().Underlying().(*types.Pointer)
	_, has := t.Underlying().(*types.Pointer)
	switch {
	case wants && !has:
		return p.Unary(token.AND, recv), types.NewPointer(t)
	case !wants && has && !types.IsInterface(m.Recv().Type()): // a copy of what the pointer points to
		t = t.Underlying().(*types.Pointer).Elem()
		return l.pointed(p.Star(recv), t), t
	}
	return recv, t
}

// awaiter returns the name of the function that calls f, with a receiver of type recv unless
// that is nil, as the comment above shows, or "" if the interpreter cannot name its types.
func (l *Lowering) awaiter(p syntax.At, f *types.Func, recv types.Type) string {
	sig, called := f.Signature(), f.Pkg().Name()+"."+f.Name()
	var vars []*types.Var
	if recv != nil {
		called = types.TypeString(recv, gofront.ShortNames) + "." + f.Name()
		vars = append(vars, types.NewParam(token.NoPos, nil, "", recv))
	}
	for v := range sig.Params().Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic())
	names := make([]string, len(vars))
	for i := range names {
		names[i] = l.Temporary("a")
	}
	ft := l.FuncType(p, whole, names)
	own := gofront.Interpreted(f)
	// The interpreter gives a function the variables of its caller for its results: those
	// that a late call sets are others.
	var results []string
	var list []ast.Stmt
	for v := range sig.Results().Variables() {
		results = append(results, l.Temporary("v"))
		list = append(list, &ast.DeclStmt{Decl: p.Var(results[len(results)-1], l.TypeExpr(p, v.Type()))})
	}
	if l.Err() != nil {
		l.Forgive()
		return ""
	}
	key := "await " + f.FullName()
	if recv != nil {
		key = "await " + l.TypeKey(recv) + "." + f.Name()
	}
	name := l.WriteOnce(key, "await", func(name string) {
		fun, args := ast.Expr(nil), p.IDs(names...)
		if recv == nil {
			fun = p.Sel(l.PackageName(p, f.Pkg().Path()), f.Name())
		} else {
			fun, args = p.Sel(p.ID(names[0]), f.Name()), args[1:]
		}
		for i, v := range slices.Collect(sig.Params().Variables()) {
			if _, is := v.Type().Underlying().(*types.Signature); is && !spawns(f) { // see arguments
				args[i] = l.guarded("a function that "+called+" calls", args[i], v.Type(), v.Type())
			}
		}
		call := p.Call(fun, args...)
		if sig.Variadic() {
			call.Ellipsis = token.Pos(p)
		}
		var body ast.Stmt = p.Expr(call)
		if len(results) > 0 {
			body = p.Assign(token.ASSIGN, p.IDs(results...), []ast.Expr{call})
		}
		list = append(list, p.Expr(p.Support("Await", p.Quoted(called), p.Function(body))))
		if len(results) > 0 {
			list = append(list, p.Return(p.IDs(results...)...))
		}
		if own { // what a method of a cell calls is awaited there
			list = append([]ast.Stmt{p.If(p.Binary(p.ID(names[0]), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))), p.If(p.Unary(token.NOT, p.Support("MayBeForeign", p.ID(names[0]))), repr.Forward(p, fun, f.Signature(), names[1:])...)}, list...)
		}
		l.Decls = append(l.Decls, p.FuncDecl(name, ft, list...))
	})
	if repr.TakesSigned(whole) {
		name = l.Holder(p, name, whole)
	}
	return name
}
