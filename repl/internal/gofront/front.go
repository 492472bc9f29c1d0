// Package gofront is the front end of a session: it converts the text of a cell to
// checked syntax, and never runs anything. For example, the cell
//
//	t := Celsius(20)
//	t + 1
//
// is processed as follows after a cell that has declared Celsius, a float64 with a
// method String.
//
// It is split into items at its semicolons, written or not (split.go): two statements.
// They are parsed into units (parse.go), in which everything has the user's own line
// and column.
//
// go/types checks each unit in a scope with the names of the session (check.go,
// checkdecls.go, names.go): Celsius is the type of the earlier cell, the assignment
// declares t, and t + 1 is a Celsius. If anything is wrong nothing runs, and the
// error is expressed in the terms of the session (explain.go, cellerror.go). The
// packages that a cell can import are defined in library.go.
//
// Package lower rewrites the checked units in the subset of Go that the interpreter
// handles well, with the types and conversions of package repr. They become a
// declaration, to be compiled first, and the body of a function:
//
//	var t Celsius
//
//	__repl.SetMethod(0, "String", func(v any) string { t := v.(Celsius); return t.String() })
//	t = Celsius(20.0)
//	__repl.Next(0)
//	__repl.Show(__repl.Box(0, t+Celsius(1.0)))
//	__repl.Next(1)
//
// The session has the interpreter compile and run these (repl/compile.go,
// repl/execute.go). Package __repl is package support. SetMethod defines the method
// String of type 0. Next reports that a unit has run, so that its declarations are
// available to later cells even if the rest fails. Box puts the value into a box with
// its type (package boxed), because Show takes an any, in which the interpreter would
// lose the type. Package display converts the arguments of Show to what the user
// sees: "21 C".
package gofront

import (
	"go/token"
	"go/types"
)

// Front holds the declarations of a session's cells and the packages that they can
// import.
type Front struct {
	Fset    *token.FileSet
	Library *Library
	Names   *names
	Types   *checker
	Lowered Lowered
}

// Lowered provides the facts about lowered code that checking requires.
type Lowered interface {
	Redeclared(name string) bool         // a name was declared more than once
	Instantiated(t *types.TypeName) bool // a generic type has instances
}

// New returns the front end of a session without declarations.
func New(fset *token.FileSet, l *Library, lowered Lowered) *Front {
	return &Front{fset, l, newNames(), newChecker(), lowered}
}

// KeepOrphans records the methods that a cell has added to types provisionally. Those
// that are not committed do not exist for the user, but go/types cannot remove them.
func (s *Front) KeepOrphans(sc *Scope) {
	for _, m := range sc.orphans {
		s.Types.Orphans[m] = true
	}
}
