package npy

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is the type of an array of strings.
type Text struct {
	Size   int // bytes of an element
	wide   bool
	endian binary.ByteOrder
}

// NewText understands NumPy's dtype strings for text, "<U10" and "|S5"; false: descr is
// another one.
func NewText(descr string) (t Text, ok bool) {
	kind := strings.TrimLeft(descr, "<>|=")
	if kind == "" || kind[0] != 'U' && kind[0] != 'S' {
		return t, false
	}
	const most = 1 << 20 // characters
	n, err := strconv.Atoi(kind[1:])
	if err != nil || n < 0 || n > most {
		return t, false
	}
	t = Text{Size: n, wide: kind[0] == 'U', endian: binary.LittleEndian}
	if t.wide {
		t.Size *= 4
	}
	if descr[0] == '>' {
		t.endian = binary.BigEndian
	}
	return t, true
}

// Append appends the text of an element to to: without the zeros that fill it.
func (t Text) Append(to, raw []byte) []byte {
	if !t.wide {
		return append(to, bytes.TrimRight(raw, "\x00")...)
	}
	end := len(raw)
	for end >= 4 && t.endian.Uint32(raw[end-4:]) == 0 {
		end -= 4
	}
	for i := 0; i < end; i += 4 {
		to = utf8.AppendRune(to, rune(t.endian.Uint32(raw[i:])))
	}
	return to
}
