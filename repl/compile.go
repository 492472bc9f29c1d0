package repl

import (
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"log"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// baseName is the base name of every cell's file: yaegi's own default.
const baseName = interp.DefaultSourceName

// compile compiles a unit. visible asks for the value of an expression.
func (s *Session) compile(c *cell, u *unit, visible bool) (*interp.Program, error) {
	node := u.node()
	if show := showing(u.body, visible); show != nil {
		p, err := s.compileNode(show)
		if err == nil {
			return p, nil
		}
		if !standsAlone(expression(u.body)) {
			return nil, s.compileError(c, u, err)
		}
		// A call without a result cannot be shown; then, and where something
		// is wrong, the statement itself decides.
	}
	p, err := s.compileNode(node)
	if err == nil {
		return p, nil
	}
	if strings.Contains(err.Error(), "constant definition loop") {
		// yaegi says this of every value that it cannot find a type for; the
		// value alone tells what is wrong with it.
		for _, x := range values(u) {
			show := &ast.BlockStmt{Lbrace: x.Pos(), Rbrace: x.End(), List: []ast.Stmt{&ast.ExprStmt{X: call(x.Pos(), "Show", x)}}}
			if _, inner := s.compileNode(show); inner != nil {
				err = inner
				break
			}
		}
	}
	return nil, s.compileError(c, u, err)
}

// values are the expressions that a unit initializes its variables with.
func values(u *unit) []ast.Expr {
	var out []ast.Expr
	if u.body != nil && len(u.body.List) == 1 {
		if a, ok := u.body.List[0].(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			out = a.Rhs
		}
	}
	for _, d := range u.decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					out = append(out, v.Values...)
				}
			}
		}
	}
	return out
}

// internalError is a panic of the compiler on code that it cannot take.
type internalError struct{ value any }

func (e internalError) Error() string { return fmt.Sprint(e.value) }

// compileNode compiles with the interpreter, whose panics become errors.
func (s *Session) compileNode(n ast.Node) (p *interp.Program, err error) {
	// yaegi writes to the standard logger before it panics.
	before := log.Writer()
	log.SetOutput(io.Discard)
	defer log.SetOutput(before)
	defer func() {
		if r := recover(); r != nil {
			err = internalError{r}
		}
	}()
	return s.interp.CompileAST(n)
}

// prelude imports what every session has.
func (s *Session) prelude() error {
	var b strings.Builder
	fmt.Fprintf(&b, "import %s %q\n", supportName, "repl")
	for _, p := range preloaded {
		fmt.Fprintf(&b, "import %q\n", p)
		name := s.library.name(p)
		s.names.imports[name], s.names.kinds[name] = p, packageName
	}
	c, err := newCell(0, "", b.String())
	if err != nil {
		return err
	}
	units, err := c.parse(s.interp.FileSet())
	if err != nil {
		return err
	}
	for _, u := range units {
		p, err := s.compileNode(u.node())
		if err == nil {
			_, err = s.interp.Execute(p)
		}
		if err != nil {
			return fmt.Errorf("interpreter: %w", err)
		}
	}
	return nil
}

// callMain adds the call of main that running a file of package main means.
func callMain(units []*unit) []*unit {
	for _, u := range units {
		for _, d := range u.decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Name.Name != "main" {
				continue
			}
			p := f.Name.Pos()
			body := &ast.BlockStmt{Lbrace: p, Rbrace: f.Name.End(), List: []ast.Stmt{&ast.ExprStmt{
				X: &ast.CallExpr{Fun: &ast.Ident{NamePos: p, Name: "main"}, Lparen: p, Rparen: p}}}}
			return append(units, &unit{item: item{kind: statementItem, start: u.start, end: u.end, silenced: true}, body: body})
		}
	}
	return units
}
