// Package dialect finds out how a table of text is written: what separates its
// fields, which of them are times, how letters are encoded.
package dialect

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// delimiters in the order of trust: a tab or a semicolon in every line is hardly
// ever part of a number, a comma is where it is the decimal sign, and spaces stand
// beside any of the others.
var delimiters = []rune{'\t', ';', '|', ',', ' '}

// Delimiter takes the first delimiter that is in every line of the sample the
// same number of times, quoted fields apart, or once more than in the first; else the
// commonest of the first line.
// whole says that the sample ends where the file does, comma that a comma is the
// decimal sign.
func Delimiter(sample []byte, whole, comma bool) rune {
	lines := sampleLines(sample, whole)
	comma = comma && bytes.IndexByte(sample, '"') < 0 // in quotes they may be both
	if len(lines) == 0 {
		return ','
	}
	for more := range min(2, len(lines)) { // 1: the first line names all columns but that of the rows' names
		for _, d := range delimiters {
			if d == ',' && (comma || more > 0) {
				continue
			}
			count := countDelimiter(lines[0], d)
			if count > 0 && !slices.ContainsFunc(lines[more:], func(l []byte) bool { return countDelimiter(l, d) != count+more }) {
				return d
			}
		}
	}
	best, most := ',', 0
	if comma {
		best = ';'
	}
	for _, d := range delimiters[:4] {
		if d == ',' && comma {
			continue
		}
		if c := countDelimiter(lines[0], d); c > most {
			best, most = d, c
		}
	}
	return best
}

// Named returns the delimiter that a person writes, 0 for none; false: it is no character, or
// one that cannot separate fields.
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

// Separator reads the line that Excel writes above a table to say what separates its
// fields, sep=; for example. size is that of the line, 0 if there is none.
func Separator(text []byte) (d rune, size int) {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	name, value, _ := strings.Cut(strings.Trim(string(bytes.TrimRight(line, "\r")), `"`), "=")
	if strings.EqualFold(name, "sep") && len(value) == 1 && len(line) < len(text) && slices.Contains(delimiters, rune(value[0])) {
		return rune(value[0]), len(line) + 1
	}
	return 0, 0
}

// sampleLines gives the first lines that are whole and not blank. A line break
// inside quotes is none.
func sampleLines(sample []byte, whole bool) [][]byte {
	const most = 20
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

// countDelimiter counts d outside quotes; a run of spaces counts once, and not at
// the ends.
func countDelimiter(line []byte, d rune) int {
	if d == ' ' {
		line = bytes.Trim(line, " ")
	}
	count, quoted := 0, false
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted || rune(c) != d:
		case d != ' ' || line[i-1] != ' ':
			count++
		}
	}
	return count
}

// IsTime is true of dates and times in the usual forms.
func IsTime(s string) bool {
	marks, digits := 0, 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case strings.ContainsRune("-/:.", r):
			marks++
		case !strings.ContainsRune("TZ +", r):
			return false
		}
	}
	return digits >= 4 && marks >= 2 || digits >= 3 && marks >= 1 && strings.Contains(s, ":")
}

// UTF16 tells UTF-16 without its mark: every other byte of Latin letters and digits
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
