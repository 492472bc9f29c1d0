package matfile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

func room(int, int) error { return nil }

// example is a file of numbers, text and cells.
func example(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, exampleVariables()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func exampleVariables() []Named {
	return []Named{
		{"X", Matrix(2, 3, func(i, j int) float64 { return float64(10*i + j) })},
		{"größe", Text("𝒳 ist ä")},
		{"U",
			Cells(Matrix(1, 1, func(int, int) float64 { return math.Copysign(0, -1) }), Text("abc"), Text(""), Cells(Text("tief")))},
	}
}

// deflated has each variable compressed, as save -v7 does, after change.
func deflated(t *testing.T, plain []byte, change func([]byte) []byte) []byte {
	t.Helper()
	out := bytes.Clone(plain[:headerBytes])
	for rest := plain[headerBytes:]; len(rest) > 0; {
		size := 8 + binary.LittleEndian.Uint32(rest[4:])
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		if _, err := w.Write(change(bytes.Clone(rest[:size]))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out = binary.LittleEndian.AppendUint32(out, miCompressed)
		out = binary.LittleEndian.AppendUint32(out, uint32(z.Len()))
		out = append(out, z.Bytes()...)
		rest = rest[size:]
	}
	return out
}

func same(b []byte) []byte { return b }

// read reads everything of a file.
func read(b []byte) ([]*Value, error) {
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var all []*Value
	for _, v := range f.Variables {
		if v.Numeric() && !v.Sparse {
			numbers, err := f.Numbers(v)
			if err != nil {
				return nil, err
			}
			if _, err := io.Copy(io.Discard, numbers); err != nil {
				return nil, err
			}
		}
		if v.Numeric() && v.Sparse && v.Dims[0] < 1<<20 {
			if _, err := f.Sparse(v, room); err != nil {
				return nil, err
			}
			continue
		}
		value, err := f.Value(v, room)
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

func TestRoundTrip(t *testing.T) {
	plain := example(t)
	for name, b := range map[string][]byte{"plain": plain, "compressed": deflated(t, plain, same)} {
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(name, err)
		}
		for i, want := range exampleVariables() {
			v := f.Variables[i]
			got, err := f.Value(v, room)
			if err != nil || v.Name != want.Name {
				t.Fatalf("%s: %s, %v", name, v, err)
			}
			checkSame(t, got, want.Value)
		}
		if text := f.Variables[0].String(); text != `"X" (2 x 3 double)` {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// checkSame ignores the sizes of text.
func checkSame(t *testing.T, got, want *Value) {
	t.Helper()
	if got.Class != want.Class || got.Text != want.Text || len(got.Cells) != len(want.Cells) || want.Class != "char" && !reflect.DeepEqual(got.Dims, want.Dims) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i, x := range want.Numbers {
		if math.Float64bits(x) != math.Float64bits(got.Numbers[i]) {
			t.Errorf("number %d is %v, want %v", i, got.Numbers[i], x)
		}
	}
	for i := range want.Cells {
		checkSame(t, got.Cells[i], want.Cells[i])
	}
}

// TestByteOrder reads 2 x 1 numbers of machines that begin with the high byte.
func TestByteOrder(t *testing.T) {
	be := binary.BigEndian
	five := append([]byte(Magic+strings.Repeat(" ", headerBytes-4-len(Magic))), 1, 0, 'M', 'I')
	for _, w := range []uint32{miMatrix, 56, miUint32, 8, classDouble, 0, miInt32, 8, 2, 1, 1<<16 | miInt8, uint32('X') << 24, 3, 4, 0xfffe0102, 0} {
		five = be.AppendUint32(five, w) // -2 and 258 as int16
	}
	var four []byte
	for _, w := range []uint32{1030, 2, 1, 0, 2} {
		four = be.AppendUint32(four, w)
	}
	four = append(four, 'X', 0, 0xff, 0xfe, 1, 2)
	for name, b := range map[string][]byte{"5": five, "4": four} {
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(name, err)
		}
		numbers, err := f.Numbers(f.Variables[0])
		if err != nil {
			t.Fatal(name, err)
		}
		raw, err := io.ReadAll(numbers)
		if err != nil || numbers.Descr != ">i2" || string(raw) != "\xff\xfe\x01\x02" || f.Variables[0].Name != "X" {
			t.Errorf("version %s: %v, %q of %s, %v", name, f.Variables[0], raw, numbers.Descr, err)
		}
	}
}

// Of sparse logical matrices MATLAB writes a byte for each entry, and calls them doubles:
// scipy's test data have such a file, logical_sparse.mat. The words are the format's, by hand:
// 4 x 2 with entries in rows 1 and 3 of column 1, and in row 4 of column 2.
func TestSparseLogical(t *testing.T) {
	for name, values := range map[string][]uint32{"MATLAB": {3<<16 | miDouble, 0x010101}, "SciPy": {miUint8, 3, 0x010101, 0}, "doubles": {miDouble, 24, 0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000}} {
		words := []uint32{miUint32, 8, flagLogical<<8 | classSparse, 3, miInt32, 8, 4, 2, 1<<16 | miInt8, 'X', miInt32, 12, 0, 2, 3, 0, miInt32, 12, 0, 2, 3, 0}
		words = append(words, values...)
		b := append([]byte(Magic+strings.Repeat(" ", headerBytes-4-len(Magic))), 0, 1, 'I', 'M')
		for _, w := range append([]uint32{miMatrix, uint32(4 * len(words))}, words...) {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := f.Sparse(f.Variables[0], room)
		if err != nil || !slices.Equal(m.Value, []float64{1, 1, 1}) || !slices.Equal(m.Column, []int32{0, 0, 1}) || !slices.Equal(m.Start, []int{0, 1, 1, 2, 3}) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func TestRefused(t *testing.T) {
	plain := example(t)
	patched := func(at int, b ...byte) []byte {
		c := bytes.Clone(plain)
		copy(c[headerBytes+at:], b)
		return c
	}
	bomb := deflated(t, plain, func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) })
	for name, test := range map[string]struct {
		b    []byte
		want string
	}{
		"text":       {[]byte("1,2\n3,4\n"), `is not a file of MATLAB's save: it begins with "1,2\n3,4\n"`},
		"long text":  {bytes.Repeat([]byte("1,2\n3,4\n"), 99), `is not a file of MATLAB's save`},
		"7.3":        {[]byte("MATLAB 7.3 MAT-file"), "is a file of version 7.3, which is HDF5"},
		"head":       {plain[:100], "ends in its header"},
		"cut":        {plain[:headerBytes+70], "is cut off: a variable announces 104 bytes, and 62 bytes are left"},
		"tag":        {append(bytes.Clone(plain), 1, 2), "ends 2 bytes into a variable"},
		"type":       {patched(0, 99), "unknown type 99"},
		"class":      {patched(16, 77), "variable 1: is of the unknown class 77"},
		"size":       {patched(32, 3), `"X" (3 x 3 double) holds 48 bytes, want 9 elements of 8 bytes`},
		"large":      {patched(32, 255, 255, 255, 127, 255, 255, 255, 127), "has a size that no memory holds"},
		"elements":   {patched(56, 15), `holds elements of the unknown type 15`},
		"trailing":   {bomb, "its compressed data hold more than the variable"},
		"compressed": {append(bytes.Clone(plain[:headerBytes]), 15, 0, 0, 0, 2, 0, 0, 0, 1, 2), "its compressed data are damaged"},
	} {
		_, err := read(test.b)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// TestDamaged changes files, and what compressed ones hold: they are refused or read
// in bounded time and memory.
func TestDamaged(t *testing.T) {
	slow.Test(t)
	plain := example(t)
	allocated := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	refused, slowest, largest := 0, time.Duration(0), uint64(0)
	const files = 3000
	for seed := range uint64(files) {
		rng := rand.New(rand.NewPCG(seed, 18))
		change := func(b []byte) []byte {
			for range 1 + rng.IntN(3) {
				at := rng.IntN(min(len(b)-4, 1+rng.IntN(len(b)))) &^ 3
				switch rng.IntN(4) {
				case 0:
					b[at] ^= 1 << rng.IntN(8)
				case 1:
					binary.LittleEndian.PutUint32(b[at:], []uint32{0, 1, 5, 9, 14, 0x7fffffff, 0xffffffff, 1 << 24, 1 << 16}[rng.IntN(9)])
				case 2:
					binary.LittleEndian.PutUint32(b[at:], rng.Uint32())
				case 3:
					b = append(b[:at:at], b[min(len(b), at+8*rng.IntN(3)):]...)
				}
				if len(b) < 8 {
					break
				}
			}
			return b
		}
		b := bytes.Clone(plain)
		if seed%2 == 0 {
			b = append(b[:headerBytes:headerBytes], change(b[headerBytes:])...)
		} else {
			b = deflated(t, b, change)
		}
		began, before := time.Now(), allocated()
		if _, err := read(b); err != nil {
			refused++
		}
		slowest, largest = max(slowest, time.Since(began)), max(largest, allocated()-before)
	}
	t.Logf("%d of %d refused; slowest %v, at most %d bytes allocated", refused, files, slowest, largest)
	if refused < files/4 || slowest > 10*time.Second || largest > 1<<26 {
		t.Errorf("%d of %d refused; slowest %v, at most %d bytes allocated", refused, files, slowest, largest)
	}
}
