package repl

import (
	"symmom/repl/internal/assist"
	"symmom/repl/internal/display"
	"symmom/repl/internal/gofront"
)

// Error is an error in a cell, with its position in the user's own source. It is
// one line, such as "2:7: undefined: x"; its method Report adds the source line and
// a caret below the position. It wraps ErrInterrupted, or the value of a panic if
// that is an error.
type Error = gofront.Error

// Bundle is what a value shows of itself, by MIME type: text as a string, images in
// base64, application/json as json.RawMessage. A bundle that is not empty contains
// text/plain.
type Bundle = display.Bundle

// Rich is a piece of a document: the result of display.HTML and its kin.
type Rich = display.Rich

// Handle stands for something that a cell has shown.
type Handle = display.Handle

// Completions are the proposals for a cursor. Items replace source[Start:End]; the
// offsets are bytes.
type Completions = assist.Completions

// Completion is one proposal.
type Completion = assist.Completion

// Inspection documents a name, for a terminal (Text) and for a notebook
// (Markdown).
type Inspection = assist.Inspection

// Status says whether source is complete, in the words of the Jupyter protocol.
type Status = assist.Status

// Results of Completeness.
const (
	Complete   = assist.Complete   // it can be evaluated
	Incomplete = assist.Incomplete // something is missing at the end
	Invalid    = assist.Invalid    // no text after it can repair it
)
