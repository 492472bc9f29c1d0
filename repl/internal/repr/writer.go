// Package repr defines how the types and values of cells are represented in the
// interpreter, and writes the code that converts between these representations: names
// that can be declared again, types as syntax, boxes for values in interfaces,
// assertions, recursive types, instances of generic types. It knows nothing of
// statements, and only the types of expressions; package lower writes those. A State
// holds what it knows of a session, and a Writer writes a cell. In the cell
//
//	t + 1
//
// with t of a type Celsius that is declared in cells, TypeExpr writes Celsius as its
// name in the interpreter, and Convert writes the sum as an any, for displaying it:
//
//	__repl.Box(0, t+Celsius(1.0))
package repr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// State is the interpreter's state for the cells of a session.
type State struct {
	Types *boxed.Types // whose values were put into boxes

	inner    map[types.Object]string // names of objects in the interpreter
	versions map[string]int          // how often a name was given: yaegi cannot redeclare a type, nor change the type of a variable
	imported map[string]string       // path -> name of the package in the interpreter

	generic     map[types.Object]*gofront.Generic // source of generic functions and methods
	written     map[string]string                 // names of instances and of functions that are written once
	named       map[types.Object][]*types.Named   // instances of a generic type
	boxed       map[string]*boxedType             // types whose values were put into boxes
	dispatchers map[string]*dispatcher
}

// NewState returns the state of an interpreter without declarations.
func NewState(own *boxed.Types) *State {
	return &State{
		Types:       own,
		inner:       map[types.Object]string{},
		versions:    map[string]int{},
		imported:    map[string]string{},
		generic:     map[types.Object]*gofront.Generic{},
		written:     map[string]string{},
		named:       map[types.Object][]*types.Named{},
		boxed:       map[string]*boxedType{},
		dispatchers: map[string]*dispatcher{},
	}
}

// InnerName returns the name of an object in the interpreter, or "" if it has none.
func (s *State) InnerName(o types.Object) string { return s.inner[o] }

// Redeclared reports whether a name was declared more than once.
func (s *State) Redeclared(name string) bool { return s.versions[name] > 1 }

// Instantiated reports whether a generic type has instances.
func (s *State) Instantiated(t *types.TypeName) bool { return len(s.named[t]) > 0 }

// Imported records that the interpreter has imported a package.
func (s *State) Imported(i Import) { s.imported[i.Path] = i.Name }

// fresh returns an inner name for a name that was never used before.
func (s *State) fresh(name string) string {
	s.versions[name]++
	if v := s.versions[name]; v > 1 || reserved[name] || types.Universe.Lookup(name) != nil {
		return fmt.Sprintf("%s%s%d", name, syntax.AliasMark, v)
	}
	return name
}

// Writer writes the types of a cell, and conversions between them, for the
// interpreter.
type Writer struct {
	state *State
	front *gofront.Front
	scope *gofront.Scope

	canon map[types.Object]types.Object // new object -> the one that it replaces
	top   map[types.Object]string       // inner names that this cell has introduced
	local map[types.Object]string       // names of variables within functions
	count int                           // of temporary names

	Imports   []Import   // that the interpreter has to import first
	Decls     []ast.Decl // to be compiled before the statements
	Prologue  []ast.Stmt // to be run before the body of the cell
	instances []Instance // that are still to be written

	generic     map[types.Object]*gofront.Generic // like those of State, for this cell
	written     map[string]string
	named       map[types.Object][]*types.Named
	boxed       map[string]*boxedType
	dispatchers map[string]*dispatcher

	start      syntax.At // of the cell
	firstError *gofront.Error
}

// NewWriter returns a writer for a cell that begins at start.
func (s *State) NewWriter(front *gofront.Front, scope *gofront.Scope, start syntax.At) *Writer {
	return &Writer{
		state:       s,
		front:       front,
		scope:       scope,
		canon:       scope.Canon,
		top:         map[types.Object]string{},
		local:       map[types.Object]string{},
		generic:     map[types.Object]*gofront.Generic{},
		written:     map[string]string{},
		named:       map[types.Object][]*types.Named{},
		boxed:       map[string]*boxedType{},
		dispatchers: map[string]*dispatcher{},
		start:       start,
	}
}

// Commit adds what the interpreter knows of a cell to the state, after it has
// compiled the cell.
func (w *Writer) Commit() {
	s := w.state
	maps.Copy(s.inner, w.top)
	maps.Copy(s.generic, w.generic)
	maps.Copy(s.written, w.written)
	maps.Copy(s.boxed, w.boxed)
	maps.Copy(s.dispatchers, w.dispatchers)
	for o, list := range w.named {
		s.named[o] = append(s.named[o], list...)
	}
}

// Import is a package that the interpreter has to import, and its name there.
type Import struct{ Name, Path string }

// WriteOnce calls write unless something was written under key before, and returns
// its name, which traces of panics leave out.
func (w *Writer) WriteOnce(key, hint string, write func(name string)) string {
	if name := w.writtenName(key); name != "" {
		return name
	}
	name := w.state.fresh(syntax.SupportName + hint + syntax.AliasMark)
	w.written[key] = name
	write(name)
	return name
}

// writtenName returns the name of what was written under key, in this cell or before,
// or "" if nothing was.
func (w *Writer) writtenName(key string) string {
	if name, ok := w.written[key]; ok {
		return name
	}
	return w.state.written[key]
}

// Err returns the first error given to Fail, or nil.
func (w *Writer) Err() error {
	if w.firstError == nil {
		return nil
	}
	return w.firstError
}

// Forgive takes back the error that Fail was given, and reports whether there was one.
func (w *Writer) Forgive() bool {
	was := w.firstError != nil
	w.firstError = nil
	return was
}

// Fail rejects the cell with an error at p, unless it was rejected before.
func (w *Writer) Fail(p syntax.At, format string, args ...any) {
	if w.firstError == nil {
		w.firstError = w.scope.ErrorAtPos(token.Pos(p), fmt.Sprintf(format, args...))
	}
}

// place returns the position of the declaration of an object, or of the cell if that is
// in a package: the interpreter resolves names by the file of their position.
func (w *Writer) place(o types.Object) syntax.At {
	if o.Pkg() != nil && o.Pkg().Path() != "main" {
		return w.start
	}
	return syntax.At(o.Pos())
}

// InnerName returns the name in the interpreter of an object at the top level, or
// of a type. A new type is declared.
func (w *Writer) InnerName(o types.Object) string {
	if c := w.canon[o]; c != nil {
		o = c
	}
	if name, ok := w.state.inner[o]; ok {
		return name
	}
	if name, ok := w.top[o]; ok {
		return name
	}
	base := o.Name()
	if w.hasMethodOfItsName(o) {
		base += syntax.AliasMark
	}
	name := w.state.fresh(base)
	w.top[o] = name
	if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
		w.declareType(name, t)
	}
	return name
}

// reserved names mean something to the interpreter.
var reserved = map[string]bool{"main": true, "init": true, "_": true, syntax.SupportName: true}

// Temporary returns a new name for a variable inside a function.
func (w *Writer) Temporary(name string) string {
	w.count++
	return fmt.Sprintf("%s%s%d", name, syntax.LocalMark, w.count)
}

// IsTop reports whether the interpreter has an object at its top level.
func (w *Writer) IsTop(o types.Object) bool {
	if c := w.canon[o]; c != nil {
		o = c
	}
	_, old := w.state.inner[o]
	_, now := w.top[o]
	return old || now
}

// LocalName returns the name of a variable inside a function.
func (w *Writer) LocalName(o types.Object) string {
	if o.Name() == "_" || o.Name() == "" {
		return "_"
	}
	name, ok := w.local[o]
	if !ok {
		name = w.Temporary(o.Name())
		w.local[o] = name
	}
	return name
}

// Canonical returns the object of the session that o replaces, or o.
func (w *Writer) Canonical(o types.Object) types.Object {
	if c := w.canon[o]; c != nil {
		return c
	}
	return o
}

// Fresh returns a name for the top level of the interpreter that was never used
// before.
func (w *Writer) Fresh(name string) string { return w.state.fresh(name) }

// SetInnerName gives an object a name in the interpreter.
func (w *Writer) SetInnerName(o types.Object, name string) { w.top[o] = name }

// SetLocal gives a variable inside a function a name.
func (w *Writer) SetLocal(o types.Object, name string) { w.local[o] = name }

// AddGeneric stores the source of a generic function or method.
func (w *Writer) AddGeneric(f types.Object, d *gofront.Generic) { w.generic[f] = d }
