package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// Write writes m, a vector in one dimension, as float64 in C order.
func Write(w io.Writer, m mat.Matrix) error {
	p, n := m.Dims()
	shape := fmt.Sprintf("(%d, %d)", p, n)
	if v, ok := m.(mat.Vector); ok {
		shape = fmt.Sprintf("(%d,)", v.Len())
	}
	to := newWriter(w, shape, false)
	row := make([]float64, n)
	for i := range p {
		mat.Row(row, i, m)
		if err := to.Write(row); err != nil {
			return err
		}
	}
	return to.Close()
}

// WriteInt writes a whole number, an array without dimensions.
func WriteInt(w io.Writer, x int64) error {
	_, err := w.Write(binary.LittleEndian.AppendUint64(Head("<i8", "()"), uint64(x)))
	return err
}

// WriteTexts writes strings, in one dimension.
func WriteTexts(w io.Writer, texts []string) error {
	longest := 1
	for _, s := range texts {
		longest = max(longest, utf8.RuneCountInString(s))
	}
	b := Head(fmt.Sprintf("<U%d", longest), fmt.Sprintf("(%d,)", len(texts)))
	for _, s := range texts {
		k := 0
		for _, r := range s {
			b = binary.LittleEndian.AppendUint32(b, uint32(r))
			k++
		}
		b = append(b, make([]byte, 4*(longest-k))...)
	}
	_, err := w.Write(b)
	return err
}

// Writer writes an array row by row.
type Writer struct {
	w      io.Writer
	single bool
	buf    []byte
}

// NewWriter begins an array of p x n numbers in C order, of float32 if single, else
// of float64: version 1.0, the data at a multiple of 64 bytes as NumPy does.
func NewWriter(w io.Writer, p, n int, single bool) *Writer {
	return newWriter(w, fmt.Sprintf("(%d, %d)", p, n), single)
}

func newWriter(w io.Writer, shape string, single bool) *Writer {
	descr := "<f8"
	if single {
		descr = "<f4"
	}
	return &Writer{w, single, Head(descr, shape)}
}

// Head returns the header of an array in C order, of a type and a shape as NumPy writes them. The
// data follow, at a multiple of 64 bytes.
func Head(descr, shape string) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	pad := 63 - (10+len(dict))%64
	dict += strings.Repeat(" ", pad) + "\n"
	b := append([]byte(Magic+"\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(dict)))
	return append(b, dict...)
}

// Write writes further numbers.
func (w *Writer) Write(v []float64) error {
	const full = 1 << 16
	for _, x := range v {
		if w.single {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(float32(x)))
		} else {
			w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(x))
		}
		if len(w.buf) >= full {
			if err := w.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close flushes, and does not close the file.
func (w *Writer) Close() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
