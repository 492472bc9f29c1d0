// Package gofront takes a cell from its text to the syntax that the interpreter
// is given, and never runs anything. A cell such as
//
//	t := Celsius(20)
//	t + 1
//
// below one that declares Celsius, a float64 with a method String, is
//
//   - split into items at its semicolons, written or not (split.go), and these are
//     parsed: two statements (parse.go);
//
//   - checked by go/types as a whole, with the names of the session in scope, so
//     that nothing runs where anything is wrong (check.go, checkdecls.go, names.go);
//     errors are put in the words of the session (explain.go, cellerror.go);
//
//   - lowered to the part of Go that the interpreter does well (lowering.go, and a
//     file for each construct). Generic code is checked again for each instance
//     (generics.go). What comes out declares
//
//     var t Celsius
//
//     and runs
//
//     __repl.OwnMethod(0, "String", func(v any) string { t := v.(Celsius); return t.String() })
//     t = Celsius(20.0)
//     __repl.Next(0)
//     __repl.Show(__repl.Own(0, t+Celsius(1.0)))
//     __repl.Next(1)
//
// Package __repl is the session. Next tells it that a statement has run, so that
// what that declares is there for later cells whatever becomes of the rest; Own
// puts the value into a box with its type (package boxed), since Show takes any,
// and OwnMethod says what the methods of that type are.
package gofront

import (
	"go/token"
	"go/types"
)

// Front is what a session knows of Go: what its cells have declared, and what
// they can import. It takes a cell from its text to the syntax that the
// interpreter is given, and never runs anything.
type Front struct {
	Fset    *token.FileSet
	Library *Library
	Names   *names
	Types   *checker
	Lowered Lowered
}

// Lowered is what checking has to know of code that was lowered.
type Lowered interface {
	Redeclared(name string) bool         // several things of a name were declared
	Instantiated(t *types.TypeName) bool // a generic type has instances
}

// New makes the front of a session in which nothing is declared.
func New(fset *token.FileSet, l *Library, lowered Lowered) *Front {
	return &Front{fset, l, newNames(), newChecker(), lowered}
}

// KeepOrphans remembers the methods that a cell has added to types on trial. Those
// that commit does not take over do not exist for the user, but go/types
// cannot forget them.
func (s *Front) KeepOrphans(sc *Scope) {
	for _, m := range sc.orphans {
		s.Types.Orphans[m] = true
	}
}
