// Package matfile reads and writes MATLAB's files of version 5 (level 5, which
// save -v6 writes plain and -v7 compressed) and reads those of version 4.
//
//	f, err := matfile.Open(file, size)
//	f.Variables             // names, sizes and classes; their values stay in the file
//	f.Numbers(variable)     // those of a matrix, column by column
//	f.Sparse(variable, ...) // the entries of a sparse one
//	f.Value(variable, room) // any of numbers, text and cells, as a tree
//
// The format is that of "MAT-File Format", The MathWorks, R2024a. Sizes in a file are
// never trusted: they are checked against the bytes present before any allocation, and
// for compressed data room is called first.
package matfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"symmom/internal/text/words"
)

// Magic begins files of version 5.
const Magic = "MATLAB 5.0 MAT"

// Error describes an error in a file.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func fail(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Variable is an array of a file.
type Variable struct {
	Name    string
	Dims    []int
	Class   string // "double", "single", "int8" ... "uint64", "logical", "char", "cell", "struct", ...
	Complex bool
	Sparse  bool

	at, size int64 // of the element without its tag, in the file
	packed   bool
	older    *level4
}

// Numeric says that the variable is a matrix of real numbers.
func (v *Variable) Numeric() bool {
	return numeric[v.Class] && !v.Complex && len(v.Dims) == 2
}

var numeric = map[string]bool{"double": true, "single": true, "logical": true, "int8": true, "uint8": true, "int16": true, "uint16": true,
	"int32": true, "uint32": true, "int64": true, "uint64": true}

// String gives the name, the size and the class: X (3 x 4 sparse double).
func (v *Variable) String() string {
	kind := v.Class
	if v.Sparse {
		kind = "sparse " + kind
	}
	if v.Complex {
		kind = "complex " + kind
	}
	if v.Dims == nil {
		return fmt.Sprintf("%s (%s)", words.Quote(v.Name), kind)
	}
	return fmt.Sprintf("%s (%s %s)", words.Quote(v.Name), v.Shape(), kind)
}

// Shape gives the size: 3 x 4.
func (v *Variable) Shape() string {
	const most = 8
	var parts []string
	for _, n := range v.Dims[:min(most, len(v.Dims))] {
		parts = append(parts, strconv.Itoa(n))
	}
	if more := len(v.Dims) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, " x ")
}

// elements is the number of elements of a size; false if no file can hold them.
func elements(dims []int) (int, bool) {
	n := 1
	for _, d := range dims {
		if d != 0 && n > math.MaxInt/16/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// File is an open file.
type File struct {
	Variables []*Variable

	r     io.ReaderAt
	size  int64
	order binary.ByteOrder
	zip   io.ReadCloser // kept for the next compressed element
}

const headerBytes = 128

// Open lists the variables of the file in the first size bytes of r.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	head := make([]byte, min(size, headerBytes))
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), head); err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(head), "MATLAB 7.3") {
		return nil, fail("is a file of version 7.3, which is HDF5")
	}
	if len(head) == headerBytes {
		switch string(head[126:]) {
		case "IM":
			f.order = binary.LittleEndian
		case "MI":
			f.order = binary.BigEndian
		}
	}
	if f.order == nil || f.order.Uint16(head[124:])>>8 != 1 {
		if strings.HasPrefix(string(head), Magic) {
			return nil, fail("ends in its header, or has none of version 5")
		}
		return f, f.listLevel4(head)
	}
	return f, f.list()
}

// list reads the headers of the elements.
func (f *File) list() error {
	var tag [8]byte
	for at := int64(headerBytes); at < f.size; {
		if f.size-at < 8 {
			return fail("ends %d bytes into a variable", f.size-at)
		}
		if _, err := f.r.ReadAt(tag[:], at); err != nil {
			return err
		}
		kind, size := f.order.Uint32(tag[:]), int64(f.order.Uint32(tag[4:]))
		at += 8
		if size > f.size-at {
			return fail("is cut off: a variable announces %s, and %s are left", words.Bytes(float64(size)), words.Bytes(float64(f.size-at)))
		}
		switch kind {
		case miMatrix, miCompressed:
			v := &Variable{at: at, size: size, packed: kind == miCompressed}
			d, err := f.element(v)
			if err == nil {
				err = d.header(v)
			}
			if err != nil {
				return f.of(len(f.Variables), err)
			}
			if v.Name != "" { // the unnamed one holds what objects are made of
				f.Variables = append(f.Variables, v)
			}
		default:
			return fail("holds an element of the unknown type %d at byte %d", kind, at-8)
		}
		at += size
	}
	return nil
}

// of names the variable, counted from 0, that an error is about.
func (f *File) of(i int, err error) error {
	if e, ok := err.(*Error); ok {
		return fail("variable %d: %s", i+1, e.Text)
	}
	return err
}

// Numbers gives the elements of a matrix, column by column, as they are stored:
// Descr is their dtype in NumPy's words.
type Numbers struct {
	io.Reader
	Descr  string
	Packed bool  // compressed: nobody knows that they are there before they are read
	Size   int64 // bytes in the file
}

// Numbers opens the elements of a variable that is Numeric and not sparse. The reader
// is valid until the next call on f. Its errors are *Error, io.ErrUnexpectedEOF and
// those of the file.
func (f *File) Numbers(v *Variable) (*Numbers, error) {
	if v.older != nil {
		return f.numbersLevel4(v)
	}
	d, err := f.element(v)
	if err != nil {
		return nil, err
	}
	if err := d.header(&Variable{}); err != nil {
		return nil, err
	}
	kind, size, err := d.tag()
	if err != nil {
		return nil, err
	}
	descr, err := d.numbers(v, kind, size)
	if err != nil {
		return nil, err
	}
	return &Numbers{&body{d, max(size, -size)}, descr, v.packed, v.size}, nil
}

// body reads the elements and then looks whether the checksum holds.
type body struct {
	d    *decoder
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		if err := b.d.finish(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := b.d.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err == io.EOF && b.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err == io.EOF {
		err = nil
	}
	return n, damaged(err)
}
