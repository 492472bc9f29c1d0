package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/formats"
	"symmom/internal/data/npy"

	"gonum.org/v1/gonum/mat"
)

// checkFuzzed wants what every reader promises: one line of error, or a table of
// finite numbers; and memory in proportion to the input.
func checkFuzzed(t *testing.T, data []byte, o Options, s *Set, err error, used uint64) bool {
	t.Helper()
	// A value takes 8 bytes, of input at least 1 (an int8, an empty field with its
	// comma); growing by doubling, copies and strings take a multiple of that.
	// Buffers and first allocations come to less than 8 MB.
	if limit := uint64(8<<20 + 256*len(data)); used > limit && !bytes.HasPrefix(data, []byte(formats.Gzip)) {
		t.Errorf("%d bytes allocated for %d", used, len(data))
	}
	if err != nil {
		if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\r\x00") || !strings.HasPrefix(text, "fuzz") || len(text) > 2000 && len(text) > len(data) {
			t.Errorf("error %q", text)
		}
		var p *ParseError
		if errors.As(err, &p) && p.Line+p.Row == 0 {
			t.Errorf("no place in %q", err)
		}
		return false
	}
	if s.P < 1 || s.N < 1 || len(s.Values) != s.P*s.N {
		t.Fatalf("%d x %d with %d values", s.P, s.N, len(s.Values))
	}
	if s.Names != nil && len(s.Names) != s.N || s.Weights != nil && len(s.Weights) != s.P {
		t.Fatalf("%d names and %d weights for %d x %d", len(s.Names), len(s.Weights), s.P, s.N)
	}
	for i, v := range s.Values {
		if v-v != 0 {
			t.Fatalf("value %d is %v", i, v)
		}
	}
	sum := 1.
	if s.Weights != nil {
		sum = 0
		for _, w := range s.Weights {
			if !(w > 0) {
				t.Fatalf("weight %v", w)
			}
			sum += w
		}
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		t.Errorf("the weights sum to %v", sum)
	}
	if o.Missing == MissingFail && s.Dropped+s.Filled > 0 || s.Dropped < 0 || s.Filled < 0 {
		t.Errorf("dropped %d, filled %d", s.Dropped, s.Filled)
	}
	for _, w := range s.Warnings {
		if strings.ContainsAny(w.Text, "\n\r") || w.Text == "" {
			t.Errorf("warning %q", w)
		}
	}
	if z, _, err := s.Standardize(t.Context(), false); err == nil {
		for i, v := range z.Values {
			if v-v != 0 {
				t.Fatalf("standardized value %d is %v", i, v)
			}
		}
	}
	return true
}

// FuzzCSV reads any bytes as text with any options; what could be read comes back
// the same after it was written as CSV.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n3,4\n", "1;2\r\n3;4\r\n", "\ufeffx\ty\n1\tNA\n", "\"a \"\"b\"\"\",c\n1,\n", "w,x\n1,2\n-3,4\n",
		"1,2\n3\n", "1,inf\n", "1e999\n", "# a b\n1 2\n", ",a\n0,1\n1,2\n", "1-2,b\n1,2\n", "\"1\n", "a\r1\r2\r", "\xff\xfe1\x00",
		"1|2|\n3|4|\n", "0x1p-1074,1e-400\n", "# by\n\n #a,b\n1,2\n", "#N/A,1\n2,3\n", "#\"\n#,\n1,2",
	} {
		for choice := range uint16(3) {
			f.Add([]byte(text), "", "", choice)
		}
		f.Add([]byte(text), "2", "1", uint16(36))
		f.Add([]byte(text), "a,b", "w", uint16(9))
	}
	f.Fuzz(func(t *testing.T, data []byte, columns, weights string, choice uint16) {
		o := Options{Missing: Missing(choice % 3), Header: Header(choice / 3 % 3), Weights: weights,
			Delimiter: []rune{0, ',', '\t', ' ', ';', '|', 'x', '"', '\n', -1}[choice/9%10]}
		if columns != "" {
			o.Columns = strings.Split(columns, ",")
		}
		o.piece = -1
		before := allocated()
		s, err := Read(context.Background(), bytes.NewReader(data), "fuzz", "csv", o)
		used := allocated() - before
		for _, o.piece = range []int{1, 2, 5, 64} {
			got, e := Read(context.Background(), bytes.NewReader(data), "fuzz", "csv", o)
			if fmt.Sprint(e) != fmt.Sprint(err) || err == nil && (got.Fingerprint() != s.Fingerprint() || fmt.Sprint(got.Warnings) != fmt.Sprint(s.Warnings)) {
				t.Fatalf("in pieces of %d: %v, line after line: %v", o.piece, e, err)
			}
		}
		if !checkFuzzed(t, data, o, s, err, used) {
			return
		}
		stream, err := Read(context.Background(), onlyReader{bytes.NewReader(data)}, "fuzz", "", o)
		if err != nil || stream.Fingerprint() != s.Fingerprint() {
			t.Fatalf("as a stream: %v", err)
		}
		var b bytes.Buffer
		for i, v := range s.Values {
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			b.WriteByte(map[bool]byte{true: '\n', false: ','}[i%s.N == s.N-1])
		}
		again, err := Read(context.Background(), &b, "fuzz", "csv", Options{Header: HeaderAbsent})
		if err != nil {
			t.Fatal(err)
		}
		if s.Weights != nil {
			if again, err = again.WithWeights(s.Weights); err != nil {
				t.Fatal(err)
			}
			again.Weights = s.Weights // not divided by a sum of nearly 1 a second time
		}
		if again.Fingerprint() != s.Fingerprint() {
			t.Fatalf("%d x %d came back as %d x %d", s.P, s.N, again.P, again.N)
		}
	})
}

// FuzzNPY reads any bytes as an array or an archive; what could be read comes back
// the same after it was written.
func FuzzNPY(f *testing.F) {
	for name, data := range archived(f) {
		if strings.Contains(name, ".np") {
			f.Add(data, "", "", uint8(0))
		}
	}
	f.Add(hugeNPY("False"), "", "", uint8(0))
	f.Add(hugeNPY("True"), "1-3", "2", uint8(1))
	f.Add(npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"), "", "", uint8(0))
	f.Add(npyFile("{'shape': (2L, 2L), 'descr': '>f2', 'fortran_order': True}", 1, 2, 3, 4, 5, 6, 7, 8), "2,1", "", uint8(2))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{"), "", "", uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, columns, weights string, choice uint8) {
		o := Options{Missing: Missing(choice % 3), Weights: weights}
		if columns != "" {
			o.Columns = strings.Split(columns, ",")
		}
		format := "npy"
		if bytes.HasPrefix(data, []byte("PK")) {
			format = "npz"
		}
		before := allocated()
		s, err := Read(context.Background(), bytes.NewReader(data), "fuzz", format, o)
		if !checkFuzzed(t, data, o, s, err, allocated()-before) {
			return
		}
		stream, err := Read(context.Background(), onlyReader{bytes.NewReader(data)}, "fuzz", "", o)
		if err != nil || stream.Fingerprint() != s.Fingerprint() {
			t.Fatalf("as a stream: %v", err)
		}
		var b bytes.Buffer
		if err := npy.Write(&b, mat.NewDense(s.P, s.N, s.Values)); err != nil {
			t.Fatal(err)
		}
		again, err := Read(context.Background(), &b, "fuzz", "npy", Options{})
		if err != nil {
			t.Fatal(err)
		}
		again.Weights = s.Weights
		if again.Fingerprint() != s.Fingerprint() {
			t.Fatalf("%d x %d came back as %d x %d", s.P, s.N, again.P, again.N)
		}
	})
}
