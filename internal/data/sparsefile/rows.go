package sparsefile

import "io"

// Shape is the size of a matrix.
type Shape struct {
	P, N    int
	Entries int  // at most so many
	Zero    bool // columns count from 0 in the file, or there are none
}

// Rows reads a matrix row by row, without the others.
type Rows struct {
	Shape
	Known bool                              // the shape; otherwise Scan finds it
	Label func(text []byte, line int) error // takes what precedes a row of svmlight, unless nil

	next func(m *Matrix) error // appends a row; io.EOF after the last
}

// Next appends the next row to m. Its error is io.EOF after the last.
func (r *Rows) Next(m *Matrix) error {
	at := len(m.Column)
	if err := r.next(m); err != nil {
		return err
	}
	m.Start = append(m.Start, len(m.Value))
	if !r.Zero {
		fromZero(m.Column[at:])
	}
	return nil
}

// fromZero makes columns that count from 1 count from 0.
func fromZero(columns []int32) {
	for k := range columns {
		columns[k]--
	}
}

// Scan reads all rows to find the shape. They cannot be read again.
func (r *Rows) Scan() error {
	return r.each(&Matrix{}, func(m *Matrix) error {
		m.Column, m.Value, m.Start = m.Column[:0], m.Value[:0], m.Start[:0]
		return nil
	})
}

// All reads all rows. room refuses what does not fit.
func (r *Rows) All(room func(bytes int) error) (*Matrix, error) {
	m, checked := &Matrix{Start: []int{0}}, 0
	if err := r.each(m, func(m *Matrix) error {
		if size := len(m.Value) + len(m.Start); size >= checked {
			checked = size + 1<<16
			return room(entryBytes * checked)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if m.P, m.N = r.P, r.N; !r.Zero {
		fromZero(m.Column)
	}
	return m, nil
}

// each reads all rows to m, and finds the shape. after is called after each.
func (r *Rows) each(m *Matrix, after func(m *Matrix) error) error {
	zero := r.Zero
	for r.Zero = true; ; { // columns are as they are in the file
		at := len(m.Column)
		err := r.Next(m)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		r.P++
		r.Entries += len(m.Column) - at
		for _, j := range m.Column[at:] {
			r.N = max(r.N, int(j)+1)
			zero = zero || j == 0
		}
		if err := after(m); err != nil {
			return err
		}
	}
	if r.Zero, r.Known = zero, true; !zero && r.N > 0 {
		r.N--
	}
	return nil
}
