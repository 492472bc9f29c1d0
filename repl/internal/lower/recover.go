package lower

import (
	"go/ast"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
)

// A deferred function may call recover; a function that it calls may not. Which
// function a variable or an interface holds is only known at run time, so the session
// records the types of all functions that call recover.

// anyRecovers represents the types of functions in generic code.
const anyRecovers = "*"

// noteRecovering records the functions of a unit that call recover and might be
// stored in a variable.
func (l *Lowering) noteRecovering(u *gofront.Checked) {
	note := func(t types.Type) {
		if sig, ok := t.(*types.Signature); ok {
			l.lowerer.recoverers[plainSignature(sig)] = true
		}
	}
	visit := func(n ast.Node, generic bool) {
		called := map[ast.Expr]bool{}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				called[ast.Unparen(n.Fun)] = true
			case *ast.FuncLit:
				if !called[n] && recovers(n.Body) {
					note(u.Info.TypeOf(n))
					if generic {
						l.lowerer.recoverers[anyRecovers] = true
					}
				}
			}
			return true
		})
	}
	if u.Kind != gofront.DeclItem {
		visit(u.Body, false)
		return
	}
	for _, d := range u.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			visit(d, false)
			continue
		}
		generic := f.Type.TypeParams != nil || f.Recv != nil && len(gofront.ReceiverParams(f)) > 0
		if f.Body == nil {
			continue
		}
		visit(f.Body, generic)
		if !recovers(f.Body) {
			continue
		}
		if generic {
			l.lowerer.recoverers[anyRecovers] = true
		} else if o, ok := u.Info.Defs[f.Name].(*types.Func); ok {
			note(o.Signature())
		}
	}
	for _, m := range u.Methods {
		if recovers(m.Decl.Body) {
			l.lowerer.recoverers["."+m.Func.Name()] = true
			sig := m.Func.Signature()
			note(sig)
			params := []*types.Var{sig.Recv()}
			for v := range sig.Params().Variables() {
				params = append(params, v)
			}
			note(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()))
		}
	}
}

func plainSignature(sig *types.Signature) string {
	return types.TypeString(types.NewSignatureType(nil, nil, nil, repr.Unnamed(sig.Params()), repr.Unnamed(sig.Results()), sig.Variadic()), nil)
}

// mayRecover reports whether the called function might call recover itself.
func (l *Lowering) mayRecover(c *ast.CallExpr) bool {
	known := l.lowerer.recoverers
	if lit, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok {
		return recovers(lit.Body)
	}
	if f := l.callee(c); f != nil {
		if r, ok := l.lowerer.recovering[l.Canonical(f.Origin())]; ok {
			return r
		}
		if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return known["."+f.Name()] || known[anyRecovers]
		}
		if f.Pkg() != nil && !gofront.Interpreted(f) {
			return false
		}
	}
	sig, ok := l.info.TypeOf(c.Fun).Underlying().(*types.Signature)
	return !ok || known[anyRecovers] || known[plainSignature(sig)]
}
