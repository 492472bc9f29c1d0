package gofront

import (
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
	*Writer
	lowerer *Lowerer
	c       *Cell
	scope   *Scope

	info *types.Info // of what is being lowered

	direct bool         // the function that comes next is called by its name
	self   types.Object // the function whose body is being lowered,
	selfID string       // and what it is called
	fn     *function    // the innermost function around

	counters map[types.Object]bool        // variables that are never negative
	saving   map[*ast.BranchStmt]ast.Stmt // what comes before a continue
	gotos    map[types.Object]bool        // labels that a goto goes to
	roomy    map[*ast.CallExpr]string     // calls of make of which the length was looked at -> the variable with it

	parameters map[types.Object]bool // of functions of the cell
	dissected  func()                // fails where the cell puts values of own types into interfaces

	Body []ast.Stmt
}

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

// Lowerer lowers the cells of a session.
type Lowerer struct {
	front *Front
	state *State

	recovering map[types.Object]bool // functions: whether they call recover themselves
	recoverers map[string]bool       // types of functions that call recover, see recover.go
	dissecting map[dissecting]string // parameters -> what looks at them, see dissect.go
}

// NewLowerer returns one for a session in which nothing is declared.
func NewLowerer(front *Front, state *State) *Lowerer {
	return &Lowerer{front, state, map[types.Object]bool{}, map[string]bool{}, map[dissecting]string{}}
}

// Lower writes a whole cell. visible says of each unit whether the value of
// its expression is wanted.
func (s *Lowerer) Lower(c *Cell, units []*Checked, sc *Scope, visible func(i int) bool) (*Lowering, error) {
	var start At
	if len(units) > 0 {
		start = At(units[0].node().Pos())
	}
	l := &Lowering{
		Writer:     s.state.NewWriter(s.front, sc, start),
		lowerer:    s,
		c:          c,
		scope:      sc,
		counters:   map[types.Object]bool{},
		saving:     map[*ast.BranchStmt]ast.Stmt{},
		gotos:      map[types.Object]bool{},
		roomy:      map[*ast.CallExpr]string{},
		parameters: map[types.Object]bool{},
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
		if l.failed() != nil {
			return nil, l.failed()
		}
	}
	l.finish(l.writeInstances)
	if l.dissected != nil {
		l.dissected()
	}
	if l.failed() != nil {
		return nil, l.failed()
	}
	return l, nil
}

func (l *Lowering) writeInstances() {
	for l.failed() == nil {
		i, ok := l.nextInstance()
		if !ok {
			return
		}
		l.writeInstance(i)
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
			l.setInnerName(o, l.innerName(o))
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
		l.lowerer.recovering[m.Func] = recovers(m.decl.Body)
	}
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			l.lowerer.recovering[l.canonical(l.info.Defs[f.Name])] = recovers(f.Body)
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
			l.Body = append(l.Body, At(f.Pos()).Expr(At(f.Pos()).Call(At(f.Pos()).ID(l.localName(l.info.Defs[f.Name])))))
		}
	}
}
