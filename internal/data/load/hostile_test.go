package load

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/system/memory"
	"symmom/internal/test/slow"
)

// peak is the heap that the process comes to while do runs, in bytes more than
// before.
func peak(do func()) uint64 {
	now := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	runtime.GC()
	before, most := now(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most = max(most, now())
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	do()
	close(done)
	<-ended
	return max(most, before) - before
}

// TestManyNames: looking through all names for each took 21 to 47 s for 100,000
// of them, more than 90 s for 1,000,000.
func TestManyNames(t *testing.T) {
	slow.Test(t)
	for _, repeated := range []bool{false, true} {
		const n = 120_000
		var b strings.Builder
		for i := range n {
			if repeated {
				i /= 2
			}
			fmt.Fprintf(&b, "name%d,", i)
		}
		b.WriteString("last\n" + strings.Repeat("1,", n) + "2\n")
		var columns []string
		for i := range n / 2 {
			columns = append(columns, fmt.Sprint("name", 2*i))
		}
		for _, o := range []Options{{}, {Columns: columns}} {
			if repeated && o.Columns != nil {
				continue
			}
			watch := clock.Start()
			s, err := readText(t, b.String(), o)
			if _, took := watch.Took(); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := n + 1
			if o.Columns != nil {
				want = n / 2
			}
			if s.N != want {
				t.Errorf("%d columns, want %d", s.N, want)
			}
			if repeated && !strings.Contains(joined(s.Warnings, "\n"), "60,000 names are repeated") {
				t.Errorf("%d warnings: %.200q", len(s.Warnings), s.Warnings)
			}
		}
	}
}

// TestLongLines: a line of 200 MB took 16 GB.
func TestLongLines(t *testing.T) {
	slow.Test(t)
	const want = "x.csv: line 1 has more than 1,048,576 fields"
	for name, test := range map[string]struct {
		source io.Reader
		o      Options
		want   string
	}{
		"numbers":   {io.LimitReader(repeater("1,"), 200<<20), Options{}, want},
		"spaces":    {io.LimitReader(repeater("1 "), 200<<20), Options{}, want},
		"below":     {io.MultiReader(strings.NewReader("1,2\n3,4\n"), io.LimitReader(repeater("1,"), 200<<20)), Options{}, "x.csv: line 3 has more than 1,048,576 fields"},
		"one field": {io.LimitReader(repeater("1"), 200<<20), Options{}, "x.csv: line 1 is longer than 33.55 MB; want one observation a line"},
		"a comment": {io.MultiReader(strings.NewReader("#"), io.LimitReader(repeater("1"), 200<<20)), Options{}, "x.csv: line 1 is longer than 33.55 MB; want one observation a line"},
		"one below": {io.MultiReader(strings.NewReader("a,b\n1,2\n"), io.LimitReader(repeater("3"), 200<<20)), Options{}, "x.csv: line 3 is longer than 33.55 MB; want one observation a line"},
		"a quote":   {io.MultiReader(strings.NewReader("a,b\n1,\""), io.LimitReader(repeater("2\n"), 200<<20)), Options{}, "x.csv: a quoted field, comments or blank lines go on for more than 33.55 MB up to line "},
		"blanks":    {io.LimitReader(repeater("\n"), 200<<20), Options{}, "x.csv: a quoted field, comments or blank lines go on for more than 33.55 MB up to line "},
		"comments":  {io.LimitReader(repeater("# by hand, in order to be long.\n"), 200<<20), Options{}, "x.csv: a quoted field, comments or blank lines go on for more than 33.55 MB up to line "},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			used := peak(func() { _, err = Read(t.Context(), test.source, "x.csv", "csv", test.o) })
			checkErrorHas(t, err, test.want)
			if used > 700<<20 {
				t.Errorf("took %d MB", used>>20)
			}
		})
	}
	// Long, but tables.
	for _, text := range []string{
		strings.Repeat("1,", 1<<20-1) + "2\n",
		strings.Repeat("1"+strings.Repeat(" ", 99), 20_000) + "\n",
		strings.Repeat("1,2\n", 18<<20),
	} {
		if _, err := readText(t, text, Options{MemoryLimit: 4e9}); err != nil {
			t.Errorf("%.10q...: %v", text, err)
		}
	}
}

// npyOf begins an NPY file of p x n numbers.
func npyOf(descr string, p, n int) []byte {
	return npyFile(fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }\n", descr, p, n))
}

// TestBombs: an NPZ of 1 MB made 12 GB, a gzip of 1 MB 4.5 GB.
func TestBombs(t *testing.T) {
	slow.Test(t)
	zeros := func(w io.Writer, n int) {
		piece := make([]byte, 1<<20)
		for range n >> 20 {
			w.Write(piece)
		}
	}
	var text, array, archive, double bytes.Buffer
	g := gzip.NewWriter(&text)
	for range 200 << 10 {
		io.WriteString(g, strings.Repeat("0,0,0,0,0,0,0,0,0,0,0,0\n", 40)) // 197 MB, 790 as float64
	}
	g.Close()
	g = gzip.NewWriter(&array)
	g.Write(npyOf("|b1", 1<<20, 500))
	zeros(g, 500<<20) // 4 GB as float64
	g.Close()
	z := zip.NewWriter(&archive)
	w, err := z.Create("a.npy")
	if err != nil {
		t.Fatal(err)
	}
	w.Write(npyOf("|b1", 1<<20, 500))
	zeros(w, 500<<20)
	z.Close()
	g = gzip.NewWriter(&double)
	g.Write(archive.Bytes())
	g.Close()
	for name, data := range map[string][]byte{"x.csv.gz": text.Bytes(), "x.npy.gz": array.Bytes(), "x.npz": archive.Bytes(), "twice.npz": double.Bytes()} {
		for _, narrow := range []bool{false, true} {
			t.Run(fmt.Sprint(name, narrow), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
				t.Logf("%d bytes", len(data))
				used := peak(func() { _, err = Load(t.Context(), path, Options{Float32: narrow}) })
				checkErrorHas(t, err, "of compressed data hold values of more than 67.11 MB, as files do that are made to fill memory; decompress the data first, or allow more memory")
				if used > 1000<<20 {
					t.Errorf("took %d MB", used>>20)
				}
			})
		}
	}
	// Who says how much may be taken gets it, and no more.
	_, err = Read(t.Context(), bytes.NewReader(array.Bytes()), "x", "", Options{MemoryLimit: 3e9})
	checkErrorHas(t, err, "x: its 1,048,576 x 500 values would take 4.194 GB of memory, the limit is 3 GB; stream the table")
	s, err := Read(t.Context(), bytes.NewReader(array.Bytes()), "x", "", Options{MemoryLimit: 3e9, Float32: true, Columns: []string{"1"}})
	checkErrorHas(t, err, "would take 6.291 GB") // all columns first, as no one knows that they are there
	if s != nil {
		t.Error("a table beside an error")
	}
}

// TestSparse: a file of 64 GB without data ended the process.
func TestSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := os.WriteFile(path, npyOf("<f8", 1<<30, 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, (8<<30)*1000+128); err != nil {
		t.Fatal(err)
	}
	_, err := Load(t.Context(), path, Options{})
	var large *memory.Error
	if !errors.As(err, &large) || large.Given || large.Limit > memory.Free() {
		t.Fatalf("got %v", err)
	}
	checkErrorHas(t, err, path+": its 1,073,741,824 x 1,000 values would take 8.59 TB of memory, three quarters of the free memory are ", "; stream the table, keep the values as float32, or allow more memory")
	_, err = Load(t.Context(), path, Options{Float32: true})
	checkErrorHas(t, err, "4.295 TB")
	_, err = Load(t.Context(), path, Options{Float32: true, Columns: []string{"7"}, MemoryLimit: 1e9})
	checkErrorHas(t, err, "its 1,073,741,824 x 1 values would take 4.295 GB of memory, the limit is 1 GB")

	// Text, whose size says before it is read how much there will be.
	path = filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(strings.Repeat("1,2\n", 2000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	_, err = Load(t.Context(), path, Options{})
	checkErrorHas(t, err, "its values, about ", "of memory, three quarters of the free memory are")
}

// TestMemoryLimit: what grows as it comes ends at the limit.
func TestMemoryLimit(t *testing.T) {
	for name, source := range map[string]func() io.Reader{
		"csv": func() io.Reader { return repeater("1,2,3\n") },
		"npy": func() io.Reader { return io.MultiReader(bytes.NewReader(npyOf("<f8", 1<<22, 3)), repeater("12345678")) },
		"npz": func() io.Reader { return io.MultiReader(strings.NewReader("PK\x03\x04"), repeater("x")) },
	} {
		for _, narrow := range []bool{false, true} {
			var err error
			used := peak(func() {
				_, err = Read(t.Context(), source(), "x", "", Options{MemoryLimit: 40 << 20, Float32: narrow})
			})
			checkErrorHas(t, err, "of memory, the limit is 41.94 MB")
			if used > 200<<20 {
				t.Errorf("%s: took %d MB", name, used>>20)
			}
		}
	}
}

// TestReadFile is for models and the like.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := ReadFile(t.Context(), path, 10); err != nil || string(b) != "{}" {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.Truncate(path, 1<<43); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(t.Context(), path, 10)
	checkErrorHas(t, err, path+": its contents would take 87.96 TB of memory")
	_, err = ReadFile(t.Context(), path+".none", 10)
	checkErrorHas(t, err, "file does not exist; check the path")
}

// stops wants do to end soon after its context.
func stops(t *testing.T, do func(context.Context) error) {
	t.Helper()
	const after = 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- do(ctx) }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("does not end with its context")
	}
}
