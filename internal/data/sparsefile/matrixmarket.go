package sparsefile

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"math"
	"strings"
)

// Banner begins the files of Matrix Market.
const Banner = "%%MatrixMarket"

// market is a file of Matrix Market: a p x n matrix of real numbers, integers or a pattern (of
// ones), in coordinate or array format.
type market struct {
	*lines
	p, n, entries  int
	array, pattern bool
	symmetry       string
}

// newMarket reads the head of a file. shape is called with the size.
func newMarket(r *bufio.Reader, shape func(p, n int) error) (*market, error) {
	l := &lines{r: r}
	head, err := l.next()
	if err != nil {
		return nil, l.cut(err, "a banner such as %%MatrixMarket matrix coordinate real general")
	}
	words := strings.Fields(strings.ToLower(string(head)))
	if len(words) != 5 || words[0] != strings.ToLower(Banner) || words[1] != "matrix" {
		return nil, l.fail("got %s, want a banner such as %%%%MatrixMarket matrix coordinate real general", short(head))
	}
	layout, kind, symmetry := words[2], words[3], words[4]
	switch {
	case layout != "coordinate" && layout != "array":
		return nil, l.fail("the layout is %s, want coordinate or array", short([]byte(layout)))
	case kind == "complex" || symmetry == "hermitian":
		return nil, l.fail("the numbers are complex, want real ones; write the real part or the absolute values")
	case kind != "real" && kind != "double" && kind != "integer" && kind != "unsigned-integer" && (kind != "pattern" || layout == "array"):
		return nil, l.fail("the numbers are of kind %s, want real, integer or pattern", short([]byte(kind)))
	case symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric":
		return nil, l.fail("the symmetry is %s, want general, symmetric or skew-symmetric", short([]byte(symmetry)))
	}
	m := &market{lines: l, array: layout == "array", pattern: kind == "pattern", symmetry: symmetry}
	sizes, err := l.entry()
	if err != nil {
		return nil, l.cut(err, "the size of the matrix")
	}
	want := map[string]int{"coordinate": 3, "array": 2}[layout]
	if len(sizes) != want {
		return nil, l.fail("got %d numbers, want %d: the size of the matrix", len(sizes), want)
	}
	if m.p, err = l.count(sizes[0], 0, "the number of rows"); err != nil {
		return nil, err
	}
	if m.n, err = l.count(sizes[1], 0, "the number of columns"); err != nil {
		return nil, err
	}
	if symmetry != "general" && m.p != m.n {
		return nil, l.fail("a %s matrix of %d x %d, want as many rows as columns", symmetry, m.p, m.n)
	}
	if err := shape(m.p, m.n); err != nil {
		return nil, err
	}
	if !m.array {
		m.entries, err = l.count(sizes[2], 0, "the number of entries")
	}
	return m, err
}

// ReadMatrixMarket reads a matrix, both halves of a symmetric one. shape is called first, with
// the size; room is called for each allocation, and refuses what does not fit.
func ReadMatrixMarket(r *bufio.Reader, shape func(p, n int) error, room func(bytes int) error) (*Matrix, error) {
	m, err := newMarket(r, shape)
	if err != nil {
		return nil, err
	}
	var e Entries
	if m.array {
		err = m.numbers(&e, room)
	} else {
		err = m.coordinates(&e, room)
	}
	if err == nil {
		err = m.end(len(e.Value))
	}
	if err != nil {
		return nil, err
	}
	if err := room(entryBytes*len(e.Value) + 16*m.p); err != nil {
		return nil, err
	}
	return e.Rows(m.p, m.n), nil
}

// MatrixMarketRows reads a matrix whose entries come row by row.
func MatrixMarketRows(r *bufio.Reader, shape func(p, n int) error) (*Rows, error) {
	m, err := newMarket(r, shape)
	if err != nil {
		return nil, err
	}
	const before = "a stream reads one row after the other; load the matrix into memory, or write it again with "
	switch {
	case m.array:
		return nil, m.fail("the matrix has one column after the other, and %snumpy.save", before)
	case m.symmetry != "general":
		return nil, m.fail("the matrix is %s, and %sscipy.io.mmwrite(file, matrix.tocsr(), symmetry='general')", m.symmetry, before)
	}
	row, done, waiting := 0, 0, false // rows that were read, and entries; whether i, j and v are one of a later row
	var i, j int
	var v float64
	return &Rows{Shape: Shape{P: m.p, N: m.n, Entries: m.entries, Zero: true}, Known: true, next: func(to *Matrix) (err error) {
		if row == m.p {
			return cmp.Or(m.end(m.entries), io.EOF)
		}
		for waiting || done < m.entries {
			if !waiting {
				if i, j, v, err = m.coordinate(); err != nil {
					return err
				}
				done++
			}
			if waiting = i > row; waiting {
				break
			}
			if i < row {
				return m.fail("an entry of row %d comes after row %d, and %sscipy.io.mmwrite(file, matrix.tocsr())", i+1, row+1, before)
			}
			to.Column, to.Value = append(to.Column, int32(j)), append(to.Value, v)
		}
		row++
		return nil
	}}, nil
}

// end checks that nothing follows the entries.
func (m *market) end(entries int) error {
	if _, err := m.entry(); err != io.EOF {
		if err != nil {
			return err
		}
		return m.fail("there are more entries than the %d that the file announces", entries)
	}
	return nil
}

// entry returns the fields of the next line that is neither blank nor a comment.
func (l *lines) entry() ([][]byte, error) {
	for {
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 && line[0] != '%' {
			return bytes.Fields(line), nil
		}
	}
}

// cut is for an end that comes too early.
func (l *lines) cut(err error, want string) error {
	if err == io.EOF {
		return l.fail("the file ends, want %s; copy or write it again", want)
	}
	return err
}

// both adds an entry and, of a symmetric matrix, its mirror.
func (e *Entries) both(i, j int, v float64, symmetry string) {
	e.add(i, j, v)
	if symmetry != "general" && i != j {
		if symmetry == "skew-symmetric" {
			v = -v
		}
		e.add(j, i, v)
	}
}

// coordinate reads an entry; i and j count from 0.
func (m *market) coordinate() (i, j int, v float64, err error) {
	want, of := 3, "row, column and value"
	if m.pattern {
		want, of = 2, "row and column"
	}
	f, err := m.entry()
	if err != nil {
		return 0, 0, 0, m.cut(err, "as many entries as it announces")
	}
	if len(f) != want {
		return 0, 0, 0, m.fail("got %d fields, want %d: %s", len(f), want, of)
	}
	if i, err = m.count(f[0], 1, "a row"); err != nil {
		return 0, 0, 0, err
	}
	if j, err = m.count(f[1], 1, "a column"); err != nil {
		return 0, 0, 0, err
	}
	if i > m.p || j > m.n {
		return 0, 0, 0, m.fail("row %d and column %d are outside of the %d x %d matrix", i, j, m.p, m.n)
	}
	v = 1
	if !m.pattern {
		v, err = m.number(f[2])
	}
	return i - 1, j - 1, v, err
}

func (m *market) coordinates(e *Entries, room func(bytes int) error) error {
	for k := range m.entries {
		i, j, v, err := m.coordinate()
		if err != nil {
			return err
		}
		if k%(1<<16) == 0 {
			if err := room(entryBytes * (len(e.Value) + 1<<16)); err != nil {
				return err
			}
		}
		e.both(i, j, v, m.symmetry)
	}
	return nil
}

// numbers reads them column by column, of a symmetric matrix its lower half.
func (m *market) numbers(e *Entries, room func(bytes int) error) error {
	for j := range m.n {
		first := 0
		switch m.symmetry {
		case "symmetric":
			first = j
		case "skew-symmetric":
			first = j + 1
		}
		if err := room(entryBytes * (len(e.Value) + m.p)); err != nil {
			return err
		}
		for i := first; i < m.p; i++ {
			f, err := m.entry()
			if err != nil {
				return m.cut(err, "a number for each place of the matrix")
			}
			if len(f) != 1 {
				return m.fail("got %d fields, want one number", len(f))
			}
			v, err := m.number(f[0])
			if err != nil {
				return err
			}
			if v != 0 || math.Signbit(v) {
				e.both(i, j, v, m.symmetry)
			}
		}
	}
	return nil
}
