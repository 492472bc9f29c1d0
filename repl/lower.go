package repl

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// lowering writes a checked cell in the part of Go that the interpreter does
// well. With the types known there is little to guess: constants become
// literals, generic code is written out for the types it is used with, every
// range becomes a plain loop, functions and methods are held by variables so
// that they can be replaced, and every name is unique.
type lowering struct {
	s     *front
	c     *cell
	scope *cellScope

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
	returning  map[string]types.Type // interfaces, see lowerreturn.go
	dissected  func()                // fails where the cell puts values of own types into interfaces

	imports   []innerImport // for the interpreter: packages, before all else
	decls     []ast.Decl    // to be compiled first
	prologue  []ast.Stmt    // to be run, first this
	body      []ast.Stmt
	instances []func()                        // of generic code, that are still to be written
	written   map[string]string               // instance -> name
	named     map[types.Object][]*types.Named // instances of generic types
	generic   map[types.Object]*genericDecl
	owned     map[string]*ownEntry // types and interfaces, see lowerown.go
	tracked   map[string]*tracked
	start     at // of the cell
	err       *Error
}

// innerImport is a package that the interpreter has to import, and its name
// there.
type innerImport struct{ name, path string }

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

// aliasMark stands before the version in the inner name of something that was
// declared again, localMark in that of a variable within a function. They are
// letters, so that the names are names for Go too.
const (
	aliasMark = "ʹ"
	localMark = "ʺ"
)

func (l *lowering) fail(p at, format string, args ...any) {
	if l.err == nil {
		l.err = l.scope.errorAtPos(token.Pos(p), fmt.Sprintf(format, args...))
	}
}

// innerName is the name in the interpreter of what was declared at the top of
// a cell, or of a type.
func (l *lowering) innerName(o types.Object) string {
	if c := l.canon[o]; c != nil {
		o = c
	}
	if name, ok := l.s.types.inner[o]; ok {
		return name
	}
	if name, ok := l.top[o]; ok {
		return name
	}
	name := l.s.types.fresh(o.Name())
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
		return fmt.Sprintf("%s%s%d", name, aliasMark, v)
	}
	return name
}

// reserved names mean something to the interpreter.
var reserved = map[string]bool{"main": true, "init": true, "_": true, supportName: true}

// made is a new name for a variable within a function.
func (l *lowering) made(name string) string {
	l.count++
	return fmt.Sprintf("%s%s%d", name, localMark, l.count)
}

func (l *lowering) isTop(o types.Object) bool {
	if c := l.canon[o]; c != nil {
		o = c
	}
	_, old := l.s.types.inner[o]
	_, now := l.top[o]
	return old || now
}

func (l *lowering) localName(o types.Object) string {
	if o.Name() == "_" || o.Name() == "" {
		return "_"
	}
	name, ok := l.local[o]
	if !ok {
		name = l.made(o.Name())
		l.local[o] = name
	}
	return name
}

// declareType declares a type under its inner name, from what go/types knows.
func (l *lowering) declareType(name string, o *types.TypeName) {
	named, ok := o.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return
	}
	p := at(o.Pos())
	if l.selfMade(named) {
		l.declareSelfMade(p, name, named)
		return
	}
	l.refuseMutual(p, named)
	spec := &ast.TypeSpec{Name: p.id(name)}
	l.decls = append(l.decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}})
	spec.Type = l.typeExpr(p, named.Underlying())
	l.promote(p, name, named)
}

// promote writes the methods that a type has from the interfaces of packages
// that it embeds: they are fields like others in the interpreter, since package
// reflect does not support them otherwise.
func (l *lowering) promote(p at, name string, t *types.Named) {
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
			_, index, _ := types.LookupFieldOrMethod(t, true, l.s.types.pkg, m.Name())
			if len(index) != 2 || index[0] != i || !m.Exported() {
				continue
			}
			sig := m.Signature()
			r := l.made("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = l.made("a")
			}
			l.decls = append(l.decls, &ast.FuncDecl{Recv: p.fields(p.field(r, p.id(name))), Name: p.id(m.Name()), Type: l.funcType(p, sig, names),
				Body: p.block(forward(p, p.sel(p.sel(p.id(r), f.Name()), m.Name()), sig, names))})
		}
	}
}

// embedsCompiled says whether a field is an embedded interface of a package.
func embedsCompiled(f *types.Var) bool {
	return f.Embedded() && types.IsInterface(f.Type()) && compiled(f.Type())
}

// lower writes a whole cell. visible says of each unit whether the value of
// its expression is wanted.
func (s *front) lower(c *cell, units []*checked, sc *cellScope, visible func(i int) bool) (*lowering, error) {
	l := &lowering{s: s, c: c, scope: sc, canon: sc.canon, top: map[types.Object]string{}, local: map[types.Object]string{},
		written: map[string]string{}, saving: map[*ast.BranchStmt]ast.Stmt{}, gotos: map[types.Object]bool{}, counters: map[types.Object]bool{}, roomy: map[*ast.CallExpr]string{}, named: map[types.Object][]*types.Named{}, generic: map[types.Object]*genericDecl{},
		owned: map[string]*ownEntry{}, tracked: map[string]*tracked{}, parameters: map[types.Object]bool{}, returning: map[string]types.Type{}}
	if len(units) > 0 {
		l.start = at(units[0].node().Pos())
	}
	for _, u := range units {
		l.noteRecovering(u)
		l.noteDissecting(u)
	}
	for i, u := range units {
		l.info = u.info
		if u.kind == declItem {
			l.lowerDecls(u)
		} else {
			l.lowerStatement(u, visible(i))
		}
		p := at(u.node().Pos())
		l.body = append(l.body, p.expr(p.support("Next", p.int(i))))
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

func (l *lowering) writeInstances() {
	for len(l.instances) > 0 && l.err == nil {
		next := l.instances[0]
		l.instances = l.instances[1:]
		next()
	}
}

// declareVariable gives a variable of the session a place, unless it has one.
func (l *lowering) declareVariable(o types.Object) (isNew bool) {
	if l.isTop(o) {
		return false
	}
	p := at(o.Pos())
	t := l.typeExpr(p, o.Type())
	l.decls = append(l.decls, p.variable(l.innerName(o), t))
	return true
}

// lowerStatement lowers a statement at the top of a cell.
func (l *lowering) lowerStatement(u *checked, visible bool) {
	l.fn = &function{}
	for _, o := range u.objects {
		l.declareVariable(o)
	}
	for _, id := range defined(u.body) {
		if o := l.info.Defs[id]; o != nil {
			l.top[o] = l.innerName(o)
		}
	}
	if u.value != nil {
		p := at(u.value.Pos())
		x := l.expr(u.value)
		switch {
		case len(u.results) == 0 || prints(u.value):
			l.body = append(l.body, p.expr(x))
		case !visible && standsAlone(u.value):
			l.body = append(l.body, p.expr(x))
		case !visible:
			l.body = append(l.body, p.expr(p.support("Drop", x)))
		default:
			l.show(p, x, u.results)
		}
		return
	}
	l.noteGotos(u.body)
	l.noteCounters(u.body)
	for _, st := range u.body.List {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			st = &ast.AssignStmt{Lhs: a.Lhs, TokPos: a.TokPos, Tok: token.ASSIGN, Rhs: a.Rhs}
		}
		l.body = append(l.body, l.stmt(st)...)
	}
}

// show hands values to the session.
func (l *lowering) show(p at, x ast.Expr, results []types.Type) {
	if len(results) == 1 {
		l.body = append(l.body, p.expr(p.support("Show", l.convert(p, x, results[0], anyType))))
		return
	}
	var names []string
	var args []ast.Expr
	for _, t := range results {
		names = append(names, l.made("v"))
		args = append(args, l.convert(p, p.id(names[len(names)-1]), t, anyType))
	}
	l.body = append(l.body, p.block(p.assign(token.DEFINE, p.ids(names...), []ast.Expr{x}), p.expr(p.support("Show", args...))))
}

// lowerDecls lowers declarations.
func (l *lowering) lowerDecls(u *checked) {
	for _, o := range u.objects {
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
	for _, o := range u.objects {
		if v, ok := o.(*types.Var); ok && !l.declareVariable(v) {
			reused[v] = true
		}
	}
	for _, m := range u.methods {
		l.holdMethod(m)
		l.s.types.recovering[m.fn] = recovers(m.decl.Body)
	}
	for _, d := range u.decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			l.s.types.recovering[l.canonical(l.info.Defs[f.Name])] = recovers(f.Body)
			l.noteGeneric(f)
		}
	}
	for _, d := range u.decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			l.lowerFunction(f)
		}
	}
	for _, m := range u.methods {
		l.lowerMethod(m)
	}
	l.fn = &function{}
	for _, in := range l.info.InitOrder {
		p := at(in.Rhs.Pos())
		var left []ast.Expr
		for _, v := range in.Lhs {
			if v.Name() == "_" {
				left = append(left, p.id("_"))
			} else {
				left = append(left, p.id(l.innerName(v)))
			}
			delete(reused, l.canonical(v))
		}
		var to []types.Type
		for _, v := range in.Lhs {
			to = append(to, v.Type())
		}
		values := l.valueList([]ast.Expr{in.Rhs}, to)
		if len(left) == 1 && isBlank(left[0]) && computed(values[0]) {
			done = append(done, p.expr(p.support("Drop", values[0])))
			continue
		}
		done = append(done, p.assign(token.ASSIGN, left, values))
	}
	for _, o := range u.objects {
		if reused[o] { // var x int sets an x that was there to zero
			p := at(o.Pos())
			l.body = append(l.body, p.set(p.id(l.innerName(o)), l.zero(p, o.Type())))
		}
	}
	l.body = append(l.body, done...)
	for _, d := range u.decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			l.body = append(l.body, at(f.Pos()).expr(at(f.Pos()).call(at(f.Pos()).id(l.local[l.info.Defs[f.Name]]))))
		}
	}
}

func (l *lowering) canonical(o types.Object) types.Object {
	if c := l.canon[o]; c != nil {
		return c
	}
	return o
}
