package sparsefile

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
)

// SciPyArrays are the arrays of a sparse matrix by format, beside shape and data.
var SciPyArrays = map[string][]string{"csr": {"indices", "indptr"}, "csc": {"indices", "indptr"}, "coo": {"row", "col"}}

// Names is the array of a SciPy matrix that holds the names of its columns, where there is one:
// text in UTF-8, a name a line.
const Names = "names"

// FromSciPy makes a p x n matrix of the arrays of a format, which it takes over.
func FromSciPy(format string, p, n int, arrays map[string][]float64) (*Matrix, error) {
	e := Entries{Value: arrays["data"]}
	if format == "coo" {
		row, column := arrays["row"], arrays["col"]
		if len(row) != len(e.Value) || len(column) != len(e.Value) || !Indices(row, p) || !Indices(column, n) {
			return nil, errors.New("the coordinates are not those of entries in the matrix")
		}
		e.Row, e.Column = whole[int32](row), whole[int32](column)
		return e.Rows(p, n), nil
	}
	lines, across := p, n
	if format == "csc" {
		lines, across = n, p
	}
	starts, index := arrays["indptr"], arrays["indices"]
	if len(starts) != lines+1 || len(index) != len(e.Value) || !Indices(index, across) || !Indices(starts, len(index)+1) || !slices.IsSorted(starts) ||
		starts[0] != 0 || int(starts[lines]) != len(index) {
		return nil, ErrIndices
	}
	e.Column = whole[int32](index)
	delete(arrays, "indices") // it is large
	if format == "csr" {
		return &Matrix{P: p, N: n, Start: whole[int](starts), Column: e.Column, Value: e.Value}, nil
	}
	e.Row = make([]int32, 0, len(e.Value))
	for i := range lines {
		for range int(starts[i+1] - starts[i]) {
			e.Row = append(e.Row, int32(i))
		}
	}
	e.Row, e.Column = e.Column, e.Row
	return e.Rows(p, n), nil
}

// Indices reports whether all are whole numbers from 0 to below most.
func Indices(v []float64, most int) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return !(0 <= x && x < float64(most)) || x != math.Trunc(x) })
}

func whole[I int | int32](v []float64) []I {
	w := make([]I, len(v))
	for i, x := range v {
		w[i] = I(x)
	}
	return w
}

// Numbers reads so many numbers of an array.
type Numbers func(to []float64) error

// CSRRows reads a matrix of which starts has the first entry of each row, and the end of the
// last. end is called after the last row.
func CSRRows(shape Shape, starts, columns, values Numbers, end func() error) *Rows {
	shape.Zero = true
	row, at := -1, 0 // rows and entries that were read
	var start [1]float64
	var index []float64
	return &Rows{Shape: shape, Known: true, next: func(m *Matrix) error {
		for ; row < 0; row++ {
			if err := starts(start[:]); err != nil {
				return err
			}
			if start[0] != 0 {
				return ErrIndices
			}
		}
		if row == shape.P {
			if at != shape.Entries {
				return ErrIndices
			}
			return cmp.Or(end(), io.EOF)
		}
		if err := starts(start[:]); err != nil {
			return err
		}
		if !Indices(start[:], shape.Entries+1) || int(start[0]) < at {
			return ErrIndices
		}
		k := int(start[0]) - at
		row, at = row+1, at+k
		index = append(index[:0], make([]float64, k)...)
		if err := columns(index); err != nil {
			return err
		}
		if !Indices(index, shape.N) {
			return ErrIndices
		}
		m.Column = slices.Grow(m.Column, k)
		for _, j := range index {
			m.Column = append(m.Column, int32(j))
		}
		m.Value = slices.Grow(m.Value, k)[:len(m.Value)+k]
		return values(m.Value[len(m.Value)-k:])
	}}
}

// ErrIndices is the error of a damaged matrix.
var ErrIndices = errors.New("the indices are not those of entries in the matrix")
