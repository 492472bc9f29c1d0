// Package assist completes and documents Go in cells, also in half-written ones
// and while a cell runs.
package assist

import "symmom/repl/internal/gofront"

// Assistant knows what can stand at a cursor, and what stands there. It uses what
// cells have declared, evaluates nothing and never waits for a cell that runs.
type Assistant struct {
	library      *gofront.Library
	Declarations *Declarations
	commands     CommandHelp
	value        func(name string) string // describes the value of a variable, "" if unknown
}

// New returns an assistant for a session in which nothing is declared.
func New(l *gofront.Library, commands CommandHelp, value func(name string) string) *Assistant {
	return &Assistant{l, NewDeclarations(), commands, value}
}

// CommandHelp is what an assistant knows of the session's commands.
type CommandHelp struct {
	Complete func(source string, cursor int) (Completions, bool)
	Inspect  func(name string) (Inspection, bool)
}
