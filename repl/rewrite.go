package repl

import (
	"go/ast"
	"go/token"
	"strconv"
)

// supportName is the package, in cells only, of the functions that rewritten
// code calls: see support.go.
const supportName = "__repl"

// mainAlias is what a function main is called in the interpreter, which would
// run one named main again after every later cell.
const mainAlias = "main" + aliasMark + "1"

// node is what the interpreter compiles.
func (u *unit) node() ast.Node {
	if u.body != nil {
		return u.body
	}
	return u.file
}

// rename puts the names in the interpreter in place of the user's.
func (s *Session) rename(u *unit) {
	identifiers(u.node(), func(id *ast.Ident) {
		if id.Name == "main" {
			id.Name = mainAlias
		} else if a, ok := s.names.alias[id.Name]; ok {
			id.Name = a
		}
	})
}

// identifiers calls f for the identifiers in n that may stand for something
// at the top of the session: not for selectors, fields, methods and labels.
// Without types the key of a composite literal may be a field or a variable;
// it is taken for a field.
func identifiers(n ast.Node, f func(*ast.Ident)) {
	if file, ok := n.(*ast.File); ok {
		for _, d := range file.Decls {
			identifiers(d, f)
		}
		return
	}
	skip := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			skip[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				skip[id] = true
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				skip[n.Name] = true
			}
		case *ast.StructType:
			skipNames(n.Fields, skip)
		case *ast.InterfaceType:
			skipNames(n.Methods, skip)
		case *ast.LabeledStmt:
			skip[n.Label] = true
		case *ast.BranchStmt:
			if n.Label != nil {
				skip[n.Label] = true
			}
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			if !skip[n] {
				f(n)
			}
		}
		return true
	})
}

func skipNames(l *ast.FieldList, skip map[*ast.Ident]bool) {
	for _, f := range l.List {
		for _, id := range f.Names {
			skip[id] = true
		}
	}
}

// call makes the expression __repl.name(args...), placed at pos.
func call(pos token.Pos, name string, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{
		Fun:    &ast.SelectorExpr{X: &ast.Ident{NamePos: pos, Name: supportName}, Sel: &ast.Ident{NamePos: pos, Name: name}},
		Lparen: pos, Args: args, Rparen: pos,
	}
}

// showing is the body with its expression's value handed to the session, or
// nil where it has none. One that nobody is to see is handed over to be
// dropped: the interpreter finds less that is wrong in a bare expression.
func showing(body *ast.BlockStmt, visible bool) *ast.BlockStmt {
	x := expression(body)
	if x == nil {
		return nil
	}
	name := "Show"
	if !visible || prints(x) {
		if name = "Drop"; standsAlone(x) {
			return nil
		}
	}
	return &ast.BlockStmt{Lbrace: body.Lbrace, Rbrace: body.Rbrace,
		List: []ast.Stmt{&ast.ExprStmt{X: call(x.Pos(), name, x)}}}
}

// standsAlone reports whether Go takes an expression for a statement.
func standsAlone(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	}
	return false
}

// prints recognizes fmt.Print and its kin, whose results nobody wants to see.
func prints(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || id.Name != "fmt" {
		return false
	}
	switch sel.Sel.Name {
	case "Print", "Println", "Printf", "Fprint", "Fprintln", "Fprintf":
		return true
	}
	return false
}

// guardGoroutines rewrites go statements so that a panic is reported instead
// of ending the process. A function literal gets a deferred function. Any
// other call becomes one of __repl.Go, which is handed the function and its
// arguments and starts the goroutine: so they are evaluated where Go does it.
func (s *Session) guardGoroutines(u *unit) {
	each := func(list []ast.Stmt) {
		for i, st := range list {
			if g, ok := st.(*ast.GoStmt); ok {
				list[i] = s.guarded(g)
			}
		}
	}
	ast.Inspect(u.node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			each(n.List)
		case *ast.CaseClause:
			each(n.Body)
		case *ast.CommClause:
			each(n.Body)
		case *ast.LabeledStmt:
			if g, ok := n.Stmt.(*ast.GoStmt); ok {
				n.Stmt = s.guarded(g)
			}
		}
		return true
	})
}

func (s *Session) guarded(g *ast.GoStmt) ast.Stmt {
	p := g.Pos()
	where := &ast.BasicLit{ValuePos: p, Kind: token.STRING, Value: strconv.Quote(s.interp.FileSet().Position(p).String())}
	if lit, ok := g.Call.Fun.(*ast.FuncLit); ok {
		lit.Body.List = append([]ast.Stmt{s.guard(p, where)}, lit.Body.List...)
		return g
	}
	// A builtin is no value, and f(list...) is not spelled out for Go; their
	// arguments are evaluated when the goroutine runs.
	id, ok := g.Call.Fun.(*ast.Ident)
	if ok && builtins[id.Name] && s.names.kinds[id.Name] == "" || g.Call.Ellipsis.IsValid() {
		g.Call = &ast.CallExpr{Fun: &ast.FuncLit{
			Type: &ast.FuncType{Func: p, Params: &ast.FieldList{Opening: p, Closing: p}},
			Body: &ast.BlockStmt{Lbrace: p, List: []ast.Stmt{s.guard(p, where), &ast.ExprStmt{X: g.Call}}, Rbrace: p},
		}, Lparen: p, Rparen: p}
		return g
	}
	return &ast.ExprStmt{X: call(p, "Go", append([]ast.Expr{where, g.Call.Fun}, g.Call.Args...)...)}
}

// guard is: defer func() { if r := recover(); r != nil { __repl.Panicked(where, r) } }()
func (s *Session) guard(p token.Pos, where ast.Expr) ast.Stmt {
	r := func() *ast.Ident { return &ast.Ident{NamePos: p, Name: "r" + aliasMark} }
	return &ast.DeferStmt{Defer: p, Call: &ast.CallExpr{Lparen: p, Rparen: p, Fun: &ast.FuncLit{
		Type: &ast.FuncType{Func: p, Params: &ast.FieldList{Opening: p, Closing: p}},
		Body: &ast.BlockStmt{Lbrace: p, Rbrace: p, List: []ast.Stmt{&ast.IfStmt{
			If:   p,
			Init: &ast.AssignStmt{Lhs: []ast.Expr{r()}, TokPos: p, Tok: token.DEFINE, Rhs: []ast.Expr{&ast.CallExpr{Fun: &ast.Ident{NamePos: p, Name: "recover"}, Lparen: p, Rparen: p}}},
			Cond: &ast.BinaryExpr{X: r(), OpPos: p, Op: token.NEQ, Y: &ast.Ident{NamePos: p, Name: "nil"}},
			Body: &ast.BlockStmt{Lbrace: p, Rbrace: p, List: []ast.Stmt{&ast.ExprStmt{X: call(p, "Panicked", where, r())}}},
		}}},
	}}}
}

// builtins are functions that are no values.
var builtins = map[string]bool{
	"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true,
	"len": true, "make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true, "real": true, "recover": true,
}
