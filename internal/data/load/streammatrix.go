package load

import (
	"errors"
	"io"

	"symmom/internal/data/columns"
	"symmom/internal/data/sparsefile"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// matrix reads the rows of a file of entries for one pass of a stream.
type matrix struct {
	*sparsefile.Rows
	contents
	some sparsefile.Matrix // that are not passed on
}

// known finds the shape of a file in which only the end tells it, once. The file is then to be
// opened anew, which ok says that it is not.
func (r *rows) known(c contents) (ok bool, err error) {
	switch {
	case c.Rows.Known:
		return true, nil
	case r.file.shape != nil:
		c.Rows.Shape = *r.file.shape
		return true, nil
	}
	c.Rows.Label = nil
	err = c.Rows.Scan()
	r.file.shape = &c.Rows.Shape
	return false, c.In.RowError(err)
}

func (r *rows) openMatrix(c contents) (err error) {
	m, source, s := c.Rows, r.file.source, r.stream
	o := c.without(s.options)
	if r.file.shape != nil { // the last may be 0 everywhere
		m.N = max(m.N, len(o.Names))
	}
	switch {
	case m.P == 0:
		return empty(source, noRows)
	case m.N == 0:
		return fail(source, "has no columns; want at least one variable")
	}
	if err := c.In.Shape(m.P, m.N); err != nil {
		return err
	}
	head := &table{source: source, n: m.N}
	if head.names, err = o.called(source, m.N); err != nil {
		return err
	}
	if r.sel, err = columns.Select(source, head.names, m.N, o.wanted()); err != nil {
		return err
	}
	head.codes = r.sel.Codes
	if !r.sel.Identity(m.N) {
		head.choose(r.sel)
	}
	if err := r.beside(head, c, m.P); err != nil {
		return err
	}
	if r.survey == nil {
		m.Label = nil
	}
	r.matrix = &matrix{Rows: m, contents: c}
	width := m.N
	if r.survey != nil && r.survey.all.shards == nil {
		s.Sparse = o.Sparse && o.Codes == nil && m.N >= SparseVariables && float64(m.Entries) <= SparseShare*float64(m.P)*float64(m.N)
	}
	if s.Sparse { // an entry takes two numbers at most
		width = max(1, 2*m.Entries/m.P)
	}
	return r.begin(head, width)
}

// fillMatrix appends what is missing in b as far as the file goes; its error is io.EOF when that
// is the end of it.
func (r *rows) fillMatrix(b *buffer) (end error) {
	s, m := r.stream, &r.matrix.some
	m.Start, m.Column, m.Value = append(m.Start[:0], 0), m.Column[:0], m.Value[:0]
	k := 0
	for ; b.rows+k < s.rows && end == nil && (!s.Sparse || 8*len(m.Value) < streamBytes); k++ {
		end = r.matrix.Next(m)
	}
	if end != nil {
		k--
	}
	if end != nil && end != io.EOF {
		return r.matrix.In.RowError(end)
	}
	if s.Sparse {
		if err := r.withoutZeros(b, k); err != nil {
			return err
		}
		return end
	}
	row := 0
	if err := r.take(b, k, r.matrix.N, func(to []float64) error {
		clear(to)
		for ; len(to) > 0; to, row = to[r.matrix.N:], row+1 {
			for at := m.Start[row]; at < m.Start[row+1]; at++ {
				to[m.Column[at]] += m.Value[at]
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return end
}

// withoutZeros appends k rows to b.
func (r *rows) withoutZeros(b *buffer, k int) error {
	m, n, names := &r.matrix.some, r.matrix.N, r.head.names
	if k == 0 {
		return nil
	}
	for at, v := range m.Value {
		if v-v != 0 && r.wants(int(m.Column[at])) {
			row := 0
			for m.Start[row+1] <= at {
				row++
			}
			j := int(m.Column[at])
			e := &ParseError{Source: r.file.source, Row: r.done + row + 1, Column: j + 1, Value: diag.Value(v), Want: "a finite number: a stream of few values that are not 0 has none that are missing; correct the value, or load the table into memory"}
			if r.sel.Identity(n) && j < len(names) {
				e.Name = names[j]
			}
			return e
		}
	}
	if !r.sel.Identity(n) {
		for at, j := range m.Column {
			if !r.wants(int(j)) {
				m.Value[at] = 0 // it may be missing
			}
		}
	}
	x, err := block.Compress(n, m.Start, m.Column, m.Value, true, nil)
	if wrong, ok := errors.AsType[*block.RowError](err); ok {
		wrong.Row += r.done
		return fail(r.file.source, "%w; entries of one place are added up", wrong)
	} else if err != nil {
		return fail(r.file.source, "%w", err)
	}
	if !r.sel.Identity(n) {
		if r.sel.Weights >= 0 {
			b.weights = append(b.weights[:min(b.rows, len(b.weights))], x.Column(r.sel.Weights)...)
		}
		if r.sel.Labels >= 0 && r.survey != nil {
			for _, v := range x.Column(r.sel.Labels) {
				if err := r.head.addLabel(v); err != nil {
					return err
				}
			}
		}
		x = x.Select(r.sel.Variables, n)
	}
	if order := r.file.order; order != nil {
		x = x.Select(order, r.stream.N)
	}
	if b.sparse == nil {
		b.sparse = x
	} else {
		b.sparse.Append(x)
	}
	b.rows, r.done = b.rows+k, r.done+k
	return nil
}

// wants reports whether a column of the file is a variable, or the weights or labels.
func (r *rows) wants(column int) bool {
	if r.wanted == nil {
		n := r.matrix.N
		r.wanted = make([]bool, n)
		for j := range n {
			r.wanted[j] = r.sel.Identity(n)
		}
		for _, j := range append([]int{r.sel.Weights, r.sel.Labels}, r.sel.Variables...) {
			if j >= 0 {
				r.wanted[j] = true
			}
		}
	}
	return r.wanted[column]
}
