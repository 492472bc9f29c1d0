// Package repl is an interactive Go session in which symmom, datasets, charts,
// gonum's mat, fmt and math are there without an import.
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
// Package terminal is a session in a terminal; the kernel for notebooks is another
// user of this package.
//
// The interpreter is yaegi. A cell is split into lines for the session (commands.go)
// and Go, which is checked (internal/gofront, whose comment tells the way of a cell),
// lowered (internal/lower, with internal/repr), compiled (compile.go) and executed under
// the cell's context (execute.go). What a unit declares belongs to the session when the
// unit has run (commit.go), and values are shown (show.go, internal/display). Errors
// are reported at the user's own lines (errors.go). Lowered code calls internal/support;
// internal/boxed keeps the types of values in interfaces; internal/yaegi accesses
// unexported fields of the interpreter; completion and help are in internal/assist.
package repl
