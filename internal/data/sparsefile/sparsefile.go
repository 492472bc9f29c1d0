// Package sparsefile reads files of the nonzero entries of a matrix: Matrix Market, svmlight
// and LDA-C.
package sparsefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"symmom/internal/data/numerals"
)

// Matrix is P x N, row by row: the entries of row i are those from Start[i] to
// Start[i+1]. Entries of one place are to be added, in order.
type Matrix struct {
	P, N   int
	Start  []int
	Column []int32 // counted from 0
	Value  []float64
}

// Error describes an error in a line.
type Error struct {
	Line int // counted from 1
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// Most bounds the numbers of rows and columns.
const Most = math.MaxInt32

// entryBytes is the memory that an entry takes while it is read and sorted.
const entryBytes = 40

// lines reads a text line by line.
type lines struct {
	r    *bufio.Reader
	line int
	long []byte
	last bool
}

const longest = 64 << 20

// next returns a line without its end, valid until the next call; io.EOF after the
// last.
func (l *lines) next() ([]byte, error) {
	if l.last {
		return nil, io.EOF
	}
	l.line++
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil && len(l.long) == 0 {
			return bytes.TrimSpace(part), nil
		}
		l.long = append(l.long, part...)
		switch {
		case err == nil:
			return bytes.TrimSpace(l.long), nil
		case err == io.EOF && len(l.long) == 0:
			return nil, io.EOF
		case err == io.EOF:
			l.last = true
			return bytes.TrimSpace(l.long), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(l.long) > longest:
			return nil, l.fail("is longer than 64 MB")
		}
	}
}

func (l *lines) fail(format string, args ...any) error {
	return &Error{l.line, fmt.Sprintf(format, args...)}
}

func short(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(string(s[:most])) + "..."
	}
	return strconv.Quote(string(s))
}

// number reads a finite number.
func (l *lines) number(field []byte) (float64, error) {
	v, err := numerals.ParseFloat(string(field))
	if errors.Is(err, strconv.ErrRange) {
		return 0, l.fail("got %s, want a number that a float64 can hold (up to 1.8e308)", short(field))
	}
	if err != nil {
		return 0, l.fail("got %s, want a number", short(field))
	}
	if math.IsInf(v, 0) {
		return 0, l.fail("got %s, want a finite number", short(field))
	}
	return v, nil
}

// count reads a whole number from low on.
func (l *lines) count(field []byte, low int, what string) (int, error) {
	n, err := strconv.Atoi(string(field))
	if errors.Is(err, strconv.ErrRange) && field[0] != '-' || n > Most {
		return 0, l.fail("got %s, want %s, at most %d", short(field), what, Most)
	}
	if err != nil || n < low {
		return 0, l.fail("got %s, want %s, from %d on", short(field), what, low)
	}
	return n, nil
}

// Entries are those of a matrix, in any order.
type Entries struct {
	Row, Column []int32
	Value       []float64
}

func (e *Entries) add(row, column int, v float64) {
	e.Row, e.Column, e.Value = append(e.Row, int32(row)), append(e.Column, int32(column)), append(e.Value, v)
}

// Rows sorts them by row, keeping the order within one.
func (e *Entries) Rows(p, n int) *Matrix {
	m := &Matrix{P: p, N: n, Start: make([]int, p+1), Column: make([]int32, len(e.Value)), Value: make([]float64, len(e.Value))}
	for _, i := range e.Row {
		m.Start[i+1]++
	}
	for i := range p {
		m.Start[i+1] += m.Start[i]
	}
	next := append([]int(nil), m.Start[:p]...)
	for k, i := range e.Row {
		m.Column[next[i]], m.Value[next[i]] = e.Column[k], e.Value[k]
		next[i]++
	}
	return m
}
