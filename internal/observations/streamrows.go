package observations

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"symmom/internal/files"
	"symmom/internal/formats"
	"symmom/internal/linalg"
	"symmom/internal/words"
)

// rows reads the observations of a stream's file for one pass.
type rows struct {
	stream *Stream
	survey *survey // of the first pass, else nil
	labels *table  // takes them in the first pass
	file   files.File
	in     input
	read   int // observations passed on

	csv   *csvReader
	npy   *elements
	slabs *slabs
	sel   selection
	wide  []float64 // rows of the array, when columns are chosen from them
	cols  int       // of the array
	left  int       // rows of the array not yet read
	want  string    // the array's shape, for messages
}

// openRows opens the file and reads its head. Its first pass sets the shape of
// the stream; a later one checks that the file is the same.
func openRows(ctx context.Context, s *Stream, sv *survey) (r *rows, err error) {
	f, err := files.Open(ctx, s.path)
	if err != nil {
		if sv == nil && errors.Is(err, fs.ErrNotExist) {
			return nil, fail(s.Source, "the file was there at first and is gone now; a stream reads it again for each pass: put it back and load it again (%w)", fs.ErrNotExist)
		}
		return nil, OpenError(s.Source, err)
	}
	r = &rows{stream: s, survey: sv, file: f}
	opened := r
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, OpenError(s.Source, err)
	case info.IsDir():
		return nil, fail(s.Source, "is a directory; give a CSV, TSV, NPY, Parquet or Arrow file")
	case !info.Mode().IsRegular():
		return nil, fail(s.Source, "is not a regular file: a stream is read more than once; write it to a file, or load it into memory")
	case sv != nil:
		s.file = info
	}
	if err := r.unchanged(); err != nil {
		return nil, err
	}
	o, found := s.options, ""
	o.labelled = sv == nil
	if r.in, found, err = identify(ctx, f, s.Source, formats.Of(files.Plain(s.path)), s.options.MemoryLimit); err != nil {
		return nil, err
	}
	switch {
	case found == "npz":
		return nil, fail(s.Source, "an npz archive cannot be streamed; save the array with numpy.save, or load it into memory")
	case found == "mat":
		return nil, fail(s.Source, "a MATLAB file cannot be streamed; write it as Parquet with symmom convert, or load it into memory")
	case found == "mtx", found == "svmlight":
		return nil, fail(s.Source, "a file of entries cannot be streamed; write it as Parquet with symmom convert, or load it into memory")
	case o.Array != "":
		return nil, fail(s.Source, "array %s was asked for, but only npz archives and MATLAB files have named arrays; this is %s", words.Quote(o.Array), found)
	case found == "npy":
		err = r.openNPY()
	case found == "parquet", found == "arrow":
		err = r.openColumnar(ctx, found)
	default:
		if found == "tsv" && o.Delimiter == 0 {
			o.Delimiter = '\t'
		}
		err = r.openCSV(o)
	}
	return r, err
}

func (r *rows) close() {
	if r.csv != nil {
		r.csv.stop()
	}
	r.file.Close()
}

// unchanged checks that the file is the one that was there first.
func (r *rows) unchanged() error {
	s := r.stream
	info, err := r.file.Stat()
	if err != nil {
		return OpenError(s.Source, err)
	}
	if !files.Same(s.file, info) {
		return fail(s.Source, "the file has changed since it was first read (%d bytes of %s, then %d of %s); a stream reads it again for each pass: load it again",
			s.file.Size(), s.file.ModTime().Format("15:04:05.000"), info.Size(), info.ModTime().Format("15:04:05.000"))
	}
	return nil
}

func (r *rows) openNPY() error {
	s := r.stream
	e, h, p, n, err := newElements(r.in, s.Source)
	if err != nil {
		return err
	}
	if h.Fortran && p > 1 && n > 1 {
		return fail(s.Source, "the array is in Fortran order, whose observations cannot be read one after the other; save it with numpy.save(file, numpy.ascontiguousarray(a)), or load it into memory")
	}
	if r.sel, err = selectColumns(s.Source, nil, n, s.options); err != nil {
		return err
	}
	r.npy, r.cols, r.left, r.want = e, n, p, h.ShapeString()
	var columns []int
	if !r.sel.identity(n) {
		for _, j := range r.sel.variables {
			columns = append(columns, j+1)
		}
	}
	r.labels = &table{source: s.Source}
	r.labels.takeLabels(r.sel.labels, nil)
	r.shape(len(r.sel.variables), n, nil, columns)
	return nil
}

func (r *rows) openCSV(o Options) (err error) {
	if r.csv, err = newCSV(r.in, o); err != nil {
		return err
	}
	if err := r.csv.start(); err != nil {
		return err
	}
	r.sel = r.csv.sel
	t := &r.csv.t
	r.labels = t
	r.shape(t.n, t.n, t.names, t.columns)
	return nil
}

// shape records what the first pass learns of the stream from the head. Blocks
// are a multiple of those that are multiplied at once.
func (r *rows) shape(n, width int, names []string, columns []int) {
	s := r.stream
	if r.survey == nil {
		return
	}
	s.N, s.Names, s.Weighted = n, names, r.sel.weights >= 0
	s.rows = max(2, streamBytes/(8*width))
	if step := linalg.BlockRows(n); s.rows > step {
		s.rows -= s.rows % step
	}
	r.survey.begin(columns, r.sel.weights+1)
	if r.labels.labels != nil {
		r.survey.labels = r.labels
	}
}

// next fills b with as many observations as a block has. Its error is io.EOF
// with the last ones.
func (r *rows) next(b *buffer) error {
	s := r.stream
	b.rows = 0
	for b.rows < s.rows {
		from := b.rows
		err := r.fill(b)
		if err != nil && err != io.EOF {
			return err
		}
		if r.survey != nil {
			if err := r.survey.check(b, from); err != nil {
				return err
			}
		}
		if s.options.Missing == MissingDrop {
			b.dropMissing(from, s.N)
		}
		if err == io.EOF {
			r.pass(b)
			return r.end()
		}
	}
	r.pass(b)
	return nil
}

// pass completes a block that is passed on.
func (r *rows) pass(b *buffer) {
	r.read += b.rows
	if heaviest := r.stream.heaviest; heaviest > 0 {
		for i := range b.weights {
			b.weights[i] /= heaviest
		}
	}
}

// end checks what can only be checked at the end of the file; its error is
// io.EOF when all is well.
func (r *rows) end() error {
	s := r.stream
	if err := r.unchanged(); err != nil {
		return err
	}
	if r.survey == nil {
		if r.read != s.P {
			return fail(s.Source, "the file had %s at first and has %s now; load it again", words.Plural(s.P, "observation"), words.Plural(r.read, "observation"))
		}
		return io.EOF
	}
	switch {
	case r.slabs != nil:
		r.survey.notes = append(r.survey.notes, r.slabs.notes...)
	case r.npy != nil:
		notes, err := r.in.rest()
		if err != nil {
			return err
		}
		r.survey.notes = append(r.survey.notes, notes...)
	default:
		r.survey.notes = append(r.survey.notes, r.csv.t.notes...)
		r.survey.unnamed = r.csv.names != nil && r.csv.names[0] == "" && r.csv.t.columns[0] == 1
	}
	return io.EOF
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
	}
	if b.values == nil {
		b.values = make([]float64, s.rows*s.N)
	}
	k := min(s.rows-b.rows, r.left)
	to := b.values[b.rows*s.N : (b.rows+k)*s.N]
	if r.sel.identity(r.cols) {
		if err := r.elements(to); err != nil {
			return err
		}
	} else {
		if r.wide == nil {
			r.wide = make([]float64, s.rows*r.cols)
		}
		if err := r.elements(r.wide[:k*r.cols]); err != nil {
			return err
		}
		b.weights = b.weights[:min(b.rows, len(b.weights))]
		for i := range k {
			row := r.wide[i*r.cols : (i+1)*r.cols]
			for a, j := range r.sel.variables {
				to[i*s.N+a] = row[j]
			}
			if s.Weighted {
				b.weights = append(b.weights, row[r.sel.weights])
			}
			if r.survey != nil && r.labels.labels != nil {
				if err := r.labels.addLabel(row[r.sel.labels]); err != nil {
					return err
				}
			}
		}
	}
	b.rows += k
	if r.left -= k; r.left == 0 {
		return io.EOF
	}
	return nil
}

// elements reads numbers of the array.
func (r *rows) elements(to []float64) error {
	switch err := r.npy.fill(to); err {
	case nil:
		return nil
	case io.ErrUnexpectedEOF:
		return r.npy.truncated(r.npy.bytes, r.want)
	default:
		return r.in.readError(err)
	}
}

func (r *rows) fillCSV(b *buffer) error {
	s, t := r.stream, &r.csv.t
	// The reader appends to its table: let that be the block. What is there are
	// the first rows of the file.
	first, weights := t.values, t.weights
	t.values = append(b.values[:b.rows*s.N], first...)
	t.weights = append(b.weights[:min(b.rows, len(b.weights))], weights...)
	var err error
	for err == nil && len(t.values) < s.rows*s.N {
		err = r.csv.some(s.rows - len(t.values)/s.N)
	}
	b.values, b.weights, b.rows = t.values, t.weights, len(t.values)/s.N
	if !s.Weighted {
		b.weights = nil
	}
	t.values, t.weights = nil, nil
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
