package formats

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"symmom/internal/data/columns"
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
	m, err := sparsefile.ReadMatrixMarket(in.R, func(p, n int) error { return in.fits(p, n, c) }, in.entries)
	return &Contents{In: in, Matrix: m}, in.lineError(err)
}

// targets is the name of the labels of an svmlight file.
const targets = "target"

func openSVMLight(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	contents := &Contents{In: in}
	var take func([]byte, int) error
	if c.Labels == targets {
		contents.Labels, contents.Labelled = &columns.Reader{Name: targets}, 1
		take = func(text []byte, line int) error { return label(contents.Labels, text, in.Name, line, 0) }
	} else {
		contents.Notes = append(contents.Notes, diag.New(diag.LeftOut, "the labels, first in each line, are left out; %q names them", targets).With("Labels"))
	}
	var err error
	if contents.Matrix, err = sparsefile.ReadSVMLight(in.R, in.entries, take); err == nil {
		contents.Matrix.N = max(contents.Matrix.N, c.Columns) // the last may be 0 everywhere
		err = in.fits(contents.Matrix.P, contents.Matrix.N, c)
	}
	return contents, in.lineError(err)
}

func openLDAC(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	m, err := sparsefile.ReadLDAC(in.R, c.Columns, in.entries)
	if err == nil {
		err = in.fits(m.P, m.N, c)
	}
	return &Contents{In: in, Matrix: m}, in.lineError(err)
}

// lineError names the file in an error of one of its lines.
func (in Input) lineError(err error) error {
	var place *sparsefile.Error
	var named *diag.ParseError
	switch {
	case errors.As(err, &named):
		return err
	case errors.As(err, &place):
		return fail(in.Name, "%w", place)
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
	read := func(name string) error {
		inner, close, err := z.open(name)
		if err != nil {
			return err
		}
		defer close()
		a, err := openNPY(inner, nil)
		if errors.Is(err, diag.ErrNoData) {
			return nil
		}
		if err == nil {
			arrays[name], err = a.single("one number after the other")
		}
		return err
	}
	format, err := z.sparseFormat()
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
	if err := in.fits(p, n, c); err != nil {
		return nil, err
	}
	if err := in.Room("its entries", 24*float64(len(arrays["data"]))+32*float64(p), 0); err != nil {
		return nil, err
	}
	m, err := sparsefile.FromSciPy(format, p, n, arrays)
	if err != nil {
		return nil, bad(err.Error())
	}
	return m, nil
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
	words := strings.ReplaceAll(string(text), "\x00", "")
	return words[strings.LastIndexByte(words, '\n')+1:], nil
}
