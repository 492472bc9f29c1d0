package load

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"symmom/internal/data/export"
	"symmom/internal/data/npy"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
)

// npyFile is a version 1 file with this dictionary.
func npyFile(dict string, data ...byte) []byte {
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(dict)))
	return append(append(b, dict...), data...)
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestNPYHeaderForms(t *testing.T) {
	one := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))
	for _, dict := range []string{
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n",
		"{'descr':'<f8','fortran_order':False,'shape':(1,1)}",
		`{"shape": (1L, 1L,), "fortran_order": True, "descr": "f8"}`,
		" { 'shape' : ( 1 , ) , 'descr' : '=f8' , 'fortran_order' : False , } \n\x00\x00",
	} {
		s, err := Read(t.Context(), bytes.NewReader(npyFile(dict, one...)), "x.npy", "npy", Options{})
		if err != nil {
			t.Errorf("%q: %v", dict, err)
			continue
		}
		if s.P != 1 || s.N != 1 || s.Values[0] != 1.5 {
			t.Errorf("%q: got %d x %d, %v", dict, s.P, s.N, s.Values)
		}
	}
}

func TestNPYWrongHeader(t *testing.T) {
	whole := npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", make([]byte, 8)...)
	v2 := []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"magic", []byte("\x93NUMPX\x01\x00"), `is not an NPY file: it begins with "\x93NUMPX`},
		{"text", []byte("1,2\n3,4\n"),
			`is not an NPY file: it begins with "1,2\n3,4\n", want "\x93NUMPY"; write it with numpy.save`},
		{"version", []byte("\x93NUMPY\x04\x02\x10\x00"), "NPY format version 4.2 is not known"},
		{"cut in magic", whole[:7], "the file ends inside it"},
		{"cut in length", whole[:9], "the file ends inside it"},
		{"cut in dictionary", whole[:30], "the file ends inside it"},
		{"4 GB header", v2, "announces a dictionary of 4294967295 bytes"},
		{"no dictionary", npyFile("hello"), `want a dictionary at "hello"`},
		{"empty", npyFile(""), "want a dictionary, but it ends"},
		{"no keys", npyFile("{}"), `"descr" is missing`},
		{"no shape", npyFile("{'descr': '<f8', 'fortran_order': False}"), `"shape" is missing`},
		{"key twice", npyFile("{'descr': '<f8', 'descr': '<f8'}"), `"descr" occurs twice`},
		{"unknown key", npyFile("{'color': 1}"), `unknown key "color"`},
		{"key not a string", npyFile("{3: 1}"), "want a key or }"},
		{"no colon", npyFile("{'descr' '<f8'}"), "want : at"},
		{"no comma", npyFile("{'descr': '<f8' 'shape': ()}"), "want , or }"},
		{"open string", npyFile("{'descr"), "want a key or }"},
		{"dtype a number", npyFile("{'descr': 8}"), "want a dtype"},
		{"dtype open list", npyFile("{'descr': [('a', '<f8'"), "want a dtype"},
		{"order", npyFile("{'fortran_order': 1}"), "want True or False"},
		{"shape a list", npyFile("{'shape': [3]}"), "want a tuple"},
		{"negative", npyFile("{'shape': (-1,)}"), `want a size at "-1,)}"`},
		{"size too long", npyFile("{'shape': (99999999999999999999,)}"), "want a size"},
		{"no comma in shape", npyFile("{'shape': (1 2)}"), "want , or )"},
		{"after the end", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} 5"),
			"want the end of the header"},
		{"product", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"),
			"larger than any memory"},
		{"unknown dtype", npyFile("{'descr': '<x8', 'fortran_order': False, 'shape': (1,)}"),
			"a type that is not read here"},
		{"odd dtype", npyFile("{'descr': '', 'fortran_order': False, 'shape': (1,)}"), "a type that is not read here"},
		{"doubled order", npyFile("{'descr': '<>f8', 'fortran_order': False, 'shape': (1,)}"),
			"a type that is not read here"},
	}
	for _, test := range tests {
		for _, stream := range []bool{false, true} {
			_, err := readBytes(t, test.data, stream)
			if err == nil {
				t.Errorf("%s: no error", test.name)
				continue
			}
			checkErrorHas(t, err, "x.npy: ", test.want)
		}
	}
}

func readBytes(t *testing.T, data []byte, stream bool) (*Set, error) {
	if stream {
		return Read(t.Context(), onlyReader{bytes.NewReader(data)}, "x.npy", "npy", Options{})
	}
	return Read(t.Context(), bytes.NewReader(data), "x.npy", "npy", Options{})
}

// TestNPYTruncated cuts a file everywhere: never a value that was not there.
func TestNPYTruncated(t *testing.T) {
	for _, fortran := range []string{"False", "True"} {
		dict := "{'descr': '<f4', 'fortran_order': " + fortran + ", 'shape': (3, 2), }\n"
		whole := npyFile(dict, make([]byte, 24)...)
		for cut := 10 + len(dict); cut < len(whole); cut++ {
			for _, stream := range []bool{false, true} {
				_, err := readBytes(t, whole[:cut], stream)
				checkErrorHas(t, err, "x.npy: truncated: the header announces (3 x 2) elements of 4 bytes, but only")
			}
		}
	}
	_, err := readBytes(t, npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", make([]byte, 20)...), false)
	checkError(t, err, "x.npy: truncated: the header announces (3,) elements of 8 bytes, but only 20 of 24 bytes are there; copy or save the file again")
}

// TestNPYLyingHeader wants little memory used for a shape whose data are not there.
func TestNPYLyingHeader(t *testing.T) {
	for _, fortran := range []string{"False", "True"} {
		for _, descr := range []string{"<f8", "|i1"} {
			data := npyFile("{'descr': '"+descr+"', 'fortran_order': "+fortran+", 'shape': (10000000000, 10)}", make([]byte, 100)...)
			var zipped, gzipped bytes.Buffer
			z := zip.NewWriter(&zipped)
			for _, method := range []uint16{zip.Store, zip.Deflate} {
				w, _ := z.CreateHeader(&zip.FileHeader{Name: []string{"a.npy", "", "", "", "", "", "", "", "b.npy"}[method], Method: method})
				w.Write(data)
			}
			z.Close()
			g := gzip.NewWriter(&gzipped)
			g.Write(data)
			g.Close()
			before := allocated()
			for _, stream := range []bool{false, true} {
				_, err := readBytes(t, data, stream)
				if stream {
					checkErrorHas(t, err, "of memory")
				} else {
					checkErrorHas(t, err, "truncated")
				}
				_, err = readBytes(t, gzipped.Bytes(), stream)
				checkErrorHas(t, err, map[bool]string{false: "truncated", true: "of memory"}[stream])
				_, err = Read(t.Context(), onlyReader{bytes.NewReader(data)}, "x", "npy", Options{MemoryLimit: 1 << 60})
				checkErrorHas(t, err, "truncated")
			}
			for _, array := range []string{"a", "b"} {
				_, err := Read(t.Context(), bytes.NewReader(zipped.Bytes()), "x", "npz", Options{Array: array})
				checkErrorHas(t, err, "truncated")
			}
			// 8 reads of at most 1 MB of values, 0.5 MB of raw data and 0.8 MB of buffers.
			if used := allocated() - before; used > 32<<20 {
				t.Errorf("%s: %d bytes allocated for 100 bytes of data", descr, used)
			}
		}
	}
}

// TestNPYLarge reads arrays that do not fit in one piece, one growth or one block
// of columns, from every kind of source.
func TestNPYLarge(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{130_000, 3}, {3, 130_000}, {1100, 1100}} {
		p, n := shape[0], shape[1]
		v := make([]float64, p*n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		m := mat.NewDense(p, n, v)
		var c bytes.Buffer
		if err := npy.Write(&c, m); err != nil {
			t.Fatal(err)
		}
		var f bytes.Buffer
		if err := npy.Write(&f, m.T()); err != nil { // C order of the transpose is Fortran order
			t.Fatal(err)
		}
		fortran := bytes.Replace(f.Bytes(), shapeText(n, p), shapeText(p, n), 1)
		fortran = bytes.Replace(fortran, []byte("False"), []byte("True "), 1)
		for _, data := range [][]byte{c.Bytes(), fortran} {
			for _, stream := range []bool{false, true} {
				s, err := readBytes(t, data, stream)
				if err != nil {
					t.Fatal(err)
				}
				if s.P != p || s.N != n {
					t.Fatalf("got %d x %d, want %d x %d", s.P, s.N, p, n)
				}
				for i, want := range v {
					if s.Values[i] != want {
						t.Fatalf("%d x %d: value %d is %v, want %v", p, n, i, s.Values[i], want)
					}
				}
			}
		}
	}
}

func shapeText(p, n int) []byte {
	var h npy.Header
	h.Shape = []int{p, n}
	return []byte(strings.ReplaceAll(h.ShapeString(), " x ", ", "))
}

func TestNPYMoreBytes(t *testing.T) {
	data := npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", 1, 2, 3)
	s, err := readBytes(t, data, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Text, "more bytes after the array") {
		t.Errorf("warnings: %q", s.Warnings)
	}
}

func TestNPYNotFinite(t *testing.T) {
	m := mat.NewDense(3, 2, []float64{1, 2, 3, 4, math.Inf(-1), 6})
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := export.WriteNPY(path, m); err != nil {
		t.Fatal(err)
	}
	_, err := Load(t.Context(), path, Options{})
	checkError(t, err, path+`: row 3, column 1: got "-Inf", want a finite number; correct the value, or make it a missing one (NaN)`)
	_, err = Load(t.Context(), path, Options{Columns: []string{"2"}})
	if err != nil {
		t.Errorf("the infinity is not in the selected column: %v", err)
	}
	_, err = Load(t.Context(), path, Options{Columns: []string{"2", "1"}})
	checkErrorHas(t, err, "row 3, column 1:")
}

// TestDamagedArchives turns each byte of small archives around: an error or the
// right numbers, never others.
func TestDamagedArchives(t *testing.T) {
	slow.Test(t)
	files := archived(t)
	for _, name := range []string{"deflated.npz", "stored.npz", "npy.npy.gz", "comma.csv.gz"} {
		good := files[name]
		want, err := Read(t.Context(), bytes.NewReader(good), name, "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 0x55
			s, err := Read(t.Context(), bytes.NewReader(bad), name, "", Options{})
			if err != nil {
				refused++
				checkErrorHas(t, err, name)
			} else if s.Fingerprint() != want.Fingerprint() {
				t.Errorf("%s, byte %d: other numbers without an error", name, i)
			}
		}
		if refused < len(good)/4 {
			t.Errorf("%s: only %d of %d damages noticed", name, refused, len(good))
		}
		for cut := 1; cut < len(good); cut++ {
			if s, err := Read(t.Context(), bytes.NewReader(good[:cut]), name, "", Options{}); err == nil {
				t.Errorf("%s cut to %d bytes: no error, %d x %d", name, cut, s.P, s.N)
			}
		}
	}
}

func TestArchiveProblems(t *testing.T) {
	pack := func(flags uint16, method uint16, names ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: method, Flags: flags})
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte("x"))
		}
		z.Close()
		return b.Bytes()
	}
	tests := []struct {
		data []byte
		o    Options
		want string
	}{
		{pack(0, 0), Options{}, "a zip archive without a .npy array"},
		{pack(0, 0, "readme.txt"), Options{}, "a zip archive without a .npy array"},
		{pack(0, 0, "xl/workbook.xml"), Options{}, "a workbook of Excel"},
		{pack(0, 0, "a.npy", "a.npy"), Options{Array: "a"}, `2 arrays of the name "a"`},
		{pack(1, 0, "a.npy"), Options{}, "encrypted"},
		{pack(0, 12, "a.npy"), Options{}, "a method that is not read here"},
		{[]byte("PK\x03\x04 nothing else"), Options{}, "not a whole NPZ archive"},
		{pack(0, 0, "a.npy")[1:], Options{}, `is not an NPZ archive: it begins with "K\x03`},
	}
	for _, test := range tests {
		_, err := Read(t.Context(), bytes.NewReader(test.data), "x.npz", "npz", test.o)
		checkErrorHas(t, err, "x.npz", test.want)
	}
}

// TestArchiveInsideFile reads from where the reader stands, not from the start.
func TestArchiveInsideFile(t *testing.T) {
	data := append([]byte("skipped"), archived(t)["stored.npz"]...)
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, r := range []interface {
		Read([]byte) (int, error)
		Seek(int64, int) (int64, error)
	}{f, bytes.NewReader(data)} {
		if _, err := r.Seek(7, 0); err != nil {
			t.Fatal(err)
		}
		if s, err := Read(t.Context(), r, "x", "", Options{}); err != nil || s.P != 3 || s.N != 4 {
			t.Errorf("%T: %v %v", r, s, err)
		}
	}
}

// TestArchiveLyingSize: a stored member that announces more bytes than the archive
// has is read as far as it goes.
func TestArchiveLyingSize(t *testing.T) {
	data := npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (500000000,)}", make([]byte, 1<<20)...)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "a.npy", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	directory := bytes.LastIndex(b.Bytes(), []byte("PK\x01\x02"))
	for _, size := range []int{20, 24} { // compressed, as it is: 4.29e9, more than the 4e9 that the shape needs
		binary.LittleEndian.PutUint32(b.Bytes()[directory+size:], 0xfffffff0)
	}
	before := allocated()
	_, err = Read(t.Context(), bytes.NewReader(b.Bytes()), "x", "", Options{})
	checkErrorHas(t, err, `x["a"]: truncated: the header announces 500,000,000 x 1 elements, more than `)
	// Growth by doubling to the first size above 1 MB, and buffers of half a megabyte.
	if used := allocated() - before; used > 8<<20 {
		t.Errorf("%d bytes allocated for an archive of %d", used, b.Len())
	}
}

// TestFloat16 against the bit patterns of IEEE 754 binary16.
func TestFloat16(t *testing.T) {
	for h, want := range map[uint16]float64{
		0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 0x1p-14, 0x03ff: 1023 * 0x1p-24, 0x8001: -0x1p-24,
		0x3555: 0.333251953125, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1), 0: 0,
	} {
		if got := npy.Half(h); got != want {
			t.Errorf("%#04x: got %v, want %v", h, got, want)
		}
	}
	if v := npy.Half(0x7e00); v == v {
		t.Errorf("NaN: got %v", v)
	}
	if !math.Signbit(npy.Half(0x8000)) {
		t.Error("-0 lost its sign")
	}
}
