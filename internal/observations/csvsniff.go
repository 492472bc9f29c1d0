package observations

import (
	"bytes"
	"slices"
	"strings"

	"symmom/internal/numerals"
)

// delimiters in the order of trust: a tab or a semicolon in every line is hardly
// ever part of a number, a comma is where it is the decimal sign, and spaces stand
// beside any of the others.
var delimiters = []rune{'\t', ';', '|', ',', ' '}

// sniffDelimiter takes the first delimiter that is in every line of the sample the
// same number of times, quoted fields apart; else the commonest of the first line.
// whole says that the sample ends where the file does, comma that a comma is the
// decimal sign.
func sniffDelimiter(sample []byte, whole, comma bool) rune {
	lines := sampleLines(sample, whole)
	comma = comma && bytes.IndexByte(sample, '"') < 0 // in quotes they may be both
	if len(lines) == 0 {
		return ','
	}
	for _, d := range delimiters {
		if d == ',' && comma {
			continue
		}
		count := countDelimiter(lines[0], d)
		if count > 0 && !slices.ContainsFunc(lines, func(l []byte) bool { return countDelimiter(l, d) != count }) {
			return d
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

// isHeader decides about the first record, given the second (nil: there is none).
func isHeader(source string, line int, first, second []string, style numerals.Style, o Options) (bool, error) {
	switch o.Header {
	case HeaderPresent:
		return true, nil
	case HeaderAbsent:
		return false, nil
	}
	asked := map[string]bool{o.Weights: true}
	for _, name := range o.Columns {
		asked[name] = true
	}
	numbers, texts, strange := 0, 0, 0
	at := 0
	for j, field := range first {
		field = strings.TrimSpace(field)
		switch kind, _ := style.Parse(field); kind {
		case numerals.Text:
			if asked[field] {
				return true, nil
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
		return false, nil
	case numbers == 0:
		return true, nil
	case strange == 0 && second != nil:
		return false, nil
	}
	return false, &ParseError{Source: source, Line: line, Column: at + 1, Value: first[at],
		Want: "a number: the line holds numbers too, so it may be a header or data; correct it, or say whether the first line is a header"}
}
