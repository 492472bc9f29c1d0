package repl

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"strconv"
	"strings"
)

// nameKind says what a name at the top of the session is.
type nameKind string

const (
	packageName  nameKind = "package"
	typeName     nameKind = "type"
	functionName nameKind = "function"
	constantName nameKind = "constant"
	variableName nameKind = "variable"
)

// names is what the session knows of what its cells have declared.
type names struct {
	kinds   map[string]nameKind
	imports map[string]string // name -> path

	// alias is the name that a type goes by in the interpreter. yaegi cannot
	// replace a type, nor a method: a type that is declared again becomes a
	// new one under another name, as a class does in a Python notebook.
	alias    map[string]string
	versions map[string]int // how often each type was declared, or tried to be

	results map[string]int // of the functions

	// methods that exist, by methodKey.
	methods map[string]bool

	// broken are the functions and types whose declaration failed, and why.
	// The interpreter knows their names all the same, and a call of such a
	// function would silently do nothing.
	broken map[string]string
}

func newNames() *names {
	return &names{kinds: map[string]nameKind{}, imports: map[string]string{}, alias: map[string]string{},
		versions: map[string]int{}, results: map[string]int{}, methods: map[string]bool{}, broken: map[string]string{}}
}

// aliasMark stands before the version in the name of a type that was declared
// again. It is a letter, so that the name is one for Go too.
const aliasMark = "ʹ"

// original is the name as the user wrote it.
func original(name string) string {
	name, _, _ = strings.Cut(name, aliasMark)
	return name
}

// renew gives the types that u declares a name in the interpreter that was
// never used before. undo takes it back when u fails.
func (n *names) renew(u *unit) (undo func()) {
	before := maps.Clone(n.alias)
	for _, d := range u.decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, name := range declaredNames(g) {
				if n.versions[name]++; n.versions[name] > 1 {
					n.alias[name] = name + aliasMark + strconv.Itoa(n.versions[name])
				}
			}
		}
	}
	return func() { n.alias = before }
}

// declare records what u declares, and what it failed to declare: of both the
// interpreter keeps traces.
func (n *names) declare(u *unit, failure error) {
	set := func(name string, k nameKind) {
		if failure == nil {
			n.kinds[name] = k
			delete(n.broken, name)
		}
	}
	for _, d := range u.decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				n.methods[methodKey(d)] = true
				continue
			}
			set(original(d.Name.Name), functionName)
			n.results[original(d.Name.Name)] = d.Type.Results.NumFields()
			if failure != nil {
				n.broken[original(d.Name.Name)] = message(failure)
			}
		case *ast.GenDecl:
			k := map[token.Token]nameKind{token.TYPE: typeName, token.CONST: constantName, token.VAR: variableName}[d.Tok]
			for _, name := range declaredNames(d) {
				name = original(name)
				set(name, k)
				if failure != nil && k == typeName && n.kinds[name] == "" {
					n.broken[name] = message(failure)
				}
			}
		}
	}
	for _, id := range defined(u.body) {
		set(id.Name, variableName)
	}
}

// defined returns the variables that a := at the top of a cell makes.
func defined(body *ast.BlockStmt) []*ast.Ident {
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

// methodKey is "T.Name" of a method.
func methodKey(d *ast.FuncDecl) string {
	if id := receiverType(d); id != nil {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func receiverType(d *ast.FuncDecl) *ast.Ident {
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

// check refuses what the interpreter would accept and get wrong.
func (s *Session) check(c *cell, u *unit) error {
	at := func(p token.Pos, format string, args ...any) error {
		pos := s.interp.FileSet().Position(p)
		return c.errorIn("compile", pos.Line, pos.Column, fmt.Sprintf(format, args...))
	}
	var err error
	newName := func(id *ast.Ident) {
		if p, taken := s.names.imports[original(id.Name)]; taken && err == nil {
			err = at(id.Pos(), "%s is the package %s here; take another name", original(id.Name), p)
		}
	}
	for _, d := range u.decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			if f.Recv == nil {
				newName(f.Name)
			} else if key := methodKey(f); s.names.methods[key] && err == nil {
				t := original(receiverType(f).Name)
				err = at(f.Name.Pos(), "method %s.%s exists already, and the interpreter cannot replace it: "+
					"run the declaration of type %s again, which makes a new type, and then its methods", t, f.Name.Name, t)
			}
		} else if g, ok := d.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
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
	if u.body != nil {
		for _, id := range defined(u.body) {
			newName(id)
		}
		ast.Inspect(u.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.DeferStmt, *ast.ReturnStmt:
				if err == nil {
					word := map[bool]string{true: "defer", false: "return"}[isDefer(n)]
					err = at(n.Pos(), "%s outside of a function", word)
				}
			}
			return err == nil
		})
		if x := expression(u.body); x != nil && err == nil {
			if id, ok := x.(*ast.Ident); ok {
				switch s.names.kinds[original(id.Name)] {
				case packageName:
					err = at(id.Pos(), "%s is a package: name something in it, such as %s.%s", id.Name, id.Name, s.library.example(s.names.imports[id.Name]))
				case typeName:
					err = at(id.Pos(), "%s is a type, not a value", original(id.Name))
				}
			}
		}
	}
	if err == nil {
		err = s.checkBroken(u, at)
	}
	if err == nil {
		err = s.checkResults(u, at)
	}
	return err
}

func isDefer(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok }

// checkBroken refuses a use of a function that did not compile.
func (s *Session) checkBroken(u *unit, at func(token.Pos, string, ...any) error) error {
	if len(s.names.broken) == 0 {
		return nil
	}
	own := map[string]bool{}
	for _, d := range u.decls {
		for _, name := range declaredNames(d) {
			own[original(name)] = true
		}
	}
	for _, id := range defined(u.body) {
		own[id.Name] = true
	}
	var err error
	identifiers(u.node(), func(id *ast.Ident) {
		name := original(id.Name)
		if why, bad := s.names.broken[name]; bad && !own[name] && err == nil {
			err = at(id.Pos(), "undefined: %s (its declaration failed: %s)", name, why)
		}
	})
	return err
}

// expression returns the expression that a body consists of, or nil.
func expression(body *ast.BlockStmt) ast.Expr {
	if body == nil || len(body.List) != 1 {
		return nil
	}
	if x, ok := body.List[0].(*ast.ExprStmt); ok {
		return x.X
	}
	return nil
}

// imports takes in the import declarations of a unit: it leaves out what the
// session has already, and refuses what it does not have. The result says
// what is new, by name.
func (s *Session) imports(c *cell, u *unit) (map[string]string, error) {
	fresh := map[string]string{}
	for _, d := range u.decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		keep := g.Specs[:0:0]
		for _, spec := range g.Specs {
			spec := spec.(*ast.ImportSpec)
			fail := func(format string, args ...any) error {
				pos := s.interp.FileSet().Position(spec.Path.Pos())
				return c.errorIn("import", pos.Line, pos.Column, fmt.Sprintf(format, args...))
			}
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fail("%s is not an import path", spec.Path.Value)
			}
			if why := s.library.refusal(p); why != "" {
				return nil, fail("%s", why)
			}
			name := s.library.name(p)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			switch other, there := s.names.imports[name]; {
			case name == "_" || there && other == p:
				continue
			case name == ".":
			case there:
				return nil, fail("%s is %q here already; import this one by another name: import %s %q", name, other, path.Base(path.Dir(p))+name, p)
			case s.names.kinds[name] != "":
				return nil, fail("%s is a %s here; import the package by another name: import %s %q", name, s.names.kinds[name], name+"pkg", p)
			}
			keep = append(keep, spec)
			fresh[name] = p
		}
		g.Specs = keep
	}
	return fresh, nil
}
