// Package interrupt has the error of what a person stopped, which the library and
// sessions share: cells test for it under either name.
package interrupt

import "errors"

// Err is symmom.ErrInterrupted and repl.ErrInterrupted.
var Err = errors.New("interrupted")
