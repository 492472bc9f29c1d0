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

// Bundle holds the representations of a value by MIME type: text as a string, images
// in base64, application/json as json.RawMessage. A non-empty bundle always contains
// text/plain.
type Bundle = display.Bundle

// Rich is a formatted piece of output, as returned by display.HTML and similar
// functions.
type Rich = display.Rich

// Handle identifies something that a cell has displayed.
type Handle = display.Handle

// Completions holds the proposals for a cursor position. Items replace
// source[Start:End]; the offsets are in bytes.
type Completions = assist.Completions

// Completion is one proposal.
type Completion = assist.Completion

// Inspection is the documentation of a name, for a terminal (Text) and for a notebook
// (Markdown).
type Inspection = assist.Inspection

// Status reports whether source is complete, in the terms of the Jupyter protocol.
type Status = assist.Status

// Values returned by Completeness.
const (
	Complete   = assist.Complete   // can be evaluated
	Incomplete = assist.Incomplete // something is missing at the end
	Invalid    = assist.Invalid    // cannot be completed by adding text
)
