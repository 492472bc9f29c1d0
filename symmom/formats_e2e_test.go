//go:build e2e

package symmom

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	_ "modernc.org/sqlite"
)

// file is a table in one format, and what the format's own library reads from it.
type file struct {
	format, dir, ext string
	whole, holes     *mat.Dense // holes: nil if there is no such file
}

// open reads a file, or streams it.
func (f file) open(name string, stream bool, o LoadOptions) *Session {
	path := filepath.Join(f.dir, name)
	if name != "shards" {
		path += "." + f.ext
	}
	switch {
	case f.format == "sqlite":
		db, err := sql.Open("sqlite", path)
		if err != nil {
			return &Session{err: err}
		}
		defer db.Close()
		return Query(db, "select * from t", o)
	case stream:
		return Stream(path, o)
	}
	return Load(path, o)
}

// a use of a format: what is read, with what options, and what is to be found there.
type use struct {
	name   string
	file   string
	stream bool
	o      LoadOptions
	want   func(whole, holes *mat.Dense) (rows *mat.Dense, weights []float64)
}

var (
	everything = func(whole, _ *mat.Dense) (*mat.Dense, []float64) { return whole, nil }
	chosen     = func(whole, _ *mat.Dense) (*mat.Dense, []float64) { return columnsOf(whole, 3, 1), nil }
	dropped    = func(_, holes *mat.Dense) (*mat.Dense, []float64) { return wholeRows(holes), nil }
	weighted   = func(whole, _ *mat.Dense) (*mat.Dense, []float64) {
		return columnsOf(whole, 0, 1, 3), mat.Col(nil, 2, whole)
	}
	filled = func(_, holes *mat.Dense) (*mat.Dense, []float64) {
		m := mat.DenseCopyOf(holes)
		for j := range 4 {
			mean := columnMean(holes, j)
			for i := range m.RawMatrix().Rows {
				if v := m.At(i, j); v != v {
					m.Set(i, j, mean)
				}
			}
		}
		return m, nil
	}
	narrow = func(whole, _ *mat.Dense) (*mat.Dense, []float64) {
		m := mat.DenseCopyOf(whole)
		m.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, m)
		return m, nil
	}
)

var uses = []use{
	{"load", "whole", false, LoadOptions{}, everything},
	{"stream", "whole", true, LoadOptions{}, everything},
	{"shards", "shards", false, LoadOptions{}, everything},
	{"shards, streamed", "shards", true, LoadOptions{}, everything},
	{"columns by number", "whole", false, LoadOptions{Columns: []string{"4", "2"}}, chosen},
	{"columns by number, streamed", "whole", true, LoadOptions{Columns: []string{"4", "2"}}, chosen},
	{"columns by name", "whole", false, LoadOptions{Columns: []string{"d", "b"}}, chosen},
	{"columns by name, shards streamed", "shards", true, LoadOptions{Columns: []string{"d", "b"}}, chosen},
	{"weights", "whole", false, LoadOptions{Weights: "3"}, weighted},
	{"weights, shards streamed", "shards", true, LoadOptions{Weights: "3"}, weighted},
	{"float32", "whole", false, LoadOptions{Float32: true}, narrow},
	{"float32, shards", "shards", false, LoadOptions{Float32: true}, narrow},
	{"missing", "holes", false, LoadOptions{}, nil},
	{"missing, streamed", "holes", true, LoadOptions{}, nil},
	{"missing dropped", "holes", false, LoadOptions{Missing: "drop"}, dropped},
	{"missing dropped, streamed", "holes", true, LoadOptions{Missing: "drop"}, dropped},
	{"missing filled", "holes", false, LoadOptions{Missing: "mean"}, filled},
}

// refusals are what cannot be done with a format: the formats, by their names' parts, the
// uses, and what the error says.
var refusals = []struct{ formats, uses, says string }{
	{"sqlite", "stream shards", ""}, // is no file
	{"svmlight", "missing", ""},     // scikit-learn writes none
	{"mat4 mat5", "stream", "a file of the format mat cannot be streamed; load it into memory, or write the table as Parquet"},
	{"svmlight", "shards", "svmlight files show only together whether indices count from 0 or from 1"},
	{"npy npz mtx svmlight mat4 mat5", "name", `column "d": the source has no column names; use a number from 1 to 4`},
	{"csv tsv european npy npz parquet feather arrow mtx mat4 mat5 sqlite", "missing", "4 missing values"},
}

// TestFormats reads the files that other libraries wrote in every way that symmom has:
// each is bit for bit what the library itself reads, or is refused with what to do.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has pandas, pyarrow, SciPy and scikit-learn")
	}
	if out, err := exec.Command(python, "testdata/formats.py", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []file{
		{format: "csv", ext: "csv"}, {format: "csv.gz", ext: "csv.gz"}, {format: "tsv", ext: "tsv"}, {format: "european", ext: "csv"},
		{format: "npy", ext: "npy"}, {format: "npz", ext: "npz"}, {format: "parquet", ext: "parquet"}, {format: "feather", ext: "feather"},
		{format: "arrow", ext: "arrow"}, {format: "mtx", ext: "mtx"}, {format: "svmlight", ext: "svm"}, {format: "scipy.npz", ext: "npz"},
		{format: "mat5", ext: "mat"}, {format: "mat4", ext: "mat"}, {format: "sqlite", ext: "db"},
	} {
		f.dir = filepath.Join(dir, f.format)
		f.whole = readBack(t, f.dir+"-whole.f8")
		if f.format != "svmlight" {
			f.holes = readBack(t, f.dir+"-holes.f8")
		}
		for _, u := range uses {
			says, refused := refusal(f.format, u.name)
			if refused && says == "" {
				t.Logf("%-10s %-34s does not exist", f.format, u.name)
				continue
			}
			s := f.open(u.file, u.stream, u.o)
			switch err := s.Err(); {
			case refused && (err == nil || !strings.Contains(err.Error(), says)):
				t.Errorf("%s, %s: %v, want %q", f.format, u.name, err, says)
			case refused:
				t.Logf("%-10s %-34s refused: %s", f.format, u.name, says)
			case err != nil:
				t.Errorf("%s, %s: %v", f.format, u.name, err)
			default:
				if err := same(t, s, u, f); err != nil {
					t.Errorf("%s, %s: %v", f.format, u.name, err)
					continue
				}
				t.Logf("%-10s %-34s ok", f.format, u.name)
			}
		}
	}
}

// refusal finds what a use of a format says if it cannot be.
func refusal(format, use string) (says string, ok bool) {
	for _, r := range refusals {
		of := slices.ContainsFunc(strings.Fields(r.formats), func(part string) bool { return strings.HasSuffix(format, part) || strings.HasPrefix(format, part) })
		for _, word := range strings.Fields(r.uses) {
			if word == "missing" && r.says != "" && use != "missing" && use != "missing, streamed" {
				continue // dropped or filled
			}
			if of && strings.Contains(use, word) {
				return r.says, true
			}
		}
	}
	return "", false
}

// same compares a session with what is wanted, bit for bit; a stream as what it writes.
func same(t *testing.T, s *Session, u use, f file) error {
	want, weights := u.want(f.whole, f.holes)
	tolerance := 0.
	if u.o.Missing == "mean" {
		tolerance = 1e-13 // the means of 60 values are rounded on the way
	}
	got := s
	if u.stream {
		path := filepath.Join(t.TempDir(), "stream.npy")
		if err := s.Save(path); err != nil {
			return err
		}
		if weights != nil { // they are written as the last column
			u.o.Weights = "4"
		}
		if got = Load(path, LoadOptions{Weights: u.o.Weights}); got.Err() != nil {
			return got.Err()
		}
	}
	m := got.Matrix()
	if p, n := m.Dims(); p != want.RawMatrix().Rows || n != want.RawMatrix().Cols {
		return fmt.Errorf("%d x %d, want %d x %d", p, n, want.RawMatrix().Rows, want.RawMatrix().Cols)
	}
	for i := range want.RawMatrix().Rows {
		for j := range want.RawMatrix().Cols {
			near := 0.
			if tolerance > 0 && math.IsNaN(f.holes.At(i, j)) {
				near = tolerance
			}
			if a, b := m.At(i, j), want.At(i, j); math.Float64bits(a) != math.Float64bits(b) && !(near > 0 && math.Abs(a-b) <= near*math.Abs(b)) {
				return fmt.Errorf("row %d, variable %d: %v, want %v", i+1, j+1, a, b)
			}
		}
	}
	sum := 0.
	for _, w := range weights {
		sum += w
	}
	if weights != nil && len(got.Weights()) != len(weights) {
		return fmt.Errorf("%d weights, want %d", len(got.Weights()), len(weights))
	}
	for i, w := range weights {
		if g := got.Weights()[i]; !(math.Abs(g-w/sum) <= 1e-15) { // sums of 60 values in another order
			return fmt.Errorf("weight %d is %v, want %v", i+1, g, w/sum)
		}
	}
	return nil
}

func columnsOf(m *mat.Dense, columns ...int) *mat.Dense {
	c := mat.NewDense(m.RawMatrix().Rows, len(columns), nil)
	for a, j := range columns {
		c.SetCol(a, mat.Col(nil, j, m))
	}
	return c
}

// wholeRows returns the rows without NaN.
func wholeRows(m *mat.Dense) *mat.Dense {
	var rows []float64
	for i := range m.RawMatrix().Rows {
		if row := m.RawRowView(i); !slices.ContainsFunc(row, math.IsNaN) {
			rows = append(rows, row...)
		}
	}
	return mat.NewDense(len(rows)/m.RawMatrix().Cols, m.RawMatrix().Cols, rows)
}

// columnMean returns the mean of the values of a column that are there.
func columnMean(m *mat.Dense, j int) float64 {
	sum, k := 0., 0
	for i := range m.RawMatrix().Rows {
		if v := m.At(i, j); v == v {
			sum, k = sum+v, k+1
		}
	}
	return sum / float64(k)
}

func readBack(t *testing.T, path string) *mat.Dense {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(data)/8)
	if _, err := binary.Decode(data, binary.LittleEndian, values); err != nil {
		t.Fatal(err)
	}
	return mat.NewDense(len(values)/4, 4, values)
}
