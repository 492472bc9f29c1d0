package observations

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

type fieldKind int

const (
	fieldNumber fieldKind = iota
	fieldMissing
	fieldInfinite
	fieldTooLarge
	fieldText
)

// parseField reads one field of a text file. The value is NaN where it is missing.
func parseField(s string) (fieldKind, float64) {
	if s == "" {
		return fieldMissing, math.NaN()
	}
	if s[0] <= ' ' || s[len(s)-1] <= ' ' || s[0] >= 0x80 || s[len(s)-1] >= 0x80 {
		s = strings.TrimSpace(s)
	}
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err == nil && v != v:
		return fieldMissing, v
	case err == nil && math.IsInf(v, 0):
		return fieldInfinite, v
	case err == nil:
		return fieldNumber, v
	case errors.Is(err, strconv.ErrRange):
		return fieldTooLarge, v
	case isMissing(s):
		return fieldMissing, math.NaN()
	}
	return fieldText, 0
}

// isMissing knows the words that programs write where there is no value; those
// that ParseFloat takes for NaN are not repeated.
func isMissing(s string) bool {
	if len(s) > 5 {
		return false
	}
	switch strings.ToLower(s) {
	case "", "na", "n/a", "#n/a", "-nan", "+nan", "<na>", "null", "none":
		return true
	}
	return false
}

// wantNumber says what to do about a field that is no number, and which options
// do it.
func wantNumber(s string, delimiter rune) (want string, options []string) {
	s = strings.TrimSpace(s)
	if k, _ := parseField(strings.Replace(s, ",", ".", 1)); k == fieldNumber && strings.Contains(s, ",") {
		return "a number with a decimal point and no commas", nil
	}
	if f := strings.Fields(s); len(f) > 1 && delimiter != ' ' {
		if k, _ := parseField(f[0]); k == fieldNumber {
			return "one number: set the delimiter if it is not " + strconv.QuoteRune(delimiter), []string{"Delimiter"}
		}
	}
	return "a number; correct it, or choose the columns that hold numbers", []string{"Columns"}
}
