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
	of           Values
}

// New returns an assistant for a session without declarations.
func New(l *gofront.Library, commands CommandHelp, of Values) *Assistant {
	return &Assistant{l, newDeclarations(l.Preloaded), commands, of}
}

// Values tells an assistant what the session's variables hold.
type Values struct {
	Text  func(variable string) string                // describes the value, "" if unknown
	Names func(where, variable, text string) []string // as Library.Names of package repl, of the variable's value, or of a text if it is ""
}

// CommandHelp describes the session's commands to an assistant.
type CommandHelp struct {
	Complete func(source string, cursor int) (Completions, bool)
	Inspect  func(name string) (Inspection, bool)
}
