package observations

import (
	"slices"

	"symmom/internal/dialect"
	"symmom/internal/numerals"
)

// isHeader reports whether the first record is a header, given the second (nil if none).
func isHeader(source string, line int, first, second []string, style numerals.Style, o Options) (bool, error) {
	switch o.Header {
	case HeaderPresent:
		return true, nil
	case HeaderAbsent:
		return false, nil
	}
	header, doubt := dialect.IsHeader(first, second, style, func(name string) bool {
		return name == o.Weights || name == o.Labels || slices.Contains(o.Columns, name)
	})
	if doubt < 0 {
		return header, nil
	}
	return false, &ParseError{Source: source, Line: line, Column: doubt + 1, Value: first[doubt],
		Want: "a number: the line holds numbers too, so it may be a header or data; correct it, or say whether the first line is a header"}
}
