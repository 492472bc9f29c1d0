package sparsefile

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strings"
)

// Banner begins the files of Matrix Market.
const Banner = "%%MatrixMarket"

// ReadMatrixMarket reads a matrix of real numbers, integers or a pattern (of ones), in
// coordinate or array format; both halves of a symmetric one. shape is called first, with
// the size; room is called for each allocation, and refuses what does not fit.
func ReadMatrixMarket(r *bufio.Reader, shape func(p, n int) error, room func(bytes int) error) (*Matrix, error) {
	l := &lines{r: r, room: room}
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
	sizes, err := l.entry()
	if err != nil {
		return nil, l.cut(err, "the size of the matrix")
	}
	want := map[string]int{"coordinate": 3, "array": 2}[layout]
	if len(sizes) != want {
		return nil, l.fail("got %d numbers, want %d: the size of the matrix", len(sizes), want)
	}
	p, err := l.count(sizes[0], 0, "the number of rows")
	if err != nil {
		return nil, err
	}
	n, err := l.count(sizes[1], 0, "the number of columns")
	if err != nil {
		return nil, err
	}
	if symmetry != "general" && p != n {
		return nil, l.fail("a %s matrix of %d x %d, want as many rows as columns", symmetry, p, n)
	}
	if err := shape(p, n); err != nil {
		return nil, err
	}
	var e Entries
	if layout == "array" {
		err = l.array(&e, p, n, symmetry)
	} else {
		var entries int
		if entries, err = l.count(sizes[2], 0, "the number of entries"); err == nil {
			err = l.coordinates(&e, p, n, entries, kind == "pattern", symmetry)
		}
	}
	if err != nil {
		return nil, err
	}
	if _, err := l.entry(); err != io.EOF {
		if err != nil {
			return nil, err
		}
		return nil, l.fail("there are more entries than the %d that the file announces", len(e.Value))
	}
	if err := room(entryBytes*len(e.Value) + 16*p); err != nil {
		return nil, err
	}
	return e.Rows(p, n), nil
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

func (l *lines) coordinates(e *Entries, p, n, entries int, pattern bool, symmetry string) error {
	want := 3
	if pattern {
		want = 2
	}
	for k := range entries {
		f, err := l.entry()
		if err != nil {
			return l.cut(err, "as many entries as it announces")
		}
		if len(f) != want {
			return l.fail("got %d fields, want %d: row, column and value", len(f), want)
		}
		i, err := l.count(f[0], 1, "a row")
		if err != nil {
			return err
		}
		j, err := l.count(f[1], 1, "a column")
		if err != nil {
			return err
		}
		if i > p || j > n {
			return l.fail("row %d and column %d are outside of the %d x %d matrix", i, j, p, n)
		}
		v := 1.
		if !pattern {
			if v, err = l.number(f[2]); err != nil {
				return err
			}
		}
		if k%(1<<16) == 0 {
			if err := l.room(entryBytes * (len(e.Value) + 1<<16)); err != nil {
				return err
			}
		}
		e.both(i-1, j-1, v, symmetry)
	}
	return nil
}

// array reads numbers column by column, of a symmetric matrix its lower half.
func (l *lines) array(e *Entries, p, n int, symmetry string) error {
	for j := range n {
		first := 0
		switch symmetry {
		case "symmetric":
			first = j
		case "skew-symmetric":
			first = j + 1
		}
		if err := l.room(entryBytes * (len(e.Value) + p)); err != nil {
			return err
		}
		for i := first; i < p; i++ {
			f, err := l.entry()
			if err != nil {
				return l.cut(err, "a number for each place of the matrix")
			}
			if len(f) != 1 {
				return l.fail("got %d fields, want one number", len(f))
			}
			v, err := l.number(f[0])
			if err != nil {
				return err
			}
			if v != 0 || math.Signbit(v) {
				e.both(i, j, v, symmetry)
			}
		}
	}
	return nil
}
