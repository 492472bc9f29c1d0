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
	some   sparsefile.Matrix // that are not passed on
	done   int               // rows that were
	wanted []bool            // columns that are variables, weights or labels; nil: all
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
	r.matrix = &matrix{Rows: m, contents: c, wanted: wanted(r.sel, m.N)}
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
	for ; b.rows+k < s.rows && (!s.Sparse || 8*len(m.Value) < streamBytes); k++ {
		if end = r.matrix.Next(m); end != nil {
			break
		}
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
		j := int(m.Column[at])
		if r.matrix.wanted != nil && !r.matrix.wanted[j] {
			m.Value[at] = 0 // it may be missing
			continue
		}
		if v-v == 0 {
			continue
		}
		row := 0
		for m.Start[row+1] <= at {
			row++
		}
		e := &ParseError{Source: r.file.source, Row: r.matrix.done + row + 1, Column: j + 1, Value: diag.Value(v), Want: "a finite number: a stream of few values that are not 0 has none that are missing; correct the value, or load the table into memory"}
		if r.sel.Identity(n) && j < len(names) {
			e.Name = names[j]
		}
		return e
	}
	x, err := block.Compress(n, m.Start, m.Column, m.Value, true, nil)
	if wrong, ok := errors.AsType[*block.RowError](err); ok {
		wrong.Row += r.matrix.done
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
	b.rows, r.matrix.done = b.rows+k, r.matrix.done+k
	return nil
}

// wanted returns which of n columns a selection has, as variables, weights or labels; nil if it
// has all.
func wanted(sel columns.Selection, n int) []bool {
	if sel.Identity(n) {
		return nil
	}
	w := make([]bool, n)
	for _, j := range append([]int{sel.Weights, sel.Labels}, sel.Variables...) {
		if j >= 0 {
			w[j] = true
		}
	}
	return w
}
