// Package fixed reads text whose columns have fixed positions in each line, as Fortran, SAS
// and survey archives write it and pandas.read_fwf reads it.
//
// The positions are given, or inferred as read_fwf does: a column is where some of the first
// lines have no blank. What that would cut off without a word is refused: text beside the
// columns in a later line, and numbers that touch in some lines and not in others.
package fixed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Delimiter separates the fields of what Reader makes of a text. Hardly any text has it.
const Delimiter = '\x1f'

// Column has the characters of a line from From, counted from 0, to before To.
type Column struct {
	Name     string // "" if it has none
	From, To int
}

// Columns are those of a table. If there are none, they are inferred; nil: it was not said
// that the columns have fixed positions.
type Columns []Column

// auto asks for columns to be inferred.
const auto = "auto"

// last is the largest position, more than a line has.
const last = 32 << 20

// Parse reads columns such as "1-4,5-10" or "age=1-3,sex=4", or "auto".
func Parse(text string) (_ Columns, ok bool) {
	if text == "" {
		return nil, true
	}
	columns := Columns{}
	if text == auto {
		return columns, true
	}
	for part := range strings.SplitSeq(text, ",") {
		var c Column
		places := strings.TrimSpace(part)
		if i := strings.LastIndexByte(places, '='); i >= 0 {
			c.Name, places = strings.TrimSpace(places[:i]), strings.TrimSpace(places[i+1:])
		}
		from, to, ok := strings.Cut(places, "-")
		if !ok {
			to = from
		}
		first, err := strconv.Atoi(from)
		end, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 1 || end < first || end > last {
			return nil, false
		}
		c.From, c.To = first-1, end
		columns = append(columns, c)
	}
	return columns, true
}

// Names returns the names of the columns, or nil if none has one.
func (c Columns) Names() (names []string) {
	for j, column := range c {
		if column.Name != "" && names == nil {
			names = make([]string, len(c))
		}
		if names != nil {
			names[j] = column.Name
		}
	}
	return names
}

// Infer finds the columns of the whole lines that a text begins with. The last one goes on to
// the end of a line.
func Infer(sample []byte) Columns {
	columns, blank := Columns{}, true
	for i, filled := range mask(sample) {
		if filled && blank {
			columns = append(columns, Column{From: i})
		}
		if blank = !filled; filled {
			columns[len(columns)-1].To = i + 1
		}
	}
	if len(columns) > 0 {
		columns[len(columns)-1].To = math.MaxInt
	}
	return columns
}

// mask says at which positions some line has no blank.
func mask(sample []byte) (filled []bool) {
	begun := false
	for line := range bytes.Lines(sample) {
		if !begun && comment(line) {
			continue
		}
		begun = begun || len(bytes.TrimSpace(line)) > 0
		i := 0
		for _, c := range string(line) {
			if i == len(filled) {
				filled = append(filled, false)
			}
			filled[i] = filled[i] || !blank(c)
			i++
		}
	}
	return filled
}

func blank(c rune) bool { return c == ' ' || c == '\n' || c == '\r' }

// comment reports whether a line is one, above the table.
func comment(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) }

// Reader makes of a text one whose fields have a Delimiter between them, line by line.
type Reader struct {
	r        *bufio.Reader
	source   string
	columns  Columns
	inferred bool
	line     int
	begun    bool // below the comments
	long     []byte
	out      []byte
	read     int   // bytes of out that were read
	starts   []int // of the characters of a line
	err      error
}

// sampleBytes is how much of a text shows its columns.
const sampleBytes = 64 << 10

// NewReader cuts the text that r reads from its beginning on; source is its name in messages.
func NewReader(r *bufio.Reader, source string, columns Columns) (*Reader, error) {
	if bom, _ := r.Peek(3); string(bom) == "\ufeff" {
		_, _ = r.Discard(3)
	}
	x := &Reader{r: r, source: source, columns: columns}
	if len(columns) > 0 {
		return x, nil
	}
	sample, err := r.Peek(min(sampleBytes, r.Size()))
	if err == nil { // else it is all there is, or the error comes again
		sample = sample[:bytes.LastIndexByte(sample, '\n')+1]
	}
	x.columns, x.inferred = Infer(sample), true
	if len(x.columns) == 0 && len(bytes.TrimSpace(sample)) == 0 && err == nil {
		return nil, diag.Helped(diag.Fail(source, "its first lines show no columns; give their positions"), "Fixed")
	}
	return x, nil
}

// Read implements io.Reader.
func (x *Reader) Read(p []byte) (int, error) {
	if x.read == len(x.out) {
		x.out, x.read = x.out[:0], 0
	}
	for len(x.out) < len(p) && x.err == nil {
		x.err = x.next()
	}
	if x.read == len(x.out) {
		return 0, x.err
	}
	n := copy(p, x.out[x.read:])
	x.read += n
	return n, nil
}

// next cuts a line.
func (x *Reader) next() error {
	x.line++
	x.long = x.long[:0]
	line, err := x.r.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) {
		if x.long = append(x.long, line...); len(x.long) > last {
			return diag.Fail(x.source, "line %d is longer than %s; want one observation a line", x.line, words.Bytes(last))
		}
		line, err = x.r.ReadSlice('\n')
	}
	if len(x.long) > 0 {
		x.long = append(x.long, line...)
		line = x.long
	}
	if err != nil && err != io.EOF || len(line) == 0 {
		return err
	}
	begin := len(x.out)
	if failed := x.cut(bytes.TrimRight(line, "\r\n")); failed != nil {
		x.out = x.out[:begin]
		return failed
	}
	x.out = append(x.out, '\n')
	return err
}

// cut appends the fields of a line.
func (x *Reader) cut(line []byte) error {
	if !x.begun && comment(line) {
		x.out = append(x.out, line...)
		return nil
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	x.begun = true
	if i := bytes.IndexByte(line, '\t'); i >= 0 {
		return diag.Fail(x.source, "line %d has a tab at position %d, of unknown width; replace tabs by blanks, as expand does, or give a delimiter if they separate the fields", x.line, i+1)
	}
	x.starts = x.starts[:0]
	if !ascii(line) {
		for i := range string(line) {
			x.starts = append(x.starts, i)
		}
	}
	before, any := 0, false
	begin := len(x.out)
	for j, c := range x.columns {
		if j > 0 {
			x.out = append(x.out, Delimiter)
		}
		from, to := x.at(line, c.From), x.at(line, c.To)
		field := bytes.TrimSpace(line[from:to])
		if x.inferred {
			if err := x.suspect(line[before:from], field); err != nil {
				return err
			}
			before = to
		}
		any = any || len(field) > 0
		if bytes.IndexByte(field, '"') < 0 && bytes.IndexByte(field, Delimiter) < 0 {
			x.out = append(x.out, field...)
			continue
		}
		x.out = append(x.out, '"')
		x.out = append(x.out, bytes.ReplaceAll(field, []byte{'"'}, []byte(`""`))...)
		x.out = append(x.out, '"')
	}
	if !any {
		x.out = x.out[:begin]
	}
	return nil
}

// at returns where the character at a position begins.
func (x *Reader) at(line []byte, position int) int {
	switch {
	case len(x.starts) == 0:
		return min(position, len(line))
	case position < len(x.starts):
		return x.starts[position]
	}
	return len(line)
}

// suspect refuses what inferred columns would cut off, and numbers that they do not part.
func (x *Reader) suspect(gap, field []byte) error {
	if gap = bytes.TrimSpace(gap); len(gap) > 0 {
		return x.unclear("has %s beside the columns that the first lines show", words.Quote(string(gap)))
	}
	if bytes.IndexByte(field, ' ') < 0 {
		return nil
	}
	for word := range bytes.FieldsSeq(field) {
		if !numerals.Looks(string(word)) {
			return nil
		}
	}
	return x.unclear("has %s in one column: columns that touch in other lines", words.Quote(string(field)))
}

func (x *Reader) unclear(format string, args ...any) error {
	return diag.Helped(diag.Fail(x.source, "line %d %s; give the positions of the columns", x.line, fmt.Sprintf(format, args...)), "Fixed")
}

func ascii(line []byte) bool {
	for _, c := range line {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
