package repl

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"

	"symmom/repl/internal/gofront"
)

// The values of earlier cells can be used again: _ is the last value and Out[n] is
// the value of cell n. In a cell that uses one, it is replaced in the syntax by a
// variable of the value's own type.

// keptOutputs is the maximum number of values that are kept.
const keptOutputs = 100

// output is the value of a cell.
type output struct {
	cell  int
	value any
	typ   types.Type
}

// kept returns the values that are kept.
func (s *Session) kept() []output {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.outputs)
}

// keepOutput records the value of the expression at the end of a cell, and returns that
// expression, nil if there is none.
func (s *Session) keepOutput(number int, checked []*gofront.Checked, values []any) *gofront.Checked {
	if len(checked) == 0 || len(values) != 1 {
		return nil
	}
	last := checked[len(checked)-1]
	if last.Value == nil || last.Silenced || len(last.Results) != 1 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outputs = slices.DeleteFunc(s.outputs, func(o output) bool { return o.cell == number })
	if len(s.outputs) >= keptOutputs {
		s.outputs = s.outputs[1:]
	}
	s.outputs = append(s.outputs, output{number, values[0], types.Default(last.Results[0])})
	delete(s.named, number)
	return last
}

// outputOf implements display.Out, with which a cell reads an earlier value.
func (s *Session) outputOf(number int) any {
	for _, o := range s.kept() {
		if o.cell == number {
			return o.value
		}
	}
	return nil
}

// useOutputs declares variables for the outputs that the units use and replaces the
// outputs by them. It returns where the outputs were used.
func (s *Session) useOutputs(ctx context.Context, c *gofront.Cell, units []*gofront.Unit) (uses []use, failed error) {
	outputs := s.kept()
	if len(outputs) == 0 {
		return nil, nil
	}
	// A cell that declares its own Out refers to that.
	own := s.Declared("Out")
	variable := func(x ast.Expr, number int) *ast.Ident {
		v, err := s.outputVariable(ctx, number)
		if err != nil && failed == nil {
			p := s.interp.FileSet().Position(x.Pos())
			failed = c.ErrorIn("compile", p.Line, p.Column, err.Error())
		}
		uses = append(uses, s.useOf(c, x, number))
		return &ast.Ident{NamePos: x.Pos(), Name: v}
	}
	last := outputs[len(outputs)-1].cell
	replace := func(cur *astutil.Cursor) bool {
		switch x := cur.Node().(type) {
		case *ast.IndexExpr:
			id, ok := x.X.(*ast.Ident)
			n, is := x.Index.(*ast.BasicLit)
			if !ok || !is || id.Name != "Out" || n.Kind != token.INT || own {
				return true
			}
			if number, err := strconv.Atoi(n.Value); err == nil {
				cur.Replace(variable(x, number))
				return false
			}
		case *ast.Ident:
			if x.Name == "_" && isOperand(cur) {
				cur.Replace(variable(x, last))
			}
		}
		return failed == nil
	}
	look := func(cur *astutil.Cursor) bool {
		if id, ok := cur.Node().(*ast.Ident); ok && id.Name == "Out" {
			_, selector := cur.Parent().(*ast.SelectorExpr)
			index, ok := cur.Parent().(*ast.IndexExpr)
			own = own || !(selector && cur.Name() == "Sel") && !(ok && index.X == id)
		}
		return true
	}
	for _, visit := range []astutil.ApplyFunc{look, replace} {
		for _, u := range units {
			if u.Body != nil {
				astutil.Apply(u.Body, visit, nil)
			}
			for _, d := range u.Decls {
				astutil.Apply(d, visit, nil)
			}
		}
	}
	return uses, failed
}

// isOperand reports whether _ is used as a value, rather than as an assignment target
// or a name.
func isOperand(cur *astutil.Cursor) bool {
	switch cur.Parent().(type) {
	case *ast.AssignStmt:
		return cur.Name() == "Rhs"
	case *ast.RangeStmt:
		return cur.Name() == "X"
	case *ast.ValueSpec:
		return cur.Name() == "Values"
	case *ast.Field, *ast.FuncDecl, *ast.ImportSpec, *ast.TypeSpec, *ast.LabeledStmt, *ast.BranchStmt, *ast.SelectorExpr:
		_, selector := cur.Parent().(*ast.SelectorExpr)
		return selector && cur.Name() == "X"
	}
	return true
}

// outputVariable returns the variable that stands for an output, declaring it if
// necessary.
func (s *Session) outputVariable(ctx context.Context, number int) (string, error) {
	if v := s.named[number]; v != "" {
		return v, nil
	}
	outputs := s.kept()
	i := slices.IndexFunc(outputs, func(o output) bool { return o.cell == number })
	if i < 0 {
		return "Out", fmt.Errorf("cell %d has left no value: Out[n] has the values of the last %d cells that ended with one", number, keptOutputs)
	}
	imports := ""
	typ := types.TypeString(outputs[i].typ, func(p *types.Package) string {
		s.declaring.Lock()
		defer s.declaring.Unlock()
		for name, path := range s.front.Names.Imports {
			if path == p.Path() {
				return name
			}
		}
		if s.front.Library.Name(p.Path()) == "" {
			return "" // of the cells
		}
		imports += fmt.Sprintf("import %q\n", p.Path())
		return p.Name()
	})
	v := outputName(number)
	declared := fmt.Sprintf("%s := display.Out(%d).(%s)", v, number, typ)
	if outputs[i].value == nil { // of an interface: nothing to assert
		declared = fmt.Sprintf("var %s %s", v, typ)
	}
	if _, err := s.evalLocked(context.WithValue(ctx, numberKey{}, 0), "", imports+declared, nil); err != nil {
		return v, fmt.Errorf("output Out[%d] is of type %s, which cannot be used here (%s)", number, typ, gofront.Message(err))
	}
	if s.named == nil {
		s.named = map[int]string{}
	}
	s.named[number] = v
	return v, nil
}

// isOutput reports whether a variable stands for an output.
func (s *Session) isOutput(name string) bool {
	for _, v := range s.named {
		if v == name {
			return true
		}
	}
	return false
}
