package dialect

import (
	"slices"
	"strings"

	"symmom/internal/numerals"
)

// IsHeader reports whether the first record names the columns, given the second (nil:
// there is none) and names that are asked for. doubt is the place of a text beside
// numbers that may make it either, or -1.
func IsHeader(first, second []string, style numerals.Style, asked func(name string) bool) (header bool, doubt int) {
	numbers, texts, strange := 0, 0, 0
	at := 0
	for j, field := range first {
		field = strings.TrimSpace(field)
		switch kind, _ := style.Parse(field); kind {
		case numerals.Text:
			if asked(field) {
				return true, -1
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
		return false, -1
	case numbers == 0:
		return true, -1
	case strange == 0 && second != nil:
		return false, -1
	}
	return false, at
}

// Kinds counts the texts in a record, and what is neither text nor missing.
func Kinds(record []string, style numerals.Style) (texts, others int) {
	for _, field := range record {
		switch kind, _ := style.Parse(field); kind {
		case numerals.Text:
			texts++
		case numerals.Missing:
		default:
			others++
		}
	}
	return texts, others
}

// IsComment is true of a line that begins with #, except for #N/A, which spreadsheets
// write for a missing value.
func IsComment(line []byte) bool {
	const missing = "#n/a"
	if len(line) >= len(missing) && strings.EqualFold(string(line[:len(missing)]), missing) {
		return len(line) > len(missing) && isLetter(line[len(missing)])
	}
	return len(line) > 0 && line[0] == '#'
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// Repeats reports whether the first value of a column is there again, as labels are
// and names of columns are not.
func Repeats(records [][]string, column int) bool {
	return slices.ContainsFunc(records[1:], func(record []string) bool { return record[column] == records[0][column] })
}

// WholeNumbers reports whether all numbers of a record are whole, as in names of
// columns (2019, 2020).
func WholeNumbers(record []string, style numerals.Style) bool {
	for _, field := range record {
		if kind, _ := style.Parse(field); kind != numerals.Text && strings.Trim(strings.TrimSpace(field), "0123456789") != "" {
			return false
		}
	}
	return true
}
