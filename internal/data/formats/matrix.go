package formats

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/columns"
	"symmom/internal/data/npy"
	"symmom/internal/data/numerals"
	"symmom/internal/data/sparsefile"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// fits refuses a matrix that cannot be held, before its entries are read.
func (in Input) fits(p, n int, c Choice) error {
	if err := in.Shape(p, n); err != nil || c.Sparse {
		return err
	}
	return in.Sparse(p, n, c.Single)
}

// entries refuses those of a matrix for which there is no room.
func (in Input) entries(bytes int) error {
	return in.Room("its entries", float64(bytes), float64(bytes))
}

func openMatrixMarket(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	if c.Stream {
		rows, err := sparsefile.MatrixMarketRows(in.R, in.Shape)
		return &Contents{In: in, Rows: rows}, in.RowError(err)
	}
	m, err := sparsefile.ReadMatrixMarket(in.R, func(p, n int) error { return in.fits(p, n, c) }, in.entries)
	return &Contents{In: in, Matrix: m}, in.RowError(err)
}

// targets is the name of the labels of an svmlight file.
const targets = "target"

func openSVMLight(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	contents, rows := &Contents{In: in}, sparsefile.SVMLight(in.R)
	if c.Labels == targets {
		contents.Labels, contents.Labelled = &columns.Reader{Name: targets}, 1
		rows.Label = func(text []byte, line int) error { return label(contents.Labels, text, in.Name, line, 0) }
	} else {
		contents.Notes = append(contents.Notes, diag.New(diag.LeftOut, "the labels, first in each line, are left out; %q names them", targets).With("Labels"))
	}
	if c.Stream {
		contents.Rows = rows
		return contents, nil
	}
	var err error
	if contents.Matrix, err = rows.All(in.entries); err == nil {
		contents.Matrix.N = max(contents.Matrix.N, c.Columns) // the last may be 0 everywhere
		err = in.fits(contents.Matrix.P, contents.Matrix.N, c)
	}
	return contents, in.RowError(err)
}

func openLDAC(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	rows := sparsefile.LDAC(in.R, c.Columns)
	if c.Stream {
		return &Contents{In: in, Rows: rows}, nil
	}
	m, err := rows.All(in.entries)
	if err == nil {
		err = in.fits(m.P, m.N, c)
	}
	return &Contents{In: in, Matrix: m}, in.RowError(err)
}

// RowError names the file in an error of one of its rows.
func (in Input) RowError(err error) error {
	var place *sparsefile.Error
	var named *diag.ParseError
	switch {
	case errors.As(err, &named):
		return err
	case errors.As(err, &place):
		return fail(in.Name, "%w", place)
	case errors.Is(err, sparsefile.ErrIndices):
		return fail(in.Name, "%w; copy or save the file again", err)
	}
	return in.ReadError(err)
}

// label takes the label of a row (0-based) as a field of text on a line (0: not known).
func label(to *columns.Reader, field []byte, source string, line, row int) error {
	if (*columns.Columns)(nil).Label(string(field), numerals.Style{}) {
		to.AddMissing()
		return nil
	}
	return labelError(to, to.Add(field), string(field), source, line, row)
}

// number takes the label of a row as a number.
func number(to *columns.Reader, v float64, source string, row int) error {
	if (*columns.Columns)(nil).Label(diag.Value(v), numerals.Style{}) {
		to.AddMissing()
		return nil
	}
	return labelError(to, to.AddNumber(v), diag.Value(v), source, 0, row)
}

// labelError says which label is one too many, or no label.
func labelError(to *columns.Reader, err error, value, source string, line, row int) error {
	if err == nil {
		return nil
	}
	e := &diag.ParseError{Source: source, Line: line, Name: to.Name, Value: value, Want: err.Error(), Options: []string{"Labels"}}
	if line == 0 {
		e.Row = row + 1
	} else {
		e.Column = 1
	}
	return e
}

// isSparse reports whether the arrays are those that scipy.sparse.save_npz writes: for
// all formats these, and indices or coordinates.
func (z archive) isSparse() bool {
	for _, name := range []string{"format.npy", "shape.npy", "data.npy"} {
		if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == name }) {
			return false
		}
	}
	return true
}

// sparse reads what scipy.sparse.save_npz wrote: CSR, CSC or COO.
func (z archive) sparse(c Choice) (*sparsefile.Matrix, error) {
	in := z.in
	arrays := map[string][]float64{}
	format, err := z.sparseFormat()
	if err != nil {
		return nil, err
	}
	names := sparsefile.SciPyArrays[format]
	for _, name := range append(names, "shape", "data") {
		if arrays[name], err = z.numbers(name); err != nil {
			return nil, err
		}
	}
	p, n, err := z.sizes(arrays["shape"])
	if err != nil {
		return nil, err
	}
	if err := in.fits(p, n, c); err != nil {
		return nil, err
	}
	if err := in.Room("its entries", 24*float64(len(arrays["data"]))+32*float64(p), 0); err != nil {
		return nil, err
	}
	m, err := sparsefile.FromSciPy(format, p, n, arrays)
	if err != nil {
		return nil, z.damaged(err)
	}
	return m, nil
}

// rows reads what scipy.sparse.save_npz wrote row by row: CSR.
func (z archive) rows() (rows *sparsefile.Rows, close func(), err error) {
	format, err := z.sparseFormat()
	if err != nil {
		return nil, nil, err
	}
	if format != "csr" {
		return nil, nil, fail(z.in.Name, "is a sparse matrix of SciPy in the format %s, and a stream reads one row after the other; save it with scipy.sparse.save_npz(file, matrix.tocsr()), or load it into memory", words.Quote(format))
	}
	sizes, err := z.numbers("shape")
	if err != nil {
		return nil, nil, err
	}
	var s sparsefile.Shape
	if s.P, s.N, err = z.sizes(sizes); err != nil {
		return nil, nil, err
	}
	var opened []func()
	closeAll := func() {
		for _, close := range opened {
			close()
		}
	}
	defer func() {
		if err != nil {
			closeAll()
		}
	}()
	var arrays [3]*Array
	for i, name := range []string{"indptr", "indices", "data"} {
		inner, shut, err := z.open(name)
		if err != nil {
			return nil, nil, err
		}
		opened = append(opened, shut)
		a, err := openNPY(inner, nil)
		if errors.Is(err, diag.ErrNoData) {
			a, err = &Array{In: inner, Columns: 1}, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if err := cmp.Or(a.list(oneNumber), a.Plausible()); err != nil {
			return nil, nil, err
		}
		arrays[i] = a
	}
	if s.Entries = arrays[2].Rows; arrays[0].Rows != s.P+1 || arrays[1].Rows != s.Entries {
		return nil, nil, z.damaged(sparsefile.ErrIndices)
	}
	return sparsefile.CSRRows(s, arrays[0].Next, arrays[1].Next, arrays[2].Next, func() (err error) {
		for _, a := range arrays {
			if err == nil {
				_, err = a.End()
			}
		}
		return err
	}), closeAll, nil
}

// names returns the names of the columns, nil if there are none.
func (z archive) names() ([]string, error) {
	if _, err := z.member(sparsefile.Names); err != nil {
		return nil, nil
	}
	inner, close, err := z.open(sparsefile.Names)
	if err != nil {
		return nil, err
	}
	defer close()
	h, err := npy.ReadHeader(inner.R)
	array, isText := npy.NewText(h.Descr)
	if err != nil || !isText && h.Descr != "|u1" {
		return nil, nil // it is something else
	}
	text, err := inner.ReadAll(inner.R)
	if err != nil {
		return nil, inner.ReadError(err)
	}
	if isText { // of NumPy
		var names []string
		for size := max(1, array.Size); len(text) >= size; text = text[size:] {
			names = append(names, string(array.Append(nil, text[:size])))
		}
		return names, nil
	}
	if err := inner.Room("its names", 8*float64(len(text)), 0); err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		return nil, fail(inner.Name, "want names in UTF-8, one a line")
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n"), nil
}

const oneNumber = "one number after the other"

// numbers reads an array of them, nil if it is empty.
func (z archive) numbers(name string) ([]float64, error) {
	inner, close, err := z.open(name)
	if err != nil {
		return nil, err
	}
	defer close()
	a, err := openNPY(inner, nil)
	if errors.Is(err, diag.ErrNoData) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return a.single(oneNumber)
}

func (z archive) damaged(what error) error {
	return fail(z.in.Name, "%w; copy or save the file again", what)
}

// sizes are those of a matrix.
func (z archive) sizes(shape []float64) (p, n int, err error) {
	if len(shape) != 2 || !sparsefile.Indices(shape, sparsefile.Most) {
		return 0, 0, z.damaged(errors.New("the shape is not two whole numbers"))
	}
	return int(shape[0]), int(shape[1]), nil
}

// sparseFormat returns the text of the array "format", bytes or text.
func (z archive) sparseFormat() (string, error) {
	inner, close, err := z.open("format")
	if err != nil {
		return "", err
	}
	defer close()
	const most = 1 << 12 // of header and a word
	text, err := io.ReadAll(io.LimitReader(inner.R, most))
	if err != nil {
		return "", inner.ReadError(err)
	}
	header := strings.ReplaceAll(string(text), "\x00", "")
	format := header[strings.LastIndexByte(header, '\n')+1:]
	if sparsefile.SciPyArrays[format] == nil {
		return "", fail(z.in.Name, "is a sparse matrix of SciPy in the format %s; save it in another: scipy.sparse.save_npz(file, matrix.tocsr())", words.Quote(format))
	}
	return format, nil
}
