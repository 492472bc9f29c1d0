package numerals

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"symmom/internal/text/words"
)

// shape is a field's evidence for the style of numbers.
type shape struct {
	numeral bool // of digits and signs
	decimal rune // surely the decimal sign
	group   rune // surely a separator of thousands
	doubt   rune // one or the other
}

// look returns the possible meanings of the signs in a field.
func look(field string) shape {
	n, ok := split(field)
	if !ok {
		return shape{}
	}
	last := len(n.parts) - 1
	grouped := func(to int) bool { return thousands(n.parts[:to+1], n.signs) } // the parts up to this one are thousands
	mark := func(sign rune) bool { return sign == '.' || sign == ',' }
	switch {
	case last == 0:
		return shape{numeral: true}
	case last == 1 && mark(n.signs[0]) && grouped(1) && n.exponent == "":
		return shape{numeral: true, doubt: n.signs[0]}
	case last == 1 && mark(n.signs[0]):
		return shape{numeral: true, decimal: n.signs[0]}
	case n.exponent == "" && grouped(last):
		return shape{numeral: true, group: n.signs[0]}
	case last > 1 && mark(n.signs[last-1]) && n.signs[last-1] != n.signs[0] && grouped(last-1):
		return shape{numeral: true, decimal: n.signs[last-1], group: n.signs[0]}
	}
	return shape{}
}

// Evidence is the evidence of a table's first lines for the style of its numbers.
type Evidence struct {
	decimal, group, doubt map[rune]string // an example of each
}

// Looks reports whether a field is a number in some style, or missing.
func Looks(field string) bool {
	k, _ := parse(field)
	return k != Text || look(trim(field)).numeral
}

// Add takes in a field of a column of numbers.
func (e *Evidence) Add(field string) {
	if e.decimal == nil {
		e.decimal, e.group, e.doubt = map[rune]string{}, map[rune]string{}, map[rune]string{}
	}
	field = trim(field)
	s := look(field)
	note := func(of map[rune]string, sign rune) {
		if _, known := of[sign]; sign != 0 && !known {
			of[sign] = field
		}
	}
	note(e.decimal, s.decimal)
	note(e.group, s.group)
	note(e.doubt, s.doubt)
	switch s.group { // of two signs one is the decimal one
	case '.':
		note(e.decimal, ',')
	case ',':
		note(e.decimal, '.')
	}
}

// Style returns the style of the numbers and a note for the user, which may be
// empty. It is an error if the numbers contradict each other.
func (e *Evidence) Style(delimiter rune) (s Style, note string, err error) {
	point, isPoint := e.decimal['.']
	comma, isComma := e.decimal[',']
	doubtPoint, orPoint := e.doubt['.']
	doubtComma, orComma := e.doubt[',']
	switch {
	case isPoint && isComma:
		return s, "", fmt.Errorf("holds both %s and %s; say which is the decimal sign, or choose the columns where it is", words.Quote(point), words.Quote(comma))
	case !isPoint && !isComma && orPoint && orComma:
		return s, "", fmt.Errorf("holds both %s and %s; say which is the decimal sign", words.Quote(doubtPoint), words.Quote(doubtComma))
	case isComma:
		s.Decimal, note = ',', fmt.Sprintf("numbers are read with a decimal comma, as in %s", words.Quote(comma))
		if orPoint {
			e.group['.'] = doubtPoint
		}
	case isPoint && orComma:
		e.group[','] = doubtComma
	case !isPoint && orPoint && delimiter == ';':
		s.Doubt = true // where commas do not separate fields they often are decimal
	case !isPoint && orPoint && delimiter != ',' && delimiter != ' ':
		note = fmt.Sprintf("%s is read with a decimal point; if it is a separator of thousands, say that the decimal sign is a comma", words.Quote(doubtPoint))
	case !isPoint && delimiter == ';':
		s.Doubt = true
	}
	var groups []string
	for _, sign := range ".,' " + separators[1:] {
		if example, ok := e.group[sign]; ok && (sign != ' ' || e.spaced()) && sign != s.decimal() {
			s.Groups += string(sign)
			groups = append(groups, words.Quote(example))
		}
	}
	if s.Groups != "" {
		if note == "" {
			note = "numbers are read with a decimal point"
		}
		note += ", and with separated thousands, as in " + strings.Join(groups, ", ")
	}
	return s, note, nil
}

// spaced reports whether spaces separate thousands and not numbers: a decimal sign
// follows in the same field, or elsewhere a comma.
func (e *Evidence) spaced() bool {
	if _, ok := e.decimal[',']; ok {
		return true
	}
	return look(e.group[' ']).decimal != 0
}

// Want returns the remedy for a field that is not a number, and its options.
func (s Style) Want(field string, kind Kind, delimiter rune) (want string, options []string) {
	field = trim(field)
	sign, other := "point", "comma"
	if s.decimal() == ',' {
		sign, other = other, sign
	}
	if kind == Doubtful {
		digits := strings.NewReplacer(".", "", ",", "").Replace(field)
		return fmt.Sprintf("a number that can be read in one way only: this may be %s or %s; say which sign is the decimal one", strings.Replace(field, ",", ".", 1), digits), []string{"Decimal"}
	}
	if l := look(field); l.numeral && (l.decimal != 0 || l.group != 0 || l.doubt != 0) {
		return fmt.Sprintf("a number with a decimal %s and no %ss; correct it, or say which sign is the decimal one", sign, other), []string{"Decimal"}
	}
	if f := strings.Fields(strings.ReplaceAll(field, "::", " ")); len(f) > 1 && delimiter != ' ' {
		if k, _ := s.Parse(f[0]); k == Number {
			return fmt.Sprintf("one number: set the delimiter if it is not %q", delimiter), []string{"Delimiter"}
		}
	}
	if IsTruth(field) {
		return "a number; write 1 for true and 0 for false, name it as a code of missing values, or choose the columns that hold numbers", []string{"NA", "Columns"}
	}
	if IsComplex(field) {
		return "a real number: observations are not complex here; write real and imaginary parts as columns of their own, or choose other columns", []string{"Columns"}
	}
	if dash := dashed(field); dash != 0 {
		return fmt.Sprintf("a number: %U is not a minus sign; write - instead, or choose other columns", dash), []string{"Columns"}
	}
	if joined(field) {
		return "one number: there is nothing between some; write a delimiter there, or choose other columns", []string{"Columns"}
	}
	return "a number; correct it, name it as a code of missing values, or choose the columns that hold numbers", []string{"NA", "Columns"}
}

// TextKind names what a text holds that is nearly a number, or returns "".
func TextKind(field string) string {
	switch field = trim(field); {
	case IsComplex(field):
		return "complex numbers, whose parts belong into columns of their own,"
	case IsTruth(field):
		return "true and false, a variable if written as 1 and 0,"
	case dashed(field) != 0:
		return fmt.Sprintf("numbers with %U in place of a minus sign", dashed(field))
	case joined(field):
		return "numbers with nothing between them"
	}
	return ""
}

// dashed returns the dash that a number has in place of a minus sign, or 0.
func dashed(field string) rune {
	dash, size := utf8.DecodeRuneInString(field)
	if dash < utf8.RuneSelf || !unicode.In(dash, unicode.Pd, unicode.Sm) || !look(field[size:]).numeral {
		return 0
	}
	return dash
}

// joined reports whether a field is several numbers of which all but the first have signs, as
// Fortran writes them where a width is too small.
func joined(field string) bool {
	return strings.Contains(field, ".") && runTogether.MatchString(field)
}

var runTogether = regexp.MustCompile(`^[-+]?[\d.]+([eEdD][-+]?\d+)?(\s*[-+][\d.]+([eEdD][-+]?\d+)?)+$`)
