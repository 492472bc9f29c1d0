package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/store/files"
)

// rows reads the observations of a stream's file for one pass.
type rows struct {
	stream *Stream
	file   *streamed
	survey *survey // of the first pass, else nil
	head   *table  // what is known before the observations; takes the labels in the first pass
	open   files.File

	csv    *csvReader
	array  *formats.Array
	slabs  *slabs
	matrix *matrix
	sel    columns.Selection
	wide   []float64 // rows of the array, when columns are chosen from them
	left   int       // rows of the array not yet read
	shut   func()    // closes what the file holds, or nil

	index bool // in the first pass: the first column may count the rows
	count profile.Counting
}

// openRows opens a file and reads its head. The first pass sets the shape of
// the stream; a later one checks that the file is the same.
func openRows(ctx context.Context, s *Stream, sv *survey, file *streamed) (r *rows, err error) {
	f, err := files.Open(ctx, file.path)
	if err != nil {
		if sv == nil && errors.Is(err, fs.ErrNotExist) {
			return nil, fail(file.source, "the file was there at first and is gone now; a stream reads it again for each pass: put it back and load it again (%w)", fs.ErrNotExist)
		}
		return nil, OpenError(file.source, err)
	}
	r = &rows{stream: s, survey: sv, file: file, open: f}
	opened := r
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, OpenError(file.source, err)
	case info.IsDir():
		return nil, fail(file.source, "is a directory; give a %s file", formats.Listed(func(f *formats.Format) bool { return f.Whole == "" }))
	case !info.Mode().IsRegular():
		return nil, fail(file.source, "is not a regular file: a stream is read more than once; write it to a file, or load it into memory")
	case sv != nil:
		file.info = info
	}
	if err := r.unchanged(); err != nil {
		return nil, err
	}
	in, found, err := identify(ctx, f, file.source, formats.Of(files.Plain(file.path)), s.options)
	if err != nil {
		return nil, err
	}
	if found.Whole != "" {
		return nil, fail(file.source, "%s", found.Whole)
	}
	in.Ways &= formats.ByColumns
	c, err := open(ctx, in, f, found, s.options, true)
	if err != nil {
		return nil, err
	}
	r.shut = c.Close
	if c.Rows != nil {
		if ok, err := r.known(c); err != nil {
			return nil, err
		} else if !ok {
			r.close()
			return openRows(ctx, s, sv, file)
		}
	}
	_, object := f.(*files.Object)
	if object || c.Array == nil || in.Summed {
		s.costly.Store(true)
	}
	switch {
	case c.Text != nil:
		err = r.openCSV(c)
	case c.Columnar != nil:
		err = r.openColumnar(ctx, c)
	case c.Rows != nil:
		err = r.openMatrix(c)
	default:
		err = r.openArray(ctx, c)
	}
	return r, err
}

func (r *rows) close() {
	if r.csv != nil {
		r.csv.stop()
	}
	if r.shut != nil {
		r.shut()
	}
	r.open.Close()
}

// unchanged checks that the file is the one that was there first.
func (r *rows) unchanged() error {
	if change := files.Change(r.open, r.file.info); change != "" {
		return fail(r.file.source, "the file has changed since it was first read (%s); a stream reads it again for each pass: load it again", change)
	}
	return nil
}

func (r *rows) openArray(ctx context.Context, c contents) (err error) {
	source, a, o := r.file.source, c.Array, c.without(r.stream.options)
	if a.Fortran {
		return fail(source, "the array is in Fortran order, whose observations cannot be read one after the other; save it with numpy.save(file, numpy.ascontiguousarray(a)), or load it into memory")
	}
	a.InPlaces(ctx)
	r.array = a
	n := a.Columns
	names, err := o.called(source, n)
	if err != nil {
		return err
	}
	if r.sel, err = columns.Select(source, names, n, o.wanted()); err != nil {
		return err
	}
	r.left = r.array.Rows
	head := &table{source: source, n: n, names: names, codes: r.sel.Codes}
	if a.Dtype.Rounds() {
		head.whole = allWhole(n)
	}
	if !r.sel.Identity(n) {
		head.choose(r.sel)
	}
	if err := r.beside(head, c, a.Rows); err != nil {
		return err
	}
	return r.begin(head, n)
}

// beside takes notes and labels of p rows that are not among the values, in the first pass.
func (r *rows) beside(head *table, c contents, p int) error {
	if head.notes = c.Notes; r.survey == nil || c.Labels == nil {
		return nil
	}
	head.labels, head.labelled, head.p = c.Labels, c.Labelled, p
	if c.Rows != nil && c.Rows.Label != nil { // they come with the rows
		return nil
	}
	return head.labelRows()
}

func (r *rows) openCSV(c contents) (err error) {
	o := r.stream.options
	o.labelled = r.survey == nil
	if r.csv, err = newCSV(c, o); err != nil {
		return err
	}
	if err := r.csv.start(); err != nil {
		return err
	}
	r.sel, r.index = r.csv.sel, r.survey != nil && r.csv.mayIndex()
	return r.begin(&r.csv.t, r.csv.t.n)
}

// begin keeps the head, of which the first pass learns the shape of the stream.
func (r *rows) begin(head *table, width int) error {
	r.head = head
	if r.survey == nil {
		return nil
	}
	return r.survey.begin(r, width)
}

// end checks what can only be checked at the end of the file.
func (r *rows) end() error {
	if err := r.unchanged(); err != nil || r.survey == nil {
		return err
	}
	switch {
	case r.slabs != nil:
		r.head.notes = r.slabs.notes
	case r.array != nil:
		notes, err := r.array.End()
		if err != nil {
			return err
		}
		r.head.notes = slices.Concat(r.head.notes, notes, repeatedNames(r.head.names))
	case r.matrix != nil:
		r.head.notes = append(r.head.notes, repeatedNames(r.head.names)...)
	case r.index:
		r.head.notes = append(r.head.notes, r.count.Warnings(r.csv.names)...)
	}
	return r.survey.end(r.head, r.file.order)
}

// fill reads what is missing in b as far as the file goes; its error is io.EOF
// when that is the end of it.
func (r *rows) fill(b *buffer) error {
	s := r.stream
	switch {
	case r.csv != nil:
		return r.fillCSV(b)
	case r.slabs != nil:
		return r.fillColumnar(b)
	case r.matrix != nil:
		return r.fillMatrix(b)
	}
	k := min(s.rows-b.rows, r.left)
	if err := r.take(b, k, r.array.Columns, r.array.Next); err != nil {
		return err
	}
	if r.left -= k; r.left == 0 {
		return io.EOF
	}
	return nil
}

// take appends k rows to b, which read has, with all columns.
func (r *rows) take(b *buffer, k, columns int, read func(to []float64) error) error {
	s := r.stream
	if cap(b.values) < s.rows*s.N {
		b.values = append(make([]float64, 0, s.rows*s.N), b.values...)
	}
	b.values = b.values[:(b.rows+k)*s.N]
	to := b.values[b.rows*s.N:]
	if r.sel.Identity(columns) {
		if err := read(to); err != nil {
			return err
		}
	} else {
		if r.wide == nil {
			r.wide = make([]float64, s.rows*columns)
		}
		if err := read(r.wide[:k*columns]); err != nil {
			return err
		}
		b.weights = b.weights[:min(b.rows, len(b.weights))]
		for i := range k {
			row := r.wide[i*columns : (i+1)*columns]
			for a, j := range r.sel.Variables {
				to[i*s.N+a] = row[j]
			}
			if r.sel.Weights >= 0 {
				b.weights = append(b.weights, row[r.sel.Weights])
			}
			if r.survey != nil && r.sel.Labels >= 0 {
				if err := r.head.addLabel(row[r.sel.Labels]); err != nil {
					return err
				}
			}
		}
	}
	b.rows += k
	return nil
}

func (r *rows) fillCSV(b *buffer) error {
	s, t := r.stream, &r.csv.t
	// The reader appends to its table: let that be the block. What is there are
	// the first rows of the file.
	from, first, weights := b.rows, t.values, t.weights
	k := min(len(first)/s.N, s.rows-from)
	t.values = append(b.values[:from*s.N], first[:k*s.N]...)
	t.weights = b.weights[:min(from, len(b.weights))]
	if r.sel.Weights >= 0 {
		t.weights = append(t.weights, weights[:k]...)
		weights = weights[k:]
	}
	first = first[k*s.N:]
	var err error
	for err == nil && len(first) == 0 && len(t.values) < s.rows*s.N {
		err = r.csv.some(s.rows - len(t.values)/s.N)
	}
	b.values, b.weights, b.rows = t.values, t.weights, len(t.values)/s.N
	if r.sel.Weights < 0 {
		b.weights = nil
	}
	t.values, t.weights = first, weights
	for ; r.index && from < b.rows; from++ {
		r.index = r.count.Add(b.values[from*s.N])
	}
	return err
}

// dropMissing moves the whole observations together, from the given one on.
func (b *buffer) dropMissing(from, n int) {
	to := from
	for i := from; i < b.rows; i++ {
		row := b.values[i*n : (i+1)*n]
		whole := b.weights == nil || b.weights[i] == b.weights[i]
		for _, v := range row {
			whole = whole && v == v
		}
		if !whole {
			continue
		}
		if to < i {
			copy(b.values[to*n:(to+1)*n], row)
			if b.weights != nil {
				b.weights[to] = b.weights[i]
			}
		}
		to++
	}
	b.rows = to
	if b.weights != nil {
		b.weights = b.weights[:to]
	}
}
