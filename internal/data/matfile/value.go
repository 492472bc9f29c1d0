package matfile

import (
	"fmt"
	"io"
	"unicode/utf16"

	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
)

// Room refuses data larger than the available memory: bytes in all, for data that take
// so many of them in the file.
type Room func(bytes, data int) error

// Sparse reads the entries of a variable that is Sparse.
func (f *File) Sparse(v *Variable, room Room) (*sparsefile.Matrix, error) {
	if v.older != nil {
		return f.sparseLevel4(v, room)
	}
	d, err := f.element(v)
	if err == nil {
		err = d.header(&Variable{})
	}
	if err != nil {
		return nil, err
	}
	p, n := v.Dims[0], v.Dims[1]
	rows, err := d.integers(v, room)
	if err != nil {
		return nil, err
	}
	starts, err := d.integers(v, room)
	if err != nil {
		return nil, err
	}
	if len(starts) != n+1 || starts[0] != 0 {
		return nil, fail("%s has the starts of %d columns", v, len(starts)-1)
	}
	count := int(starts[n])
	kind, size, err := d.tag()
	if err != nil {
		return nil, err
	}
	if count > len(rows) {
		return nil, fail("%s announces %d entries and has the rows of %d", v, count, len(rows))
	}
	if v.Class == "logical" && kind == miDouble && max(size, -size) == int64(count) {
		kind = miUint8 // MATLAB calls them doubles and writes bytes
	}
	values, err := d.floats(v, kind, size, room)
	if err != nil {
		return nil, err
	}
	if len(values) < count {
		return nil, fail("%s announces %d entries and has the values of %d", v, count, len(values))
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	const entryBytes = 56
	if err := room(entryBytes*count+16*p, 16*count); err != nil {
		return nil, err
	}
	e := &sparsefile.Entries{Row: rows[:count], Column: make([]int32, 0, count), Value: values[:count]}
	for j := range n {
		if starts[j+1] < starts[j] || int(starts[j+1]) > count {
			return nil, fail("%s has a column %d from entry %d to %d", v, j+1, starts[j], starts[j+1])
		}
		for _, i := range rows[starts[j]:starts[j+1]] {
			if int(i) >= p {
				return nil, fail("%s has an entry in row %d", v, i+1)
			}
			e.Column = append(e.Column, int32(j))
		}
	}
	return e.Rows(p, n), nil
}

// integers reads an element of int32.
func (d *decoder) integers(v *Variable, room Room) ([]int32, error) {
	kind, size, err := d.tag()
	if err != nil {
		return nil, err
	}
	if kind != miInt32 && kind != miUint32 {
		return nil, fail("%s has indices of type %d, want int32", v, kind)
	}
	raw, err := d.raw(size, room)
	if err != nil {
		return nil, err
	}
	w := make([]int32, len(raw)/4)
	for k := range w {
		x := d.order.Uint32(raw[4*k:])
		if x > 1<<31-1 {
			return nil, fail("%s has a negative index", v)
		}
		w[k] = int32(x)
	}
	return w, nil
}

// floats reads an element of numbers of any type.
func (d *decoder) floats(v *Variable, kind uint32, size int64, room Room) ([]float64, error) {
	descr, ok := dtypes[kind]
	if !ok {
		return nil, fail("%s holds elements of the unknown type %d", v, kind)
	}
	raw, err := d.raw(size, room)
	if err != nil {
		return nil, err
	}
	dtype, err := npy.NewDtype(d.dtype(descr))
	if err != nil {
		return nil, err
	}
	w := make([]float64, len(raw)/dtype.Size)
	dtype.Convert(w, raw[:len(w)*dtype.Size])
	return w, nil
}

// raw reads the bytes of an element whose tag was read, and their padding.
func (d *decoder) raw(size int64, room Room) ([]byte, error) {
	padded := int64(4)
	if size >= 0 {
		if size > d.left {
			return nil, fail("has a part of %d bytes where %d are left", size, d.left)
		}
		padded = min((size+7)&^7, d.left)
		if err := room(9*int(padded), int(padded)); err != nil {
			return nil, err
		}
	}
	data := make([]byte, padded)
	return data[:max(size, -size)], d.full(data)
}

// Value is the content of a variable: one of Numbers, Text and Cells, by class.
type Value struct {
	Class   string
	Dims    []int
	Numbers []float64 // column by column
	Text    string
	Cells   []*Value // column by column
}

// Value reads a variable of numbers, one line of text, or cells of them.
func (f *File) Value(v *Variable, room Room) (*Value, error) {
	if v.older != nil {
		return nil, fail("%s is of version 4, want 5", v)
	}
	d, err := f.element(v)
	if err != nil {
		return nil, err
	}
	value, err := d.value(room, 0)
	if err != nil {
		return nil, err
	}
	return value, d.finish()
}

func (d *decoder) value(room Room, depth int) (*Value, error) {
	v := &Variable{}
	if err := d.header(v); err != nil {
		return nil, err
	}
	value := &Value{Class: v.Class, Dims: v.Dims}
	switch {
	case v.Numeric() && !v.Sparse:
		kind, size, err := d.tag()
		if err == nil {
			_, err = d.numbers(v, kind, size)
		}
		if err == nil {
			value.Numbers, err = d.floats(v, kind, size, room)
		}
		return value, err
	case v.Class == "char":
		kind, size, err := d.tag()
		if err != nil {
			return nil, err
		}
		raw, err := d.raw(size, room)
		if err != nil {
			return nil, err
		}
		value.Text, err = d.text(kind, raw)
		return value, err
	case v.Class == "cell":
		const deepest = 4
		n, _ := elements(v.Dims)
		if depth == deepest || int64(n) > d.left/8 {
			return nil, fail("%s holds more cells than there are bytes", v)
		}
		for range n {
			kind, size, err := d.tag()
			if err != nil {
				return nil, err
			}
			if kind != miMatrix || size < 0 || size > d.left {
				return nil, fail("%s holds a cell that is not an array", v)
			}
			inner := *d
			inner.left = size
			cell, err := inner.value(room, depth+1)
			if err != nil {
				return nil, err
			}
			if _, err := io.CopyN(io.Discard, d.r, inner.left); err != nil {
				return nil, fail("its data end too early")
			}
			d.left -= size
			value.Cells = append(value.Cells, cell)
		}
		return value, nil
	}
	return nil, fail("%s is not a real matrix, text or cell array", v)
}

// text decodes characters.
func (d *decoder) text(kind uint32, raw []byte) (string, error) {
	switch kind {
	case miInt8, miUint8, miUTF8:
		return string(raw), nil
	case miUint16, miUTF16:
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = d.order.Uint16(raw[2*i:])
		}
		return string(utf16.Decode(units)), nil
	case miUTF32:
		runes := make([]rune, len(raw)/4)
		for i := range runes {
			runes[i] = rune(d.order.Uint32(raw[4*i:]))
		}
		return string(runes), nil
	}
	return "", fail("holds text of the unknown type %d", kind)
}

// Matrix makes a value of numbers by columns.
func Matrix(p, n int, at func(i, j int) float64) *Value {
	v := &Value{Class: "double", Dims: []int{p, n}, Numbers: make([]float64, 0, p*n)}
	for j := range n {
		for i := range p {
			v.Numbers = append(v.Numbers, at(i, j))
		}
	}
	return v
}

// Text makes a value of a line.
func Text(s string) *Value { return &Value{Class: "char", Text: s} }

// Cells makes a value of 1 x n cells.
func Cells(values ...*Value) *Value {
	return &Value{Class: "cell", Dims: []int{1, len(values)}, Cells: values}
}

// Vector says that the value is a vector of numbers.
func (v *Value) Vector() bool {
	return v.Numbers != nil && (v.Dims[0] == 1 || v.Dims[1] == 1)
}

// String describes the value: 3 x 4 double.
func (v *Value) String() string {
	return fmt.Sprintf("%s %s", (&Variable{Dims: v.Dims}).Shape(), v.Class)
}
