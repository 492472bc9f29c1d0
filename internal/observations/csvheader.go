package observations

import (
	"strings"

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
	asked := map[string]bool{o.Weights: true, o.Labels: true}
	for _, name := range o.Columns {
		asked[name] = true
	}
	numbers, texts, strange := 0, 0, 0
	at := 0
	for j, field := range first {
		field = strings.TrimSpace(field)
		switch kind, _ := style.Parse(field); kind {
		case numerals.Text:
			if asked[field] {
				return true, nil
			}
			texts++
			if j < len(second) {
				if kind, _ := style.Parse(second[j]); kind == numerals.Text {
					continue // a column of text: labels
				}
			}
			if strange == 0 {
				at = j
			}
			strange++
		case numerals.Number, numerals.Infinite, numerals.Doubtful:
			numbers++
		}
	}
	switch {
	case texts == 0:
		return false, nil
	case numbers == 0:
		return true, nil
	case strange == 0 && second != nil:
		return false, nil
	}
	return false, &ParseError{Source: source, Line: line, Column: at + 1, Value: first[at],
		Want: "a number: the line holds numbers too, so it may be a header or data; correct it, or say whether the first line is a header"}
}
