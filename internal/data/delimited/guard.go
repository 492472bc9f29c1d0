package delimited

import (
	"bytes"
	"io"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Bounds of one record of a text table: a reader of lines takes forty bytes for
// each field, so one line could fill any memory.
const (
	maxLine   = 32 << 20
	maxFields = 1 << 20
	ahead     = 256 << 10 // what a reader behind may have read
)

// Guard passes a text on and refuses a record beyond the bounds before it is
// held in memory.
type Guard struct {
	Source    string
	R         io.Reader
	Delimiter rune // 0 while it is not known
	before    byte // the last one passed on

	line    int   // bytes of the line so far
	fields  int   // delimiters in it
	Lines   int   // ends of lines
	Passed  int64 // bytes in all
	Records int64 // of them in the records that were taken
}

func (l *Guard) Read(p []byte) (int, error) {
	n, err := l.R.Read(p)
	part := p[:n]
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		// A line that ends here began at most a buffer ago, or was counted.
		l.line, l.fields = 0, 0
		part = part[i+1:]
	}
	l.count(part)
	l.Lines += bytes.Count(p[:n], []byte{'\n'})
	l.Passed += int64(n)
	switch {
	case l.fields >= maxFields:
		return 0, diag.Fail(l.Source, "line %d has more than %s fields; want one observation a line, each with one value of every variable (is the table transposed?); NPY has no such limit", l.Lines+1, words.Count(maxFields))
	case l.line > maxLine:
		return 0, diag.Fail(l.Source, "line %d is longer than %s; want one observation a line", l.Lines+1, words.Bytes(maxLine))
	case l.Passed-l.Records > maxLine+2*ahead:
		return 0, diag.Fail(l.Source, "a quoted field, comments or blank lines go on for more than %s up to line %d; want one observation a line, and quotation marks that are closed", words.Bytes(maxLine), l.Lines+1)
	}
	return n, err
}

// count takes part of a line.
func (l *Guard) count(part []byte) {
	if len(part) == 0 {
		return
	}
	l.line += len(part)
	if l.Delimiter == ' ' { // a run of them counts once
		for _, c := range part {
			if c == ' ' && l.before != ' ' {
				l.fields++
			}
			l.before = c
		}
	} else if l.Delimiter != 0 {
		l.fields += bytes.Count(part, []byte(string(l.Delimiter)))
	}
	l.before = part[len(part)-1]
}
