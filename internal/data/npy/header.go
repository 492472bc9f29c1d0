// Package npy reads the header of an NPY file and the numbers of its dtypes.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"symmom/internal/text/words"
)

// Magic begins every NPY file.
const Magic = "\x93NUMPY"

// Error describes an error in a header.
type Error struct {
	Text  string
	Empty bool // the array has no rows
	cause error
}

// Error returns Text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the error in the dictionary, if any.
func (e *Error) Unwrap() error { return e.cause }

func fail(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Text: err.Error(), cause: errors.Unwrap(err)}
}

// Header is the header of an NPY file:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
type Header struct {
	Descr   string // the dtype, "<f8"; for a structured one the list as it stands
	Fortran bool
	Shape   []int
	Length  int64 // bytes from the magic to the first element
}

// maxNPYHeader is far above the size that NumPy writes for a plain array (118 bytes) and
// the limit for files that it does not trust (10000).
const maxNPYHeader = 1 << 20

// ReadHeader reads the magic string, the version and the dictionary. Its errors
// are *Error, and those of r.
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
	if size > maxNPYHeader {
		return h, fail("wrong NPY header: it announces a dictionary of %d bytes; the file is damaged or its dtype has too many fields", size)
	}
	text := make([]byte, size)
	if err := readFull(r, text); err != nil {
		return h, err
	}
	if err := h.parse(string(text)); err != nil {
		return h, fail("wrong NPY header: %w; write the file again with numpy.save", err)
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
			return fmt.Errorf("%s occurs twice", words.Quote(key))
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

// Dims gives p and n and refuses what is not a table.
func (h *Header) Dims() (p, n int, err error) {
	switch len(h.Shape) {
	case 0:
		return 0, 0, fail("holds a single number (shape ()), want a table with one observation a row")
	case 1:
		p, n = h.Shape[0], 1
	case 2:
		p, n = h.Shape[0], h.Shape[1]
	default:
		return 0, 0, fail("holds an array of %d dimensions (shape %s), want 2: reshape it, for example numpy.save(file, a.reshape(len(a), -1))", len(h.Shape), h.ShapeString())
	}
	if n == 0 {
		return 0, 0, fail("has no columns (shape %s); want at least one variable", h.ShapeString())
	}
	if p == 0 {
		return 0, 0, &Error{Text: fmt.Sprintf("has no observations (shape %s); want at least one row", h.ShapeString()), Empty: true}
	}
	// 8 bytes for each value must be countable in an int.
	if over, count := bits.Mul64(uint64(p), uint64(n)); over != 0 || count > math.MaxInt/8 {
		return 0, 0, fail("wrong NPY header: the shape %s is larger than any memory", h.ShapeString())
	}
	return p, n, nil
}

// ShapeString gives the shape as messages do: (3 x 4).
func (h *Header) ShapeString() string {
	parts := make([]string, len(h.Shape))
	for i, n := range h.Shape {
		parts[i] = strconv.Itoa(n)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + shown(parts) + ")"
}

// shown joins what a message can carry.
func shown(sizes []string) string {
	const most = 8
	if more := len(sizes) - most; more > 0 {
		return strings.Join(sizes[:most], " x ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(sizes, " x ")
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

// brackets reads a list or tuple verbatim: it is only shown.
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
