// Package npy knows the files of NumPy: what stands before the numbers, and how a
// matrix is written.
package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"symmom/internal/words"
)

// Header is what stands before the data of an NPY file:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
type Header struct {
	Descr   string // the dtype, "<f8"; for a structured one the list as it stands
	Fortran bool
	Shape   []int
	Length  int64 // bytes from the magic to the first element
}

// maxHeader is far above what NumPy writes for a plain array (118 bytes) and
// what it reads without being told to trust the file (10000).
const maxHeader = 1 << 20

// Error says why a file is not one that can be read.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func fail(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Magic begins every file.
const Magic = "\x93NUMPY"

// ReadHeader reads the magic string, the version and the dictionary. What is wrong
// with them is an *Error, other errors are r's.
func ReadHeader(r io.Reader) (Header, error) {
	var h Header
	var fixed [12]byte
	if err := readFull(r, fixed[:8]); err != nil {
		return h, err
	}
	if string(fixed[:6]) != Magic {
		return h, fail("is not an NPY file: it begins with %s, want \"\\x93NUMPY\"; write it with numpy.save", words.Quote(string(fixed[:6])))
	}
	var size int64
	switch major := fixed[6]; major {
	case 1:
		if err := readFull(r, fixed[8:10]); err != nil {
			return h, err
		}
		size = int64(binary.LittleEndian.Uint16(fixed[8:]))
		h.Length = 10 + size
	case 2, 3:
		if err := readFull(r, fixed[8:12]); err != nil {
			return h, err
		}
		size = int64(binary.LittleEndian.Uint32(fixed[8:]))
		h.Length = 12 + size
	default:
		return h, fail("NPY format version %d.%d is not known; want 1, 2 or 3: write the file with numpy.save", major, fixed[7])
	}
	if size > maxHeader {
		return h, fail("wrong NPY header: it announces a dictionary of %d bytes; the file is damaged or its dtype has too many fields", size)
	}
	text := make([]byte, size)
	if err := readFull(r, text); err != nil {
		return h, err
	}
	if err := h.parse(string(text)); err != nil {
		return h, fail("wrong NPY header: %v; write the file again with numpy.save", err)
	}
	return h, nil
}

func readFull(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	switch err {
	case nil:
		return nil
	case io.EOF, io.ErrUnexpectedEOF:
		return fail("wrong NPY header: the file ends inside it; copy or save the file again")
	}
	return err
}

// parse reads the dictionary, a Python literal such as
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// NumPy promises this form, but others write it too: keys in any order, either
// quote, Python 2's long integers (3L).
func (h *Header) parse(text string) error {
	p := &literal{text: text}
	if !p.take("{") {
		return p.want("a dictionary")
	}
	seen := map[string]bool{}
	for !p.take("}") {
		key, ok := p.str()
		if !ok {
			return p.want("a key or }")
		}
		if seen[key] {
			return fmt.Errorf("%s is there twice", words.Quote(key))
		}
		seen[key] = true
		if !p.take(":") {
			return p.want(":")
		}
		if err := h.value(key, p); err != nil {
			return err
		}
		if !p.take(",") {
			if !p.take("}") {
				return p.want(", or }")
			}
			break
		}
	}
	if p.space(); p.text != "" {
		return p.want("the end of the header")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return fmt.Errorf("%q is missing", key)
		}
	}
	return nil
}

func (h *Header) value(key string, p *literal) error {
	switch key {
	case "descr":
		var ok bool
		if h.Descr, ok = p.str(); ok {
			return nil
		}
		if h.Descr, ok = p.brackets(); ok {
			return nil
		}
		return p.want("a dtype")
	case "fortran_order":
		switch {
		case p.take("True"):
			h.Fortran = true
		case !p.take("False"):
			return p.want("True or False")
		}
		return nil
	case "shape":
		if !p.take("(") {
			return p.want("a tuple")
		}
		for !p.take(")") {
			n, ok := p.size()
			if !ok {
				return p.want("a size")
			}
			h.Shape = append(h.Shape, n)
			if !p.take(",") {
				if !p.take(")") {
					return p.want(", or )")
				}
				break
			}
		}
		return nil
	}
	return fmt.Errorf("unknown key %s", words.Quote(key))
}

// mostSizes of a shape are shown.
const mostSizes = 8

// ShapeString writes the shape, "(3 x 4)".
func (h *Header) ShapeString() string {
	parts := make([]string, len(h.Shape))
	for i, n := range h.Shape {
		parts[i] = strconv.Itoa(n)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	if more := len(parts) - mostSizes; more > 0 {
		return "(" + strings.Join(parts[:mostSizes], " x ") + fmt.Sprintf(" and %d more", more) + ")"
	}
	return "(" + strings.Join(parts, " x ") + ")"
}

// literal reads a Python literal from the front of text.
type literal struct{ text string }

func (p *literal) space() { p.text = strings.TrimLeft(p.text, " \t\r\n\x00") }

func (p *literal) want(what string) error {
	if p.text == "" {
		return fmt.Errorf("want %s, but it ends", what)
	}
	return fmt.Errorf("want %s at %s", what, words.Quote(p.text))
}

func (p *literal) take(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.text, s)
	if ok {
		p.text = rest
	}
	return ok
}

func (p *literal) str() (string, bool) {
	p.space()
	if p.text == "" || p.text[0] != '\'' && p.text[0] != '"' {
		return "", false
	}
	s, rest, ok := strings.Cut(p.text[1:], p.text[:1])
	if ok {
		p.text = rest
	}
	return s, ok
}

func (p *literal) size() (int, bool) {
	p.space()
	i := 0
	for i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(p.text[:i])
	if err != nil {
		return 0, false
	}
	p.text = strings.TrimPrefix(p.text[i:], "L")
	return n, true
}

// brackets takes a list or tuple as it stands: what is in it is only shown.
func (p *literal) brackets() (string, bool) {
	p.space()
	depth, in := 0, byte(0)
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case in != 0:
			if c == in {
				in = 0
			}
		case c == '\'' || c == '"':
			in = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			if depth--; depth == 0 {
				s := p.text[:i+1]
				p.text = p.text[i+1:]
				return s, true
			}
		}
		if depth <= 0 {
			return "", false
		}
	}
	return "", false
}
