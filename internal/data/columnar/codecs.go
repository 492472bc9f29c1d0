//go:build !js && !slim

package columnar

import (
	"encoding/binary"
	"errors"

	"github.com/apache/arrow-go/v18/parquet/compress"
)

func init() {
	c := compress.Codecs
	for _, of := range []compress.Compression{c.Snappy, c.Gzip, c.Brotli, c.Zstd, c.Lz4Raw} {
		if codec, err := compress.GetCodec(of); err == nil {
			compress.RegisterCodec(of, sparing{codec})
			if of == c.Lz4Raw {
				compress.RegisterCodec(c.Lz4, sparing{hadoop{codec}})
			}
		}
	}
}

// sparing leaves out what is not there: a page of version 2 in which all values are null has
// no bytes, not even those that a codec makes of nothing.
type sparing struct{ compress.Codec }

// DecodeWithError makes compress.Decode leave panics to nobody else.
func (s sparing) DecodeWithError(dst, src []byte) ([]byte, error) {
	if len(src) == 0 {
		return dst[:0], nil
	}
	return compress.Decode(s.Codec, dst, src)
}

// hadoop is LZ4 as Hadoop writes it, in frames of its own: the size of what follows, in any
// number of blocks before each of which is how long it is. Parquet's format has no words for
// that, and some writers left the frames out.
type hadoop struct{ compress.Codec } // of a block

// DecodeWithError fills dst, which is as long as what was compressed.
func (h hadoop) DecodeWithError(dst, src []byte) ([]byte, error) {
	if h.frames(dst, src) == nil {
		return dst, nil
	}
	return compress.Decode(h.Codec, dst, src)
}

func (h hadoop) frames(dst, src []byte) error {
	for len(src) > 0 {
		n, rest := size(src)
		if n > len(dst) {
			return errFrames
		}
		frame := dst[:n]
		for dst, src = dst[n:], rest; len(frame) > 0; {
			n, rest := size(src)
			if n > len(rest) {
				return errFrames
			}
			block, err := compress.Decode(h.Codec, frame, rest[:n])
			if err != nil || len(block) == 0 {
				return errFrames
			}
			frame, src = frame[len(block):], rest[n:]
		}
	}
	if len(dst) > 0 {
		return errFrames
	}
	return nil
}

var errFrames = errors.New("no frames of Hadoop")

// size cuts off a number of four bytes; it is beyond all others where there are fewer.
func size(b []byte) (int, []byte) {
	const beyond = 1<<31 - 1
	if len(b) < 4 {
		return beyond, nil
	}
	return int(min(binary.BigEndian.Uint32(b), beyond)), b[4:]
}
