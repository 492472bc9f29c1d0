package export

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/numerals"
)

// text writes a table of text. Numbers have as many digits as bring the same bits
// back, as float64 those that were float32 too.
type text struct {
	w         io.Writer
	delimiter byte
	n         int
	points    bool // the next line is the first, without names above
	line      []byte
}

func newText(w io.Writer, delimiter byte, names []string, n int) (*text, error) {
	t := &text{w: w, delimiter: delimiter, n: n, points: names == nil}
	// Names that are numbers are told from a row by their quotation marks, which all have.
	quoted := slices.ContainsFunc(names, numerals.Looks)
	for j, name := range names {
		if j > 0 {
			t.line = append(t.line, delimiter)
		}
		// One that begins with # would be a comment, a byte order mark one of the file.
		if quoted || strings.ContainsAny(name, "\"\r\n#;, \t|\ufeff") {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		t.line = append(t.line, name...)
	}
	if names == nil {
		return t, nil
	}
	_, err := w.Write(append(t.line, '\n'))
	return t, err
}

func (t *text) Write(rows []float64) error {
	for i := 0; i < len(rows); i += t.n {
		t.line = t.line[:0]
		for j, v := range rows[i : i+t.n] {
			if j > 0 {
				t.line = append(t.line, t.delimiter)
			}
			begin := len(t.line)
			format := byte('g')
			if a := math.Abs(v); a >= 1 && a < 1e15 { // an identifier stays one: 10000001, not 1.0000001e+07
				format = 'f'
			}
			t.line = strconv.AppendFloat(t.line, v, format, -1, 64)
			if t.points && !bytes.ContainsAny(t.line[begin:], ".e") {
				t.line = append(t.line, ".0"...) // no name
			}
		}
		t.points = false
		if _, err := t.w.Write(append(t.line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (t *text) Close() error { return nil }
