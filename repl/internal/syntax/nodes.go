// Package syntax constructs syntax nodes for lowered code and defines the names that
// lowered code and its run-time support share.
package syntax

import (
	"go/ast"
	"go/token"
	"strconv"
)

// At constructs syntax nodes at a position in the user's code, so that errors in them
// are reported there.
type At token.Pos

// ID is an identifier.
func (p At) ID(name string) *ast.Ident { return &ast.Ident{NamePos: token.Pos(p), Name: name} }

// IDs are identifiers.
func (p At) IDs(names ...string) []ast.Expr {
	var out []ast.Expr
	for _, n := range names {
		out = append(out, p.ID(n))
	}
	return out
}

// Int is an integer literal.
func (p At) Int(n int) *ast.BasicLit {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.Itoa(n)}
}

// Quoted is a string literal.
func (p At) Quoted(s string) *ast.BasicLit {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.STRING, Value: strconv.Quote(s)}
}

// Call is a call. A function literal among its arguments is put in parentheses,
// because the interpreter would let a bare one share its variables with all later
// iterations of an enclosing loop.
func (p At) Call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	for i, a := range args {
		if _, ok := a.(*ast.FuncLit); ok {
			args[i] = p.Paren(a)
		}
	}
	return &ast.CallExpr{Fun: fun, Lparen: token.Pos(p), Args: args, Rparen: token.Pos(p)}
}

// Support is a call of a function of package support.
func (p At) Support(name string, args ...ast.Expr) *ast.CallExpr {
	return p.Call(p.Sel(p.ID(SupportName), name), args...)
}

// Sel is x.name.
func (p At) Sel(x ast.Expr, name string) *ast.SelectorExpr {
	return &ast.SelectorExpr{X: x, Sel: p.ID(name)}
}

// Paren is (x).
func (p At) Paren(x ast.Expr) *ast.ParenExpr {
	return &ast.ParenExpr{Lparen: token.Pos(p), X: x, Rparen: token.Pos(p)}
}

// Unary is op x.
func (p At) Unary(op token.Token, x ast.Expr) *ast.UnaryExpr {
	return &ast.UnaryExpr{OpPos: token.Pos(p), Op: op, X: x}
}

// Binary is x op y.
func (p At) Binary(x ast.Expr, op token.Token, y ast.Expr) *ast.BinaryExpr {
	return &ast.BinaryExpr{X: x, OpPos: token.Pos(p), Op: op, Y: y}
}

// Assign is an assignment by = or :=, or by another operator.
func (p At) Assign(tok token.Token, left, right []ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: left, TokPos: token.Pos(p), Tok: tok, Rhs: right}
}

// Define is name := x.
func (p At) Define(name string, x ast.Expr) ast.Stmt {
	return p.Assign(token.DEFINE, p.IDs(name), []ast.Expr{x})
}

// Set is x = y.
func (p At) Set(x, y ast.Expr) ast.Stmt {
	return p.Assign(token.ASSIGN, []ast.Expr{x}, []ast.Expr{y})
}

// Expr is an expression as a statement.
func (p At) Expr(x ast.Expr) ast.Stmt { return &ast.ExprStmt{X: x} }

// Block is a block of statements.
func (p At) Block(list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: token.Pos(p), List: list, Rbrace: token.Pos(p)}
}

// If is an if statement without else.
func (p At) If(cond ast.Expr, list ...ast.Stmt) *ast.IfStmt {
	return &ast.IfStmt{If: token.Pos(p), Cond: cond, Body: p.Block(list...)}
}

// Return is a return statement.
func (p At) Return(results ...ast.Expr) *ast.ReturnStmt {
	return &ast.ReturnStmt{Return: token.Pos(p), Results: results}
}

// Var is var name t.
func (p At) Var(name string, t ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: token.Pos(p), Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{p.ID(name)}, Type: t}}}
}

// Fields is a list of fields, parameters or results.
func (p At) Fields(list ...*ast.Field) *ast.FieldList {
	return &ast.FieldList{Opening: token.Pos(p), List: list, Closing: token.Pos(p)}
}

// Field is a field, whose name may be "".
func (p At) Field(name string, t ast.Expr) *ast.Field {
	f := &ast.Field{Type: t}
	if name != "" {
		f.Names = []*ast.Ident{p.ID(name)}
	}
	return f
}

// Function is func() { list }.
func (p At) Function(list ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.Fields()}, Body: p.Block(list...)}
}

// IsNamed reports whether n is the identifier name.
func IsNamed(n ast.Node, name string) bool {
	id, ok := n.(*ast.Ident)
	return ok && id.Name == name
}

// FuncLit is a function literal.
func (p At) FuncLit(t *ast.FuncType, list ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: t, Body: p.Block(list...)}
}

// FuncDecl is the declaration of a function.
func (p At) FuncDecl(name string, t *ast.FuncType, list ...ast.Stmt) *ast.FuncDecl {
	return &ast.FuncDecl{Name: p.ID(name), Type: t, Body: p.Block(list...)}
}

// FuncType is the type of a function; results may be nil.
func (p At) FuncType(params, results *ast.FieldList) *ast.FuncType {
	return &ast.FuncType{Func: token.Pos(p), Params: params, Results: results}
}

// TypeDecl is type name t.
func (p At) TypeDecl(name string, t ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: p.ID(name), Type: t}}}
}

// Assert is x.(t).
func (p At) Assert(x, t ast.Expr) *ast.TypeAssertExpr {
	return &ast.TypeAssertExpr{X: x, Lparen: token.Pos(p), Type: t, Rparen: token.Pos(p)}
}

// Index is x[i].
func (p At) Index(x, i ast.Expr) *ast.IndexExpr {
	return &ast.IndexExpr{X: x, Lbrack: token.Pos(p), Index: i, Rbrack: token.Pos(p)}
}

// Star is *x.
func (p At) Star(x ast.Expr) *ast.StarExpr { return &ast.StarExpr{Star: token.Pos(p), X: x} }
