package load

import (
	"symmom/internal/data/formats"
	"symmom/internal/data/sparsefile"
)

// readMatrix makes a table of a matrix: without its zeros if that is better, otherwise dense.
func readMatrix(c contents, o Options) (*table, error) {
	in, m := c.In, c.Matrix
	s, err := sparsely(in, m, o)
	if s != nil || err != nil {
		return &table{ready: s}, err
	}
	if err := in.Sparse(m.P, m.N, o.Float32); err != nil {
		return nil, err
	}
	t := dense(in, m)
	t.names, err = o.called(in.Name, m.N)
	t.notes = repeatedNames(t.names)
	return t, err
}

// dense adds up the entries of a matrix.
func dense(in formats.Input, m *sparsefile.Matrix) *table {
	t := &table{source: in.Name, budget: in.Budget, p: m.P, n: m.N, values: make([]float64, m.P*m.N)}
	for i := range m.P {
		row := t.values[i*m.N : (i+1)*m.N]
		for k := m.Start[i]; k < m.Start[i+1]; k++ {
			row[m.Column[k]] += m.Value[k] // as SciPy does: -0 becomes 0
		}
	}
	return t
}
