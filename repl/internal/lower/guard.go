package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// spawning are the packages of the standard library that call functions that they are given
// in goroutines of their own. There a panic becomes the error of the function, which the
// package can pass on. Without that the goroutine ends, see support/unwinding.go, and what
// waits for it goes on waiting: so nothing ends the process by lacking here.
var spawning = map[string]bool{
	"net": true, "net/http": true, "net/http/httptest": true, "net/http/httptrace": true, "net/http/httputil": true, "net/rpc": true,
	"crypto/tls": true, "database/sql": true, "os/exec": true, "testing": true, "testing/quick": true, "testing/synctest": true, "expvar": true,
}

// spawns reports whether an object is of a package that may call functions in goroutines.
func spawns(o types.Object) bool {
	if o == nil || o.Pkg() == nil || gofront.Interpreted(o) {
		return false
	}
	if f, is := o.(*types.Func); is && f.FullName() == "(*sync.WaitGroup).Go" {
		return true
	}
	path := o.Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	return spawning[path] || strings.Contains(first, ".") && !strings.HasPrefix(path, "gonum.org/")
}

// mayGo reports whether a method of an interface may be that of a sync.WaitGroup.
func mayGo(f *types.Func) bool {
	recv := f.Signature().Recv()
	return f.Name() == "Go" && recv != nil && types.IsInterface(recv.Type())
}

// guarded passes a function of a cell, lowered, to a package, with what it is in messages:
//
//	func() T { x := []T{f}; __repl.Guard("the function in the field Dial", x); return x[0] }()
func (l *Lowering) guarded(what string, y ast.Expr, from, t types.Type) ast.Expr {
	_, is := t.Underlying().(*types.Signature)
	if from == nil || !is {
		return y
	}
	if _, is := from.Underlying().(*types.Signature); !is { // nil
		return y
	}
	p, x := syntax.At(y.Pos()), l.Temporary("x")
	list := func(y ast.Expr) ast.Expr {
		return &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.TypeExpr(p, t)}, Elts: []ast.Expr{y}}
	}
	f := p.FuncLit(p.FuncType(p.Fields(), p.Fields(p.Field("", l.TypeExpr(p, t)))),
		p.Define(x, list(y)), p.Expr(p.Support("Guard", p.Quoted(what), p.ID(x))), p.Return(p.Index(p.ID(x), p.Int(0))))
	return p.Index(list(p.Call(f)), p.Int(0))
}

// guardField is guarded for the value of a field.
func (l *Lowering) guardField(f *types.Var, y ast.Expr, from types.Type) ast.Expr {
	if !f.IsField() || !spawns(f) {
		return y
	}
	return l.guarded("the function in the field "+f.Name(), y, from, f.Type())
}
