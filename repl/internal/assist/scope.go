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

// scope is what the names at the top of a session, or of a cell that is being
// written, stand for. It serves completion and inspection only, which must
// not wait for a cell that runs.
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

// Declarations is what cells have declared, in their order. It is read into a scope
// when somebody asks. That scope has objects of its own: those of the checker
// belong to the cell that runs.
type Declarations struct {
	mu     sync.Mutex
	scope  *scope
	unread []string // texts of items
}

// NewDeclarations knows what every session has imported.
func NewDeclarations() *Declarations {
	l := &Declarations{scope: newScope()}
	for _, p := range gofront.Preloaded {
		l.scope.imports[path.Base(p)] = p
	}
	return l
}

// unreadLimit bounds the memory that is held for a session that nobody asks.
const unreadLimit = 500

// Add notes an item that has been evaluated.
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

// Snapshot is a scope that the caller may add to.
func (l *Declarations) Snapshot() *scope {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read()
	return l.scope.clone()
}

// learn takes in an item: what it declares, with types as far as they can be
// told.
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
	info := s.check(fset, f)
	for _, st := range f.Decls[0].(*ast.FuncDecl).Body.List {
		a, ok := st.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Name != "_" && info.Defs[id] != nil {
				s.set(info.Defs[id])
				delete(s.decls, id.Name)
			}
		}
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
	info := s.check(fset, f)
	docs, err := reference.Declare(text)
	if err != nil {
		docs = nil
	}
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
			for id, o := range info.Defs {
				if o != nil && id.Name == name && o.Parent() == o.Pkg().Scope() {
					s.set(o)
				}
			}
			// What is known of an earlier type of this name holds no more.
			maps.DeleteFunc(s.decls, func(key string, _ *reference.Declaration) bool {
				return strings.HasPrefix(key, name+".")
			})
		}
	}
	maps.Copy(s.decls, docs)
}

// looseMethod stands between the name and the receiver's type of a method of
// which the type is not in the same file. go/types does not take such; it is
// given a function whose first parameter is the receiver.
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

// check finds the types in a file whose names are those of the scope. Errors
// do not matter: what they leave open has no type.
func (s *scope) check(fset *token.FileSet, f *ast.File) (info *types.Info) {
	pkg := types.NewPackage("main", "main")
	own := map[string]bool{}
	for _, d := range f.Decls {
		for _, name := range gofront.DeclaredNames(d) {
			own[name] = true
		}
	}
	loosen(f, own)
	for name, o := range s.Objects {
		if !own[name] {
			pkg.Scope().Insert(o)
		}
	}
	for name, p := range s.imports {
		if imported, err := gofront.ImportTypes(p); err == nil && !own[name] {
			pkg.Scope().Insert(types.NewPkgName(token.NoPos, pkg, name, imported))
		}
	}
	info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}}
	// The checker was not made for what is half written.
	defer func() { _ = recover() }()
	config := types.Config{Importer: gofront.ImporterFunc(gofront.ImportTypes), Error: func(error) {}}
	_ = types.NewChecker(&config, fset, pkg, info).Files([]*ast.File{f})
	return info
}
