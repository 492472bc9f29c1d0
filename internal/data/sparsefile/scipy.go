package sparsefile

import (
	"errors"
	"math"
	"slices"
)

// SciPyArrays are the arrays of a sparse matrix by format, beside shape and data.
var SciPyArrays = map[string][]string{"csr": {"indices", "indptr"}, "csc": {"indices", "indptr"}, "coo": {"row", "col"}}

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
		return nil, errors.New("the indices are not those of entries in the matrix")
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
