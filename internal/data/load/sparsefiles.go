package load

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/data/sparsefile"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// targets is the name in Options.Labels of the labels of an svmlight file.
const targets = "target"

// readSparse reads a file of Matrix Market ("mtx") or svmlight.
func readSparse(in input, found string, o Options) (*table, error) {
	room := func(bytes int) error { return in.Room("its entries", float64(bytes), float64(bytes)) }
	shape := func(p, n int) error { return in.shape(p, n, o) }
	var m *sparsefile.Matrix
	var err error
	var notes []diag.Warning
	l := &table{source: in.Name}
	if found == "mtx" {
		m, err = sparsefile.ReadMatrixMarket(in.r, shape, room)
	} else {
		var label func([]byte, int) error
		if o.Labels == targets {
			l.labels, l.labelled = &columns.Reader{Name: targets}, 1
			label = func(text []byte, line int) error { return l.label(text, line, 0) }
		} else {
			notes = append(notes, diag.New(diag.LeftOut, "the labels, first in each line, are left out; %q names them", targets).With("Labels"))
		}
		if m, err = sparsefile.ReadSVMLight(in.r, room, label); err == nil {
			err = shape(m.P, m.N)
		}
	}
	var place *sparsefile.Error
	var named *ParseError
	switch {
	case errors.As(err, &named):
		return nil, err
	case errors.As(err, &place):
		return nil, fail(in.Name, "%w", place)
	case err != nil:
		return nil, in.readError(err)
	}
	return in.matrix(m, l, notes, o)
}

// matrix makes a table of a matrix, with the labels of l: without its zeros if that is
// better, otherwise dense.
func (in input) matrix(m *sparsefile.Matrix, l *table, notes []diag.Warning, o Options) (*table, error) {
	if l.labels != nil {
		o.Labels = "" // they come from elsewhere
	}
	s, err := in.sparsely(m, o)
	if err != nil {
		return nil, err
	}
	if s != nil {
		s.Warnings = append(s.Warnings, notes...)
		if l.labels != nil {
			s.Labels = l.labels.Column(nil)
		}
		return &table{ready: s}, nil
	}
	if err := in.Sparse(m.P, m.N, o.Float32); err != nil {
		return nil, err
	}
	t := in.dense(m)
	t.notes, t.labels, t.labelled = notes, l.labels, l.labelled
	return t, nil
}

// shape refuses a matrix that cannot be held, before its entries are read.
func (in input) shape(p, n int, o Options) error {
	if err := in.Shape(p, n); err != nil || o.Sparse {
		return err
	}
	return in.Sparse(p, n, o.Float32)
}

// dense adds up the entries of a matrix.
func (in input) dense(m *sparsefile.Matrix) *table {
	t := &table{source: in.Name, budget: in.Budget, p: m.P, n: m.N, values: make([]float64, m.P*m.N)}
	for i := range m.P {
		row := t.values[i*m.N : (i+1)*m.N]
		for k := m.Start[i]; k < m.Start[i+1]; k++ {
			row[m.Column[k]] += m.Value[k] // as SciPy does: -0 becomes 0
		}
	}
	return t
}

// isSparse reports whether the arrays are those that scipy.sparse.save_npz writes: for
// all formats these, and indices or coordinates.
func isSparse(z *zip.Reader) bool {
	for _, name := range []string{"format.npy", "shape.npy", "data.npy"} {
		if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == name }) {
			return false
		}
	}
	return true
}

// readSparseNPZ reads what scipy.sparse.save_npz wrote: CSR, CSC or COO.
func readSparseNPZ(ctx context.Context, in input, size int64, z *zip.Reader, o Options) (*table, error) {
	arrays := map[string][]float64{}
	read := func(name string) error {
		file, err := member(in.Name, z, name)
		if err != nil {
			return err
		}
		inner, close, err := in.inner(ctx, size, file)
		if err != nil {
			return err
		}
		defer close()
		inner.Ways = 0
		t, err := readNPY(ctx, inner, nil, inner.Name, Options{MemoryLimit: o.MemoryLimit})
		if errors.Is(err, ErrNoData) {
			return nil
		}
		if err == nil && t.n != 1 {
			err = fail(inner.Name, "has %s, want one number after the other", words.Plural(t.n, "column"))
		}
		if err == nil {
			arrays[name] = t.values
		}
		return err
	}
	format, err := in.sparseFormat(ctx, size, z)
	if err != nil {
		return nil, err
	}
	names := sparsefile.SciPyArrays[format]
	if names == nil {
		return nil, fail(in.Name, "is a sparse matrix of SciPy in the format %s; save it in another: scipy.sparse.save_npz(file, matrix.tocsr())", words.Quote(format))
	}
	for _, name := range append(names, "shape", "data") {
		if err := read(name); err != nil {
			return nil, err
		}
	}
	bad := func(what string) error {
		return fail(in.Name, "%s; copy or save the file again", what)
	}
	shape := arrays["shape"]
	if len(shape) != 2 || !sparsefile.Indices(shape, sparsefile.Most) {
		return nil, bad("the shape is not two whole numbers")
	}
	p, n := int(shape[0]), int(shape[1])
	if err := in.shape(p, n, o); err != nil {
		return nil, err
	}
	if err := in.Room("its entries", 24*float64(len(arrays["data"]))+32*float64(p), 0); err != nil {
		return nil, err
	}
	m, err := sparsefile.FromSciPy(format, p, n, arrays)
	if err != nil {
		return nil, bad(err.Error())
	}
	return in.matrix(m, &table{}, nil, o)
}

// sparseFormat returns the text of the array "format", bytes or text.
func (in input) sparseFormat(ctx context.Context, size int64, z *zip.Reader) (string, error) {
	file, err := member(in.Name, z, "format")
	if err != nil {
		return "", err
	}
	inner, close, err := in.inner(ctx, size, file)
	if err != nil {
		return "", err
	}
	defer close()
	const most = 1 << 12 // of header and a word
	text, err := io.ReadAll(io.LimitReader(inner.r, most))
	if err != nil {
		return "", inner.readError(err)
	}
	words := strings.ReplaceAll(string(text), "\x00", "")
	return words[strings.LastIndexByte(words, '\n')+1:], nil
}
