package numerals

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Style says how numbers are written. The zero value has a decimal point and no
// separators of thousands.
type Style struct {
	Decimal rune   // '.' or ','; 0 is '.'
	Groups  string // the characters that may separate thousands
	Doubt   bool   // a point may be either: what can be read both ways is Doubtful
}

// separators of thousands beside points and commas: apostrophes, and the spaces of
// several widths that do not break.
const separators = "'\u2019\u00a0\u202f\u2009"

// Given returns the style of tables whose decimal sign is known.
func Given(decimal, delimiter rune) Style {
	s := Style{Decimal: decimal, Groups: "," + separators}
	if decimal == ',' {
		s.Groups = "." + separators
	}
	if delimiter != ' ' {
		s.Groups += " "
	}
	return s
}

// Exact is the first whole number from which on a float64 does not tell all from their
// neighbours.
const Exact = 1 << 53

// Rounds reports whether v, written so, was a whole number that no float64 may be.
func (s Style) Rounds(field string, v float64) bool {
	return math.Abs(v) >= Exact && !strings.ContainsAny(field, "eEdD"+string(s.decimal()))
}

func (s Style) decimal() rune {
	if s.Decimal == 0 {
		return '.'
	}
	return s.Decimal
}

// rewrite appends field to out as strconv reads it; false: it is no number of this
// style that is written with digits alone.
func (s Style) rewrite(field string, out []byte) ([]byte, bool) {
	n, ok := split(field)
	if !ok {
		return nil, false
	}
	last := len(n.parts) - 1
	whole := last // the last part that is none of the fraction
	if last > 0 && n.signs[last-1] == s.decimal() {
		whole--
	}
	if whole > 0 && (!strings.ContainsRune(s.Groups, n.signs[0]) || !thousands(n.parts[:whole+1], n.signs)) {
		return nil, false
	}
	out = append(out, n.sign...)
	for i, part := range n.parts {
		if i > whole {
			out = append(out, '.')
		}
		out = append(out, part...)
	}
	if n.exponent != "" {
		out = append(append(out, 'e'), n.exponent...)
	}
	return out, true
}

// thousands reports whether the parts of a whole number are those that separators of thousands
// make: 1,234,567, or 12,34,567 as in India.
func thousands(parts []string, signs []rune) bool {
	last := len(parts) - 1
	indian := last > 1 && signs[0] == ',' && len(parts[0]) < 3 && len(parts[1]) == 2
	for i, part := range parts[1:] {
		size := 3
		if indian && i+1 < last {
			size = 2
		}
		if len(part) != size || signs[i] != signs[0] {
			return false
		}
	}
	return leads(parts[0])
}

// leads reports whether digits can precede separated thousands.
func leads(digits string) bool { return 1 <= len(digits) && len(digits) <= 3 && digits[0] != '0' }

// numeral is a field of digits, taken apart at its signs.
type numeral struct {
	sign, exponent string   // the exponent without its letter
	parts          []string // digits
	signs          []rune   // between them
}

// minus is the minus sign of typesetters, U+2212.
const minus = "\u2212"

// split takes a field apart; false: it holds something else. Fortran writes exponents with D.
func split(s string) (n numeral, ok bool) {
	if s != "" && s[0] >= 'A' && s[0] < utf8.RuneSelf {
		return n, false // most texts need no closer look
	}
	if strings.Contains(s, minus) {
		s = strings.ReplaceAll(s, minus, "-")
	}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.sign, s = s[:1], s[1:]
	}
	from, digits := 0, 0
	for i := 0; i < len(s); {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == '.', c == ',', c == ' ', strings.ContainsRune(separators, c):
			n.parts, n.signs, from = append(n.parts, s[from:i]), append(n.signs, c), i+size
		case digits > 0 && isExponent(s[i:], len(n.signs) > 0):
			n.parts, n.exponent = append(n.parts, s[from:i]), s[i+1:]
			return n, true
		default:
			return n, false
		}
		i += size
	}
	n.parts = append(n.parts, s[from:])
	return n, digits > 0
}

// isExponent takes D for the letter of an exponent behind a decimal sign or before + or -, as
// Fortran writes it: 1D5 may be a code.
func isExponent(s string, fraction bool) bool {
	letter, s := s[0]|0x20, s[1:]
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s, fraction = s[1:], true
	}
	return (letter == 'e' || letter == 'd' && fraction) && s != "" && strings.Trim(s, "0123456789") == ""
}
