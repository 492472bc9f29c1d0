// Package assist completes and documents Go in cells, also in half-written ones
// and while a cell runs.
package assist

import "symmom/repl/internal/gofront"

// Assistant says what could stand at a cursor, and what stands there. It asks
// what cells have declared, evaluates nothing and never waits for a cell that
// runs.
type Assistant struct {
	library      *gofront.Library
	Declarations *Declarations
	commands     CommandHelp
	value        func(name string) string // what a variable shows of itself, "" where that is not known
}

// New makes one for a session in which nothing is declared.
func New(l *gofront.Library, commands CommandHelp, value func(name string) string) *Assistant {
	return &Assistant{l, NewDeclarations(), commands, value}
}

// CommandHelp is what an assistant knows of the commands of a session.
type CommandHelp struct {
	Complete func(source string, cursor int) (Completions, bool)
	Inspect  func(name string) (Inspection, bool)
}
