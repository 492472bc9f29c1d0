// Package assist completes and documents Go in cells, also in half-written ones
// and while a cell runs.
package assist

import "symmom/repl/internal/gofront"

// Assistant determines the possible completions at a cursor, and the expression there. It uses the
// declarations of cells, evaluates nothing and never waits for a running cell.
type Assistant struct {
	library      *gofront.Library
	Declarations *Declarations
	commands     CommandHelp
	value        func(name string) string // describes the value of a variable, "" if unknown
}

// New returns an assistant for a session without declarations.
func New(l *gofront.Library, commands CommandHelp, value func(name string) string) *Assistant {
	return &Assistant{l, newDeclarations(l.Preloaded), commands, value}
}

// CommandHelp describes the session's commands to an assistant.
type CommandHelp struct {
	Complete func(source string, cursor int) (Completions, bool)
	Inspect  func(name string) (Inspection, bool)
}
