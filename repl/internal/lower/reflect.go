package lower

import (
	"go/ast"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// If package reflect is passed an any that holds a value of a type declared in a
// cell, it sees the interpreter's representation of the type. So functions that pass
// a parameter to package reflect are recorded and their calls checked. For other
// variables, it matters whether the cell has converted any such value to an
// interface.

// reflecting is a function parameter that is inspected.
type reflecting struct {
	fn types.Object
	at int
}

// noteReflecting records the functions of a unit with parameters that are inspected.
func (l *Lowering) noteReflecting(u *gofront.Checked) {
	type passing struct {
		from reflecting
		to   reflecting
	}
	var passed []passing
	note := func(fn types.Object, sig *types.Signature, body *ast.BlockStmt) {
		place := map[types.Object]int{}
		for i := range sig.Params().Len() {
			place[sig.Params().At(i)] = i
			l.parameters[sig.Params().At(i)] = true
		}
		ast.Inspect(body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			before := l.info
			l.info = u.Info
			f := l.callee(call)
			l.info = before
			if f == nil {
				return true
			}
			for j, a := range call.Args {
				id, ok := ast.Unparen(a).(*ast.Ident)
				if !ok {
					continue
				}
				i, is := place[u.Info.Uses[id]]
				switch {
				case !is || !types.IsInterface(sig.Params().At(i).Type()):
				case inspectors[f.FullName()] == reflects:
					l.lowerer.reflecting[reflecting{fn, i}] = f.FullName()
				case f.Pkg() != nil && f.Pkg().Path() == "main":
					passed = append(passed, passing{reflecting{fn, i}, reflecting{l.Canonical(f.Origin()), j}})
				}
			}
			return true
		})
	}
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			if o, ok := u.Info.Defs[f.Name].(*types.Func); ok {
				note(l.Canonical(o), o.Signature(), f.Body)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, p := range passed {
			if by := l.lowerer.reflecting[p.to]; by != "" && l.lowerer.reflecting[p.from] == "" {
				l.lowerer.reflecting[p.from], again = by, true
			}
		}
	}
}

// refuseReflecting rejects arguments that the called function inspects.
func (l *Lowering) refuseReflecting(x *ast.CallExpr) {
	f := l.callee(x)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "main" {
		return
	}
	for i, a := range x.Args {
		if by := l.lowerer.reflecting[reflecting{l.Canonical(f.Origin()), i}]; by != "" && !types.IsInterface(l.info.TypeOf(a)) {
			l.refuseInspection(syntax.At(a.Pos()), l.info.TypeOf(a), reflects, by)
		}
	}
}

// refuseReflected rejects the cell if it has converted a value of a type declared in
// cells to an interface.
func (l *Lowering) refuseReflected(p syntax.At, by string) {
	for _, t := range l.NewlyBoxed() {
		if !types.IsInterface(t) {
			l.refuseInspection(p, t, reflects, by)
			return
		}
	}
}
