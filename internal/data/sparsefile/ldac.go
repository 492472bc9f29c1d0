package sparsefile

import (
	"bufio"
	"bytes"
	"strconv"
)

// LDAC reads documents as Blei's LDA-C has them: lines such as "2 0:1 17:3", the number of
// different words and, for each, its number in the vocabulary, from 0 on, and its count. n is
// the size of the vocabulary; 0: as many words as appear.
func LDAC(r *bufio.Reader, n int) *Rows {
	l, blank := &lines{r: r}, 0
	return &Rows{Shape: Shape{N: n, Zero: true}, next: func(m *Matrix) error {
		for {
			line, err := l.next()
			if err != nil {
				return err
			}
			if len(line) == 0 {
				blank = l.line
				continue
			}
			if blank > 0 {
				l.line = blank // only the end of a file may have blank lines: each line is a document
				return l.fail("is blank, want the number of words, which is 0 for a document without words")
			}
			return m.document(l, bytes.Fields(line), n)
		}
	}}
}

// document adds a line of LDA-C.
func (m *Matrix) document(l *lines, fields [][]byte, n int) error {
	if bytes.IndexByte(fields[0], ':') >= 0 {
		return l.fail("got %s, want the number of words before the id:count pairs", short(fields[0]))
	}
	words, err := l.count(fields[0], 0, "the number of words")
	if err != nil {
		return err
	}
	if words != len(fields)-1 {
		return l.fail("has %d id:count pairs, want %d, as the line says first", len(fields)-1, words)
	}
	for _, f := range fields[1:] {
		id, count, ok := bytes.Cut(f, []byte(":"))
		if !ok || len(count) == 0 {
			return l.fail("got %s, want id:count", short(f))
		}
		j, err := l.count(id, 0, "the number of a word")
		if err != nil {
			return err
		}
		if n > 0 && j >= n {
			return l.fail("got %s, want the number of a word, at most %d: the vocabulary has %d, counted from 0", short(id), n-1, n)
		}
		v, err := l.count(count, 0, "a count")
		if err != nil {
			return err
		}
		m.Column, m.Value = append(m.Column, int32(j)), append(m.Value, float64(v))
	}
	return nil
}

// IsLDAC reports whether text begins as LDA-C does: with two lines or more, all of which begin
// with the number of their pairs, which differs between them. A few pairs are not enough: they
// may be svmlight, with labels that happen to be that.
func IsLDAC(head []byte) bool {
	const few = 10
	lines, first, differ := 0, 0, false
	for line := range bytes.Lines(head) {
		if line[len(line)-1] != '\n' {
			break // it may be cut off
		}
		fields := bytes.Fields(line)
		if len(fields) <= few {
			return false
		}
		if n, err := strconv.Atoi(string(fields[0])); err != nil || n != len(fields)-1 {
			return false
		}
		for _, f := range fields[1:] {
			id, count, ok := bytes.Cut(f, []byte(":"))
			_, err := strconv.ParseUint(string(id), 10, 31)
			_, err2 := strconv.ParseUint(string(count), 10, 31)
			if !ok || err != nil || err2 != nil {
				return false
			}
		}
		if lines++; lines == 1 {
			first = len(fields)
		}
		differ = differ || len(fields) != first
	}
	return differ
}
