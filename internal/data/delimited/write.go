package delimited

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"symmom/internal/data/numerals"
)

// Writer writes a table of text. Numbers have as many digits as bring the same bits
// back, as float64 those that were float32 too.
type Writer struct {
	w         io.Writer
	delimiter byte
	n         int
	points    bool     // the next line is the first, without names above
	parts     [][]byte // of a group, one a processor
}

// NewWriter begins a table of n columns, with a line of names unless they are nil.
func NewWriter(w io.Writer, delimiter byte, names []string, n int) (*Writer, error) {
	t := &Writer{w: w, delimiter: delimiter, n: n, points: names == nil, parts: make([][]byte, runtime.GOMAXPROCS(0))}
	var line []byte
	// If a name looks like a number, quoting all names distinguishes the header from a row.
	quoted := slices.ContainsFunc(names, numerals.Looks)
	for j, name := range names {
		if j > 0 {
			line = append(line, delimiter)
		}
		// One that begins with # would be a comment, a byte order mark one of the file.
		if quoted || strings.ContainsAny(name, "\"\r\n#;, \t|\ufeff") {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		line = append(line, name...)
	}
	if names == nil {
		return t, nil
	}
	_, err := w.Write(append(line, '\n'))
	return t, err
}

// Write formats the rows in parts side by side, which takes longer than all else.
func (t *Writer) Write(rows []float64) error {
	count, points := len(rows)/t.n, t.points
	t.points = false
	var workers sync.WaitGroup
	for k := range t.parts {
		lo, hi := k*count/len(t.parts), (k+1)*count/len(t.parts)
		workers.Go(func() { t.parts[k] = t.lines(t.parts[k][:0], rows[lo*t.n:hi*t.n], points && lo == 0) })
	}
	workers.Wait()
	for _, part := range t.parts {
		if _, err := t.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// lines appends the lines of rows to text. If points is set, each number of the first line has
// a decimal point, or an exponent.
func (t *Writer) lines(text []byte, rows []float64, points bool) []byte {
	for j, v := range rows {
		begin := len(text)
		format := byte('g')
		if a := math.Abs(v); a >= 1 && a < 1e15 { // an identifier stays one: 10000001, not 1.0000001e+07
			format = 'f'
		}
		text = strconv.AppendFloat(text, v, format, -1, 64)
		whole := !bytes.ContainsAny(text[begin:], ".e")
		if whole && (points && j < t.n || v == 0 && math.Signbit(v)) {
			text = append(text, ".0"...) // no name; no integer, of which no program has a -0
		}
		if (j+1)%t.n == 0 {
			text = append(text, '\n')
		} else {
			text = append(text, t.delimiter)
		}
	}
	return text
}

// Close does nothing.
func (t *Writer) Close() error { return nil }
