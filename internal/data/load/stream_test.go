package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/internal/data/export"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
)

// passed makes a pass and says why it came to no end.
func passed(ctx context.Context, s *Stream, do func(block.Block)) error {
	if s.Pass(ctx, do) {
		return nil
	}
	return block.Stopped(ctx, s)
}

// collect puts the blocks of a pass together again; weights are normalized.
func collect(t *testing.T, s *Stream) (values, weights []float64) {
	t.Helper()
	if err := passed(t.Context(), s, func(b block.Block) {
		if len(b.V) != b.Rows*s.N || b.Rows > s.rows || b.Rows == 0 || s.Weighted && len(b.Nu) != b.Rows {
			t.Errorf("block of %d rows with %d values and %d weights", b.Rows, len(b.V), len(b.Nu))
		}
		if len(values)%(s.rows*s.N) != 0 {
			t.Error("a block before the last is not full")
		}
		values = append(values, b.V...)
		for _, w := range b.Nu {
			weights = append(weights, w*s.share)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return values, weights
}

// A stream gives what Load gives, whatever the format and the options.
func TestStreamIsLoad(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(1, 1))
	dir := t.TempDir()
	// 300,000 numbers of float64 are a third of a block; the larger array has
	// three, of 3 variables, the last not full.
	small, large := mat.NewDense(100_000, 3, nil), mat.NewDense(400_003, 3, nil)
	for _, m := range []*mat.Dense{small, large} {
		raw := m.RawMatrix().Data
		for i := range raw {
			raw[i] = rng.NormFloat64()
		}
		for i := range m.RawMatrix().Rows {
			m.Set(i, 1, 1+math.Abs(m.At(i, 1))) // a column of weights
		}
	}
	npy := func(name string, m mat.Matrix) string {
		path := filepath.Join(dir, name)
		if err := export.WriteNPY(path, m); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	holes := mat.DenseCopyOf(small)
	for range 5000 {
		holes.Set(rng.IntN(100_000), rng.IntN(3), math.NaN())
	}
	var table strings.Builder
	table.WriteString("a,weight,label,b,c\n")
	for i := range 20_000 {
		fmt.Fprintf(&table, "%g,%g,x%d,%d,%g\n", rng.NormFloat64(), 1+rng.Float64(), i, i, float32(rng.NormFloat64()))
	}
	for _, test := range []struct {
		name, path string
		o          Options
	}{
		{"npy", npy("small.npy", small), Options{}},
		{"blocks", npy("large.npy", large), Options{}},
		{"weights", npy("large.npy", large), Options{Weights: "2"}},
		{"columns", npy("large.npy", large), Options{Columns: []string{"3", "1"}}},
		{"gzip", text("small.npy.gz", compressed(string(read1(t, npy("small.npy", small))))), Options{}},
		{"drop", npy("holes.npy", holes), Options{Missing: MissingDrop}},
		{"drop weights", npy("holes.npy", holes), Options{Missing: MissingDrop, Weights: "2"}},
		{"csv", text("t.csv", table.String()), Options{Columns: []string{"a", "b", "c"}}},
		{"csv weights", text("t.csv", table.String()), Options{Columns: []string{"a", "c"}, Weights: "weight"}},
		{"csv gzip", text("t.csv.gz", compressed(table.String())), Options{Columns: []string{"4-5", "1"}}},
		{"one row", text("one.csv", "1,2\n"), Options{}},
		{"header and row", text("two.csv", "a,b\n1,2\n"), Options{}},
		{"comments", text("comments.csv", "# by hand\n#\n# a b\n1 2\n3 4\n"), Options{}},
		{"index", text("index.csv", ",b\n0,5\n1,7\n2,8\n"), Options{}},
		{"tsv", text("x.tsv", "1\t2\n3\t4\n5\t6\n"), Options{Header: HeaderAbsent}},
		{"csv drop", text("na.csv", "a,w\n1,1\nNA,1\n2,\n3,2\n"), Options{Missing: MissingDrop, Weights: "w"}},
		{"equal weights", text("eq.csv", "a,w\n1,2\n3,2\n"), Options{Weights: "w"}},
		{"scales", text("scale.csv", "1,1e9,7\n2,1e9,7\n"), Options{}},
		{"huge", text("huge.csv", "1e300,1\n2e300,1\n"), Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want, err := Load(t.Context(), test.path, test.o)
			if err != nil {
				t.Fatal(err)
			}
			looked := 0
			s, err := OpenStream(t.Context(), test.path, test.o, func(_ *Stream, b block.Block) { looked += b.Rows })
			if err != nil {
				t.Fatal(err)
			}
			if s.P != want.P || s.N != want.N || s.Dropped != want.Dropped || looked != want.P || !reflect.DeepEqual(s.Names, want.Names) {
				t.Errorf("%d x %d, %d dropped, %d looked at, names %q; Load has %d x %d, %d, %q", s.P, s.N, s.Dropped, looked, s.Names, want.P, want.N, want.Dropped, want.Names)
			}
			// Warnings name root mean squares, of columns that squares overflow
			// only roughly.
			if test.name != "huge" && !reflect.DeepEqual(s.Warnings, want.Warnings) || len(s.Warnings) != len(want.Warnings) {
				t.Errorf("warnings %q, Load %q", s.Warnings, want.Warnings)
			}
			span := 0.0
			for _, v := range want.Values {
				span = max(span, math.Abs(v))
			}
			if s.Span != span {
				t.Errorf("span %g, want %g", s.Span, span)
			}
			for range 2 {
				values, weights := collect(t, s)
				if !reflect.DeepEqual(values, want.Values) {
					t.Fatal("other values")
				}
				if len(weights) != len(want.Weights) {
					t.Fatalf("%d weights, want %d", len(weights), len(want.Weights))
				}
				for i, w := range weights {
					// Both round a sum of P terms.
					if !(math.Abs(w-want.Weights[i]) <= 1e-16*float64(want.P+10)*want.Weights[i]) {
						t.Fatalf("weight %d is %g, want %g", i, w, want.Weights[i])
					}
				}
			}
			for range 2 {
				if sum, err := s.Fingerprint(t.Context()); sum != want.Fingerprint() || err != nil {
					t.Errorf("fingerprint %s, %v; want %s", sum, err, want.Fingerprint())
				}
			}
		})
	}
}

func read1(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Rows without a weight are dropped in each pass, also where the other weights are equal, which
// is as if there were none.
func TestStreamDropsEqualWeights(t *testing.T) {
	s, err := OpenStream(t.Context(), writeFile(t, "w.csv", "x,w\n1,2\n3,NA\n5,2\n"), Options{Weights: "w", Missing: MissingDrop}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if values, weights := collect(t, s); !slices.Equal(values, []float64{1, 5}) || weights != nil || s.Weighted {
			t.Errorf("%v, %v, %v", values, weights, s.Err())
		}
	}
}

func TestStreamErrors(t *testing.T) {
	npy := func(rows [][]float64) string {
		path := filepath.Join(t.TempDir(), "x.npy")
		m := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, r := range rows {
			m.SetRow(i, r)
		}
		if err := export.WriteNPY(path, m); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := npy([][]float64{{1, 2}, {3, 4}})
	fortran := strings.Replace(string(read1(t, good)), "'fortran_order': False", "'fortran_order': True ", 1)
	pipe := filepath.Join(t.TempDir(), "null.npy")
	if err := os.Symlink(os.DevNull, pipe); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, want string
		o          Options
	}{
		{"/none.npy", "file does not exist; check the path", Options{}},
		{t.TempDir(), "is a directory", Options{}},
		{pipe, "is not a regular file", Options{}},
		{good, "a stream cannot fill missing values", Options{Missing: MissingMean}},
		{good, "only npz archives and MATLAB files have named arrays", Options{Array: "a"}},
		{good, "out of range; the source has 2 columns", Options{Columns: []string{"3-3"}}},
		{good, "column 1 is asked for as weights and as a variable; name another", Options{Columns: []string{"1"}, Weights: "1"}},
		{writeFile(t, "f.npy", fortran), "is in Fortran order", Options{}},
		{writeFile(t, "cut.npy", string(read1(t, good))[:150]), "truncated", Options{}},
		{writeFile(t, "a.npz", "PK\x03\x04xxxx"), "is not a whole NPZ archive", Options{}},
		{writeFile(t, "z.npy.gz", compressed(string(read1(t, good))[:150])), "truncated", Options{}},
		{npy([][]float64{{1, 2}, {3, math.Inf(1)}}), "row 2, column 2: got \"+Inf\", want a finite number", Options{}},
		{npy([][]float64{{1, 2}, {math.NaN(), math.NaN()}}), "2 missing values: column 1 (1), column 2 (1)", Options{}},
		{npy([][]float64{{1, math.NaN()}}), "each of the 1 rows has a missing value", Options{Missing: MissingDrop}},
		{npy([][]float64{{1, 2}, {3, -1}}),
			"row 2, column 2 (weights): got \"-1\", want a positive, finite weight", Options{Weights: "2"}},
		{npy([][]float64{{1, 1e-300}, {3, 1e300}}), "vanishes beside the largest", Options{Weights: "2"}},
		{writeFile(t, "x.csv", "a,b\n1,2\n3,x\n"), "line 3, column 2 (b): got \"x\", want a number", Options{}},
		{writeFile(t, "y.csv", "a,b\n1,2\n3\n"), "line 3: got 1 field, want 2", Options{}},
		{writeFile(t, "w.csv", "a,w\n1,2\n3,0\n"),
			"line 3, column 2 (w): got \"0\", want a positive weight", Options{Weights: "w"}},
		{writeFile(t, "e.csv", ""), "is empty", Options{}},
		{writeFile(t, "h.csv", "a,b\n"), "has a header but no observations", Options{}},
		{writeFile(t, "d.csv", "1,2\n"), "cannot separate fields", Options{Delimiter: '"'}},
	} {
		_, err := OpenStream(t.Context(), test.path, test.o, nil)
		checkErrorHas(t, err, test.want)
		if strings.Contains(test.want, "exist") && !errors.Is(err, fs.ErrNotExist) {
			t.Error("the cause is lost")
		}
	}
}

// A file that changes or goes away ends the stream, with an error that stays.
func TestStreamFileChanges(t *testing.T) {
	const text = "1,2\n3,4\n5,6\n"
	for name, change := range map[string]func(path string) error{
		"gone":     os.Remove,
		"other":    func(p string) error { return os.WriteFile(p, []byte(text+"7,8\n"), 0o644) },
		"touched":  func(p string) error { return os.Chtimes(p, time.Time{}, time.Unix(1e9, 0)) },
		"replaced": func(p string) error { return os.Rename(writeFile(t, "y.csv", text), p) },
	} {
		path := writeFile(t, "x.csv", text)
		s, err := OpenStream(t.Context(), path, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		want := "has changed since it was first read"
		if name == "gone" {
			want = "is gone now"
		}
		checkErrorHas(t, passed(t.Context(), s, func(block.Block) { t.Errorf("%s: a block was passed on", name) }), want)
		checkErrorHas(t, s.Err(), want)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		checkErrorHas(t, passed(t.Context(), s, func(block.Block) {}), want)
		if _, err := s.Fingerprint(t.Context()); err == nil {
			t.Error("a fingerprint of what is gone")
		}
	}
}

// A change during a pass is found at its end, or where the file is no longer a table.
func TestStreamFileChangesDuringPass(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"touched": func(p string) error { return os.Chtimes(p, time.Time{}, time.Unix(1e9, 0)) },
		"longer": func(p string) error {
			f, err := os.OpenFile(p, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString("no number\n")
			return err
		},
	} {
		path := writeFile(t, "x.csv", strings.Repeat("1,2\n", 2_000_000)) // four blocks
		s, err := OpenStream(t.Context(), path, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		err = passed(t.Context(), s, func(block.Block) {
			if blocks++; blocks == 1 {
				if err := change(path); err != nil {
					t.Error(name, err)
				}
			}
		})
		checkErrorHas(t, err, "has changed since it was first read")
	}
}

// A cancelled pass ends at once, leaves nothing running, and the stream can be
// used again.
func TestStreamCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := export.WriteNPY(path, mat.NewDense(1_500_000, 4, nil)); err != nil { // six blocks
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	s, err := OpenStream(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for stop := range 6 {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		err := passed(ctx, s, func(block.Block) {
			if seen == stop {
				cancel()
			}
			seen++
		})
		if !errors.Is(err, context.Canceled) && stop < 5 || seen != stop+1 {
			t.Errorf("stopped at block %d: %v after %d blocks", stop, err, seen)
		}
		cancel()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenStream(gone, path, Options{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("OpenStream: %v", err)
	}
	if _, err := s.Fingerprint(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	// The readers are in a read of 4 MB at most.
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// Several passes at once do not disturb each other.
func TestStreamConcurrentPasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	m := mat.NewDense(700_000, 4, nil) // three blocks
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = float64(i)
	}
	if err := export.WriteNPY(path, m); err != nil {
		t.Fatal(err)
	}
	s, err := OpenStream(t.Context(), path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	for range 4 {
		go func() {
			next := 0.0
			ok := true
			err := passed(t.Context(), s, func(b block.Block) {
				for _, v := range b.V {
					ok = ok && v == next
					next++
				}
			})
			done <- ok && err == nil && next == 2_800_000
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("a pass saw other values")
		}
	}
}
