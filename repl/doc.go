// Package repl implements an interactive Go session, for any program.
//
//	s, err := repl.New(repl.Config{})
//	r, err := s.Eval(ctx, "x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nx.T()")
//	fmt.Println(r) // prints the matrix in rows and columns
//
// Cells can import the standard library, gonum and package widgets; gonum's mat, widgets,
// fmt and math are available without an import, and so is package display, which exists
// only in cells. A [Library] adds packages of the program. Package lab is the one of
// symmom.
//
// A [Session] runs cells of Go: imports, declarations and statements in any mix. The
// declarations of a cell remain available to later cells, the value of an expression
// at its end is the cell's result, and an error or a panic ends the cell, not the
// session. Cancelling the context of [Session.Eval] stops interpreted code, and ends a
// long call of the library with what it has found so far, which is still stored in the
// variable that it is assigned to.
//
// Package terminal runs a session in a terminal, package kernel in Jupyter.
//
// The interpreter is yaegi. A cell is split into session commands (commands.go) and
// Go. The Go is checked (internal/gofront, whose package comment describes how a cell
// is processed), lowered (internal/lower, with internal/repr), compiled (compile.go)
// and executed under the cell's context (execute.go). The declarations of a unit are
// added to the session after the unit has run (commit.go), and values are displayed
// (show.go, internal/display). Errors are reported at the user's own lines
// (errors.go). Lowered code calls internal/support; internal/boxed preserves the
// types of values in interfaces; internal/yaegi accesses unexported fields of the
// interpreter; completion and help are in internal/assist.
package repl
