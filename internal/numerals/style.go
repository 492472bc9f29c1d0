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
	return math.Abs(v) >= Exact && !strings.ContainsAny(field, "eE"+string(s.decimal()))
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
	out = append(out, n.sign...)
	group, fraction := rune(0), false
	for i, part := range n.parts {
		if i > 0 {
			switch sign := n.signs[i-1]; {
			case sign == s.decimal() && i == len(n.parts)-1:
				fraction = true
				out = append(out, '.')
			case !strings.ContainsRune(s.Groups, sign) || group != 0 && sign != group || len(part) != 3:
				return nil, false
			default:
				group = sign
			}
		}
		out = append(out, part...)
	}
	if group != 0 && !leads(n.parts[0]) {
		return nil, false
	}
	if len(n.parts) == 1 && n.parts[0] == "" || fraction && len(n.parts) == 2 && n.parts[0] == "" && n.parts[1] == "" {
		return nil, false
	}
	return append(out, n.exponent...), true
}

// leads reports whether digits can stand before separated thousands.
func leads(digits string) bool { return 1 <= len(digits) && len(digits) <= 3 && digits[0] != '0' }

// numeral is a field of digits, taken apart at its signs.
type numeral struct {
	sign, exponent string
	parts          []string // digits
	signs          []rune   // between them
	room           [4]string
	roomSigns      [4]rune
}

// split takes a field apart; false: it holds something else.
func split(s string) (n numeral, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.sign, s = s[:1], s[1:]
	}
	n.parts, n.signs = n.room[:0], n.roomSigns[:0]
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
		case (c == 'e' || c == 'E') && digits > 0 && isExponent(s[i+1:]):
			n.parts, n.exponent = append(n.parts, s[from:i]), s[i:]
			return n, true
		default:
			return n, false
		}
		i += size
	}
	n.parts = append(n.parts, s[from:])
	return n, digits > 0
}

func isExponent(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}
