package formats

import (
	"context"
	"errors"
	"io"

	"symmom/internal/data/matfile"
	"symmom/internal/data/npy"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// openMAT opens one matrix of a MATLAB file.
func openMAT(ctx context.Context, in Input, r io.Reader, c Choice) (*Contents, error) {
	at, size, err := in.readerAt(r)
	if err != nil {
		return nil, err
	}
	f, err := matfile.Open(at, size)
	if err != nil {
		return nil, in.matError(err)
	}
	v, others, err := f.Choose(c.Array)
	var choice *matfile.ChoiceError
	switch {
	case len(f.Variables) == 0:
		return nil, empty(in.Name, "%v", err)
	case errors.As(err, &choice):
		return nil, diag.Helped(fail(in.Name, "%w", err), "Array")
	case err != nil:
		return nil, fail(in.Name, "%w", err)
	}
	contents, err := in.variable(ctx, f, v, c)
	if err != nil {
		return nil, in.matError(err)
	}
	if len(others) > 0 {
		contents.Notes = append(contents.Notes, diag.New(diag.LeftOut, "only %s is read; left out: %s", v, diag.List(others)).With("Array"))
	}
	return contents, nil
}

func (in Input) matError(err error) error {
	var place *matfile.Error
	if errors.As(err, &place) {
		return fail(in.Name, "%w; copy or save the file again", place)
	}
	return in.ReadError(err)
}

// matReader names the file in errors of its elements.
type matReader struct {
	io.Reader
	in Input
}

func (m matReader) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	var place *matfile.Error
	if errors.As(err, &place) {
		err = m.in.matError(err)
	}
	return n, err
}

// variable opens a matrix.
func (in Input) variable(ctx context.Context, f *matfile.File, v *matfile.Variable, c Choice) (*Contents, error) {
	p, n := v.Dims[0], v.Dims[1]
	inner := Input{Budget: in.Budget, Length: in.Length}
	inner.Name = in.Name + "[" + words.Quote(v.Name) + "]"
	switch {
	case n == 0:
		return nil, fail(inner.Name, "has no columns (%s); want at least one variable", v.Shape())
	case p == 0:
		return nil, empty(inner.Name, "has no observations (%s); want at least one row", v.Shape())
	}
	// In MATLAB, too, X(i, :) is row i, whatever the order of the numbers in the file.
	rows := diag.New(diag.Rows, "%s: its rows, as MATLAB shows them, are the observations", v)
	if p < n {
		rows.Text += ", fewer than the variables; if its columns are, save its transpose, X'"
	}
	contents := &Contents{In: inner, Notes: []diag.Warning{rows}}
	var err error
	if v.Sparse {
		if err = inner.fits(p, n, c); err == nil {
			contents.Matrix, err = f.Sparse(v, func(bytes, data int) error { return inner.Room("its entries", float64(bytes), float64(data)) })
		}
		return contents, err
	}
	inner.Length = -1
	if err := in.Shape(0, n); err != nil {
		return nil, err
	}
	numbers, err := f.Numbers(v)
	if err != nil {
		return nil, err
	}
	if numbers.Packed {
		if inner.Direct = numbers.Size; in.Direct == 0 { // else the file is compressed once more
			inner.Size = numbers.Size
		}
	}
	inner.R = Buffered(interruptible.NewReader(ctx, matReader{numbers, in}))
	a := &Array{In: inner, Rows: p, Columns: n, Fortran: p > 1 && n > 1, Shape: v.Shape(), Known: !numbers.Packed && in.Length >= 0}
	a.Dtype, err = npy.NewDtype(numbers.Descr)
	contents.Array = a
	return contents, err
}
