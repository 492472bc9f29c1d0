package gofront

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/syntax"
	"symmom/repl/with"
)

// Checked is a unit with the results of type-checking it.
type Checked struct {
	*Unit
	Info    *types.Info
	Objects []types.Object // that it declares at the top level
	Methods []*Method      // of types of earlier units
	Value   ast.Expr       // of an expression statement at the top level, or nil
	Results []types.Type   // types of Value
}

// Acts reports whether a nil error that Value returns tells nothing: of a call that is made
// for what it does, such as fig.Save("x.html"), rather than to ask for the error.
func (ch *Checked) Acts() bool {
	call, is := ast.Unparen(ch.Value).(*ast.CallExpr)
	if !is || len(ch.Results) != 1 || !types.Identical(ch.Results[0], types.Universe.Lookup("error").Type()) {
		return false
	}
	name := ""
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	return !ch.Info.Types[call.Fun].IsType() && !slices.Contains(asks, name)
}

// asks are the names under which Go's packages have functions that look for an error.
var asks = []string{"Err", "Unwrap", "Join", "Cause"}

// Method is a method that a unit declares.
type Method struct {
	Decl *ast.FuncDecl
	Base *types.TypeName
	Func *types.Func
}

// Scope holds the objects that the names at the top level denote while a cell is
// checked: declarations of earlier cells, and of the units checked so far.
type Scope struct {
	ctx     context.Context // nil if nothing interrupts
	s       *Front
	Cell    *Cell
	objects map[string]types.Object
	Imports map[string]string
	Dots    []string
	orphans []*types.Func // methods added to types on trial

	// Canon maps a new object to the one of the session that it replaces: a
	// variable of the same type, a function of the same signature.
	Canon map[types.Object]types.Object

	seen        map[string]bool // names that the cell imports
	ImportUnits []*Unit
	used        map[types.Object]bool // generic types that the cell has instantiated
	instance    bool                  // the code is an instance, whose errors do not count
	inside      string                // the package that it is of, if that was compiled in
}

// Check checks all units of a cell, so that nothing runs if anything is wrong.
func (s *Front) Check(ctx context.Context, c *Cell, units []*Unit) ([]*Checked, *Scope, error) {
	sc := &Scope{s: s, ctx: ctx, Cell: c, objects: maps.Clone(s.Types.Objects), Imports: maps.Clone(s.Names.Imports), Dots: slices.Clone(s.Types.Dots),
		Canon: map[types.Object]types.Object{}, used: map[types.Object]bool{}, seen: map[string]bool{}}
	var out []*Checked
	for _, u := range units {
		if ctx.Err() != nil {
			return nil, sc, c.Interrupted()
		}
		if u.Kind == ImportItem {
			if err := sc.imported(u); err != nil {
				return nil, sc, err
			}
			sc.ImportUnits = append(sc.ImportUnits, u)
			continue
		}
		ch, err := sc.check(u)
		if err != nil {
			return nil, sc, err
		}
		for _, o := range ch.Objects {
			sc.objects[o.Name()] = o
		}
		out = append(out, ch)
	}
	return out, sc, nil
}

// check checks a unit.
func (sc *Scope) check(u *Unit) (*Checked, error) {
	if err := sc.refuse(u); err != nil {
		return nil, err
	}
	if u.Kind == DeclItem {
		return sc.checkDecls(u)
	}
	ch := &Checked{Unit: u}
	x := expression(u.Body)
	if x != nil && !StandsAlone(x) {
		return ch, sc.checkStatement(ch, true)
	}
	err := sc.checkStatement(ch, false)
	if x != nil && err != nil && strings.HasSuffix(Message(err), "is not used") {
		err = sc.checkStatement(ch, true)
	} else if x != nil && err == nil {
		ch.Value, ch.Results = x, resultTypes(ch.Info.TypeOf(x))
	}
	return ch, err
}

func resultTypes(t types.Type) []types.Type {
	var out []types.Type
	switch t := t.(type) {
	case nil:
	case *types.Tuple:
		for i := range t.Len() {
			out = append(out, t.At(i).Type())
		}
	default:
		out = append(out, t)
	}
	return out
}

// checkStatement checks a statement as the body of a function. An expression to be
// shown is checked as an argument of a function that accepts anything.
func (sc *Scope) checkStatement(ch *Checked, shown bool) error {
	body := ch.Body
	if shown {
		ch.Value = expression(body)
		p := syntax.At(ch.Value.Pos())
		body = &ast.BlockStmt{Lbrace: body.Lbrace, Rbrace: body.Rbrace, List: []ast.Stmt{
			p.Expr(p.Call(p.ID(showName), ch.Value))}}
	}
	fn := &ast.FuncDecl{Name: syntax.At(body.Lbrace).ID("_"), Type: &ast.FuncType{Func: body.Lbrace, Params: &ast.FieldList{}}, Body: body}
	info, _, err := sc.run([]ast.Decl{fn}, nil)
	ch.Info = info
	if err != nil {
		return err
	}
	if shown {
		ch.Results = resultTypes(info.TypeOf(ch.Value))
	}
	for _, id := range Defined(ch.Body) {
		if o := info.Defs[id]; o != nil {
			ch.Objects = append(ch.Objects, sc.settle(o))
		}
	}
	return nil
}

// showName is the name of this function. Only the checker knows it.
const showName = "show" + syntax.AliasMark

// newShow returns this function, a new one each time: inserting it in a scope changes
// it.
func newShow() *types.Func {
	values := types.NewVar(token.NoPos, nil, "values", types.NewSlice(types.Universe.Lookup("any").Type()))
	return types.NewFunc(token.NoPos, nil, showName, types.NewSignatureType(nil, nil, nil, types.NewTuple(values), nil, true))
}

// settle returns the top-level object for a variable: the existing one if it has
// the same type, so that functions that use it see the new value.
func (sc *Scope) settle(o types.Object) types.Object {
	v, ok := sc.objects[o.Name()].(*types.Var)
	if ok && types.Identical(v.Type(), o.Type()) {
		sc.Canon[o] = v
		return v
	}
	return o
}

// run type-checks declarations in a scope with the names of the session that they
// use. extra contains names that shadow those.
func (sc *Scope) run(decls []ast.Decl, extra map[string]types.Object) (*types.Info, *types.Package, error) {
	pkg := emptied(sc.s.Types.Pkg)
	if sc.inside != "" {
		name := "main"
		if p, err := ImportTypes(sc.inside); err == nil {
			name = p.Name()
		}
		pkg = types.NewPackage(sc.inside, name)
	}
	around, own := Around(pkg), map[string]bool{}
	for _, d := range decls {
		for _, name := range DeclaredNames(d) {
			own[name] = true
		}
	}
	file := &ast.File{Name: ast.NewIdent(pkg.Name())}
	seen := map[string]bool{}
	add := func(id *ast.Ident) {
		name := id.Name
		if seen[name] || own[name] {
			return
		}
		seen[name] = true
		if name == showName {
			around.Insert(newShow())
		} else if o := extra[name]; o != nil {
			around.Insert(o)
		} else if o := sc.objects[name]; o != nil {
			around.Insert(o)
		} else if path, ok := sc.Imports[name]; ok && name != syntax.SupportName {
			spec := &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
			file.Decls = append(file.Decls, &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}})
			file.Imports = append(file.Imports, spec)
		} else {
			for _, path := range sc.Dots {
				if p, err := ImportTypes(path); err == nil && id.IsExported() {
					if o := p.Scope().Lookup(name); o != nil {
						around.Insert(o)
						return
					}
				}
			}
		}
	}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				add(id)
			}
			return true
		})
	}
	file.Decls = append(file.Decls, decls...)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	var first *types.Error
	conf := types.Config{Importer: ImporterFunc(ImportTypes), Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) || unused(e) {
			return
		}
		if first == nil || e.Pos.IsValid() && e.Pos < first.Pos && !strings.HasPrefix(e.Msg, "\t") {
			first = &e
		}
	}}
	if err := sc.files(types.NewChecker(&conf, sc.s.Fset, pkg, info), file, extra == nil); errors.Is(err, interruptible.Err) || err != nil && first == nil {
		return info, pkg, err
	}
	sc.noteInstances(info)
	if first != nil {
		msg := sc.explain(first.Msg)
		if notThere.MatchString(msg) {
			msg += sc.suggest(decls, info, first.Pos)
		} else {
			msg = sc.suggestArgument(msg, decls, info, first.Pos)
		}
		return info, pkg, sc.ErrorAtPos(first.Pos, msg)
	}
	if sc.instance {
		return info, pkg, nil
	}
	if err := sc.missing(info); err != nil {
		return info, pkg, err
	}
	return info, pkg, sc.shared(decls, info)
}

// noteInstances records the generic types that were instantiated: no more methods can
// be added to them.
func (sc *Scope) noteInstances(info *types.Info) {
	for _, instance := range info.Instances {
		named, ok := instance.Type.(*types.Named)
		if !ok || sc.used == nil {
			continue
		}
		open := false
		for arg := range named.TypeArgs().Types() {
			_, isParam := arg.(*types.TypeParam)
			open = open || isParam
		}
		if !open {
			sc.used[named.Origin().Obj()] = true
		}
	}
}

// unused reports whether an error is useful in a program but not in a cell that is
// being worked on.
func unused(e types.Error) bool {
	return e.Soft && (strings.HasPrefix(e.Msg, "declared and not used") || strings.HasSuffix(e.Msg, "imported and not used") ||
		strings.Contains(e.Msg, "imported as") || strings.HasPrefix(e.Msg, "label ") && strings.HasSuffix(e.Msg, "declared and not used"))
}

// missing rejects names that a package has but the session lacks, because the
// interpreter's tables are older.
func (sc *Scope) missing(info *types.Info) error {
	var err *Error
	for id, o := range info.Uses {
		if why := sc.s.Library.guard(o); why != "" {
			err = sc.ErrorAtPos(id.Pos(), why)
			continue
		}
		if f, ok := o.(*types.Func); ok && sc.s.Types.Orphans[f.Origin()] {
			err = sc.ErrorAtPos(id.Pos(), "undefined: method "+f.Name()+" (the cell that declares it failed)")
			continue
		}
		if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() || o.Pkg().Path() == "main" {
			continue
		}
		if l := sc.s.Library; !l.Has(o.Pkg().Path(), o.Name()) {
			if e := sc.ErrorAtPos(id.Pos(), "undefined: "+o.Pkg().Name()+"."+o.Name()+" (Go has it, the interpreter's library does not)"); err == nil || e.Line < err.Line {
				err = e
			}
		}
	}
	if err != nil {
		return err
	}
	return nil
}

// ErrorAtPos returns an error of kind "compile" at a position.
func (sc *Scope) ErrorAtPos(p token.Pos, msg string) *Error {
	pos := sc.s.Fset.Position(p)
	if path := path.Dir(pos.Filename); with.IsGeneric(path) {
		return sc.Cell.ErrorAt(0, "compile", fmt.Sprintf("%s (in package %s, whose generic code runs from source)", msg, path))
	}
	return sc.Cell.ErrorIn("compile", pos.Line, pos.Column, msg)
}

// CheckInstance checks a generic function with its type parameters replaced by type
// arguments. Errors are ignored: what is wrong only for these types, such as a
// duplicate case, is valid Go.
func (s *Front) CheckInstance(c *Cell, f *ast.FuncDecl, d *Generic, names map[string]types.Object) *types.Info {
	sc := &Scope{s: s, Cell: c, Imports: d.Imports, instance: true, inside: d.Package}
	info, _, _ := sc.run([]ast.Decl{f}, names)
	return info
}

// Lacks returns the features missing in the interpreter for an instance of generic code of a package
// that was compiled in, or "". Its other packages are compiled: what these do not
// export cannot be reached.
func (s *Front) Lacks(info *types.Info) string {
	for id, o := range info.Uses {
		_, isPackage := o.(*types.PkgName)
		if isPackage || o.Pkg() == nil || o.Pkg().Path() == "main" {
			continue
		}
		if _, constant := o.(*types.Const); !constant && o.Parent() == o.Pkg().Scope() && !s.Library.Has(o.Pkg().Path(), o.Name()) && !hidden(o) {
			return o.Pkg().Name() + "." + id.Name
		}
	}
	for x, sel := range info.Selections {
		recv := sel.Recv()
		if p, ok := types.Unalias(recv).Underlying().(*types.Pointer); ok {
			recv = p.Elem()
		}
		n, ok := types.Unalias(recv).(*types.Named)
		if _, method := sel.Obj().(*types.Func); ok && method && n.TypeArgs().Len() > 0 && !Interpreted(n.Obj()) &&
			!strings.Contains(LibraryType(n.Obj().Pkg().Path(), n.Obj().Name()), ") "+sel.Obj().Name()+"(") {
			return types.TypeString(n, ShortNames) + "." + x.Sel.Name
		}
		if ok && !sel.Obj().Exported() && n.Obj().Exported() && !Interpreted(n.Obj()) {
			return types.TypeString(n, ShortNames) + "." + x.Sel.Name
		}
	}
	return ""
}

// hidden reports whether o is a type that is written out, because it has no methods.
func hidden(o types.Object) bool {
	t, ok := o.(*types.TypeName)
	if !ok || t.Exported() {
		return false
	}
	n, ok := t.Type().(*types.Named)
	return !ok || n.NumMethods() == 0 || types.IsInterface(n)
}
