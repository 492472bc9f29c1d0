package load

import "symmom/internal/text/diag"

// Errors of sources.
type (
	ParseError   = diag.ParseError
	MissingError = diag.MissingError
	ColumnCount  = diag.ColumnCount
)

// ErrNoData is wrapped by the errors of sources that hold no observation.
var ErrNoData = diag.ErrNoData

func fail(source, format string, args ...any) error { return diag.Fail(source, format, args...) }

func empty(source, format string, args ...any) error { return diag.Empty(source, format, args...) }

func short(name string) string { return diag.Short(name) }

func oneLine(s string) string { return diag.OneLine(s) }
