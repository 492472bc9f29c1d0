package matfile

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zlib"

	"symmom/internal/text/words"
)

// Types of data elements.
const (
	miInt8       = 1
	miUint8      = 2
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miDouble     = 9
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

// dtypes are those of NumPy.
var dtypes = map[uint32]string{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}

const (
	classCell   = 1
	classStruct = 2
	classObject = 3
	classChar   = 4
	classSparse = 5
	classDouble = 6
	classOpaque = 17
)

var classes = map[uint8]string{classCell: "cell", classStruct: "struct", classObject: "object", classChar: "char", classSparse: "double", classDouble: "double", 7: "single",
	8: "int8", 9: "uint8", 10: "int16", 11: "uint16", 12: "int32", 13: "uint32", 14: "int64", 15: "uint64", 16: "function", classOpaque: "object"}

// Flags of an array.
const (
	flagLogical = 0x02
	flagComplex = 0x08
)

// decoder reads the content of an element.
type decoder struct {
	r      io.Reader
	order  binary.ByteOrder
	packed bool
	left   int64 // announced and not yet read
}

// element opens the content of a variable, without its tag.
func (f *File) element(v *Variable) (*decoder, error) {
	d := &decoder{r: io.NewSectionReader(f.r, v.at, v.size), order: f.order, packed: v.packed, left: v.size}
	if !v.packed {
		d.r = bufio.NewReader(d.r)
		return d, nil
	}
	var err error
	packed := bufio.NewReader(d.r)
	if f.zip == nil {
		f.zip, err = zlib.NewReader(packed)
	} else {
		err = f.zip.(zlib.Resetter).Reset(packed, nil)
	}
	if err != nil {
		return nil, damaged(err)
	}
	d.r, d.left = f.zip, 8
	kind, size, err := d.tag()
	if err != nil {
		return nil, err
	}
	if kind != miMatrix {
		return nil, fail("its compressed data hold an element of type %d, want a matrix", kind)
	}
	if most := v.size*1032 + 1024; size > most { // bytes that deflate makes of one
		return nil, fail("its compressed data of %s announce %s, more than they can hold", words.Bytes(float64(v.size)), words.Bytes(float64(size)))
	}
	d.left = size
	return d, nil
}

// damaged turns errors of compressed data into words.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrDictionary) || errors.As(err, &corrupt) {
		return fail("its compressed data are damaged (%v)", err)
	}
	return err
}

// full reads into p.
func (d *decoder) full(p []byte) error {
	if int64(len(p)) > d.left {
		return fail("its parts are larger than the whole of it")
	}
	n, err := io.ReadFull(d.r, p)
	d.left -= int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fail("its data end too early")
	}
	return damaged(err)
}

// tag reads the tag before data. The size of what is small, of which up to four
// bytes come next, is negative.
func (d *decoder) tag() (kind uint32, size int64, err error) {
	var b [8]byte
	if err := d.full(b[:4]); err != nil {
		return 0, 0, err
	}
	first := d.order.Uint32(b[:])
	if small := first >> 16; small != 0 {
		if small > 4 {
			return 0, 0, fail("has a small element of %d bytes, want up to 4", small)
		}
		return first & 0xffff, -int64(small), nil
	}
	if err := d.full(b[4:]); err != nil {
		return 0, 0, err
	}
	return first, int64(d.order.Uint32(b[4:])), nil
}

// data reads an element of at most so many bytes.
func (d *decoder) data(most int64) (kind uint32, data []byte, err error) {
	kind, size, err := d.tag()
	if err != nil {
		return 0, nil, err
	}
	padded := 4
	if size >= 0 {
		if size > d.left || size > most {
			return 0, nil, fail("has a part of %s, want up to %s", words.Bytes(float64(size)), words.Bytes(float64(min(most, d.left))))
		}
		padded = int(min((size+7)&^7, d.left)) // the last may lack its padding
	} else {
		size = -size
	}
	data = make([]byte, padded)
	return kind, data[:size], d.full(data)
}

// header reads flags, size and name.
func (d *decoder) header(v *Variable) error {
	kind, flags, err := d.data(8)
	if err != nil {
		return err
	}
	if kind != miUint32 || len(flags) != 8 {
		return fail("has no flags")
	}
	word := d.order.Uint32(flags)
	class := uint8(word)
	var known bool
	if v.Class, known = classes[class]; !known {
		return fail("is of the unknown class %d", class)
	}
	v.Sparse, v.Complex = class == classSparse, word>>8&flagComplex != 0
	if word>>8&flagLogical != 0 && (numeric[v.Class]) {
		v.Class = "logical"
	}
	if class != classOpaque {
		const most = 256 // dimensions
		kind, dims, err := d.data(4 * most)
		if err != nil {
			return err
		}
		if kind != miInt32 && kind != miUint32 || len(dims)%4 != 0 || len(dims) < 8 {
			return fail("has no size")
		}
		for ; len(dims) > 0; dims = dims[4:] {
			n := d.order.Uint32(dims)
			if n > 1<<31-1 {
				return fail("has the size %d", n)
			}
			v.Dims = append(v.Dims, int(n))
		}
		if _, ok := elements(v.Dims); !ok {
			return fail("has a size that no memory holds: %s", v.Shape())
		}
	}
	const longest = 1 << 12
	kind, name, err := d.data(longest)
	if err != nil {
		return err
	}
	if kind != miInt8 && kind != miUint8 && kind != miUTF8 {
		return fail("has no name")
	}
	v.Name = string(name)
	return nil
}

// numbers checks that the elements of a variable come next, and returns their dtype.
func (d *decoder) numbers(v *Variable, kind uint32, size int64) (string, error) {
	descr, ok := dtypes[kind]
	if !ok {
		return "", fail("%s holds elements of the unknown type %d", v, kind)
	}
	have := max(size, -size)
	width := int64(descr[1] - '0')
	if n, _ := elements(v.Dims); have != int64(n)*width || size > d.left {
		return "", fail("%s holds %s, want %s elements of %d bytes", v, words.Bytes(float64(have)), words.Count(n), width)
	}
	return d.dtype(descr), nil
}

// dtype gives a dtype its byte order.
func (d *decoder) dtype(descr string) string {
	if d.order == binary.BigEndian {
		return ">" + descr
	}
	return "<" + descr
}

// finish reads compressed data to their end, where the checksum is.
func (d *decoder) finish() error {
	if !d.packed {
		return nil
	}
	const padding = 8
	n, err := io.Copy(io.Discard, io.LimitReader(d.r, padding+1))
	if err == io.ErrUnexpectedEOF {
		return fail("its compressed data are cut off")
	}
	if err == nil && n > padding {
		return fail("its compressed data hold more than the variable")
	}
	return damaged(err)
}
