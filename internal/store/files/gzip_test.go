package files

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestGzip: members and zeros between and after them are read as gzip(1) reads them; a
// truncated member and trailing garbage are different errors.
func TestGzip(t *testing.T) {
	member := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	a, b, zeros := member("first "), member("second"), strings.Repeat("\x00", 10_000)
	for _, c := range []struct {
		name, data, want string
		err              error
	}{
		{"one", a, "first ", nil},
		{"two", a + b, "first second", nil},
		{"an empty one", a + member("") + b, "first second", nil},
		{"zeros", a + zeros, "first ", nil},
		{"a zero", a + "\x00", "first ", nil},
		{"zeros between", a + zeros + b, "first second", nil},
		{"text after", a + "x", "first ", gzip.ErrHeader},
		{"text after zeros", a + zeros + "some text", "first ", gzip.ErrHeader},
		{"cut off", a[:len(a)-3], "first ", io.ErrUnexpectedEOF},
		{"the second is cut off", a + b[:5], "first ", io.ErrUnexpectedEOF},
		{"in its first bytes", a + b[:1], "first ", io.ErrUnexpectedEOF},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.data), iotest.OneByteReader(strings.NewReader(c.data))} {
			z, err := NewGzip(bufio.NewReader(r))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(z)
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("%s: got %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
			}
		}
	}
}
