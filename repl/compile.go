package repl

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"

	"github.com/traefik/yaegi/interp"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/lower"
	"symmom/repl/internal/syntax"
	"symmom/repl/internal/yaegi"
)

// compile compiles a lowered cell in programs that are not empty. The declarations, and what
// they need, are run, too: none of the cell's own code, but later cells call it even if this
// one is interrupted before it begins.
func (s *Session) compile(ctx context.Context, c *gofront.Cell, l *lower.Lowering) ([]*interp.Program, error) {
	var setup, out []*interp.Program
	add := func(to *[]*interp.Program, n ast.Node) error {
		if ctx.Err() != nil {
			return c.Interrupted()
		}
		p, err := s.compileNode(n)
		if err != nil {
			return s.compileError(c, err)
		}
		*to = append(*to, p)
		return nil
	}
	for _, i := range l.Imports {
		if err := s.importInner(i.Name, i.Path); err != nil {
			return nil, s.compileError(c, err)
		}
		s.lowered.Imported(i)
	}
	pos := s.interp.FileSet().AddFile(fmt.Sprintf("%d/%s", c.Number, syntax.BaseName), -1, 1).Pos(0)
	p := syntax.At(pos)
	file := func(decls []ast.Decl) *ast.File {
		return &ast.File{Package: pos, Name: p.ID("main"), Decls: decls}
	}
	types, others := splitTypes(l.Decls)
	if len(types) > 0 {
		if err := s.declareTypes(file(types)); err != nil {
			return nil, s.compileError(c, err)
		}
	}
	for _, decls := range inParts(others) {
		if err := add(&setup, file(decls)); err != nil {
			return nil, err
		}
	}
	within := func(function string, list []ast.Stmt) ast.Node {
		return p.Block(p.Expr(p.Support(function, p.Function(list...))))
	}
	if len(l.Prologue) > 0 {
		if err := add(&setup, within("SetUp", l.Prologue)); err != nil {
			return nil, err
		}
	}
	for _, body := range bodies(l.Body) {
		if err := add(&out, within("Run", body)); err != nil {
			return nil, err
		}
		yaegi.OwnScope(out[len(out)-1])
	}
	if ctx.Err() != nil {
		return nil, c.Interrupted()
	}
	yaegi.MakeGlobals(s.interp, s.alone())
	for _, p := range setup {
		if _, err := s.interp.Execute(p); err != nil {
			return nil, s.compileError(c, err)
		}
	}
	return out, nil
}

// A long cell is compiled in parts, since the interpreter cannot be stopped while it compiles
// one. There are few, because each makes a copy of all variables when it begins.
const (
	mostParts = 32
	leastPart = 500 // statements or functions
)

func partSize(n int) int { return max(leastPart, n/mostParts) }

// bodies splits the statements of a cell, between two units.
func bodies(list []ast.Stmt) [][]ast.Stmt {
	var out [][]ast.Stmt
	size, begin, literals := partSize(len(list)), 0, 0
	for i, st := range list {
		ast.Inspect(st, func(n ast.Node) bool {
			if _, is := n.(*ast.FuncLit); is { // which copies the variables of its part when it is made
				literals++
			}
			return true
		})
		if i+1 == len(list) || (i+1-begin >= size || literals >= leastPart) && lower.EndsUnit(st) {
			out = append(out, list[begin:i+1])
			begin, literals = i+1, 0
		}
	}
	return out
}

// inParts splits declarations: functions that no other one names come last, in parts.
func inParts(decls []ast.Decl) [][]ast.Decl {
	if len(decls) == 0 {
		return nil
	}
	if len(decls) <= leastPart {
		return [][]ast.Decl{decls}
	}
	named := map[string]int{}
	for _, d := range decls {
		seen := map[string]bool{}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && !seen[id.Name] {
				seen[id.Name] = true
				named[id.Name]++
			}
			return true
		})
	}
	var first, others []ast.Decl
	for _, d := range decls {
		if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && named[f.Name.Name] == 1 {
			others = append(others, d)
		} else {
			first = append(first, d)
		}
	}
	var out [][]ast.Decl
	if len(first) > 0 {
		out = append(out, first)
	}
	return slices.AppendSeq(out, slices.Chunk(others, partSize(len(others))))
}

// splitTypes separates the declarations of types from the others.
func splitTypes(decls []ast.Decl) (types, others []ast.Decl) {
	for _, d := range decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			types = append(types, d)
		} else {
			others = append(others, d)
		}
	}
	return types, others
}

// declareTypes compiles declarations of types, before anything uses these.
func (s *Session) declareTypes(f *ast.File) error {
	if _, err := s.compileNode(f); err != nil {
		return err
	}
	var names []string
	for _, d := range f.Decls {
		for _, spec := range d.(*ast.GenDecl).Specs {
			names = append(names, spec.(*ast.TypeSpec).Name.Name)
		}
	}
	return yaegi.HoldRecursive(s.interp, names)
}

// internalError is a panic of the compiler on code that it cannot handle.
type internalError struct{ value any }

func (e internalError) Error() string { return fmt.Sprint(e.value) }

// compileNode compiles a node. It returns panics of the interpreter as errors.
func (s *Session) compileNode(n ast.Node) (p *interp.Program, err error) {
	defer hush()()
	defer func() {
		if r := recover(); r != nil {
			err = internalError{r}
		}
	}()
	return s.interp.CompileAST(n)
}

// importInner imports a package into the interpreter under the given name.
func (s *Session) importInner(name, path string) error {
	pos := s.interp.FileSet().AddFile("0/"+syntax.BaseName, -1, 1).Pos(0)
	p := syntax.At(pos)
	spec := &ast.ImportSpec{Name: p.ID(name), Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(path)}}
	f := &ast.File{Package: pos, Name: p.ID("main"), Imports: []*ast.ImportSpec{spec},
		Decls: []ast.Decl{&ast.GenDecl{TokPos: pos, Tok: token.IMPORT, Specs: []ast.Spec{spec}}}}
	program, err := s.compileNode(f)
	if err == nil {
		yaegi.MakeGlobals(s.interp, s.alone())
		_, err = s.interp.Execute(program)
	}
	if err != nil {
		return fmt.Errorf("interpreter: import %q: %w", path, err)
	}
	return nil
}

// prelude imports the packages that every session has.
func (s *Session) prelude() error {
	for _, p := range s.front.Library.Preloaded {
		name := s.front.Library.Name(p)
		s.front.Names.Imports[name], s.front.Names.Kinds[name] = p, gofront.PackageName
	}
	return s.importInner(syntax.SupportName, syntax.SupportPath)
}

// callMain appends the call of main that is implied by running a file of package
// main.
func callMain(units []*gofront.Unit) []*gofront.Unit {
	for _, u := range units {
		for _, d := range u.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Name.Name != "main" {
				continue
			}
			p := syntax.At(f.Name.Pos())
			body := p.Block(p.Expr(p.Call(p.ID("main"))))
			return append(units, &gofront.Unit{Item: gofront.Item{Kind: gofront.StatementItem, Start: u.Start, End: u.End, Silenced: true}, Body: body})
		}
	}
	return units
}
