package delimited

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"unicode"

	"symmom/internal/data/numerals"
)

// First are the first lines of a table, of which the first may name the columns.
type First struct {
	Record []string
	Below  [][]string // of the same number of fields
	Style  numerals.Style
	Quoted bool // Record is all in quotation marks, not all needed, and the next is not
}

// Reading is the interpretation of a first line.
type Reading int

// A line that is Either is refused; of one that Perhaps holds names, but more likely values,
// a warning is enough.
const (
	Values Reading = iota
	Perhaps
	Either
	Names
)

// The evidence for names, in bits, from which on a line may hold them, and from which on it may
// as well hold values. A line of values reaches them once in 2^perhaps and 2^either tables.
const perhaps, either = 3, 8

// Read tells what the first record is, given names that are asked for. If it may be names, at is
// the place of a field that may be one, and want what it would have to be else.
func (f First) Read(asked func(name string) bool) (r Reading, at int, want string) {
	numbers, texts, strange := 0, 0, -1
	named := true // the columns of numbers below
	for j := len(f.Record) - 1; j >= 0; j-- {
		switch kind := f.kind(f.Record[j]); {
		case kind != numerals.Missing && asked(strings.TrimSpace(f.Record[j])):
			return Names, 0, ""
		case kind == numerals.Text:
			texts++
			if len(f.Below) == 0 || f.kind(f.Below[0][j]) != numerals.Text {
				strange = j // above numbers
			}
		case kind != numerals.Missing:
			numbers, at = numbers+1, j
		case len(f.Below) > 0 && f.kind(f.Below[0][j]) != numerals.Text:
			named = false
		}
	}
	const doubt = "so it may be a header or data; "
	switch {
	case f.Quoted || texts > 0 && numbers == 0 && (named || strange >= 0):
		return Names, 0, ""
	case strange >= 0:
		return Either, strange, "a number: the line holds numbers too, " + doubt + "correct it, or say whether the first line is a header"
	}
	switch bits := f.evidence(); {
	case bits >= either:
		return Either, at, "a name, or an observation like those below: the line is unlike them, " + doubt + "say whether the first line is a header"
	case bits >= perhaps:
		return Perhaps, at, ""
	}
	return Values, at, ""
}

func (f First) kind(field string) numerals.Kind {
	kind, _ := f.Style.Parse(field)
	return kind
}

// evidence adds up what speaks for names. A line of values is one of many like it: to be the
// only one of p with some trait, such as numbers in order, has a probability of 1/p. In few
// lines the trait may be absent by chance, whose probability in random numbers counts as one
// line more.
//
// A series begins with whole numbers outside of those that follow, too, as 0,1,1 above decimals,
// and so may a sorted table. So a line may as well hold values unless something is as names are:
// numbers in steps of one length, four in order, years, a label unlike all others, a corner above
// an index.
func (f First) evidence() (bits float64) {
	named := false
	defer func() {
		if !named {
			bits = min(bits, either-1)
		}
	}()
	rare := func(like, of int, chance float64) {
		bits += math.Log2((float64(of) + 1) / (float64(like) + max(chance, 1e-6)))
	}
	const enough = 100 // lines, of which each is compared with all that follow
	f.Below = f.Below[:min(enough, len(f.Below))]
	p := len(f.Below)
	var columns []int
	for j, field := range f.Record {
		switch kind := f.kind(field); {
		case kind == numerals.Number:
			columns = append(columns, j)
		case kind == numerals.Text && slices.ContainsFunc(f.Below, func(row []string) bool { return row[j] == field }):
			return 0 // a label that is there again
		case kind == numerals.Text, j == 0 && field == "":
			like := count(f.Below, func(row []string) bool { return shape(row[j]) == shape(field) })
			rare(like, p, .5)
			named = named || p > 1 && like == 0
			if p > 1 && like == 0 && (IsTime(f.Below[0][j]) || field == "" && isWhole(f.Below[0][j])) {
				bits += 2 * either // above times, or an index as pandas writes it
			}
		}
	}
	first, rows := f.numbers(f.Record, columns), make([][]float64, p)
	for i, row := range f.Below {
		rows[i] = f.numbers(row, columns)
	}
	// Beyond all lines that follow, as lines of tables that are sorted are too.
	has, like, half := outside(first, rows), 0, p/2
	for i := range half {
		if outside(rows[i], rows[i+1:]) >= has {
			like++
		}
	}
	rare(like, half, math.Pow(max(.5, 2/float64(p+1)), float64(has)))
	steady := false // in steps of one length
	for _, t := range []func(v []float64) (trait int, chance float64){round, inOrder} {
		has, chance := t(first)
		steady = has > 1
		rare(count(rows, func(v []float64) bool { trait, _ := t(v); return trait >= has }), p, chance)
	}
	ordered, _ := inOrder(first)
	named = named || steady && (len(first) > 2 || first[0] != 1) || ordered > 0 && len(first) > 3
	whole := func(row []string) bool {
		return !slices.ContainsFunc(columns, func(j int) bool { return !isWhole(strings.TrimLeft(row[j], "+-")) })
	}
	switch {
	case whole(f.Record):
		rare(count(f.Below, whole), p, .1)
	case !steady:
		bits -= either // who would call columns so?
	}
	if years(first) && !slices.ContainsFunc(rows, func(v []float64) bool { return slices.ContainsFunc(v, isYear) }) {
		bits += map[bool]float64{false: perhaps, true: either}[len(first) > 1]
		named = named || len(first) > 1
	}
	if len(first) > 0 && !slices.ContainsFunc(columns, func(j int) bool { return isWhole(f.Record[j]) }) && !slices.ContainsFunc(first, func(v float64) bool { return v != math.Trunc(v) }) {
		return min(bits, either-1) // 1.0 is how this program writes 1 in a first line of values
	}
	return bits
}

// Again returns the place of a number in the first line below names that may be one of another
// line of names, as tables have with two, or below a title.
func (f First) Again() (at int, ok bool) {
	if len(f.Below) < 6 { // too few to decide
		return 0, false
	}
	second := First{Record: f.Below[0], Below: f.Below[1:], Style: f.Style}
	at = slices.IndexFunc(second.Record, func(field string) bool { return f.kind(field) == numerals.Number })
	return at, at >= 0 && second.evidence() >= either
}

func count[T any](of []T, is func(T) bool) (n int) {
	for _, v := range of {
		if is(v) {
			n++
		}
	}
	return n
}

// numbers returns those of some columns, NaN where there is none.
func (f First) numbers(row []string, columns []int) []float64 {
	v := make([]float64, len(columns))
	for i, j := range columns {
		kind, x := f.Style.Parse(row[j])
		if v[i] = x; kind != numerals.Number {
			v[i] = math.NaN()
		}
	}
	return v
}

// outside counts the numbers that are not between those in their columns of other rows, those
// twice that are farther off than these are apart.
func outside(v []float64, others [][]float64) (n int) {
	for j, x := range v {
		least, largest := math.Inf(1), math.Inf(-1)
		for _, o := range others {
			if o[j] == o[j] {
				least, largest = min(least, o[j]), max(largest, o[j])
			}
		}
		off, apart := max(least-x, x-largest), largest-least
		if off > 0 {
			n++
		}
		if off > apart {
			n++
		}
	}
	return n
}

// inOrder is 1 for numbers that ascend, 2 in steps of one length, 3 of length 1. Programs make
// names that count from 0.
func inOrder(v []float64) (trait int, chance float64) {
	n := float64(len(v))
	if n < 2 {
		return 0, 1
	}
	step := v[1] - v[0]
	even := n > 2 || step == 1 && v[0] == math.Trunc(v[0])
	for k := range v[1:] {
		d := v[k+1] - v[k]
		if !(d > 0) {
			return 0, 1
		}
		even = even && math.Abs(d-step) < 1e-6*step
	}
	chance = 1 / math.Gamma(n+1)
	if !even {
		return 1, chance
	}
	chance *= math.Pow(.1, n-2)
	if step != 1 {
		return 2, chance
	}
	switch {
	case v[0] == 0 && n > 2:
		chance /= 100
	case v[0] == 0:
		chance /= 10
	case v[0] == 1:
		return 3, .05 // people begin tables so
	}
	return 3, chance / 3
}

// round is 1 for multiples of 5, not all of them 0, and 2 of 10.
func round(v []float64) (trait int, chance float64) {
	trait, chance = 2, 1
	for _, x := range v {
		switch {
		case math.Mod(x, 10) == 0:
		case math.Mod(x, 5) == 0:
			trait = 1
		default:
			return 0, 1
		}
		if x != 0 {
			chance /= 10
		}
	}
	switch {
	case chance == 1:
		return 0, 1
	case trait == 1:
		chance = math.Sqrt(chance)
	}
	return trait, chance
}

func isYear(x float64) bool { return 1900 <= x && x <= 2100 && x == math.Trunc(x) }

// years reports whether numbers are years in order, from first to last or from last to first.
func years(v []float64) bool {
	for k, x := range v {
		if !isYear(x) || k > 0 && (x == v[k-1] || (x > v[k-1]) != (v[1] > v[0])) {
			return false
		}
	}
	return len(v) > 0
}

// shape is how a text is written: Aa for Austria, a-0 for s-12.
func shape(text string) string {
	classes := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsDigit(c):
			return '0'
		case unicode.IsUpper(c):
			return 'A'
		case unicode.IsLetter(c):
			return 'a'
		}
		return c
	}, text)
	return string(slices.Compact([]rune(classes)))
}

// isWhole reports whether a field has digits alone.
func isWhole(field string) bool {
	field = strings.TrimSpace(field)
	return field != "" && strings.Trim(field, "0123456789") == ""
}

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

// KindOf returns the kind of a column of text.
func KindOf(text string) string {
	if IsTime(text) {
		return "times"
	}
	return cmp.Or(numerals.TextKind(text), "text")
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

// Quotes reports whether all fields of a record but empty ones are quoted, and whether some of them do not
// need it.
func Quotes(record []string, quoted []bool, delimiter rune) (all, idle bool) {
	for j, field := range record {
		if !quoted[j] {
			if field != "" {
				return false, false
			}
			continue
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
