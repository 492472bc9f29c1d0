package describe

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"symmom/internal/data/columns"
	"symmom/internal/data/load"
)

func describeText(t *testing.T, text string) *Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTextTable(t *testing.T) {
	d := describeText(t, "# a comment\nn,words,when,odd,none\n1,a,2020-01-02,3,\n-2.5,b,2019-12-31 10:00,x,NA\n\n,a,2020-01-01T00:00:00Z,4,\n")
	if d.Rows != 3 || len(d.Columns) != 5 || d.Format != "csv" {
		t.Fatalf("%+v", d)
	}
	for j, want := range []struct {
		kind, holds string
		missing     int
	}{
		{Number, "-2.5 to 1", 1},
		{Text, `2 values: "a", "b"`, 0},
		{Time, `3 values: "2020-01-02", "2019-12-31 10:00", "2020-01-01T00:00:00Z"`, 0}, // of no one layout
		{Mixed, `numbers and text: "x" in line 4`, 0},
		{Empty, "", 3},
	} {
		c := d.Columns[j]
		if c.Kind != want.kind || c.Holds() != want.holds || c.Missing != want.missing {
			t.Errorf("%s: %s, %q, %d missing; want %+v", c.Name, c.Kind, c.Holds(), c.Missing, want)
		}
	}
	if d.Columns[3].OddLine != 4 || !strings.Contains(d.String(), "t.csv: csv, 3 rows of 5 columns") || !strings.Contains(d.HTML(), "<th>odd</th>") {
		t.Errorf("%+v\n%s\n%s", d.Columns[3], d, d.HTML())
	}
	// Where text is the rule, the first number is odd.
	if c := describeText(t, "a,b\n1,x\n2,y\n3,7\n4,z\n").Columns[1]; c.OddLine != 4 || c.OddValue != "7" {
		t.Errorf("%+v", c)
	}
	d = describeText(t, "a,b\n1,-Inf\n1e400,2\n-1e400,inf\n")
	for j, holds := range []string{`1 to 1, and 2 values not finite, the first "1e400" in line 3`, `2 to 2, and 2 values not finite, the first "-Inf" in line 2`} {
		if c := d.Columns[j]; c.Kind != Number || c.NotFinite != 2 || c.Holds() != holds {
			t.Errorf("%+v: %s", c, c.Holds())
		}
	}
	if got := d.Numbers(); got != nil {
		t.Errorf("columns of finite numbers: %v", got)
	}
	var many strings.Builder
	many.WriteString("word,n\n")
	for i := range 2 * MostDistinct {
		many.WriteString("w" + strings.Repeat("x", i%1500) + ",1\n")
	}
	if c := describeText(t, many.String()).Columns[0]; c.Distinct != MostDistinct || !strings.HasPrefix(c.Holds(), "1,000 values or more: ") {
		t.Errorf("%d, %s", c.Distinct, c.Holds())
	}
}

func TestClock(t *testing.T) {
	for text, want := range map[string]string{
		"2020-01-02 2019-05-06":         "2019-05-06 2020-01-02",
		"13.2.1990 2.12.1990":           "1990-02-13 1990-12-02",
		"2/13/1990 2/12/1990":           "1990-02-12 1990-02-13",
		"2/3/1990 2/4/1990":             " ", // days or months first
		"10:30 09:15":                   "09:15:00 10:30:00",
		"2020-01-02T03:04:05+02:00 x":   " ",
		"2020-01-02T03:04:05.5+02:00":   "2020-01-02 01:04:05.5 2020-01-02 01:04:05.5",
		"2020-01-02T03:04 2020-01-0203": " ",
	} {
		var c clock
		for v := range strings.FieldsSeq(text) {
			c.add(v)
		}
		from, to := c.span()
		if got := from + " " + to; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// npyFile writes rows of columns as an array, in C or Fortran order.
func npyFile(t *testing.T, values []float64, columns int, fortran bool) string {
	t.Helper()
	rows, order := len(values)/columns, "False"
	if fortran {
		order = "True"
	}
	path := filepath.Join(t.TempDir(), "t.npy")
	file := []byte("\x93NUMPY\x01\x00\x76\x00" + fmt.Sprintf("%-117s\n", fmt.Sprintf("{'descr': '<f8', 'fortran_order': %s, 'shape': (%d, %d), }", order, rows, columns)))
	for i := range values {
		v := values[i]
		if fortran {
			v = values[i%rows*columns+i/rows]
		}
		file = binary.LittleEndian.AppendUint64(file, math.Float64bits(v))
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Infinite values of arrays of numbers are no missing ones, nor are codes of missing values.
func TestArrays(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	values := []float64{
		1, 2, nan, 7, 1,
		3, -inf, 4, 9, nan,
		5, inf, inf, 7.5, 0,
	}
	list, err := columns.Parse([]string{"9"})
	if err != nil {
		t.Fatal(err)
	}
	number := func(j int) Column {
		return Column{Name: named("", j), Type: Number, Kind: Number, Width: 1}
	}
	want := []Column{number(0), number(1), number(2), number(3), number(4)}
	for j, of := range []Column{
		{Min: 1, Max: 5}, {Min: 2, Max: 2, NotFinite: 2, OddRow: 2, OddValue: "-Inf"},
		{Min: 4, Max: 4, NotFinite: 1, Missing: 1, OddRow: 3, OddValue: "+Inf"}, {Min: 7, Max: 7.5, Missing: 1}, {Min: 0, Max: 1, Missing: 1},
	} {
		c := &want[j]
		c.Min, c.Max, c.NotFinite, c.Missing, c.OddRow, c.OddValue = of.Min, of.Max, of.NotFinite, of.Missing, of.OddRow, of.OddValue
	}
	for _, fortran := range []bool{false, true} {
		d, err := File(t.Context(), npyFile(t, values, 5, fortran), load.Options{Codes: list})
		if err != nil || d.Rows != 3 || d.Format != "numbers" || !reflect.DeepEqual(d.Columns, want) {
			t.Errorf("Fortran order %t: %+v, %v; want %+v", fortran, d, err, want)
		}
	}
	if d, err := File(t.Context(), npyFile(t, []float64{1, nan, 2, nan}, 2, false), load.Options{}); err != nil || d.Columns[1].Kind != Empty || !math.IsNaN(d.Columns[1].Max) {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestArrayEqualsWhole: read row by row, and from several processors, an array is what it is
// in memory.
func TestArrayEqualsWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 3))
	for range 30 {
		columns := 1 + rng.IntN(40)
		values := make([]float64, columns*(1+rng.IntN(200)))
		for i := range values {
			switch values[i] = float64(rng.IntN(20)) / 4; rng.IntN(20) {
			case 0:
				values[i] = 999
			case 1:
				values[i] = -1e-320
			}
		}
		a, err := File(t.Context(), npyFile(t, values, columns, false), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := File(t.Context(), npyFile(t, values, columns, true), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.Source, b.Source = "", ""; !reflect.DeepEqual(a, b) {
			t.Errorf("%+v, whole %+v", a, b)
		}
	}
}

// Names that are numbers are no values: what Load refuses is not described.
func TestNamesOrValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("country;2019;2020\nAT;1.5;2\nDE;3.5;4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), path, load.Options{}); err == nil || !strings.Contains(err.Error(), "so it may be a header or data") {
		t.Error(err)
	}
	d, err := File(t.Context(), path, load.Options{Header: load.HeaderPresent})
	if err != nil || d.Rows != 2 || d.Columns[1].Name != "2019" {
		t.Errorf("%+v, %v", d, err)
	}
}

// Names are those that File gives, and of a text table of any length come from its first lines.
func TestNames(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := write("long.csv", "a,\"b, c\",d\n"+strings.Repeat("1,2,3\n", 300_000)+"broken,off\n")
	if _, err := File(t.Context(), long, load.Options{}); err == nil {
		t.Fatal("the last line is not read")
	}
	for _, path := range []string{long, write("short.csv", "x;y\n1;2\n3;4\n"), write("bare.csv", "1;2\n3;4\n"), write("m.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")} {
		want := []string{"a", "b, c", "d"}
		if path != long {
			d, err := File(t.Context(), path, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want = nil
			for _, c := range d.Columns {
				want = append(want, c.Name)
			}
		}
		if got, err := Names(t.Context(), path, load.Options{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
}
