package matfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf16"
)

// Named is a variable to write.
type Named struct {
	Name string
	*Value
}

// Write writes a file of version 5, not compressed, as save -v6 does. Matrices are of
// double precision. The same variables give the same bytes.
func Write(w io.Writer, variables []Named) error {
	e := &encoder{w: bufio.NewWriterSize(w, 1<<16)}
	text := Magic + "-file, written by symmom"
	e.bytes([]byte(text + strings.Repeat(" ", 116-len(text)) + strings.Repeat("\x00", 8)))
	e.bytes([]byte{0, 1, 'I', 'M'})
	for _, v := range variables {
		if size := v.size(v.Name); size > math.MaxUint32 {
			return fmt.Errorf("variable %s takes %d bytes, more than a MAT-file of version 5 has room for (4 GB)", v.Name, size)
		}
		e.array(v.Name, v.Value)
	}
	if e.err != nil {
		return e.err
	}
	return e.w.Flush()
}

// content is the size of what follows the name.
func (v *Value) content() int64 {
	switch v.Class {
	case "cell":
		size := int64(0)
		for _, c := range v.Cells {
			size += 8 + c.size("")
		}
		return size
	case "char":
		return 8 + padded(2*len(utf16.Encode([]rune(v.Text))))
	}
	return 8 + 8*int64(len(v.Numbers))
}

// size is that of the element without its tag.
func (v *Value) size(name string) int64 {
	const flags, dims = 16, 16
	return flags + dims + 8 + padded(len(name)) + v.content()
}

func padded(n int) int64 { return int64(n+7) &^ 7 }

// encoder writes elements and keeps the first error.
type encoder struct {
	w   *bufio.Writer
	err error
}

func (e *encoder) bytes(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) words(words ...uint32) {
	var b [4]byte
	for _, x := range words {
		binary.LittleEndian.PutUint32(b[:], x)
		e.bytes(b[:])
	}
}

// data writes an element of bytes.
func (e *encoder) data(kind uint32, b []byte) {
	e.words(kind, uint32(len(b)))
	e.bytes(b)
	e.bytes(make([]byte, padded(len(b))-int64(len(b))))
}

func (e *encoder) array(name string, v *Value) {
	class := map[string]uint32{"cell": classCell, "char": classChar, "double": classDouble}[v.Class]
	units := utf16.Encode([]rune(v.Text))
	dims := v.Dims
	if v.Class == "char" {
		dims = []int{1, len(units)}
	}
	e.words(miMatrix, uint32(v.size(name)))
	e.words(miUint32, 8, class, 0)
	e.words(miInt32, 8, uint32(dims[0]), uint32(dims[1]))
	e.data(miInt8, []byte(name))
	switch v.Class {
	case "cell":
		for _, c := range v.Cells {
			e.array("", c)
		}
	case "char":
		var b []byte
		for _, u := range units {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		e.data(miUTF16, b)
	default:
		e.words(miDouble, uint32(8*len(v.Numbers)))
		var b [8]byte
		for _, x := range v.Numbers {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
			e.bytes(b[:])
		}
	}
}
