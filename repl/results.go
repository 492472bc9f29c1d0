package repl

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
)

// The interpreter takes x := f() for good when f returns two values, or none.
// checkResults refuses that where the number of results is known without
// types: for functions of packages and of the session.
func (s *Session) checkResults(u *unit, at func(token.Pos, string, ...any) error) error {
	var err error
	ast.Inspect(u.node(), func(n ast.Node) bool {
		var left int
		var right []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			left, right = len(n.Lhs), n.Rhs
		case *ast.ValueSpec:
			left, right = len(n.Names), n.Values
		}
		if err != nil || len(right) != 1 {
			return err == nil
		}
		c, ok := ast.Unparen(right[0]).(*ast.CallExpr)
		if !ok {
			return true
		}
		name, results := s.results(c.Fun)
		switch {
		case name == "" || results == left:
		case results == 0:
			err = at(c.Pos(), "%s returns no value", name)
		case results == 2 && left == 1:
			err = at(c.Pos(), "%s returns 2 values; write x, err := or x, _ :=", name)
		default:
			err = at(c.Pos(), "%s returns %s, not %d", name, plural(results, "value"), left)
		}
		return err == nil
	})
	return err
}

// results is the number of results of a function that is known by its name,
// "" when it is not.
func (s *Session) results(fun ast.Expr) (name string, n int) {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		if n, ok := s.names.results[f.Name]; ok && s.names.kinds[f.Name] == functionName {
			return f.Name, n
		}
	case *ast.SelectorExpr:
		id, ok := f.X.(*ast.Ident)
		if !ok || s.names.kinds[id.Name] != packageName {
			return "", 0
		}
		v := s.library.symbols[s.names.imports[id.Name]][f.Sel.Name]
		if v.IsValid() && v.Kind() == reflect.Func {
			return id.Name + "." + f.Sel.Name, v.Type().NumOut()
		}
	}
	return "", 0
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
