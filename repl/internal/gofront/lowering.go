package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Lowering writes a checked cell in the part of Go that the interpreter does
// well. With the types known there is little to guess: constants become
// literals, generic code is written out for the types it is used with, every
// range becomes a plain loop, functions and methods are held by variables so
// that they can be replaced, and every name is unique.
type Lowering struct {
	s     *Front
	c     *Cell
	scope *Scope

	info  *types.Info                   // of what is being lowered
	canon map[types.Object]types.Object // new object -> the one it takes the place of
	top   map[types.Object]string       // inner names given out by this cell
	local map[types.Object]string       // names of variables within functions
	count int                           // of names made up

	direct bool         // the function that comes next is called by its name
	self   types.Object // the function whose body is being lowered,
	selfID string       // and what it is called
	fn     *function    // the innermost function around

	counters map[types.Object]bool        // variables that are never negative
	saving   map[*ast.BranchStmt]ast.Stmt // what comes before a continue
	gotos    map[types.Object]bool        // labels that a goto goes to
	roomy    map[*ast.CallExpr]string     // calls of make of which the length was looked at -> the variable with it

	parameters map[types.Object]bool // of functions of the cell
	returning  map[string]types.Type // interfaces, see return.go
	dissected  func()                // fails where the cell puts values of own types into interfaces

	Imports   []innerImport // for the interpreter: packages, before all else
	Decls     []ast.Decl    // to be compiled first
	Prologue  []ast.Stmt    // to be run, first this
	Body      []ast.Stmt
	instances []func()                        // of generic code, that are still to be written
	written   map[string]string               // instance -> name
	named     map[types.Object][]*types.Named // instances of generic types
	generic   map[types.Object]*genericDecl
	owned     map[string]*ownEntry // types and interfaces, see box.go
	tracked   map[string]*tracked
	start     At // of the cell
	err       *Error
}

// innerImport is a package that the interpreter has to import, and its name
// there.
type innerImport struct{ Name, Path string }

// function is one around the code that is being lowered.
type function struct {
	results *types.Tuple
	around  *function
	yield   *yielding // of the loop whose body the function is, or nil

	recovering string   // the variable with what it may end the panic of
	deferring  string   // its list of deferred calls, where it has any,
	out        []string // and the variables for its results
	direct     bool     // it may be called by its name, see functionBody

	breaks, continues int      // statements around that these would end
	held              []string // variables for the results of a return from a loop over a function
}

// root is the function of the user's, where f is the body of a loop in it.
func (f *function) root() *function {
	for f.yield != nil {
		f = f.around
	}
	return f
}

// AliasMark stands before the version in the inner name of something that was
// declared again, localMark in that of a variable within a function. They are
// letters, so that the names are names for Go too.
const (
	AliasMark = "ʹ"
	localMark = "ʺ"
)

func (l *Lowering) fail(p At, format string, args ...any) {
	if l.err == nil {
		l.err = l.scope.errorAtPos(token.Pos(p), fmt.Sprintf(format, args...))
	}
}

// innerName is the name in the interpreter of what was declared at the top of
// a cell, or of a type.
func (l *Lowering) innerName(o types.Object) string {
	if c := l.canon[o]; c != nil {
		o = c
	}
	if name, ok := l.s.Types.Inner[o]; ok {
		return name
	}
	if name, ok := l.top[o]; ok {
		return name
	}
	name := l.s.Types.fresh(o.Name())
	l.top[o] = name
	if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
		l.declareType(name, t)
	}
	return name
}

// fresh returns an inner name for a name, never used before.
func (t *checker) fresh(name string) string {
	t.versions[name]++
	if v := t.versions[name]; v > 1 || reserved[name] || types.Universe.Lookup(name) != nil {
		return fmt.Sprintf("%s%s%d", name, AliasMark, v)
	}
	return name
}

// reserved names mean something to the interpreter.
var reserved = map[string]bool{"main": true, "init": true, "_": true, SupportName: true}

// temporary is a new name for a variable within a function.
func (l *Lowering) temporary(name string) string {
	l.count++
	return fmt.Sprintf("%s%s%d", name, localMark, l.count)
}

func (l *Lowering) isTop(o types.Object) bool {
	if c := l.canon[o]; c != nil {
		o = c
	}
	_, old := l.s.Types.Inner[o]
	_, now := l.top[o]
	return old || now
}

func (l *Lowering) localName(o types.Object) string {
	if o.Name() == "_" || o.Name() == "" {
		return "_"
	}
	name, ok := l.local[o]
	if !ok {
		name = l.temporary(o.Name())
		l.local[o] = name
	}
	return name
}

// declareType declares a type under its inner name, from what go/types knows.
func (l *Lowering) declareType(name string, o *types.TypeName) {
	named, ok := o.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return
	}
	p := At(o.Pos())
	if l.selfMade(named) {
		l.declareSelfMade(p, name, named)
		return
	}
	l.refuseMutual(p, named)
	spec := &ast.TypeSpec{Name: p.ID(name)}
	l.Decls = append(l.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}})
	spec.Type = l.typeExpr(p, named.Underlying())
	l.promote(p, name, named)
}

// promote writes the methods that a type has from the interfaces of packages
// that it embeds: they are fields like others in the interpreter, since package
// reflect does not support them otherwise.
func (l *Lowering) promote(p At, name string, t *types.Named) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if !embedsCompiled(f) {
			continue
		}
		for m := range f.Type().Underlying().(*types.Interface).Methods() {
			_, index, _ := types.LookupFieldOrMethod(t, true, l.s.Types.pkg, m.Name())
			if len(index) != 2 || index[0] != i || !m.Exported() {
				continue
			}
			sig := m.Signature()
			r := l.temporary("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = l.temporary("a")
			}
			l.Decls = append(l.Decls, &ast.FuncDecl{Recv: p.fields(p.field(r, p.ID(name))), Name: p.ID(m.Name()), Type: l.funcType(p, sig, names),
				Body: p.Block(forward(p, p.sel(p.sel(p.ID(r), f.Name()), m.Name()), sig, names))})
		}
	}
}

// embedsCompiled says whether a field is an embedded interface of a package.
func embedsCompiled(f *types.Var) bool {
	return f.Embedded() && types.IsInterface(f.Type()) && compiled(f.Type())
}

// Lower writes a whole cell. visible says of each unit whether the value of
// its expression is wanted.
func (s *Front) Lower(c *Cell, units []*Checked, sc *Scope, visible func(i int) bool) (*Lowering, error) {
	l := &Lowering{s: s, c: c, scope: sc, canon: sc.canon, top: map[types.Object]string{}, local: map[types.Object]string{},
		written: map[string]string{}, saving: map[*ast.BranchStmt]ast.Stmt{}, gotos: map[types.Object]bool{}, counters: map[types.Object]bool{}, roomy: map[*ast.CallExpr]string{}, named: map[types.Object][]*types.Named{}, generic: map[types.Object]*genericDecl{},
		owned: map[string]*ownEntry{}, tracked: map[string]*tracked{}, parameters: map[types.Object]bool{}, returning: map[string]types.Type{}}
	if len(units) > 0 {
		l.start = At(units[0].node().Pos())
	}
	for _, u := range units {
		l.noteRecovering(u)
		l.noteDissecting(u)
	}
	for i, u := range units {
		l.info = u.info
		if u.Kind == DeclItem {
			l.lowerDecls(u)
		} else {
			l.lowerStatement(u, visible(i))
		}
		p := At(u.node().Pos())
		l.Body = append(l.Body, p.Expr(p.Support("Next", p.int(i))))
		l.writeInstances()
		if l.err != nil {
			return nil, l.err
		}
	}
	l.finishOwn()
	if l.dissected != nil {
		l.dissected()
	}
	if l.err != nil {
		return nil, l.err
	}
	return l, nil
}

func (l *Lowering) writeInstances() {
	for len(l.instances) > 0 && l.err == nil {
		next := l.instances[0]
		l.instances = l.instances[1:]
		next()
	}
}

// declareVariable gives a variable of the session a place, unless it has one.
func (l *Lowering) declareVariable(o types.Object) (isNew bool) {
	if l.isTop(o) {
		return false
	}
	p := At(o.Pos())
	t := l.typeExpr(p, o.Type())
	l.Decls = append(l.Decls, p.variable(l.innerName(o), t))
	return true
}

// lowerStatement lowers a statement at the top of a cell.
func (l *Lowering) lowerStatement(u *Checked, visible bool) {
	l.fn = &function{}
	for _, o := range u.Objects {
		l.declareVariable(o)
	}
	for _, id := range Defined(u.Body) {
		if o := l.info.Defs[id]; o != nil {
			l.top[o] = l.innerName(o)
		}
	}
	if u.Value != nil {
		p := At(u.Value.Pos())
		x := l.expr(u.Value)
		switch {
		case len(u.Results) == 0 || prints(u.Value):
			l.Body = append(l.Body, p.Expr(x))
		case !visible && standsAlone(u.Value):
			l.Body = append(l.Body, p.Expr(x))
		case !visible:
			l.Body = append(l.Body, p.Expr(p.Support("Drop", x)))
		default:
			l.show(p, x, u.Results)
		}
		return
	}
	l.noteGotos(u.Body)
	l.noteCounters(u.Body)
	for _, st := range u.Body.List {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			st = &ast.AssignStmt{Lhs: a.Lhs, TokPos: a.TokPos, Tok: token.ASSIGN, Rhs: a.Rhs}
		}
		l.Body = append(l.Body, l.stmt(st)...)
	}
}

// show hands values to the session.
func (l *Lowering) show(p At, x ast.Expr, results []types.Type) {
	if len(results) == 1 {
		l.Body = append(l.Body, p.Expr(p.Support("Show", l.convert(p, x, results[0], anyType))))
		return
	}
	var names []string
	var args []ast.Expr
	for _, t := range results {
		names = append(names, l.temporary("v"))
		args = append(args, l.convert(p, p.ID(names[len(names)-1]), t, anyType))
	}
	l.Body = append(l.Body, p.Block(p.assign(token.DEFINE, p.ids(names...), []ast.Expr{x}), p.Expr(p.Support("Show", args...))))
}

// lowerDecls lowers declarations.
func (l *Lowering) lowerDecls(u *Checked) {
	for _, o := range u.Objects {
		switch o := o.(type) {
		case *types.TypeName:
			if !o.IsAlias() {
				l.innerName(o)
			}
		case *types.Func:
			l.holdFunction(o)
		}
	}
	var done []ast.Stmt
	reused := map[types.Object]bool{}
	for _, o := range u.Objects {
		if v, ok := o.(*types.Var); ok && !l.declareVariable(v) {
			reused[v] = true
		}
	}
	for _, m := range u.Methods {
		l.holdMethod(m)
		l.s.Types.recovering[m.Func] = recovers(m.decl.Body)
	}
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			l.s.Types.recovering[l.canonical(l.info.Defs[f.Name])] = recovers(f.Body)
			l.noteGeneric(f)
		}
	}
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			l.lowerFunction(f)
		}
	}
	for _, m := range u.Methods {
		l.lowerMethod(m)
	}
	l.fn = &function{}
	for _, in := range l.info.InitOrder {
		p := At(in.Rhs.Pos())
		var left []ast.Expr
		for _, v := range in.Lhs {
			if v.Name() == "_" {
				left = append(left, p.ID("_"))
			} else {
				left = append(left, p.ID(l.innerName(v)))
			}
			delete(reused, l.canonical(v))
		}
		var to []types.Type
		for _, v := range in.Lhs {
			to = append(to, v.Type())
		}
		values := l.valueList([]ast.Expr{in.Rhs}, to)
		if len(left) == 1 && isBlank(left[0]) && computed(values[0]) {
			done = append(done, p.Expr(p.Support("Drop", values[0])))
			continue
		}
		done = append(done, p.assign(token.ASSIGN, left, values))
	}
	for _, o := range u.Objects {
		if reused[o] { // var x int sets an x that was there to zero
			p := At(o.Pos())
			l.Body = append(l.Body, p.set(p.ID(l.innerName(o)), l.zero(p, o.Type())))
		}
	}
	l.Body = append(l.Body, done...)
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			l.Body = append(l.Body, At(f.Pos()).Expr(At(f.Pos()).Call(At(f.Pos()).ID(l.local[l.info.Defs[f.Name]]))))
		}
	}
}

func (l *Lowering) canonical(o types.Object) types.Object {
	if c := l.canon[o]; c != nil {
		return c
	}
	return o
}
