// Package repl is an interactive Go session in which symmom, charts, gonum's
// mat, fmt and math are there without an import.
//
//	s, err := repl.New(repl.Config{})
//	r, err := s.Eval(ctx, `symmom.Load("data.npy").Moment(3).Decompose(5)`)
//	fmt.Println(r) // what the fit shows of itself
//
// A [Session] runs cells of Go: imports, declarations and statements in any
// mix. What a cell declares stays for the next ones, the value of an
// expression at its end is the cell's result, and an error or a panic ends
// the cell, not the session. Cancelling the context of [Session.Eval] stops
// interpreted code and ends a decomposition with the best fit so far, which
// keeps its place in the variable that it was meant for.
//
// Package terminal is the face of a session where a person types; a notebook
// kernel is another face of the same session.
//
// The interpreter is yaegi. On its way to it a cell is split, parsed, checked by
// go/types and lowered (internal/gofront), compiled (compile.go), executed under
// the cell's context (execute.go, internal/yaegi) and shown (display.go). What each
// unit declares belongs to the session when it has run (commit.go). Values of types
// that cells declare are in boxes where they are in interfaces (internal/boxed);
// completion and help are in internal/assist. Errors are led back to the user's own
// line (errors.go).
package repl
