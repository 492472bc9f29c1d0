package dialect

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/numerals"
)

// First are the first lines of a table, of which the first may name the columns.
type First struct {
	Record, Next []string   // Next is nil if there is one line only
	Sample       [][]string // the lines of the same number of fields, Record the first of them
	Style        numerals.Style
	Quoted       bool // Record is all in quotation marks, not all needed, and Next is not
}

// IsHeader reports whether the first record names the columns, given names that are
// asked for. If it may be either, want says what the field at a place would have to be.
func (f First) IsHeader(asked func(name string) bool) (header bool, at int, want string) {
	numbers, texts, strange := 0, 0, 0
	for j, field := range f.Record {
		field = strings.TrimSpace(field)
		kind, _ := f.Style.Parse(field)
		if kind != numerals.Missing && asked(field) {
			return true, 0, ""
		}
		switch kind {
		case numerals.Text:
			texts++
			if j < len(f.Next) {
				if kind, _ := f.Style.Parse(f.Next[j]); kind == numerals.Text {
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
	const either = "so it may be a header or data; "
	switch {
	case f.Quoted || texts > 0 && numbers == 0:
		return true, 0, ""
	case strange > 0:
		return false, at, "a number: the line holds numbers too, " + either + "correct it, or say whether the first line is a header"
	case f.aboveCount():
		at, want = 0, "a number: the lines below are counted there, "
	case texts > 0:
		at, want = f.besideText(), "a number: the line holds whole numbers too, "
	default:
		at, want = f.inOrder(), "a name, or an observation like those below: the line holds whole numbers in order, "
	}
	if at < 0 {
		return false, 0, ""
	}
	return false, at, want + either + "say whether the first line is a header"
}

// besideText returns the place of a text that may name a column of text, as the whole
// numbers beside it (2019, 2020) may name others, or -1. A year does, and two or more in order
// do, if none is among the values below, as ordinary counts beside names of rows are.
func (f First) besideText() int {
	if len(f.Sample) < 2 {
		return -1
	}
	var names []int
	for j, field := range f.Record {
		if kind, _ := f.Style.Parse(field); kind == numerals.Text {
			continue
		}
		name, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || !isWhole(field) || f.among(j, float64(name)) {
			return -1
		}
		names = append(names, name)
	}
	isYear := func(n int) bool { return 1900 <= n && n <= 2100 }
	if !ordered(names) || len(names) == 0 || len(names) == 1 && !isYear(names[0]) {
		return -1
	}
	for j := range f.Record {
		// The first value is there again if it is a label.
		again := func(record []string) bool { return record[j] == f.Record[j] }
		if text := TextIn(f.Sample, j, f.Style); text != "" && !IsTime(text) && !slices.ContainsFunc(f.Sample[1:], again) {
			return j
		}
	}
	return -1
}

// among reports whether a number lies between the least and the largest of those below.
func (f First) among(column int, v float64) bool {
	least, largest := math.Inf(1), math.Inf(-1)
	for _, record := range f.Sample[1:] {
		if kind, x := f.Style.Parse(strings.TrimSpace(record[column])); kind == numerals.Number {
			least, largest = math.Min(least, x), math.Max(largest, x)
		}
	}
	return least <= v && v <= largest
}

// aboveCount reports whether the first column has an empty field above a count of lines, as
// pandas writes an index.
func (f First) aboveCount() bool {
	if f.Record[0] != "" || len(f.Sample) < 3 {
		return false
	}
	for i, record := range f.Sample[1:] {
		if record[0] != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// inOrder returns the first place of whole numbers in ascending or descending order that
// may be names: two columns or more hold nothing written as a whole number below, or they
// count from 0, as names that a program makes do, and the next line does not count on. If
// there are none it returns -1.
func (f First) inOrder() int {
	if len(f.Sample) < 2 {
		return -1
	}
	var at, names []int
	for j, field := range f.Record {
		field = strings.TrimSpace(field)
		if kind, _ := f.Style.Parse(field); kind == numerals.Missing {
			continue // over the names of rows
		}
		name, err := strconv.Atoi(field)
		if err != nil || !isWhole(field) {
			return -1
		}
		at, names = append(at, j), append(names, name)
	}
	if len(names) < 2 || !ordered(names) {
		return -1
	}
	fractions, counts, on := 0, len(names) > 2, true
	for k, j := range at {
		counts = counts && names[k] == k
		on = on && f.Sample[1][j] == strconv.Itoa(k+len(at))
		if f.fractions(j) {
			fractions++
		}
	}
	if fractions > 1 || counts && !on {
		return at[0]
	}
	return -1
}

// fractions reports whether a column holds numbers below the first record, none of them written
// as a whole number, and no text.
func (f First) fractions(column int) bool {
	numbers := 0
	for _, record := range f.Sample[1:] {
		switch kind, _ := f.Style.Parse(record[column]); {
		case kind == numerals.Missing:
		case kind == numerals.Text || isWhole(strings.TrimLeft(record[column], "+- ")):
			return false
		default:
			numbers++
		}
	}
	return numbers > 0
}

// MayName returns the first place of numbers that may be names in spite of IsHeader, or -1:
// whole ones, below none of which a number is written as one. pandas calls a series without a
// name 0.
func (f First) MayName() int {
	at := -1
	for j, field := range f.Record {
		if kind, _ := f.Style.Parse(field); kind == numerals.Text || kind == numerals.Missing {
			continue
		}
		if len(f.Sample) == 0 || !isWhole(field) || !f.fractions(j) {
			return -1
		}
		if at < 0 {
			at = j
		}
	}
	return at
}

// ordered reports whether numbers ascend, or descend.
func ordered(numbers []int) bool {
	for k := 1; k < len(numbers); k++ {
		if numbers[k] == numbers[k-1] || (numbers[k] > numbers[k-1]) != (numbers[1] > numbers[0]) {
			return false
		}
	}
	return true
}

// isWhole reports whether a field has digits alone.
func isWhole(field string) bool { return strings.Trim(strings.TrimSpace(field), "0123456789") == "" }

// TextIn returns the first text of a column that holds text alone, apart from missing
// values, or "".
func TextIn(records [][]string, column int, style numerals.Style) (text string) {
	for _, record := range records {
		field := record[column]
		kind, _ := style.Parse(field)
		if kind != numerals.Missing && (kind != numerals.Text || numerals.Looks(field)) {
			return ""
		}
		if kind == numerals.Text && text == "" {
			text = strings.TrimSpace(field)
		}
	}
	return text
}

// KindOf says what the text of a column is.
func KindOf(text string) string {
	switch {
	case IsTime(text):
		return "times"
	case numerals.IsComplex(text):
		return "complex numbers, whose parts belong into columns of their own,"
	case numerals.IsTruth(text):
		return "true and false, a variable if written as 1 and 0,"
	}
	return "text"
}

// Padded returns the first field of a column that has digits after a leading 0, as codes
// have that keep their length, or "" if others are no whole numbers.
func Padded(records [][]string, column int) (code string) {
	for _, record := range records {
		field := strings.TrimSpace(record[column])
		if !isWhole(field) {
			return ""
		}
		if code == "" && len(field) > 1 && field[0] == '0' {
			code = field
		}
	}
	return code
}

// Quoted tells which fields of the record that r has just read from text stand in
// quotation marks.
func Quoted(r *csv.Reader, record []string, text []byte) []bool {
	row, quoted := 1, make([]bool, len(record))
	for j := range record {
		line, column := r.FieldPos(j)
		for ; row < line; row++ {
			_, text, _ = bytes.Cut(text, []byte{'\n'})
		}
		quoted[j] = column <= len(text) && text[column-1] == '"'
	}
	return quoted
}

// Quotes reports whether all fields of a record are quoted, and whether some of them do not
// need it.
func Quotes(record []string, quoted []bool, delimiter rune) (all, idle bool) {
	for j, field := range record {
		if !quoted[j] {
			return false, false
		}
		idle = idle || !strings.ContainsRune(field, delimiter) && !strings.ContainsAny(field, "\"\r\n")
	}
	return true, idle
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

// NamesRows reports whether the first record names all columns but the first, in which the rows
// have names then: R and pandas write such tables. A delimiter at the end of each line but the
// first is not that, and commas that may be in numbers are no delimiters for sure.
func NamesRows(first, next []string, sure bool) bool {
	texts, _ := Kinds(first, numerals.Style{})
	return sure && len(next) == len(first)+1 && texts == len(first) && texts > 1 && strings.TrimSpace(next[len(first)]) != ""
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
