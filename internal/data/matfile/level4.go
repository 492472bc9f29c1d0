package matfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"regexp"

	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
	"symmom/internal/text/words"
)

// level4 is what the header of a variable of version 4 says of its elements.
type level4 struct {
	descr         string // their dtype
	width         int64
	rows, columns int // of what is stored: of a sparse matrix its entries
}

const level4Bytes = 20

// IsLevel4 reports whether a file begins with a variable of version 4, which has no signature:
// with the header of one, whose name is a word that ends in a zero byte.
func IsLevel4(head []byte) bool {
	if len(head) < level4Bytes {
		return false
	}
	order, machine := binary.ByteOrder(binary.LittleEndian), uint32(0)
	if head[0] == 0 && head[1] == 0 && (head[2] != 0 || head[3] != 0) {
		order, machine = binary.BigEndian, 1
	}
	kind, imaginary, name := order.Uint32(head), order.Uint32(head[12:]), order.Uint32(head[16:])
	return kind/1000 == machine && kind/100%10 == 0 && kind/10%10 <= 5 && kind%10 <= 2 && imaginary <= 1 &&
		name > 1 && int(name) <= len(head)-level4Bytes && level4Name.Match(head[level4Bytes:level4Bytes+name])
}

var level4Name = regexp.MustCompile(`^[A-Za-z]\w*\x00$`)

// listLevel4 reads the headers of a file of version 4, which begins with head.
func (f *File) listLevel4(head []byte) error {
	f.order = binary.LittleEndian
	if len(head) >= level4Bytes && f.order.Uint32(head) > 5000 {
		f.order = binary.BigEndian
	}
	other := func(head []byte) error {
		return fail("is not a file of MATLAB's save: it begins with %s", words.Quote(string(head[:min(8, len(head))])))
	}
	for at := int64(0); at < f.size; {
		var fixed [level4Bytes]byte
		if f.size-at < level4Bytes {
			if at == 0 {
				return other(head)
			}
			return fail("ends %d bytes into a variable", f.size-at)
		}
		if _, err := f.r.ReadAt(fixed[:], at); err != nil {
			return err
		}
		word := func(i int) int64 { return int64(int32(f.order.Uint32(fixed[4*i:]))) }
		kind, p, n, imaginary, name := word(0), word(1), word(2), word(3), word(4)
		machine, zero, number, text := kind/1000, kind/100%10, kind/10%10, kind%10
		if kind < 0 || machine > 1 || zero != 0 || number > 5 || text > 2 || p < 0 || n < 0 || imaginary < 0 || imaginary > 1 || name < 1 || name > 1<<12 {
			if at == 0 {
				return other(head)
			}
			return fail("holds no variable at byte %d", at)
		}
		if big := f.order == binary.BigEndian; big != (machine == 1) {
			return fail("says that its numbers are in another byte order than its header")
		}
		at += level4Bytes
		v := &Variable{Class: [...]string{"double", "single", "int32", "int16", "uint16", "uint8"}[number], Complex: imaginary == 1, Dims: []int{int(p), int(n)},
			older: &level4{descr: [...]string{"f8", "f4", "i4", "i2", "u2", "u1"}[number], rows: int(p), columns: int(n)}}
		v.older.width = int64(v.older.descr[1] - '0')
		// p n is below 2^62; what is stored of it must be there.
		if stored := p * n; name > f.size-at || stored > (f.size-at-name)/v.older.width/(1+imaginary) {
			return fail("is cut off: variable %d announces %d x %d numbers, and %s are left", len(f.Variables)+1, p, n, words.Bytes(float64(f.size-at)))
		}
		v.size = p * n * v.older.width * (1 + imaginary)
		title := make([]byte, name)
		if _, err := f.r.ReadAt(title, at); err != nil {
			return err
		}
		v.Name = string(bytes.TrimRight(title, "\x00"))
		at += name
		v.at = at
		at += v.size
		f.Variables = append(f.Variables, v)
		switch text {
		case 1:
			v.Class = "char"
		case 2:
			if err := f.sparseSize(v); err != nil {
				return f.of(len(f.Variables)-1, err)
			}
		}
	}
	return nil
}

// sparseSize finds the size of a sparse matrix: it is stored as rows, columns and
// values of its entries, of which the last has the size.
func (f *File) sparseSize(v *Variable) error {
	v.Sparse, v.Complex = true, v.older.columns == 4
	if v.older.rows < 1 || v.older.columns != 3 && v.older.columns != 4 {
		return fail("is sparse, and of %d x %d numbers", v.older.rows, v.older.columns)
	}
	for i := range v.Dims {
		last, err := f.column(v, i, v.older.rows-1, 1)
		if err != nil {
			return err
		}
		if !sparsefile.Indices(last, sparsefile.Most) {
			return fail("is sparse and has the size %g", last[0])
		}
		v.Dims[i] = int(last[0])
	}
	return nil
}

// column reads some numbers of a column.
func (f *File) column(v *Variable, j, from, count int) ([]float64, error) {
	raw := make([]byte, int64(count)*v.older.width)
	if _, err := f.r.ReadAt(raw, v.at+(int64(j)*int64(v.older.rows)+int64(from))*v.older.width); err != nil {
		return nil, err
	}
	dtype, err := npy.NewDtype(f.dtypeLevel4(v))
	if err != nil {
		return nil, err
	}
	w := make([]float64, count)
	dtype.Convert(w, raw)
	return w, nil
}

func (f *File) dtypeLevel4(v *Variable) string {
	return (&decoder{order: f.order}).dtype(v.older.descr)
}

func (f *File) numbersLevel4(v *Variable) (*Numbers, error) {
	return &Numbers{Reader: io.NewSectionReader(f.r, v.at, v.size), Descr: f.dtypeLevel4(v), Size: v.size}, nil
}

func (f *File) sparseLevel4(v *Variable, room Room) (*sparsefile.Matrix, error) {
	p, n, count := v.Dims[0], v.Dims[1], v.older.rows-1
	const entryBytes = 88
	if err := room(entryBytes*count+16*p, 24*count); err != nil {
		return nil, err
	}
	var columns [3][]float64
	for j := range columns {
		var err error
		if columns[j], err = f.column(v, j, 0, count); err != nil {
			return nil, err
		}
	}
	e := &sparsefile.Entries{Value: columns[2]}
	for k := range count {
		i, j := columns[0][k], columns[1][k]
		if !sparsefile.Indices([]float64{i, j}, sparsefile.Most) || i < 1 || int(i) > p || j < 1 || int(j) > n {
			return nil, fail("%s has an entry at (%g, %g)", v, i, j)
		}
		e.Row, e.Column = append(e.Row, int32(i)-1), append(e.Column, int32(j)-1)
	}
	return e.Rows(p, n), nil
}
