package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Write writes m as float64 in C order: version 1.0, the data at a multiple of 64
// bytes as NumPy does.
func Write(w io.Writer, m mat.Matrix) error {
	p, n := m.Dims()
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", p, n)
	pad := 63 - (10+len(dict))%64
	dict += strings.Repeat(" ", pad) + "\n"
	buf := append([]byte(Magic+"\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(buf[8:], uint16(len(dict)))
	buf = append(buf, dict...)
	const full = 1 << 16
	row := make([]float64, n)
	for i := range p {
		mat.Row(row, i, m)
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
