package load

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/npy"
	"symmom/internal/moment/block"
)

// counts are those of words: for each row, some columns of n and their values.
type counts struct {
	n       int
	columns [][]int
	values  [][]int
	names   []string // of columns, in NPZ
	texts   bool     // these as NumPy's array of text
}

// drawn returns random counts, some of them in empty rows; full says that most are not 0, first
// that those of the first column are not.
func drawn(rng *rand.Rand, p, n int, full, first bool) counts {
	c := counts{n: n}
	for range p {
		k := rng.IntN(n/11 + 2)
		if full {
			k = n - rng.IntN(2)
		}
		columns := rng.Perm(n)[:k]
		if first {
			columns = append(slices.DeleteFunc(columns, func(j int) bool { return j == 0 }), 0)
		}
		slices.Sort(columns)
		var values []int
		for range columns {
			values = append(values, 1+rng.IntN(5))
		}
		c.columns, c.values = append(c.columns, columns), append(c.values, values)
	}
	last := len(c.columns) - 1 // files without a size of their own show the last column
	if k := len(c.columns[last]); k == 0 || c.columns[last][k-1] != n-1 {
		c.columns[last], c.values[last] = append(c.columns[last], n-1), append(c.values[last], 1)
	}
	return c
}

// file writes them in a format; base is where svmlight counts from.
func (c counts) file(format string, base int) string {
	var b strings.Builder
	entries := 0
	for _, k := range c.columns {
		entries += len(k)
	}
	switch format {
	case "mtx":
		fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", len(c.columns), c.n, entries)
	case "npz":
		return c.npz("csr")
	}
	for i, columns := range c.columns {
		switch format {
		case "ldac":
			fmt.Fprint(&b, len(columns))
		case "svmlight":
			fmt.Fprint(&b, i%3)
		}
		for k, j := range columns {
			switch format {
			case "mtx":
				fmt.Fprintf(&b, "%d %d %d\n", i+1, j+1, c.values[i][k])
			case "ldac":
				fmt.Fprintf(&b, " %d:%d", j, c.values[i][k])
			case "svmlight":
				fmt.Fprintf(&b, " %d:%d", j+base, c.values[i][k])
			}
		}
		if format != "mtx" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// named returns n names.
func named(n int) (names []string) {
	for j := range n {
		names = append(names, fmt.Sprintf("w%d", j))
	}
	return names
}

// npz is what scipy.sparse.save_npz writes of a CSR matrix, with the name of a format.
func (c counts) npz(format string) string {
	starts, at := []int32{0}, 0
	var columns []int32
	var values []int64
	for i, k := range c.columns {
		at += len(k)
		starts = append(starts, int32(at))
		for a, j := range k {
			columns, values = append(columns, int32(j)), append(values, int64(c.values[i][a]))
		}
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, descr, shape string, data any) {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(npy.Head(descr, shape))
		}
		if err == nil {
			err = binary.Write(w, binary.LittleEndian, data)
		}
		if err != nil {
			panic(err)
		}
	}
	add("indices", "<i4", fmt.Sprintf("(%d,)", at), columns)
	add("indptr", "<i4", fmt.Sprintf("(%d,)", len(starts)), starts)
	add("format", "|S3", "()", []byte(format))
	add("shape", "<i8", "(2,)", []int64{int64(len(c.columns)), int64(c.n)})
	add("data", "<i8", fmt.Sprintf("(%d,)", at), values)
	if c.texts {
		w, err := z.Create("names.npy")
		if err == nil {
			err = npy.WriteTexts(w, c.names)
		}
		if err != nil {
			panic(err)
		}
	} else if c.names != nil {
		text := strings.Join(c.names, "\n") + "\n"
		add("names", "|u1", fmt.Sprintf("(%d,)", len(text)), []byte(text))
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// A stream of a sparse matrix gives what Load gives, with or without its zeros, in blocks of any
// size, in each format that has rows.
func TestSparseStreams(t *testing.T) {
	defer func(bytes int) { streamBytes = bytes }(streamBytes)
	rng := rand.New(rand.NewPCG(53, 1))
	without, labelled, several := 0, 0, 0
	for seed := range 120 {
		p, n := 1+rng.IntN(40), []int{3, 256, 300}[rng.IntN(3)]
		weighted := rng.IntN(4) == 0
		c := drawn(rng, p, n, seed%10 == 0, weighted)
		format := []string{"mtx", "npz", "ldac", "svmlight"}[rng.IntN(4)]
		o := Options{Sparse: rng.IntN(4) > 0}
		if format == "svmlight" && rng.IntN(2) == 0 {
			o.Labels = "target"
		} else if rng.IntN(4) == 0 {
			o.Labels = strconv.Itoa(1 + rng.IntN(n))
		}
		if weighted {
			o.Weights = "1"
		}
		if rng.IntN(3) == 0 {
			for _, j := range rng.Perm(n)[:1+rng.IntN(min(n, 9))] {
				o.Columns = append(o.Columns, strconv.Itoa(j+1))
			}
		}
		if format == "npz" && rng.IntN(2) == 0 {
			c.names, c.texts = named(n), rng.IntN(2) == 0
		} else if rng.IntN(3) == 0 {
			o.Names = named(n)
		}
		streamBytes = 1 << (8 + rng.IntN(12))
		path := writeFile(t, "x."+format, c.file(format, seed%2))
		want, wrong := Load(t.Context(), path, o)
		if wrong != nil && strings.Contains(wrong.Error(), "names") {
			t.Errorf("seed %d: %v", seed, wrong)
		}
		var shown *block.Sparse
		blocks := 0
		s, err := OpenStream(t.Context(), path, o, func(_ *Stream, b block.Block) { shown = b.Sparse; blocks++ })
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("seed %d, %s, %+v: %v, want %v", seed, format, o, err, wrong)
		}
		if err != nil {
			continue
		}
		if (want.Sparse != nil) != s.Sparse || s.Sparse != (shown != nil) {
			t.Fatalf("seed %d, %s: without zeros: %v and %v, want %v", seed, format, s.Sparse, shown != nil, want.Sparse != nil)
		}
		if c.names != nil && (s.Names == nil || !strings.HasPrefix(s.Names[0], "w")) {
			t.Errorf("seed %d: names %q", seed, s.Names)
		}
		if s.Sparse {
			without++
			if s.Stored() != float64(want.Sparse.Stored()) {
				t.Errorf("seed %d: %g stored, want %d", seed, s.Stored(), want.Sparse.Stored())
			}
		}
		if s.Labels != nil {
			labelled++
		}
		if blocks > 1 {
			several++
		}
		mark, err := s.Fingerprint(t.Context())
		if err != nil || mark != want.Fingerprint() {
			t.Errorf("seed %d, %s, %+v: the values differ (%v)", seed, format, o, err)
		}
		if s.P != want.P || s.N != want.N || !slices.Equal(s.Names, want.Names) || !slices.Equal(s.Columns, want.Columns) || !reflect.DeepEqual(s.Labels, want.Labels) || fmt.Sprint(s.Warnings) != fmt.Sprint(want.Warnings) {
			t.Errorf("seed %d, %s, %+v:\n%+v\n%+v", seed, format, o, s.Info, want.Info)
		}
	}
	if without < 12 || labelled < 6 || several < 24 {
		t.Errorf("%d streams without zeros, %d with labels, %d of several blocks", without, labelled, several)
	}
}

// What cannot be read row by row is refused with the way out, and what is wrong in a row has its
// place, in a later pass as well.
func TestSparseStreamErrors(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	defer func(bytes int) { streamBytes = bytes }(streamBytes)
	streamBytes = 1 << 9
	c := drawn(rand.New(rand.NewPCG(1, 1)), 9, 300, false, false)
	for _, test := range []struct{ name, text, want string }{
		{"x.mtx", head + "2 2 2\n2 1 1\n1 1 1\n", "line 4: an entry of row 1 comes after row 2, and a stream reads one row after the other; load the matrix into memory, or write it again with scipy.io.mmwrite(file, matrix.tocsr())"},
		{"x.mtx", strings.Replace(head, "general", "symmetric", 1) + "2 2 1\n2 1 1\n", "line 2: the matrix is symmetric, and a stream reads one row after the other; load the matrix into memory, or write it again with scipy.io.mmwrite(file, matrix.tocsr(), symmetry='general')"},
		{"x.mtx", strings.Replace(head, "coordinate", "array", 1) + "2 1\n1\n2\n", "line 2: the matrix has one column after the other, and a stream reads one row after the other; load the matrix into memory, or write it again with numpy.save"},
		{"x.mtx", head + "2 2 2\n1 1 1\n", "line 4: the file ends, want as many entries as it announces"},
		{"x.mtx", head + "2 2 1\n1 1 1\n2 2 1\n", "line 4: there are more entries than the 1 that the file announces"},
		{"x.mtx", head + "0 5 0\n", "has no observations; want at least one row"},
		{"x.svm", "1\n", "has no columns; want at least one variable"},
		{"x.svm", "1 2:3\n1 x\n", `line 2: got "x", want index:value`},
		{"x.svm", "1 300:3\n1 2:1\n1 7:nan\n", `row 3, column 7: got "NaN", want a finite number: a stream of few values that are not 0 has none that are missing; correct the value, or load the table into memory`},
		{"x.mtx", head + "99 300 2\n70 7 1e308\n70 7 1e308\n", "row 70: index 6 is +Inf: want finite values; entries of one place are added up"},
		{"x.ldac", "1 2:3\n\n1 2:1\n", "line 2: is blank"},
		{"x.npz", c.npz("csc"), `is a sparse matrix of SciPy in the format "csc", and a stream reads one row after the other; save it with scipy.sparse.save_npz(file, matrix.tocsr()), or load it into memory`},
	} {
		_, err := OpenStream(t.Context(), writeFile(t, test.name, test.text), Options{Sparse: true}, nil)
		checkErrorHas(t, err, test.name+": "+test.want)
	}
	path := writeFile(t, "x.ldac", c.file("ldac", 0))
	s, err := OpenStream(t.Context(), path, Options{Sparse: true}, nil)
	if err != nil || !s.Sparse {
		t.Fatal(err, s)
	}
	if err := os.WriteFile(path, []byte(c.file("ldac", 0)+"1 2:3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	checkErrorHas(t, passed(t.Context(), s, func(block.Block) {}), filepath.Base(path)+": the file has changed since it was first read")
}

// Columns of several files are joined by name where the files have names, in memory and in a
// stream; a long row ends a block; names that are too many are refused.
func TestSparseFilesByName(t *testing.T) {
	defer func(bytes int) { streamBytes = bytes }(streamBytes)
	streamBytes = 1 << 13
	const n = 300
	rng := rand.New(rand.NewPCG(53, 3))
	dir := t.TempDir()
	write := func(name string, c counts) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(c.npz("csr")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := drawn(rng, 200, n, false, false)
	for i := range 6 { // rows that are longer than all others
		c.columns[i], c.values[i] = nil, nil
		for j := range n {
			c.columns[i], c.values[i] = append(c.columns[i], j), append(c.values[i], 3)
		}
	}
	c.names = named(n)
	write("a.npz", c)
	order := rng.Perm(n)
	moved := counts{n: n, values: c.values, names: make([]string, n)}
	for j, k := range order {
		moved.names[k] = c.names[j]
	}
	for i, row := range c.columns {
		type entry struct{ column, value int }
		var entries []entry
		for a, j := range row {
			entries = append(entries, entry{order[j], c.values[i][a]})
		}
		slices.SortFunc(entries, func(a, b entry) int { return a.column - b.column })
		var columns, values []int
		for _, e := range entries {
			columns, values = append(columns, e.column), append(values, e.value)
		}
		moved.columns = append(moved.columns, columns)
		moved.values[i] = values
	}
	write("b.npz", moved)
	path := filepath.Join(dir, "*.npz")
	set, err := Load(t.Context(), path, Options{Sparse: true})
	if err != nil || set.Sparse == nil {
		t.Fatal(err)
	}
	s, err := OpenStream(t.Context(), path, Options{Sparse: true}, nil)
	if err != nil || !s.Sparse {
		t.Fatal(err)
	}
	if err := passed(t.Context(), s, func(b block.Block) {
		if k := b.Sparse.Stored(); k > streamBytes/8+n {
			t.Errorf("a block of %d values", k)
		}
	}); err != nil {
		t.Error(err)
	}
	for what, x := range map[string]block.Source{"in memory": &block.SparseRows{P: set.P, N: n, Values: set.Sparse}, "stream": s} {
		all, err := block.Gather(t.Context(), x)
		if err != nil || !slices.Equal(all.V[:200*n], all.V[200*n:]) {
			t.Errorf("%s: the same table with its columns in another order differs (%v)", what, err)
		}
	}
	moved.names[3] = "other"
	write("b.npz", moved)
	for _, open := range []func() error{
		func() error { _, err := Load(t.Context(), path, Options{Sparse: true}); return err },
		func() error { _, err := OpenStream(t.Context(), path, Options{Sparse: true}, nil); return err },
	} {
		checkErrorHas(t, open(), "b.npz: has no column")
	}
	c.names = named(n)
	if err := os.WriteFile(filepath.Join(dir, "columns.npz"), []byte(c.npz("csc")), 0o644); err != nil {
		t.Fatal(err)
	}
	if names, err := LoadNames(t.Context(), filepath.Join(dir, "columns.npz")); err != nil || !slices.Equal(names, c.names) {
		t.Errorf("names of a matrix by columns: %q, %v", names, err)
	}
	c.names = nil
	write("columns.npz", c)
	_, err = LoadNames(t.Context(), filepath.Join(dir, "columns.npz"))
	checkErrorHas(t, err, "columns.npz: has no names of columns")
	c.names = named(n + 1)
	write("b.npz", c)
	for _, f := range []string{"b.npz", "x.mtx"} {
		if f == "x.mtx" {
			if err := os.WriteFile(filepath.Join(dir, f), []byte(c.file("mtx", 0)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{Sparse: true}
		want := `its array "names" has 301 names for 300 columns`
		if f == "x.mtx" {
			o.Names, want = c.names, "has 300 columns, and the list has 301 names"
		}
		_, err := Load(t.Context(), filepath.Join(dir, f), o)
		checkErrorHas(t, err, want)
		_, err = OpenStream(t.Context(), filepath.Join(dir, f), o, nil)
		checkErrorHas(t, err, want)
	}
}

// Several files are one table, whose blocks go over their borders.
func TestSparseStreamOfFiles(t *testing.T) {
	defer func(bytes int) { streamBytes = bytes }(streamBytes)
	streamBytes = 1 << 13
	rng := rand.New(rand.NewPCG(53, 2))
	dir := t.TempDir()
	for i, p := range []int{70, 40, 30, 90} {
		text := drawn(rng, p, 300, false, true).file([]string{"mtx", "npz"}[i%2], 0)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.%s", i, []string{"mtx", "npz"}[i%2])), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"*.mtx", "*.npz"} {
		for _, o := range []Options{{Sparse: true}, {Sparse: true, Weights: "1"}} {
			path := filepath.Join(dir, pattern)
			want, err := Load(t.Context(), path, o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := OpenStream(t.Context(), path, o, nil)
			if err != nil || !s.Sparse || s.rows >= s.P || len(s.Shards) != 2 {
				t.Fatal(err, s)
			}
			got, err := block.Gather(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			var of block.Source = &block.SparseRows{P: want.P, N: want.N, Values: want.Sparse, Nu: want.Weights}
			if want.Sparse == nil {
				of = want.Dense()
			}
			all, err := block.Gather(t.Context(), of)
			if err != nil || !slices.Equal(got.V, all.V) || !slices.EqualFunc(got.Nu, all.Nu, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
				t.Errorf("%s, %+v: the values differ (%v)", pattern, o, err)
			}
		}
	}
}
