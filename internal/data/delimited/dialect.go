// Package delimited reads tables of delimited text. It detects their dialect: the delimiter,
// columns of times and the character encoding. Reader parses plain text, lines of numbers
// without quotes, on all processors: one goroutine reads the text and splits it at line ends,
// others parse the pieces, and the caller gets them in order. From the first piece that is not
// plain, by a quotation mark, a wrong number of fields or a field that is not a number, the
// caller takes over.
package delimited

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/numerals"
)

// delimiters in the order of trust: a tab or a semicolon in every line is hardly
// ever part of a number, a comma is where it is the decimal sign, and spaces stand
// beside any of the others.
var delimiters = []rune{'\t', ';', '|', ',', ' '}

// Delimiter returns what separates the fields of a sample of text: what makes the most lines
// whole, which have the usual number of fields and none that another delimiter would take apart
// (van den Burg, Nazábal & Sutton, Wrangling messy CSV files by detecting row and type
// patterns, 2019, multiply such shares); then what makes the most lines the same; then the
// order of trust. rival is another that makes all lines whole, but other fields, or 0.
// ended says that the sample ends where the file does; decimal is the sign if it is known, or 0.
func Delimiter(sample []byte, ended bool, decimal rune) (best, rival rune) {
	lines := sampleLines(sample, ended)
	var chosen split
	for _, d := range delimiters {
		if d == ',' && decimal == ',' && bytes.IndexByte(sample, '"') < 0 { // in quotes they may be both
			continue
		}
		s := splitBy(lines, d, decimal)
		switch {
		case s.same == 0:
		case best == 0, s.whole > chosen.whole, s.whole == chosen.whole && s.same > chosen.same:
			best, rival, chosen = d, 0, s
		case s.whole == len(lines) && !slices.EqualFunc(s.rows, chosen.rows, slices.Equal):
			rival = d
		}
	}
	switch {
	case best != 0:
	case decimal == ',':
		best = ';'
	default:
		best = ','
	}
	return best, rival
}

// split is a sample taken apart at one delimiter.
type split struct {
	rows        [][]string
	same, whole int // lines with the usual number of fields, 2 or more; and no other delimiter
}

func splitBy(lines [][]byte, d, decimal rune) (s split) {
	usual, counts := 0, map[int]int{}
	for i, line := range lines {
		s.rows = append(s.rows, fieldsOf(line, d))
		if n := len(s.rows[i]); i > 0 || len(lines) == 1 { // the first may be a header
			if counts[n]++; counts[n] > counts[usual] {
				usual = n
			}
		}
	}
	if usual < 2 {
		return split{}
	}
	style := numerals.Style{}
	if decimal != 0 {
		style = numerals.Given(decimal, d)
	}
	for i, row := range s.rows {
		// The header may lack a name for the names of the rows.
		if len(row) != usual && (i > 0 || d == ',' || len(row) != usual-1 || usual == 2) {
			continue
		}
		s.same++
		if !slices.ContainsFunc(row, func(field string) bool {
			if kind, _ := style.Parse(field); kind != numerals.Text || decimal == 0 && numerals.Looks(field) {
				return strings.ContainsAny(field[max(0, len(field)-1):], ",;") // 1, of 1, 2
			}
			return !IsTime(field) && divisible(field)
		}) {
			s.whole++
		}
	}
	return s
}

// divisible reports whether a text holds another delimiter, or numbers with spaces between.
func divisible(field string) bool {
	if field[0] == '"' {
		return false
	}
	parts := strings.Fields(field)
	return strings.ContainsAny(strings.ReplaceAll(field, ", ", ""), "\t;|,") || // a, b may be a name
		len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !numerals.Looks(part) })
}

// fieldsOf takes a line apart, quoted fields apart; a run of spaces counts once, and not at
// the ends. Text in quotation marks keeps the first.
func fieldsOf(line []byte, d rune) (fields []string) {
	if d == ' ' {
		line = bytes.Trim(line, " ")
	}
	from, quoted := 0, false
	add := func(to int) {
		field := strings.TrimSpace(string(line[from:to]))
		if inner := strings.Trim(field, `"`); numerals.Looks(inner) {
			field = inner
		}
		fields = append(fields, field)
	}
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted || rune(c) != d:
		case d == ' ' && line[i-1] == ' ':
			from = i + 1
		default:
			add(i)
			from = i + 1
		}
	}
	add(len(line))
	return fields
}

// MayBeOne reports whether the two fields of each record may be one number, which a decimal comma
// separates. Between the least whole part and the largest every tenth decimal begins with 0 after
// its sign; where none does, in so many records that this happens once in a hundred tables, these
// are two numbers. So they are where the second ends in 0 and they are not written to some length.
func MayBeOne(records [][]string) bool {
	var wholes []int
	fraction, total, ends := map[int]bool{}, map[int]bool{}, false // lengths
	for _, record := range records {
		whole, after := record[0], record[1]
		if after == "" || !isWhole(after[:1]) || !numerals.Looks(whole+","+after) {
			return false
		}
		w, _ := strconv.Atoi(strings.TrimSpace(whole))
		wholes = append(wholes, w)
		fraction[len(after)], total[len(whole+after)] = true, true
		ends = ends || after[len(after)-1] == '0'
	}
	if ends && len(fraction) > 1 && len(total) > 1 {
		return false
	}
	least, largest, chance := slices.Min(wholes), slices.Max(wholes), 1.
	for i, w := range wholes {
		if least < w && w < largest {
			if records[i][1][0] == '0' {
				return true
			}
			chance *= .9
		}
	}
	return chance > .01
}

// Named returns the delimiter in a user's notation, 0 for none; false: it is not a character,
// or one that cannot separate fields.
func Named(text string) (d rune, ok bool) {
	switch text {
	case "":
		return 0, true
	case `\t`:
		return '\t', true
	}
	d, size := utf8.DecodeRuneInString(text)
	return d, size == len(text) && d != '"' && d != '\n' && d != '\r' && d != utf8.RuneError
}

// Separator reads the line that Excel writes above a table to declare its delimiter,
// such as sep=; and returns the size of the line, 0 if there is none.
func Separator(text []byte) (d rune, size int) {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	name, value, _ := strings.Cut(strings.Trim(string(bytes.TrimRight(line, "\r")), `"`), "=")
	if strings.EqualFold(name, "sep") && len(value) == 1 && len(line) < len(text) && slices.Contains(delimiters, rune(value[0])) {
		return rune(value[0]), len(line) + 1
	}
	return 0, 0
}

// sampleLines returns the first complete lines that are not blank. A quoted line
// break does not end a line.
func sampleLines(sample []byte, whole bool) [][]byte {
	const most = 100
	var lines [][]byte
	quoted, from := false, 0
	add := func(line []byte) {
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, line)
		}
	}
	for i, c := range sample {
		switch c {
		case '"':
			quoted = !quoted
		case '\n':
			if !quoted {
				add(sample[from:i])
				from = i + 1
			}
		}
		if len(lines) == most {
			return lines
		}
	}
	if whole || len(lines) == 0 {
		add(sample[from:])
	}
	return lines
}

// IsTime is true of dates and times in the usual forms.
func IsTime(s string) bool {
	return s != "" && '0' <= s[0] && s[0] <= '9' && times.MatchString(s) // most texts need no closer look
}

var times = func() *regexp.Regexp {
	var dates []string
	for _, sep := range []string{"-", "/", `\.`} {
		dates = append(dates, strings.ReplaceAll(`\d{4}-\d\d?-\d\d?|\d\d?-\d\d?-(\d{4}|\d\d)`, "-", sep))
	}
	const clock = `\d{1,3}:\d\d(:\d\d(\.\d+)?)?`
	return regexp.MustCompile(`^((` + strings.Join(dates, "|") + `)([T ]+` + clock + ` ?(Z|[-+]\d\d(:?\d\d)?)?)?|` + clock + `)$`)
}()

// UTF16 detects UTF-16 without a byte order mark: every other byte of Latin letters and digits
// is 0.
func UTF16(head []byte) string {
	zeros := [2]int{}
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case half >= 2 && zeros[1] == half && zeros[0] == 0:
		return "UTF-16LE"
	case half >= 2 && zeros[0] >= half && zeros[1] == 0:
		return "UTF-16BE"
	}
	return ""
}
