package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/data/formats"
	"symmom/internal/data/npy"
	"symmom/internal/system/clock"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func compressed(text string) string {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	_, _ = g.Write([]byte(text))
	_ = g.Close()
	return b.String()
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.csv")
	_, err := Load(t.Context(), none, Options{})
	checkError(t, err, none+": file does not exist; check the path")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
	_, err = Load(t.Context(), dir, Options{})
	checkErrorHas(t, err, dir+": is a directory without data files; want CSV, NPY, Parquet or other tables in it")
	_, err = Load(t.Context(), none+"/x", Options{})
	checkErrorHas(t, err, "check the path")
	_, err = Load(t.Context(), "a\nb", Options{})
	checkError(t, err, "a b: file does not exist; check the path")
	_, err = Load(t.Context(), writeFile(t, "f", "1\n")+"/x", Options{})
	checkErrorHas(t, err, "not a directory")
	_, err = Load(t.Context(), "x\x00y", Options{})
	checkErrorHas(t, err, "x y: ")
	checkErrorHas(t, OpenError("x", &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}), "x: permission denied to read; check the file's owner and mode")

	for _, test := range []struct{ name, text, want string }{
		{"empty.csv", "", "is empty"},
		{"empty.npy", "", "is empty"},
		{"empty.csv.gz", compressed(""), "is empty"},
		{"twice.csv.gz", compressed(compressed("1\n")), "is gzip inside gzip; decompress it once"},
		{"cut.csv.gz", compressed("1,2\n3,4\n")[:15], "the gzip data are cut off"},
		{"head.csv.gz", "\x1f\x8b\x08", "the gzip data are cut off"},
		{"damaged.csv.gz", "\x1f\x8bxxxxxxxxxxxxx", "the gzip data are damaged"},
		{"text.npy", "1,2\n", `is not an NPY file: it begins with "1,2\n"`},
		{"text.npz", "1,2\n", `is not an NPZ archive: it begins with "1,2\n"`},
		{"text.npy.gz", compressed("1,2\n"), "is not an NPY file"},
		{"table.parquet", "PAR1....", "the file is damaged ("},
		{"table.pq", "1,2\n", `is not a Parquet file: it begins with "1,2\n", want "PAR1"`},
		{"table.feather", "1,2\n", `is not an Arrow file: it begins with "1,2\n", want "ARROW1"`},
		{"old.feather", "FEA1\x00\x00\x00\x00", "is a Feather file of version 1; write it with pyarrow.feather.write_feather"},
		{"stream.arrow", "\xff\xff\xff\xff....", "is a stream of Arrow messages; write it as a file"},
		{"data.xz", "\xfd7zXZ\x00...", "is xz-compressed; decompress it, or compress with gzip"},
	} {
		path := writeFile(t, test.name, test.text)
		_, err := Load(t.Context(), path, Options{})
		checkErrorHas(t, err, path+": "+test.want)
	}
}

func TestLoadByExtension(t *testing.T) {
	for name, text := range map[string]string{
		"x.csv": "1,2\n", "x.tsv": "1\t2\n", "x.tab": "1\t2\n", "x.TSV": "1\t2\n", "x.txt": "1;2\n", "x": "1 2\n",
		"x.csv.gz": compressed("1,2\n"), "x.csv.GZ": compressed("1,2\n"), "y.csv": compressed("1,2\n"),
	} {
		s, err := Load(t.Context(), writeFile(t, name, text), Options{})
		if err != nil || s.P != 1 || s.N != 2 {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	// In a .tsv file commas are no delimiter.
	if s, err := Load(t.Context(), writeFile(t, "x.tsv", "a\n1,2\n"), Options{}); err != nil || s.N != 1 || s.Values[0] != 1.2 {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := Load(t.Context(), writeFile(t, "x.tsv", "1,2\n"), Options{Delimiter: ','}); err != nil || s.N != 2 {
		t.Errorf("the given delimiter is not used: %v", err)
	}
}

func TestReadFormats(t *testing.T) {
	npy := string(npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (1,2)}", 1, 2))
	for _, test := range []struct{ format, text, want string }{
		{"excel", "1",
			`x: unknown format "excel"; want csv, tsv, npy, npz, mat, parquet, arrow, mtx, ldac, svmlight, fwf, or nothing to let the content decide`},
		{"csv", npy, "x: holds npy, not the requested csv"},
		{"npz", npy, "x: holds npy, not the requested npz"},
		{"npy", "PK\x03\x04", "x: holds npz, not the requested npy"},
		{"tsv", "PK\x03\x04", "x: holds npz, not the requested tsv"},
	} {
		_, err := Read(t.Context(), strings.NewReader(test.text), "x", test.format, Options{})
		checkError(t, err, test.want)
	}
	for format, text := range map[string]string{"": npy, "npy": npy, "csv": "1,2", "tsv": "1\t2"} {
		if s, err := Read(t.Context(), strings.NewReader(text), "", format, Options{}); err != nil || s.N != 2 || s.Source != "<reader>" {
			t.Errorf("%q: %+v, %v", format, s, err)
		}
	}
	if s, err := Read(t.Context(), christened{strings.NewReader("1,2\n"), "y\nx"}, "", "", Options{}); err != nil || s.Source != "y x" {
		t.Errorf("of a reader with a name: %+v, %v", s, err)
	}
	var none *os.File
	_, err := Read(t.Context(), none, "", "", Options{})
	checkErrorHas(t, err, "<reader>: ")
	_, err = Read(t.Context(), nil, "x\ny", "", Options{})
	checkError(t, err, "x y: no reader was given")
}

// TestReadErrors: a source that fails half-way, as a file that vanishes from a
// network disk does, is not a short table.
func TestReadErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	npy := string(npyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (9,)}", 1, 2))
	for _, text := range []string{"", "1,2\n3,4\n", npy, "PK\x03\x04", compressed("1,2\n3,4\n"), compressed("1")[:12]} {
		_, err := Read(t.Context(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "x", "", Options{})
		checkError(t, err, "x: reading failed: the disk is gone")
		if !errors.Is(err, broken) {
			t.Error("the cause is lost")
		}
	}
	_, err := Read(t.Context(), iotest.ErrReader(&fs.PathError{Op: "read", Path: "y", Err: syscall.EIO}), "x", "", Options{})
	checkError(t, err, "x: reading failed: input/output error")
}

// TestFileVanishes: the file is removed between opening and reading, and cut short
// while it is read.
func TestFileVanishes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := export.WriteNPY(path, mat.NewDense(200_000, 2, nil)); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(t.Context(), f, path, "", Options{}); err != nil || s.P != 200_000 {
		t.Errorf("an open file that was removed is still whole: %v", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	in := formats.NewInput(t.Context(), f, path, 0)
	if _, err := in.Peek(64); err != nil { // the size is known now
		t.Fatal(err)
	}
	if err := f.Truncate(1_000_000); err != nil {
		t.Fatal(err)
	}
	c, err := formats.Of(path).Open(t.Context(), in, f, formats.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = readArray(t.Context(), c.Array, Options{})
	checkErrorHas(t, err, "truncated: the header announces (200000 x 2) elements of 8 bytes, but only 999872 of 3200000 bytes are there")
}

// TestCancel wants each reader to stop within 100 ms of the end of its context.
// A source that never ends, one that never answers, and a pipe.
func TestCancel(t *testing.T) {
	endless := map[string]func() io.Reader{
		"csv":     func() io.Reader { return repeater("1,2,3\n") },
		"npy":     func() io.Reader { return io.MultiReader(bytes.NewReader(hugeNPY("False")), repeater("12345678")) },
		"fortran": func() io.Reader { return io.MultiReader(bytes.NewReader(hugeNPY("True")), repeater("12345678")) },
		"npz":     func() io.Reader { return io.MultiReader(strings.NewReader("PK\x03\x04"), repeater("x")) },
		"silent": func() io.Reader {
			r, _ := io.Pipe()
			return r
		},
		"pipe": func() io.Reader {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { w.Close() })
			if _, err := w.WriteString("1,2\n"); err != nil {
				t.Fatal(err)
			}
			return r
		},
	}
	for name, source := range endless {
		t.Run(name, func(t *testing.T) {
			const after = 50 * time.Millisecond
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			watch := clock.Start()
			_, err := Read(ctx, source(), "x", "", Options{MemoryLimit: 1 << 60})
			// The promise is 100 ms; ten times that for the race detector.
			if _, took := watch.Took(); took > after+time.Second {
				t.Errorf("took %v", took)
			}
			checkError(t, err, "x: reading stopped: context deadline exceeded")
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error("the cause is lost")
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"x.csv", "x.csv.gz"} {
		_, err := Load(ctx, writeFile(t, name, compressed("1,2\n")), Options{})
		checkErrorHas(t, err, "reading stopped: context canceled")
	}
	_, err := Read(ctx, bytes.NewReader(archived(t)["deflated.npz"]), "x", "", Options{})
	checkErrorHas(t, err, "reading stopped: context canceled")
}

// TestCancelInMemory: a source of known size is read without a goroutine, and
// still not to its end.
func TestCancelInMemory(t *testing.T) {
	large := mat.NewDense(1<<20, 1, nil)
	var file bytes.Buffer
	if err := npy.Write(&file, large); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{file.Bytes(), bytes.Repeat([]byte("1,2\n"), 1<<20)} {
		ctx, cancel := context.WithCancel(t.Context())
		r := &tripwire{bytes.NewReader(data), cancel}
		_, err := Read(ctx, r, "x", "", Options{})
		checkError(t, err, "x: reading stopped: context canceled")
		if r.r.Len() < len(data)/2 {
			t.Errorf("%d of %d bytes were read after the context ended", len(data)-r.r.Len(), len(data))
		}
	}
}

// tripwire knows its size and cancels on the first read.
type tripwire struct {
	r      *bytes.Reader
	cancel func()
}

func (r *tripwire) Len() int { return r.r.Len() }

func (r *tripwire) Read(p []byte) (int, error) {
	r.cancel()
	return r.r.Read(p)
}

func hugeNPY(fortran string) []byte {
	return npyFile("{'descr': '|u1', 'fortran_order': " + fortran + ", 'shape': (100000000000, 100)}")
}

// repeater gives its text for ever.
type repeater string

func (r repeater) Read(p []byte) (int, error) {
	n := 0
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

func TestLoadMatrix(t *testing.T) {
	want := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	npy := filepath.Join(t.TempDir(), "m.npy")
	if err := export.WriteNPY(npy, want); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{npy, writeFile(t, "m.csv", "1,2\n3,4\n5,6\n"), writeFile(t, "h.csv", "a,b\n1,2\n3,4\n5,6\n")} {
		got, err := LoadMatrix(t.Context(), path)
		if err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	_, err := LoadMatrix(t.Context(), writeFile(t, "m.csv", "1,2\n3,\n"))
	checkErrorHas(t, err, "1 missing value: column 2 (1)")
}

type christened struct {
	io.Reader
	name string
}

func (n christened) Name() string { return n.name }
