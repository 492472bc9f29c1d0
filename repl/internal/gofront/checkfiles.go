package gofront

import (
	"fmt"
	"go/ast"
	"go/types"
)

// long are the bytes of a cell that is checked beside the session.
const long = 1 << 18

// files runs the checker, and returns its panics as errors, or that of an interrupt.
func (sc *Scope) files(checker *types.Checker, file *ast.File, statement bool) error {
	check := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = sc.Cell.ErrorAt(0, "compile", fmt.Sprintf("internal error of the type checker: %v", r))
			}
		}()
		_ = checker.Files([]*ast.File{file}) // conf.Error has seen the errors
		return nil
	}
	if sc.ctx == nil || !statement || len(sc.Cell.Source) < long {
		return check()
	}
	// The checker cannot be stopped. For a statement it writes to nothing but what it was
	// given here.
	done := make(chan error, 1)
	go func() { done <- check() }()
	select {
	case err := <-done:
		return err
	case <-sc.ctx.Done():
		return sc.Cell.Interrupted()
	}
}
