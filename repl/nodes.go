package repl

import (
	"go/ast"
	"go/token"
	"strconv"
)

// at makes nodes of syntax that stand where the user's code was, so that
// what goes wrong in them is reported there.
type at token.Pos

func (p at) id(name string) *ast.Ident { return &ast.Ident{NamePos: token.Pos(p), Name: name} }

func (p at) ids(names ...string) []ast.Expr {
	var out []ast.Expr
	for _, n := range names {
		out = append(out, p.id(n))
	}
	return out
}

func (p at) int(n int) *ast.BasicLit {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.Itoa(n)}
}

func (p at) string(s string) *ast.BasicLit {
	return &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.STRING, Value: strconv.Quote(s)}
}

// call makes a call. A function literal among the arguments is put in
// parentheses: the interpreter would have a bare one share its variables with
// every later round of a loop around.
func (p at) call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	for i, a := range args {
		if _, ok := a.(*ast.FuncLit); ok {
			args[i] = p.paren(a)
		}
	}
	return &ast.CallExpr{Fun: fun, Lparen: token.Pos(p), Args: args, Rparen: token.Pos(p)}
}

// support is a call of a function of support.go.
func (p at) support(name string, args ...ast.Expr) *ast.CallExpr {
	return p.call(p.sel(p.id(supportName), name), args...)
}

func (p at) sel(x ast.Expr, name string) *ast.SelectorExpr {
	return &ast.SelectorExpr{X: x, Sel: p.id(name)}
}

func (p at) paren(x ast.Expr) *ast.ParenExpr {
	return &ast.ParenExpr{Lparen: token.Pos(p), X: x, Rparen: token.Pos(p)}
}

func (p at) unary(op token.Token, x ast.Expr) *ast.UnaryExpr {
	return &ast.UnaryExpr{OpPos: token.Pos(p), Op: op, X: x}
}

func (p at) binary(x ast.Expr, op token.Token, y ast.Expr) *ast.BinaryExpr {
	return &ast.BinaryExpr{X: x, OpPos: token.Pos(p), Op: op, Y: y}
}

func (p at) assign(tok token.Token, left, right []ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: left, TokPos: token.Pos(p), Tok: tok, Rhs: right}
}

// define is name := x.
func (p at) define(name string, x ast.Expr) ast.Stmt {
	return p.assign(token.DEFINE, p.ids(name), []ast.Expr{x})
}

// set is x = y.
func (p at) set(x, y ast.Expr) ast.Stmt {
	return p.assign(token.ASSIGN, []ast.Expr{x}, []ast.Expr{y})
}

func (p at) expr(x ast.Expr) ast.Stmt { return &ast.ExprStmt{X: x} }

func (p at) block(list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: token.Pos(p), List: list, Rbrace: token.Pos(p)}
}

func (p at) when(cond ast.Expr, list ...ast.Stmt) *ast.IfStmt {
	return &ast.IfStmt{If: token.Pos(p), Cond: cond, Body: p.block(list...)}
}

func (p at) give(results ...ast.Expr) *ast.ReturnStmt {
	return &ast.ReturnStmt{Return: token.Pos(p), Results: results}
}

// variable is var name t.
func (p at) variable(name string, t ast.Expr) *ast.GenDecl {
	return &ast.GenDecl{TokPos: token.Pos(p), Tok: token.VAR,
		Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{p.id(name)}, Type: t}}}
}

func (p at) fields(list ...*ast.Field) *ast.FieldList {
	return &ast.FieldList{Opening: token.Pos(p), List: list, Closing: token.Pos(p)}
}

func (p at) field(name string, t ast.Expr) *ast.Field {
	f := &ast.Field{Type: t}
	if name != "" {
		f.Names = []*ast.Ident{p.id(name)}
	}
	return f
}

// function is func() { list }.
func (p at) function(list ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.fields()}, Body: p.block(list...)}
}
