package observations

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/atomicfile"
)

// WriteNPY writes m as float64 in C order. The file appears whole or not at all:
// an old one stays as it is when writing fails. A device or a pipe (/dev/stdout)
// is written to directly.
func WriteNPY(path string, m mat.Matrix) error {
	name := oneLine(path)
	if isNil(m) {
		return fail(name, "nothing was written: the matrix is nil")
	}
	if err := atomicfile.WriteFunc(path, func(w io.Writer) error { return encodeNPY(w, m) }); err != nil {
		return fail(name, "%w", err)
	}
	return nil
}

// encodeNPY writes version 1.0, the data at a multiple of 64 bytes as NumPy does.
func encodeNPY(w io.Writer, m mat.Matrix) error {
	p, n := m.Dims()
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", p, n)
	pad := 63 - (10+len(dict))%64
	dict += strings.Repeat(" ", pad) + "\n"
	buf := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(buf[8:], uint16(len(dict)))
	buf = append(buf, dict...)
	const full = 1 << 16
	row := make([]float64, n)
	for i := range p {
		matrixRow(row, m, i)
		for _, v := range row {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			if len(buf) >= full {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	_, err := w.Write(buf)
	return err
}
