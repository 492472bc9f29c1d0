package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Results of the program's own packages carry the error that stopped their computation. An
// expression or an assignment at the top level of a cell whose value carries one ends the
// cell, as a panic does, unless the cell asks for the error: fit.Err(), or _ = fit. So does
// the error of a call that is made for what it does: fig.Save("x.html").

// mayFail reports whether the error of x, of type t, is to be looked for.
func (l *Lowering) mayFail(x ast.Expr, t types.Type) bool {
	if !l.lowerer.front.Library.Carries(t) {
		return false
	}
	id, is := ast.Unparen(x).(*ast.Ident)
	return !is || id.Name != "_" && !l.askedAbout()[id.Name]
}

// lookedAt are the statements of an assignment to places, the last of which assign, with a
// look at the values that may carry an error. It comes before any is assigned: a variable
// keeps the value that it has where the next one failed.
func (l *Lowering) lookedAt(p syntax.At, list []ast.Stmt, places []ast.Expr, may func(place ast.Expr) bool) []ast.Stmt {
	if !slices.ContainsFunc(places, may) {
		return list
	}
	last := len(list) - 1
	if a, is := list[last].(*ast.AssignStmt); is && a.Tok == token.ASSIGN && len(a.Lhs) == len(places) {
		var held, looks []ast.Stmt
		values := slices.Clone(a.Rhs)
		if len(a.Rhs) < len(a.Lhs) { // the results of a call
			values = make([]ast.Expr, len(a.Lhs))
			for i := range values {
				values[i] = p.ID(l.Temporary("v"))
			}
			held = []ast.Stmt{p.Assign(token.DEFINE, slices.Clone(values), a.Rhs)}
		}
		for i, x := range values {
			if len(a.Rhs) == len(a.Lhs) && (calls(x) || may(places[i])) && !literal(x) {
				values[i] = p.ID(l.Temporary("v"))
				held = append(held, p.Assign(token.DEFINE, []ast.Expr{values[i]}, []ast.Expr{x}))
			}
			if may(places[i]) && !literal(x) {
				looks = append(looks, p.Expr(p.Support("Failed", values[i])))
			}
		}
		return slices.Concat(list[:last], held, looks, []ast.Stmt{p.Assign(token.ASSIGN, a.Lhs, values)})
	}
	// each place on its own, from a variable
	from := len(list)
	var looks []ast.Stmt
	for _, x := range slices.Backward(places) {
		if isBlank(x) || from == 0 {
			continue
		}
		a, is := list[from-1].(*ast.AssignStmt)
		if !is || len(a.Rhs) != 1 {
			break
		}
		if from--; may(x) && !literal(a.Rhs[0]) {
			looks = append(looks, p.Expr(p.Support("Failed", a.Rhs[0])))
		}
	}
	slices.Reverse(looks)
	return slices.Insert(list, from, looks...)
}

// ownCall reports whether x calls a function or a method of the program's own packages.
func (l *Lowering) ownCall(x ast.Expr) bool {
	f := typeutil.StaticCallee(l.info, ast.Unparen(x).(*ast.CallExpr))
	return f != nil && f.Pkg() != nil && slices.Contains(l.lowerer.front.Library.Own, f.Pkg().Path())
}

// calls reports whether x calls something, or receives: it is evaluated only once.
func calls(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// askedAbout returns the variables whose errors a cell asks for.
func askedAbout(units []*gofront.Checked) map[string]bool {
	out := map[string]bool{}
	add := func(x ast.Expr) {
		if id, is := ast.Unparen(x).(*ast.Ident); is {
			out[id.Name] = true
		}
	}
	for _, u := range units {
		ast.Inspect(u.Node(), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Name == "Err" {
					add(n.X)
				}
			case *ast.AssignStmt:
				for i, x := range n.Lhs {
					if id, is := x.(*ast.Ident); is && id.Name == "_" && len(n.Rhs) == len(n.Lhs) {
						add(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return out
}
