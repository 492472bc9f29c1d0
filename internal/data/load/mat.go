package load

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

// readMAT reads one matrix of a MATLAB file. r is what in reads from, as for readNPZ.
func readMAT(ctx context.Context, in input, r io.Reader, o Options) (*table, error) {
	at, size, err := in.readerAt(r)
	if err != nil {
		return nil, err
	}
	f, err := matfile.Open(at, size)
	if err != nil {
		return nil, in.matError(err)
	}
	v, others, err := f.Choose(o.Array)
	var choice *matfile.ChoiceError
	switch {
	case len(f.Variables) == 0:
		return nil, empty(in.Name, "%v", err)
	case errors.As(err, &choice):
		return nil, diag.Helped(fail(in.Name, "%w", err), "Array")
	case err != nil:
		return nil, fail(in.Name, "%w", err)
	}
	t, err := in.readVariable(ctx, f, v, o)
	if err != nil {
		return nil, in.matError(err)
	}
	var notes []diag.Warning
	if len(others) > 0 {
		notes = append(notes, diag.New(diag.LeftOut, "only %s is read; left out: %s", v, list(others)).With("Array"))
	}
	if t.ready != nil {
		t.ready.Warnings = append(t.ready.Warnings, notes...)
	}
	t.notes = append(t.notes, notes...)
	return t, nil
}

func (in input) matError(err error) error {
	var place *matfile.Error
	if errors.As(err, &place) {
		return fail(in.Name, "%w; copy or save the file again", place)
	}
	return in.readError(err)
}

// readVariable reads a matrix.
func (in input) readVariable(ctx context.Context, f *matfile.File, v *matfile.Variable, o Options) (*table, error) {
	p, n := v.Dims[0], v.Dims[1]
	inner := input{Budget: in.Budget, size: in.size}
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
	if v.Sparse {
		if err := inner.shape(p, n, o); err != nil {
			return nil, err
		}
		m, err := f.Sparse(v, func(bytes, data int) error { return inner.Room("its entries", float64(bytes), float64(data)) })
		if err != nil {
			return nil, err
		}
		return inner.matrix(m, &table{}, []diag.Warning{rows}, o)
	}
	inner.size = -1
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
	inner.r = bufioReader(interruptible.NewReader(ctx, numbers))
	e := &elements{in: inner, name: inner.Name, total: p * n, known: !numbers.Packed && in.size >= 0}
	if e.dtype, err = npy.NewDtype(numbers.Descr); err != nil {
		return nil, err
	}
	t, err := e.table(ctx, p, n, true, v.Shape(), o)
	if err == nil {
		t.notes, err = []diag.Warning{rows}, inner.end()
	}
	return t, err
}

// end looks whether the checksum holds.
func (in input) end() error {
	if _, err := in.r.ReadByte(); err != io.EOF {
		return err
	}
	return nil
}
