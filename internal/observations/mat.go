package observations

import (
	"context"
	"errors"
	"io"

	"symmom/internal/matfile"
	"symmom/internal/notice"
	"symmom/internal/npy"
	"symmom/internal/words"
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
	v, notes, err := in.variable(f, o.Array)
	if err != nil {
		return nil, err
	}
	t, err := in.matrix(ctx, f, v, o)
	if err != nil {
		return nil, in.matError(err)
	}
	t.notes = append(t.notes, notes...)
	return t, nil
}

func (in input) matError(err error) error {
	var place *matfile.Error
	if errors.As(err, &place) {
		return fail(in.name, "%w; copy or save the file again", place)
	}
	return in.readError(err)
}

// variable chooses the one to read: that of the name, else the only matrix of numbers.
func (in input) variable(f *matfile.File, name string) (*matfile.Variable, []notice.Warning, error) {
	var found, named []*matfile.Variable
	var numbers, others []string
	for _, v := range f.Variables {
		if v.Numeric() {
			found, numbers = append(found, v), append(numbers, v.String())
		} else {
			others = append(others, v.String())
		}
		if v.Name == name {
			named = append(named, v)
		}
	}
	all := list(append(numbers, others...))
	switch {
	case len(f.Variables) == 0:
		return nil, nil, empty(in.name, "holds no variable; want a matrix, observations x variables")
	case len(named) == 1:
		return named[0], nil, usable(in.name, named[0])
	case name != "":
		return nil, nil, fail(in.name, "has %s of the name %s; its variables are %s", words.Plural(len(named), "variable"), words.Quote(name), all)
	case len(f.Variables) == 1:
		return f.Variables[0], nil, usable(in.name, f.Variables[0])
	case len(found) == 0:
		return nil, nil, fail(in.name, "has no matrix of real numbers; its variables are %s", all)
	case len(found) > 1:
		return nil, nil, notice.Helped(fail(in.name, "has %d matrices, choose one: %s", len(found), list(numbers)), "Array")
	}
	return found[0], []notice.Warning{notice.New(notice.LeftOut, "only %s is read; left out: %s", found[0], list(others)).With("Array")}, nil
}

// usable refuses what is no table of real numbers, and says what to do in MATLAB.
func usable(source string, v *matfile.Variable) error {
	how := "save a matrix of numbers, observations x variables"
	switch {
	case v.Numeric():
		return nil
	case v.Complex:
		how = "save [real(X) imag(X)], or one of the two"
	case v.Class == "cell":
		how = "save cell2mat(X)"
	case v.Class == "struct":
		how = "save one of its fields, or struct2array(X)"
	case v.Class == "object":
		how = "of a table save table2array(X)"
	case len(v.Dims) > 2:
		how = "save reshape(X, size(X, 1), [])"
	}
	return fail(source, "%s is no matrix of real numbers; %s", v, how)
}

// matrix reads a variable.
func (in input) matrix(ctx context.Context, f *matfile.File, v *matfile.Variable, o Options) (*table, error) {
	p, n := v.Dims[0], v.Dims[1]
	inner := input{budget: in.budget, size: -1}
	inner.name = in.name + "[" + words.Quote(v.Name) + "]"
	switch {
	case n == 0:
		return nil, fail(inner.name, "has no columns (%s); want at least one variable", v.Shape())
	case p == 0:
		return nil, empty(inner.name, "has no observations (%s); want at least one row", v.Shape())
	}
	// In MATLAB, too, X(i, :) is row i, whatever the order of the numbers in the file.
	rows := notice.New(notice.Rows, "%s: its rows, as MATLAB shows them, are the observations", v)
	if p < n {
		rows.Text += ", fewer than the variables; if its columns are, save its transpose, X'"
	}
	if v.Sparse {
		if err := inner.sparse(p, n, o); err != nil {
			return nil, err
		}
		m, err := f.Sparse(v, func(bytes, data int) error { return inner.room("its entries", float64(bytes), float64(data)) })
		if err != nil {
			return nil, err
		}
		t := inner.dense(m)
		t.notes = []notice.Warning{rows}
		return t, nil
	}
	numbers, err := f.Numbers(v)
	if err != nil {
		return nil, err
	}
	if numbers.Packed {
		if inner.direct = numbers.Size; inner.packed == 0 {
			inner.packed = numbers.Size
		}
	}
	inner.r = bufioReader(&contextReader{ctx, numbers})
	e := &elements{in: inner, name: inner.name, total: p * n, known: !numbers.Packed && in.size >= 0}
	if e.dtype, err = npy.NewDtype(numbers.Descr); err != nil {
		return nil, err
	}
	t, err := e.table(ctx, p, n, true, v.Shape(), o)
	if err == nil {
		t.notes, err = []notice.Warning{rows}, inner.end()
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
