package observations

import "symmom/internal/faults"

// Errors of sources.
type (
	ParseError   = faults.ParseError
	MissingError = faults.MissingError
	ColumnCount  = faults.ColumnCount
)

// ErrNoData is wrapped by the errors of sources that hold no observation.
var ErrNoData = faults.ErrNoData

func fail(source, format string, args ...any) error { return faults.Fail(source, format, args...) }

func empty(source, format string, args ...any) error { return faults.Empty(source, format, args...) }

func list(parts []string) string { return faults.List(parts) }

func short(name string) string { return faults.Short(name) }

func oneLine(s string) string { return faults.OneLine(s) }
