package assist

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"strconv"
	"strings"
	"sync"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
	"symmom/repl/reference"
)

// scope maps the names at the top level of a session, or of a cell that is being
// written, to their objects. It is used only for completion and inspection, which
// must not wait for a running cell.
type scope struct {
	Objects map[string]types.Object
	imports map[string]string
	decls   map[string]*reference.Declaration // by "Name", "Type.Method" or "Type.Field"
}

func newScope() *scope {
	return &scope{map[string]types.Object{}, map[string]string{}, map[string]*reference.Declaration{}}
}

func (s *scope) clone() *scope {
	return &scope{maps.Clone(s.Objects), maps.Clone(s.imports), maps.Clone(s.decls)}
}

// Declarations holds the declarations of cells, in order. They are read into a scope
// on request. That scope has its own objects: the checker's objects belong to the
// running cell.
type Declarations struct {
	mu     sync.Mutex
	scope  *scope
	unread []string // source of items
}

// newDeclarations returns the imports of preloaded packages.
func newDeclarations(preloaded []string) *Declarations {
	l := &Declarations{scope: newScope()}
	for _, p := range preloaded {
		l.scope.imports[path.Base(p)] = p
	}
	return l
}

// unreadLimit bounds the memory used in a session without requests.
const unreadLimit = 500

// Add adds an item that was evaluated.
func (l *Declarations) Add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unread = append(l.unread, text); len(l.unread) >= unreadLimit {
		l.read()
	}
}

func (l *Declarations) read() {
	for _, text := range l.unread {
		l.scope.learn(text)
	}
	l.unread = nil
}

// Has reports whether a name is declared or imported.
func (l *Declarations) Has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read()
	return l.scope.Objects[name] != nil || l.scope.imports[name] != ""
}

// Snapshot returns a scope that the caller may add to.
func (l *Declarations) Snapshot() *scope {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read()
	return l.scope.clone()
}

// learn adds the declarations of an item, with their types as far as these can be
// determined.
func (s *scope) learn(text string) {
	const head = "package main\n"
	fset := token.NewFileSet()
	if f, err := parser.ParseFile(fset, "", head+text, parser.SkipObjectResolution); err == nil {
		for _, spec := range f.Imports {
			s.learnImport(spec)
		}
		s.learnDecls(fset, f, head+text)
		return
	}
	const body = "package main;func _(){"
	f, err := parser.ParseFile(fset, "", body+text+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return
	}
	info, declared := s.check(fset, f, false), map[string]bool{}
	for _, st := range f.Decls[0].(*ast.FuncDecl).Body.List {
		a, ok := st.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Name != "_" && info.Defs[id] != nil {
				s.set(info.Defs[id])
				declared[id.Name] = true
			}
		}
	}
	s.forget(declared)
}

// forget removes what is known of earlier declarations of names, and of the fields and
// methods of types among them.
func (s *scope) forget(names map[string]bool) {
	members := false
	for name := range names {
		d := s.decls[name]
		members = members || d != nil && d.Kind == "type"
		delete(s.decls, name)
	}
	if members {
		maps.DeleteFunc(s.decls, func(key string, _ *reference.Declaration) bool {
			name, _, _ := strings.Cut(key, ".")
			return names[name]
		})
	}
}

func (s *scope) set(o types.Object) {
	s.Objects[o.Name()] = o
	delete(s.imports, o.Name())
}

func (s *scope) learnImport(spec *ast.ImportSpec) {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	pkg, err := gofront.ImportTypes(p)
	if err != nil {
		return
	}
	switch {
	case spec.Name == nil:
		s.imports[pkg.Name()] = p
	case spec.Name.Name == ".":
		for _, name := range pkg.Scope().Names() {
			if ast.IsExported(name) {
				s.Objects[name] = pkg.Scope().Lookup(name)
			}
		}
	case spec.Name.Name != "_":
		s.imports[spec.Name.Name] = p
	}
}

func (s *scope) learnDecls(fset *token.FileSet, f *ast.File, text string) {
	info := s.check(fset, f, false)
	docs, err := reference.Declare(text)
	if err != nil {
		docs = nil
	}
	declared := map[string]bool{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if name, of, loose := strings.Cut(fn.Name.Name, looseMethod); loose {
				s.learnMethod(info.Defs[fn.Name], name, of)
			} else if o := info.Defs[fn.Name]; o != nil && fn.Recv == nil {
				s.set(o)
			}
			continue
		}
		for _, name := range gofront.DeclaredNames(d) {
			declared[name] = true
		}
	}
	for id, o := range info.Defs {
		if o != nil && declared[id.Name] && o.Parent() == o.Pkg().Scope() {
			s.set(o)
		}
	}
	s.forget(declared)
	maps.Copy(s.decls, docs)
}

// looseMethod separates the name and the receiver's type of a method whose type is
// not in the same file. go/types does not accept those, so it is given a function
// with the receiver as its first parameter.
const looseMethod = "Of" + syntax.AliasMark

func loosen(f *ast.File, own map[string]bool) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		if id := gofront.ReceiverType(fn); id != nil && !own[id.Name] {
			fn.Name.Name += looseMethod + id.Name
			params := *fn.Type.Params
			params.List = append(append([]*ast.Field(nil), fn.Recv.List...), params.List...)
			fn.Type.Params, fn.Recv = &params, nil
		}
	}
}

// learnMethod adds a method to a type of an earlier item.
func (s *scope) learnMethod(o types.Object, name, of string) {
	tn, ok := s.Objects[of].(*types.TypeName)
	if !ok || o == nil {
		return
	}
	named, ok := tn.Type().(*types.Named)
	sig, isFunc := o.Type().(*types.Signature)
	if !ok || !isFunc || sig.Params().Len() == 0 {
		return
	}
	for m := range named.Methods() {
		if m.Name() == name {
			return // its own, or declared again
		}
	}
	vars := make([]*types.Var, 0, sig.Params().Len())
	for v := range sig.Params().Variables() {
		vars = append(vars, v)
	}
	recv := types.NewVar(token.NoPos, tn.Pkg(), vars[0].Name(), vars[0].Type())
	named.AddMethod(types.NewFunc(token.NoPos, tn.Pkg(), name,
		types.NewSignatureType(recv, nil, nil, types.NewTuple(vars[1:]...), sig.Results(), sig.Variadic())))
}

// check finds the types in a file, whose names refer to the scope: to all of it, or only
// to the names that it uses, since a session may have thousands. Errors do not matter:
// what they leave open has no type.
func (s *scope) check(fset *token.FileSet, f *ast.File, all bool) (info *types.Info) {
	pkg := types.NewPackage("main", "main")
	own := map[string]bool{}
	for _, d := range f.Decls {
		for _, name := range gofront.DeclaredNames(d) {
			own[name] = true
		}
	}
	loosen(f, own)
	around := gofront.Around(pkg)
	insert := func(name string) {
		if own[name] || around.Lookup(name) != nil {
			return
		}
		if o := s.Objects[name]; o != nil {
			around.Insert(o)
		} else if p, ok := s.imports[name]; ok {
			if imported, err := gofront.ImportTypes(p); err == nil {
				around.Insert(types.NewPkgName(token.NoPos, pkg, name, imported))
			}
		}
	}
	if all {
		for name := range s.Objects {
			insert(name)
		}
		for name := range s.imports {
			insert(name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			insert(id.Name)
		}
		return true
	})
	info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}}
	// The checker may panic on half-written code.
	defer func() { _ = recover() }()
	config := types.Config{Importer: gofront.ImporterFunc(gofront.ImportTypes), Error: func(error) {}}
	_ = types.NewChecker(&config, fset, pkg, info).Files([]*ast.File{f})
	return info
}
