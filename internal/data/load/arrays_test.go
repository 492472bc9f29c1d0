package load

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/npy"
)

// expectation is an entry of the manifest that testdata/arrays.py writes.
type expectation struct {
	Rows  [][]string `json:"rows"` // hexadecimal, so that every bit counts
	Error string     `json:"error"`
}

// checkArrays reads each file that NumPy wrote in four ways and compares bits.
func checkArrays(t *testing.T, files map[string][]byte) {
	t.Helper()
	var manifest map[string]expectation
	if err := json.Unmarshal(files["manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest) < 80 {
		t.Fatalf("only %d files in the manifest", len(manifest))
	}
	dir := t.TempDir()
	for name, want := range manifest {
		data, ok := files[name]
		if !ok {
			t.Errorf("%s is in the manifest but was not written", name)
			continue
		}
		plain, misnamed := filepath.Join(dir, name), filepath.Join(dir, name+".bin")
		for _, path := range []string{plain, misnamed} {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ways := map[string]func() (*Set, error){
			"Load":         func() (*Set, error) { return Load(ctx, plain, Options{}) },
			"Load by what": func() (*Set, error) { return Load(ctx, misnamed, Options{}) },
			"Read bytes":   func() (*Set, error) { return Read(ctx, bytes.NewReader(data), name, "", Options{}) },
			"Read stream":  func() (*Set, error) { return Read(ctx, onlyReader{bytes.NewReader(data)}, name, "", Options{}) },
		}
		for way, read := range ways {
			s, err := read()
			if want.Error != "" {
				if err == nil || !strings.Contains(err.Error(), want.Error) {
					t.Errorf("%s, %s: got error %v, want one that says %q", way, name, err, want.Error)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", way, err)
				continue
			}
			compareRows(t, way+" "+name, s, want.Rows)
		}
	}
}

func compareRows(t *testing.T, what string, s *Set, rows [][]string) {
	t.Helper()
	if s.P != len(rows) || s.N != len(rows[0]) || len(s.Values) != s.P*s.N {
		t.Errorf("%s: got %d x %d, want %d x %d", what, s.P, s.N, len(rows), len(rows[0]))
		return
	}
	for i, row := range rows {
		for j, hex := range row {
			v, err := strconv.ParseFloat(hex, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Values[i*s.N+j]; math.Float64bits(got) != math.Float64bits(v) {
				t.Errorf("%s: row %d, column %d is %v, want %v", what, i+1, j+1, got, v)
				return
			}
		}
	}
}

// onlyReader hides everything but Read, as a pipe does.
type onlyReader struct{ r io.Reader }

func (o onlyReader) Read(p []byte) (int, error) { return o.r.Read(p) }

// TestArrays reads what NumPy 2.4 wrote: every dtype, byte order, layout and
// version, archives, compressed files, and arrays that are none of ours.
func TestArrays(t *testing.T) { checkArrays(t, archived(t)) }

func archived(t testing.TB) map[string][]byte {
	z, err := zip.OpenReader("testdata/arrays.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return files
}

func TestArchiveMember(t *testing.T) {
	files := archived(t)
	for _, file := range []string{"stored-three.npz", "deflated-three.npz"} {
		for _, array := range []string{"fine", "fine.npy", "arr_0"} {
			s, err := Read(t.Context(), bytes.NewReader(files[file]), file, "npz", Options{Array: array})
			if err != nil {
				t.Fatal(err)
			}
			var manifest map[string]expectation
			if err := json.Unmarshal(files["manifest.json"], &manifest); err != nil {
				t.Fatal(err)
			}
			compareRows(t, file+" "+array, s, manifest["stored.npz"].Rows)
		}
		for array, want := range map[string]string{
			"":      file + `: has 3 arrays, choose one: "fine", "arr_0", "arr_1"`,
			"lost":  file + `: has no array "lost"; its arrays are "fine", "arr_0", "arr_1"`,
			"arr_1": file + `["arr_1"]: holds strings (dtype "<U4"), want integers, bool or float16/32/64: convert it, for example numpy.save(file, a.astype(float))`,
		} {
			_, err := Read(t.Context(), bytes.NewReader(files[file]), file, "", Options{Array: array})
			checkError(t, err, want)
		}
	}
}

// TestSparseArchive reads archives as scipy.sparse.save_npz writes them.
func TestSparseArchive(t *testing.T) {
	header := func(descr, shape, data string) string {
		dict := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n"
		return npy.Magic + "\x01\x00" + string([]byte{byte(len(dict)), 0}) + dict + data
	}
	bytes8 := func(shape, data string) string { return header("|i1", shape, data) }
	csr := map[string]string{"format": header("|S3", "()", "csr"), "shape": bytes8("(2,)", "\x02\x03"), "data": bytes8("(3,)", "\x07\xff\x05"),
		"indices": bytes8("(3,)", "\x02\x00\x00"), "indptr": bytes8("(3,)", "\x00\x01\x03")}
	read := func(change ...string) (*Set, error) {
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		for name, data := range csr {
			for i := 0; i < len(change); i += 2 {
				if name == change[i] {
					data = change[i+1]
				}
			}
			w, err := z.Create(name + ".npy")
			if err == nil {
				_, err = w.Write([]byte(data))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return Read(t.Context(), &archive, "x.npz", "npz", Options{})
	}
	for _, format := range []string{header("|S3", "()", "csr"), header("<U3", "()", "c\x00\x00\x00s\x00\x00\x00r\x00\x00\x00")} {
		s, err := read("format", format)
		if err != nil || !slices.Equal(s.Values, []float64{0, 0, 7, 4, 0, 0}) { // two entries in one place
			t.Errorf("%+v, %v", s, err)
		}
	}
	for _, test := range [][3]string{
		{"format", header("|S3", "()", "dia"),
			`x.npz: is a sparse matrix of SciPy in the format "dia"; save it in another: scipy.sparse.save_npz(file, matrix.tocsr())`},
		{"shape", bytes8("(3,)", "\x02\x03\x01"),
			"x.npz: the shape is not two whole numbers; copy or save the file again"},
		{"shape", header("<i8", "(2,)", "\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00"), ""},
		{"indices", bytes8("(3,)", "\x03\x00\x00"),
			"x.npz: the indices are not those of entries in the matrix; copy or save the file again"},
		{"indptr", bytes8("(3,)", "\x00\x04\x03"),
			"x.npz: the indices are not those of entries in the matrix; copy or save the file again"},
		{"indptr", bytes8("(2,)", "\x00\x03"),
			"x.npz: the indices are not those of entries in the matrix; copy or save the file again"},
		{"data", bytes8("(3,1,1)", "\x00\x01\x03"), ""},
	} {
		_, err := read(test[0], test[1])
		if test[2] != "" {
			checkError(t, err, test[2])
		} else {
			checkErrorHas(t, err, "x.npz")
		}
	}
}

// checkError wants exactly this one-line error.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", want)
		return
	}
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

// checkErrorHas wants a one-line error that says each of these.
func checkErrorHas(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got error %q, want it to say %q", err, w)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error %q is not one line", err)
	}
}
