// Package lower rewrites a checked cell in the subset of Go that the interpreter
// handles well; package gofront describes how a cell is processed. yaegi runs the Go
// of 2022, with gaps, but go/types knows all types, so there is little to guess.
// Constants become literals. Generic code is written out for each instance. A range
// statement becomes a plain loop, or a call if it ranges over a function. Functions
// and methods are held by variables, so that a new declaration replaces the old one
// for its callers. The session implements defer, recover and select. There is a file
// for each construct, which describes how the interpreter deviates from Go. Which Go
// a cell may contain is decided earlier, by go/types: the language would be extended
// in gofront/check.go. A statement such as
//
//	for i := range 3 { fs = append(fs, func() int { return i }) }
//
// becomes plain statements with unique names, in which every iteration has its own i,
// and the function is made in a separate frame:
//
//	n := int(3)
//	for k := int(0); k < n; k++ {
//		i := k
//		fs = append(fs, func() func() int { return func() int { return i } }())
//	}
package lower

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"sync"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// Lowering is the state and the result of lowering a cell.
type Lowering struct {
	*repr.Writer
	lowerer *Lowerer
	c       *gofront.Cell
	scope   *gofront.Scope

	info *types.Info // for the code being lowered

	direct bool         // the next function is called by name
	self   types.Object // the function whose body is being lowered,
	selfID string       // its name in the interpreter
	fn     *function    // the innermost enclosing function

	counters map[types.Object]bool        // variables that are never negative
	saving   map[*ast.BranchStmt]ast.Stmt // statements to run before a continue
	unseen   map[*ast.AssignStmt]bool     // lookups in maps whose variables nothing else sees
	gotos    map[types.Object]bool        // targets of goto
	roomy    map[*ast.CallExpr]string     // calls of make whose length was checked -> the variable with the length

	inside string          // the package whose source is being lowered, or ""
	asked  map[string]bool // instances that cells call themselves

	parameters map[types.Object]bool  // parameters of the cell's functions
	askedAbout func() map[string]bool // variables whose errors the cell asks for, see failed.go
	reflected  func()                 // rejects values of cells' types in interfaces, or nil

	Body []ast.Stmt
}

// function is a function that encloses the code being lowered.
type function struct {
	results *types.Tuple
	around  *function
	yield   *rangeBody // set if its body is that of a loop over a function

	recovering string   // variable for the panic from which it may recover
	deferring  string   // variable for its deferred calls, if any,
	out        []string // variables for its results
	direct     bool     // it may be called by name, see functionBody

	breaks, continues int      // number of enclosing statements that these would end
	held              []string // variables for the results of a return inside a loop over a function
}

// root returns the user's function that contains f, if f is the body of a loop, or f
// itself.
func (f *function) root() *function {
	for f.yield != nil {
		f = f.around
	}
	return f
}

// Lowerer lowers the cells of a session.
type Lowerer struct {
	front *gofront.Front
	state *repr.State

	recovering map[types.Object]bool // whether a function calls recover itself
	recoverers map[string]bool       // types of functions that call recover, see recover.go
	reflecting map[reflecting]string // parameters -> what inspects them, see reflect.go
	waits      map[*types.Func]bool  // whether functions of packages may wait, see await.go

	// Room returns why there is no memory for something of so many bytes, or "".
	Room func(what string, bytes float64) string
}

// New returns a Lowerer for a session without declarations.
func New(front *gofront.Front, state *repr.State) *Lowerer {
	return &Lowerer{front: front, state: state, recovering: map[types.Object]bool{}, recoverers: map[string]bool{},
		reflecting: map[reflecting]string{}, waits: map[*types.Func]bool{}, Room: func(string, float64) string { return "" }}
}

// Lower lowers a whole cell. visible reports whether the value of a unit's expression
// is shown.
func (s *Lowerer) Lower(ctx context.Context, c *gofront.Cell, units []*gofront.Checked, sc *gofront.Scope, visible func(i int) bool) (*Lowering, error) {
	var start syntax.At
	if len(units) > 0 {
		start = syntax.At(units[0].Node().Pos())
	}
	l := &Lowering{
		Writer:     s.state.NewWriter(s.front, sc, start),
		lowerer:    s,
		c:          c,
		scope:      sc,
		counters:   map[types.Object]bool{},
		saving:     map[*ast.BranchStmt]ast.Stmt{},
		unseen:     map[*ast.AssignStmt]bool{},
		gotos:      map[types.Object]bool{},
		roomy:      map[*ast.CallExpr]string{},
		parameters: map[types.Object]bool{},
		asked:      map[string]bool{},
		askedAbout: sync.OnceValue(func() map[string]bool { return askedAbout(units) }),
	}
	for _, u := range units {
		l.noteRecovering(u)
		l.noteReflecting(u)
	}
	for i, u := range units {
		if ctx.Err() != nil {
			return nil, c.Interrupted()
		}
		l.info = u.Info
		l.refuseLarge(u)
		if u.Kind == gofront.DeclItem {
			l.lowerDecls(u)
		} else {
			l.lowerStatement(u, visible(i))
		}
		p := syntax.At(u.Node().Pos())
		l.Body = append(l.Body, p.Expr(p.Support("Next", p.Int(i))))
		l.writeInstances()
		if l.Err() != nil {
			return nil, l.Err()
		}
	}
	l.Finish(l.writeInstances)
	if l.reflected != nil {
		l.reflected()
	}
	if l.Err() != nil {
		return nil, l.Err()
	}
	return l, nil
}

// refuseLarge rejects variables and literals for which there is no memory: those of arrays.
// The interpreter makes variables before the code runs, and copies.
func (l *Lowering) refuseLarge(u *gofront.Checked) {
	const copies = 3
	sizes := map[types.Type]float64{}
	refuse := func(n ast.Node, t types.Type) {
		if size := least(t, sizes); size >= syntax.LargeAllocation {
			if why := l.lowerer.Room("an array, of which the interpreter makes copies,", copies*size); why != "" {
				l.Fail(syntax.At(n.Pos()), "%s", why)
			}
		}
	}
	for id, o := range u.Info.Defs {
		if v, is := o.(*types.Var); is && !v.IsField() && v.Type() != nil {
			refuse(id, v.Type())
		}
	}
	for x, tv := range u.Info.Types {
		if lit, is := x.(*ast.CompositeLit); is && tv.Type != nil {
			refuse(lit, tv.Type)
		}
	}
}

// least returns the bytes that a value of a type takes at least: of a type parameter one.
// It keeps those of structs in sizes: one may hold another twice, and that a third.
func least(t types.Type, sizes map[types.Type]float64) float64 {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return float64(u.Len()) * least(u.Elem(), sizes)
	case *types.Struct:
		size, known := sizes[u]
		if !known {
			for f := range u.Fields() {
				size += least(f.Type(), sizes)
			}
			sizes[u] = size
		}
		return size
	case *types.Basic:
		return float64(max(0, types.SizesFor("gc", runtime.GOARCH).Sizeof(u)))
	}
	return 1
}

// EndsUnit reports whether a statement of a body is the last one of a unit.
func EndsUnit(st ast.Stmt) bool {
	x, is := st.(*ast.ExprStmt)
	if !is {
		return false
	}
	call, is := x.X.(*ast.CallExpr)
	return is && isSupport(call.Fun) && call.Fun.(*ast.SelectorExpr).Sel.Name == "Next"
}

func (l *Lowering) writeInstances() {
	for l.Err() == nil {
		i, ok := l.NextInstance()
		if !ok {
			return
		}
		l.writeInstance(i)
	}
}

// declareVariable declares a variable of the session in the interpreter if necessary.
// It reports whether the variable is new.
func (l *Lowering) declareVariable(o types.Object) (isNew bool) {
	if l.IsTop(o) {
		return false
	}
	p := syntax.At(o.Pos())
	t := l.TypeExpr(p, o.Type())
	l.Decls = append(l.Decls, p.Var(l.InnerName(o), t))
	return true
}

// lowerStatement lowers a statement at the top level of a cell.
func (l *Lowering) lowerStatement(u *gofront.Checked, visible bool) {
	l.fn = &function{}
	for _, o := range u.Objects {
		l.declareVariable(o)
	}
	for _, id := range gofront.Defined(u.Body) {
		if o := l.info.Defs[id]; o != nil {
			l.SetInnerName(o, l.InnerName(o))
		}
	}
	if u.Value != nil {
		p := syntax.At(u.Value.Pos())
		x, results := l.expr(u.Value), u.Results
		if len(results) == 1 && (l.mayFail(u.Value, results[0]) || u.Acts() && l.ownCall(u.Value)) {
			x, results = p.Support("Failed", x), []types.Type{repr.AnyType}
		}
		switch {
		case len(u.Results) == 0 || gofront.Prints(u.Value):
			l.Body = append(l.Body, p.Expr(x))
		case !visible && gofront.StandsAlone(u.Value):
			l.Body = append(l.Body, p.Expr(x))
		case !visible:
			l.Body = append(l.Body, p.Expr(p.Support("Drop", x)))
		default:
			l.show(p, x, results)
		}
		return
	}
	l.noteGotos(u.Body)
	l.noteCounters(u.Body)
	l.noteLookups(u.Body)
	for _, st := range u.Body.List {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			st = &ast.AssignStmt{Lhs: a.Lhs, TokPos: a.TokPos, Tok: token.ASSIGN, Rhs: a.Rhs}
		}
		list := l.stmt(st)
		if a, ok := st.(*ast.AssignStmt); ok {
			list = l.lookedAt(syntax.At(a.Pos()), list, a.Lhs, func(x ast.Expr) bool { return l.mayFail(x, l.info.TypeOf(x)) && !calls(x) })
		}
		l.Body = append(l.Body, list...)
	}
}

// show passes the values of an expression to the session.
func (l *Lowering) show(p syntax.At, x ast.Expr, results []types.Type) {
	if len(results) == 1 {
		l.Body = append(l.Body, p.Expr(p.Support("Show", l.Convert(p, x, results[0], repr.AnyType))))
		return
	}
	var names []string
	var args []ast.Expr
	for _, t := range results {
		names = append(names, l.Temporary("v"))
		args = append(args, l.Convert(p, p.ID(names[len(names)-1]), t, repr.AnyType))
	}
	l.Body = append(l.Body, p.Block(p.Assign(token.DEFINE, p.IDs(names...), []ast.Expr{x}), p.Expr(p.Support("Show", args...))))
}

// lowerDecls lowers declarations.
func (l *Lowering) lowerDecls(u *gofront.Checked) {
	for _, o := range u.Objects {
		switch o := o.(type) {
		case *types.TypeName:
			if !o.IsAlias() {
				l.InnerName(o)
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
		l.lowerer.recovering[m.Func] = recovers(m.Decl.Body)
	}
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
			l.lowerer.recovering[l.Canonical(l.info.Defs[f.Name])] = recovers(f.Body)
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
		p := syntax.At(in.Rhs.Pos())
		var left []ast.Expr
		for _, v := range in.Lhs {
			if v.Name() == "_" {
				left = append(left, p.ID("_"))
			} else {
				left = append(left, p.ID(l.InnerName(v)))
			}
			delete(reused, l.Canonical(v))
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
		types, places := map[ast.Expr]types.Type{}, []ast.Expr{}
		for _, v := range in.Lhs {
			places = append(places, p.ID(v.Name()))
			types[places[len(places)-1]] = v.Type()
		}
		assigned := []ast.Stmt{p.Assign(token.ASSIGN, left, values)}
		done = append(done, l.lookedAt(p, assigned, places, func(x ast.Expr) bool { return l.mayFail(x, types[x]) })...)
	}
	for _, o := range u.Objects {
		if reused[o] { // var x int sets an existing x to zero
			p := syntax.At(o.Pos())
			l.Body = append(l.Body, p.Set(p.ID(l.InnerName(o)), l.Zero(p, o.Type())))
		}
	}
	l.Body = append(l.Body, done...)
	for _, d := range u.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			l.Body = append(l.Body, syntax.At(f.Pos()).Expr(syntax.At(f.Pos()).Call(syntax.At(f.Pos()).ID(l.LocalName(l.info.Defs[f.Name])))))
		}
	}
}
