package npy

import (
	"encoding/binary"
	"math"
	"strings"
	"unsafe"

	"symmom/internal/text/words"
)

// LittleEndian says that a float64 in memory is the bytes of '<f8'.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Dtype is the type of an NPY array's elements.
type Dtype struct {
	kind string // "f8", "u1", ...: kind and bytes
	Size int    // bytes of an element
	swap bool   // big endian
}

// Float64 is the type of a float64 in memory.
var Float64 = Dtype{"f8", 8, !LittleEndian}

// NewDtype understands NumPy's dtype strings for real numbers and says for the
// others how to convert the array.
func NewDtype(descr string) (Dtype, error) {
	if strings.HasPrefix(descr, "[") || strings.HasPrefix(descr, "(") {
		return Dtype{}, fail("holds a structured array (dtype %s), want plain numbers: convert it with numpy.lib.recfunctions.structured_to_unstructured(a) and save it again", words.Quote(descr))
	}
	kind := strings.TrimLeft(descr, "<>|=")
	if len(descr)-len(kind) > 1 {
		kind = descr
	}
	d := Dtype{kind: kind, swap: descr[:len(descr)-len(kind)] == ">"}
	switch kind {
	case "b1", "i1", "u1":
		d.Size = 1
	case "i2", "u2", "f2":
		d.Size = 2
	case "i4", "u4", "f4":
		d.Size = 4
	case "i8", "u8", "f8":
		d.Size = 8
	default:
		what, how := "elements of a type that is not read here", "numpy.save(file, a.astype(float))"
		switch kind[:min(1, len(kind))] {
		case "O":
			what = "Python objects (pickled)"
		case "S", "U", "a", "T":
			what = "strings"
		case "c":
			what, how = "complex numbers", "numpy.save(file, numpy.hstack([a.real, a.imag])) or one of the two"
		case "f":
			what = "floating-point numbers wider than 64 bits"
		case "M", "m":
			what = "dates or times"
		case "V":
			what = "raw bytes or records"
		}
		return d, fail("holds %s (dtype %s), want integers, bool or float16/32/64: convert it, for example %s", what, words.Quote(descr), how)
	}
	return d, nil
}

// Native says that the bytes of the file are those of the kind in memory.
func (d Dtype) Native(kind string) bool { return d.kind == kind && d.swap != LittleEndian }

// Rounds says that not every element is a float64: integers beyond 2^53.
func (d Dtype) Rounds() bool { return d.kind == "i8" || d.kind == "u8" }

// Convert turns the elements in src into dst; len(src) is len(dst)*d.Size. It
// may reorder the bytes of src.
func (d Dtype) Convert(dst []float64, src []byte) {
	if d.swap {
		swapBytes(src, d.Size)
	}
	src = src[:len(dst)*d.Size]
	le := binary.LittleEndian
	switch d.kind {
	case "b1":
		for i, b := range src {
			dst[i] = 0
			if b != 0 {
				dst[i] = 1
			}
		}
	case "u1":
		for i, b := range src {
			dst[i] = float64(b)
		}
	case "i1":
		for i, b := range src {
			dst[i] = float64(int8(b))
		}
	case "u2":
		for i := range dst {
			dst[i] = float64(le.Uint16(src[2*i:]))
		}
	case "i2":
		for i := range dst {
			dst[i] = float64(int16(le.Uint16(src[2*i:])))
		}
	case "f2":
		for i := range dst {
			dst[i] = Half(le.Uint16(src[2*i:]))
		}
	case "u4":
		for i := range dst {
			dst[i] = float64(le.Uint32(src[4*i:]))
		}
	case "i4":
		for i := range dst {
			dst[i] = float64(int32(le.Uint32(src[4*i:])))
		}
	case "f4":
		for i := range dst {
			dst[i] = float64(math.Float32frombits(le.Uint32(src[4*i:])))
		}
	case "u8":
		for i := range dst {
			dst[i] = float64(le.Uint64(src[8*i:]))
		}
	case "i8":
		for i := range dst {
			dst[i] = float64(int64(le.Uint64(src[8*i:])))
		}
	case "f8":
		for i := range dst {
			dst[i] = math.Float64frombits(le.Uint64(src[8*i:]))
		}
	}
}

func swapBytes(b []byte, size int) {
	switch size {
	case 2:
		for i := 0; i+2 <= len(b); i += 2 {
			binary.LittleEndian.PutUint16(b[i:], binary.BigEndian.Uint16(b[i:]))
		}
	case 4:
		for i := 0; i+4 <= len(b); i += 4 {
			binary.LittleEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
		}
	case 8:
		for i := 0; i+8 <= len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], binary.BigEndian.Uint64(b[i:]))
		}
	}
}

// BytesOf views v as bytes, so that a file of the machine's own numbers is read
// where it is to stay.
func BytesOf[T int32 | float32 | float64](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), int(unsafe.Sizeof(v[0]))*len(v))
}
