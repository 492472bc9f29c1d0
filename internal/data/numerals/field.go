// Package numerals parses numbers in tables of text: with a decimal point or comma, with
// separated thousands, and words for missing values.
package numerals

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Kind is the kind of a field.
type Kind int

// Those above Missing are no values.
const (
	Number Kind = iota
	Missing
	Infinite
	TooLarge
	Doubtful // a number that can be read in two ways: 1.234 or 1234
	Text
)

// Parse reads a field in this style. The value is NaN where it is missing.
func (s Style) Parse(field string) (Kind, float64) {
	if s.Decimal == 0 && s.Groups == "" && !s.Doubt {
		k, v := parse(field)
		if k == Text && look(trim(field)).doubt == ',' {
			return Doubtful, 0
		}
		return k, v
	}
	field = trim(field)
	if s.Doubt && look(field).doubt != 0 {
		return Doubtful, 0
	}
	var room [64]byte
	if number, ok := s.rewrite(field, room[:0]); ok {
		return parse(string(number))
	}
	k, v := parse(field)
	if k == Number && s.decimal() == ',' && strings.ContainsRune(field, '.') {
		return Text, 0
	}
	return k, v
}

func trim(s string) string {
	if s != "" && (s[0] <= ' ' || s[len(s)-1] <= ' ' || s[0] >= 0x80 || s[len(s)-1] >= 0x80) {
		return strings.TrimSpace(s)
	}
	return s
}

// parse reads a field with a decimal point and without separated thousands.
func parse(s string) (Kind, float64) {
	if s == "" {
		return Missing, math.NaN()
	}
	s = trim(s)
	if isMissing(s) { // first, since errors of strconv take memory
		return Missing, math.NaN()
	}
	v, err := ParseFloat(s)
	switch {
	case err == nil && v != v:
		return Missing, v
	case err == nil && math.IsInf(v, 0):
		return Infinite, v
	case err == nil:
		return Number, v
	case errors.Is(err, strconv.ErrRange):
		return TooLarge, v
	}
	var room [64]byte
	if number, ok := (Style{}).rewrite(s, room[:0]); ok {
		return parse(string(number)) // of Fortran, or with a typographic minus sign
	}
	return Text, 0
}

// ParseFloat is strconv.ParseFloat without what only source code of Go writes: digits
// apart (2020_01 may name a month) and powers of two (0x1p4).
func ParseFloat(s string) (float64, error) {
	if s != "" && s[0] >= 'A' && s[0]|0x20 != 'i' && s[0]|0x20 != 'n' { // neither inf nor nan: most texts need no closer look
		return 0, strconv.ErrSyntax
	}
	if i := strings.IndexByte(s, '0') + 1; strings.IndexByte(s, '_') >= 0 || i > 0 && i < len(s) && s[i]|0x20 == 'x' {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// IsTruth reports whether a field is true or false in words, as pandas and R write them.
func IsTruth(field string) bool {
	s := strings.TrimSpace(field)
	return strings.EqualFold(s, "true") || strings.EqualFold(s, "false")
}

// IsComplex reports whether a field is a complex number, of two parts: 1+2i as R and MATLAB
// write it, or (1+2j) as Python does.
func IsComplex(field string) bool {
	s := strings.ReplaceAll(field, " ", "")
	if len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' {
		s = s[1 : len(s)-1]
	}
	k := len(s) - 1
	if k < 3 || s[k] != 'i' && s[k] != 'j' || strings.LastIndexAny(s, "+-") < 1 {
		return false
	}
	_, err := strconv.ParseComplex(s[:k]+"i", 128)
	return err == nil && strings.Trim(s[:k], "+-.0123456789eE") == ""
}

// isMissing reports whether a field is a word that programs write for a missing value; those
// that ParseFloat takes for NaN are not repeated.
func isMissing(s string) bool {
	var lower [8]byte
	if len(s) > len(lower) {
		return false
	}
	for i := range len(s) {
		lower[i] = s[i]
		if 'A' <= s[i] && s[i] <= 'Z' {
			lower[i] |= 0x20
		}
	}
	switch string(lower[:len(s)]) {
	case "", "na", "n/a", "#n/a", "#n/a n/a", "-nan", "+nan", "<na>", "null", "none":
		return true
	case ".", "?": // SAS, Stata and SPSS; ARFF and UCI's tables
		return true
	case "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan": // what C wrote on Windows
		return true
	}
	return s == `\N` // MySQL, PostgreSQL and Hive
}
