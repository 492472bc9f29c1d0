package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"symmom/repl/internal/boxed"
)

// State is what the interpreter holds of the cells of a session.
type State struct {
	Types *boxed.Types // of values in boxes

	inner    map[types.Object]string // names in the interpreter
	versions map[string]int          // of these names: yaegi cannot replace a type, nor change that of a variable
	imported map[string]string       // path -> name of the package in the interpreter

	generic   map[types.Object]*genericDecl   // source of generic functions and methods
	written   map[string]string               // instances and functions written once -> their names
	named     map[types.Object][]*types.Named // instances of a generic type
	owned     map[string]*ownEntry            // types of which values were put into a box
	tracked   map[string]*tracked
	selfMade  map[*types.Named]bool // types: whether they are made of themselves, see recursive.go
	returning map[string]types.Type // interfaces, see returned.go
}

// NewState is the state of an interpreter that holds nothing.
func NewState(own *boxed.Types) *State {
	return &State{
		Types:     own,
		inner:     map[types.Object]string{},
		versions:  map[string]int{},
		imported:  map[string]string{},
		generic:   map[types.Object]*genericDecl{},
		written:   map[string]string{},
		named:     map[types.Object][]*types.Named{},
		owned:     map[string]*ownEntry{},
		tracked:   map[string]*tracked{},
		selfMade:  map[*types.Named]bool{},
		returning: map[string]types.Type{},
	}
}

// InnerName is the name of an object in the interpreter, "" if it has none.
func (s *State) InnerName(o types.Object) string { return s.inner[o] }

// Redeclared reports whether several things of a name were declared.
func (s *State) Redeclared(name string) bool { return s.versions[name] > 1 }

// Instantiated reports whether a generic type has instances.
func (s *State) Instantiated(t *types.TypeName) bool { return len(s.named[t]) > 0 }

// Imported notes that the interpreter has imported a package.
func (s *State) Imported(i Import) { s.imported[i.Path] = i.Name }

// fresh returns an inner name for a name, never used before.
func (s *State) fresh(name string) string {
	s.versions[name]++
	if v := s.versions[name]; v > 1 || reserved[name] || types.Universe.Lookup(name) != nil {
		return fmt.Sprintf("%s%s%d", name, AliasMark, v)
	}
	return name
}

// Writer writes the types of a cell, and what converts values between them, for the
// interpreter.
type Writer struct {
	state *State
	front *Front
	scope *Scope

	canon map[types.Object]types.Object // new object -> the one it takes the place of
	top   map[types.Object]string       // inner names given out by this cell
	local map[types.Object]string       // names of variables within functions
	count int                           // of names made up

	Imports   []Import   // that the interpreter has to import first
	Decls     []ast.Decl // to be compiled next
	Prologue  []ast.Stmt // to be run before the body of the cell
	instances []instance // of generic code, that are still to be written

	generic   map[types.Object]*genericDecl // as in State, of this cell
	written   map[string]string
	named     map[types.Object][]*types.Named
	owned     map[string]*ownEntry
	tracked   map[string]*tracked
	returning map[string]types.Type

	start At // of the cell
	err   *Error
}

// NewWriter returns the writer of a cell that begins at start.
func (s *State) NewWriter(front *Front, scope *Scope, start At) *Writer {
	return &Writer{
		state:     s,
		front:     front,
		scope:     scope,
		canon:     scope.canon,
		top:       map[types.Object]string{},
		local:     map[types.Object]string{},
		generic:   map[types.Object]*genericDecl{},
		written:   map[string]string{},
		named:     map[types.Object][]*types.Named{},
		owned:     map[string]*ownEntry{},
		tracked:   map[string]*tracked{},
		returning: map[string]types.Type{},
		start:     start,
	}
}

// Commit keeps what the interpreter holds of a cell, once it has compiled it.
func (w *Writer) Commit() {
	s := w.state
	maps.Copy(s.inner, w.top)
	maps.Copy(s.generic, w.generic)
	maps.Copy(s.written, w.written)
	maps.Copy(s.owned, w.owned)
	maps.Copy(s.tracked, w.tracked)
	maps.Copy(s.returning, w.returning)
	for o, list := range w.named {
		s.named[o] = append(s.named[o], list...)
	}
}

// Import is a package that the interpreter has to import, and its name there.
type Import struct{ Name, Path string }

// writeOnce has a function written unless it is there, and returns its name,
// which the traces of panics leave out.
func (w *Writer) writeOnce(key, hint string, write func(name string)) string {
	if name := w.writtenName(key); name != "" {
		return name
	}
	name := w.state.fresh(SupportName + hint + AliasMark)
	w.written[key] = name
	write(name)
	return name
}

func (w *Writer) writtenName(key string) string {
	if name, ok := w.written[key]; ok {
		return name
	}
	return w.state.written[key]
}

// writtenFor is the name of what was written for a key, in this cell or before;
// "" where nothing was.
func (w *Writer) writtenFor(key string) string {
	if name, ok := w.state.written[key]; ok {
		return name
	}
	return w.written[key]
}

// failed returns the error that Fail was given first, or nil.
func (w *Writer) failed() error {
	if w.err == nil {
		return nil
	}
	return w.err
}

// fail makes the cell an error at p, unless it is one already.
func (w *Writer) fail(p At, format string, args ...any) {
	if w.err == nil {
		w.err = w.scope.errorAtPos(token.Pos(p), fmt.Sprintf(format, args...))
	}
}

// innerName is the name in the interpreter of what was declared at the top of
// a cell, or of a type.
func (w *Writer) innerName(o types.Object) string {
	if c := w.canon[o]; c != nil {
		o = c
	}
	if name, ok := w.state.inner[o]; ok {
		return name
	}
	if name, ok := w.top[o]; ok {
		return name
	}
	name := w.state.fresh(o.Name())
	w.top[o] = name
	if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
		w.declareType(name, t)
	}
	return name
}

// reserved names mean something to the interpreter.
var reserved = map[string]bool{"main": true, "init": true, "_": true, SupportName: true}

// temporary is a new name for a variable within a function.
func (w *Writer) temporary(name string) string {
	w.count++
	return fmt.Sprintf("%s%s%d", name, localMark, w.count)
}

func (w *Writer) isTop(o types.Object) bool {
	if c := w.canon[o]; c != nil {
		o = c
	}
	_, old := w.state.inner[o]
	_, now := w.top[o]
	return old || now
}

func (w *Writer) localName(o types.Object) string {
	if o.Name() == "_" || o.Name() == "" {
		return "_"
	}
	name, ok := w.local[o]
	if !ok {
		name = w.temporary(o.Name())
		w.local[o] = name
	}
	return name
}

func (w *Writer) canonical(o types.Object) types.Object {
	if c := w.canon[o]; c != nil {
		return c
	}
	return o
}

// fresh returns a name for the top of the interpreter, never used before.
func (w *Writer) fresh(name string) string { return w.state.fresh(name) }

// setInnerName gives an object a name in the interpreter.
func (w *Writer) setInnerName(o types.Object, name string) { w.top[o] = name }

// setLocal gives a variable within a function a name.
func (w *Writer) setLocal(o types.Object, name string) { w.local[o] = name }

// addGeneric keeps the source of a generic function or method.
func (w *Writer) addGeneric(f types.Object, d *genericDecl) { w.generic[f] = d }
