package load

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/formats"
	"symmom/internal/math/linalg"
)

// FromRows copies rows of equal length. Columns and the weights column of the
// options are numbers; NaN is a missing value.
func FromRows(rows [][]float64, o Options) (*Set, error) {
	const source = "rows"
	if len(rows) == 0 {
		return nil, empty(source, "there are no observations; want at least one row")
	}
	n := len(rows[0])
	t := &table{source: source, p: len(rows), n: n, values: make([]float64, 0, len(rows)*n)}
	for i, row := range rows {
		if len(row) != n {
			return nil, fail(source, "row %d is of length %d, row 1 of length %d; want the same number of values in each row", i+1, len(row), n)
		}
		t.values = append(t.values, row...)
	}
	return t.set(context.Background(), o)
}

// FromMatrix copies a matrix whose rows are observations. Columns and the weights
// column of the options are numbers; NaN is a missing value.
func FromMatrix(m mat.Matrix, o Options) (*Set, error) {
	const source = "matrix"
	if linalg.IsNil(m) {
		return nil, fail(source, "is nil; want one row for each observation")
	}
	p, n := m.Dims()
	b := formats.Budget{Name: source, Limit: o.MemoryLimit}
	if err := b.Table(p, n, false, 1); err != nil {
		return nil, err
	}
	t := &table{source: source, p: p, n: n, values: make([]float64, p*n)}
	for i := range p {
		mat.Row(t.values[i*n:(i+1)*n], i, m)
	}
	return t.set(context.Background(), o)
}
