package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
)

// nameKind is the kind of a name at the top level.
type nameKind string

const (
	PackageName  nameKind = "package"
	typeName     nameKind = "type"
	functionName nameKind = "function"
	constantName nameKind = "constant"
	variableName nameKind = "variable"
)

// names holds the names declared by cells, and the packages they have imported. Their
// types are in checker.
type names struct {
	Kinds   map[string]nameKind
	Imports map[string]string // name -> path
}

func newNames() *names {
	return &names{Kinds: map[string]nameKind{}, Imports: map[string]string{}}
}

// NameKindOf returns the kind of an object as the user sees it.
func NameKindOf(o types.Object) nameKind {
	switch o.(type) {
	case *types.TypeName:
		return typeName
	case *types.Func:
		return functionName
	case *types.Const:
		return constantName
	case *types.PkgName:
		return PackageName
	}
	return variableName
}

// Defined returns the variables that a := at the top level defines.
func Defined(body *ast.BlockStmt) []*ast.Ident {
	if body == nil || len(body.List) != 1 {
		return nil
	}
	a, ok := body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return nil
	}
	var ids []*ast.Ident
	for _, l := range a.Lhs {
		if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
			ids = append(ids, id)
		}
	}
	return ids
}

// ReceiverType returns the name of the receiver type of a method, or nil for a
// function.
func ReceiverType(d *ast.FuncDecl) *ast.Ident {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return nil
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.Ident:
			return x
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return nil
		}
	}
}

// refuse rejects what go/types would accept because it sees a statement as part of a
// function, and package names as names that may be shadowed.
func (sc *Scope) refuse(u *Unit) error {
	var err error
	newName := func(id *ast.Ident) {
		if p, taken := sc.Imports[id.Name]; taken && err == nil {
			err = sc.ErrorAtPos(id.Pos(), fmt.Sprintf("%s is the package %s here; take another name", id.Name, p))
		}
	}
	for _, d := range u.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				newName(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					newName(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						newName(id)
					}
				}
			}
		}
	}
	if u.Body == nil || err != nil {
		return err
	}
	for _, id := range Defined(u.Body) {
		newName(id)
	}
	ast.Inspect(u.Body, func(n ast.Node) bool {
		word, advice := "", ""
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			word = "defer"
			advice = "; func() { ... }() is one for a cell"
		case *ast.ReturnStmt:
			word = "return"
		}
		if word != "" && err == nil {
			err = sc.ErrorAtPos(n.Pos(), word+" outside of a function"+advice)
		}
		return err == nil
	})
	return err
}

// expression returns the expression that is the only statement of a body, or nil.
func expression(body *ast.BlockStmt) ast.Expr {
	if body == nil || len(body.List) != 1 {
		return nil
	}
	if x, ok := body.List[0].(*ast.ExprStmt); ok {
		return x.X
	}
	return nil
}

// StandsAlone reports whether Go accepts an expression as a statement.
func StandsAlone(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	}
	return false
}

// Prints reports whether an expression is a call of fmt.Print or the like, whose
// results are not displayed.
func Prints(x ast.Expr) bool {
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

// imported adds the imports of a unit. Importing a package again is permitted;
// packages that the session lacks are rejected.
func (sc *Scope) imported(u *Unit) error {
	l := sc.s.Library
	for _, d := range u.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.ImportSpec)
			fail := func(format string, args ...any) error {
				e := sc.ErrorAtPos(spec.Path.Pos(), fmt.Sprintf(format, args...))
				e.Kind = "import"
				return e
			}
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fail("%s is not an import path", spec.Path.Value)
			}
			if why := l.refusal(p); why != "" {
				return fail("%s", why)
			}
			name := l.Name(p)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if len(sc.Cell.Items) > 0 && sc.Cell.Items[0].Kind == PackageItem && name != "_" && name != "." { // a file of a program
				if sc.seen[name] {
					return fail("%s redeclared in this block", name)
				}
				sc.seen[name] = true
			}
			switch other, there := sc.Imports[name]; {
			case name == "_" || there && other == p:
			case name == ".":
				sc.Dots = append(sc.Dots, p)
			case there:
				return fail("%s is %q here already; import this one by another name: import %s %q", name, other, path.Base(path.Dir(p))+name, p)
			case sc.objects[name] != nil:
				return fail("%s is a %s here; import the package by another name: import %s %q", name, NameKindOf(sc.objects[name]), name+"pkg", p)
			default:
				sc.Imports[name] = p
			}
		}
	}
	return nil
}
