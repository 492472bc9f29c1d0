package npy

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"testing"
)

// TestFill: on all processors an array is what its bytes are, and the bytes that were read
// before the end of a file that is too short are counted.
func TestFill(t *testing.T) {
	const values = 3*pieceValues + 5
	for _, descr := range []string{"<f8", ">f8", "<f4"} {
		d, err := NewDtype(descr)
		if err != nil {
			t.Fatal(err)
		}
		head := []byte("head")
		file := bytes.NewBuffer(head)
		var order binary.ByteOrder = binary.LittleEndian
		if descr[0] == '>' {
			order = binary.BigEndian
		}
		for i := range values {
			var v any = float64(i)
			if d.Size == 4 {
				v = float32(i)
			}
			if err := binary.Write(file, order, v); err != nil {
				t.Fatal(err)
			}
		}
		parts := &Parts{File: bytes.NewReader(file.Bytes()), Offset: int64(len(head)), Dtype: d}
		for _, c := range []struct{ from, values int }{{0, values}, {7, values - 7}, {3, 0}, {values - 1, 1}, {pieceValues, pieceValues + 1}} {
			v := make([]float64, c.values)
			if n, err := parts.Fill(t.Context(), v, c.from); n != c.values*d.Size || err != nil {
				t.Errorf("%s: %d bytes, %v", descr, n, err)
			}
			for i, x := range v {
				if x != float64(c.from+i) {
					t.Fatalf("%s: value %d is %v", descr, c.from+i, x)
				}
			}
		}
		for _, left := range []int{0, 1, pieceValues * d.Size, pieceValues*d.Size + 3, (values-1)*d.Size + 1} {
			parts := &Parts{File: bytes.NewReader(file.Bytes()[:len(head)+left]), Offset: int64(len(head)), Dtype: d}
			if n, err := parts.Fill(t.Context(), make([]float64, values), 0); n != left || err != io.ErrUnexpectedEOF {
				t.Errorf("%s: of %d bytes %d are read, %v", descr, left, n, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := parts.Fill(ctx, make([]float64, values), 0); err != context.Canceled {
			t.Errorf("%s: %v", descr, err)
		}
	}
}
