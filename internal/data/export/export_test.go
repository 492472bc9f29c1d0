package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// some returns random bits, but no NaN and no infinity, with zeros of both signs and
// the largest and smallest numbers.
func some(rng *rand.Rand, count int, single bool) []float64 {
	v := make([]float64, 0, count)
	for len(v) < count {
		x := math.Float64frombits(rng.Uint64())
		switch rng.IntN(8) {
		case 0:
			x = []float64{0, math.Copysign(0, -1), math.MaxFloat64, 5e-324, 1, -1, 1.0 / 3}[rng.IntN(7)]
		case 1:
			x = float64(rng.IntN(100))
		}
		if single {
			x = float64(float32(x))
		}
		if x-x == 0 {
			v = append(v, x)
		}
	}
	return v
}

// table writes a random table of several groups of rows in a format; the values are
// those in the file, with the weights as the last of each row.
func table(t *testing.T, seed uint64, path string) (_ Table, values []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	p, n := 1+rng.IntN(400), 1+rng.IntN(9)
	x := Table{Single: rng.IntN(3) == 0, Weighted: rng.IntN(3) == 0, Label: func(j int) string { return fmt.Sprintf("column %d", j+1) }}
	if rng.IntN(3) > 0 {
		names := []string{"x", "größe ", `a "b", c`, "#", "a;b|", "x\ty", "l\nm", "v.w", "", "\ufeffu"}
		if rng.IntN(2) == 0 {
			names = []string{"2019", "2020", "inf", "1e5", "-0.5", "1,234", "NA", "0", "2021", "7.0"}
		}
		for j := range n {
			x.Names = append(x.Names, names[(j+int(seed))%10])
		}
	}
	v := some(rng, p*n, x.Single)
	var nu []float64
	if x.Weighted {
		for range p {
			nu = append(nu, (1+float64(rng.IntN(5)))/8)
		}
	}
	d := &block.Dense{P: p, N: n, V: v, Nu: nu}
	if x.Single {
		d.V, d.V32 = nil, make([]float32, len(v))
		for i := range v {
			d.V32[i] = float32(v[i])
		}
	}
	x.Source = d
	for i := range p {
		values = append(values, v[i*n:(i+1)*n]...)
		if x.Weighted {
			values = append(values, nu[i])
		}
	}
	if err := Write(t.Context(), path, x, nil); err != nil {
		t.Fatalf("%s, seed %d: %v", path, seed, err)
	}
	return x, values
}

// TestRoundTrip writes random tables in all formats, and reads them.
func TestRoundTrip(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	for seed := range uint64(40) {
		for _, format := range Extensions() {
			path := filepath.Join(dir, "x"+format)
			x, want := table(t, seed, path)
			var o load.Options
			if strings.HasPrefix(format, ".csv") || strings.HasPrefix(format, ".tsv") {
				o = load.Options{Decimal: '.'}
			}
			s, err := load.Load(t.Context(), path, o)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", format, seed, err)
			}
			if err := sameBits(s.Values, want); err != nil || s.N != x.columns() {
				t.Fatalf("%s, seed %d: %d x %d, %v", format, seed, s.P, s.N, err)
			}
			for j, name := range x.Names {
				if want := strings.TrimSpace(name); format != ".npy" && want != "" && strings.TrimSpace(s.Names[j]) != want {
					t.Errorf("%s, seed %d: column %d is called %q, want %q", format, seed, j+1, s.Names[j], want)
				}
			}
		}
	}
}

// Numbers of a size that people write are written as people write them: an identifier
// stays one.
func TestNumbersOfText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	v := []float64{10000001, -1234567.25, 999999999999999, 1e15, 1e300, .25, 1e-7, 0, math.Copysign(0, -1)}
	v = append(v, v...)
	d := &block.Dense{P: 2, N: len(v) / 2, V: v}
	if err := Write(t.Context(), path, Table{Source: d}, nil); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "10000001.0,-1234567.25,999999999999999.0,1e+15,1e+300,0.25,1e-07,0.0,-0.0\n10000001,-1234567.25,999999999999999,1e+15,1e+300,0.25,1e-07,0,-0.0\n"; err != nil || string(got) != want {
		t.Errorf("%v, %q, want %q", err, got, want)
	}
}

func sameBits(got, want []float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d values, want %d", len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			return fmt.Errorf("value %d is %v, want %v", i, got[i], want[i])
		}
	}
	return nil
}

// endless is a table whose pass goes on until the context ends.
type endless struct{ *block.Dense }

func (x endless) Pass(ctx context.Context, do func(block.Block)) bool {
	for ctx.Err() == nil {
		do(block.Block{Rows: x.P, V: x.V})
	}
	return false
}

// TestInterrupted leaves the old file, and nothing beside it.
func TestInterrupted(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	for _, format := range Extensions() {
		path := filepath.Join(dir, "x"+format)
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		x := Table{Source: endless{&block.Dense{P: 1 << 14, N: 300, V: make([]float64, 300<<14)}}, Label: func(j int) string { return fmt.Sprint(j) }}
		reports := 0
		err := Write(ctx, path, x, func(float64) {
			if reports++; reports == 2 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", format, err)
		}
		if old, err := os.ReadFile(path); err != nil || string(old) != "old" {
			t.Errorf("%s: %q, %v", format, old, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(Extensions()) {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestRefused has names of files and of columns that cannot be written.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	x := Table{Source: &block.Dense{P: 1, N: 3, V: []float64{1, 2, 3}}, Names: []string{"a", "b", "a"}, Label: func(int) string { return "" }}
	for name, want := range map[string]string{
		"x": "the name says in which format", "x.npy.gz": "the name says in which format", "x.mat": "want one that ends in .csv",
		"x.parquet": `columns 1 and 3 have the same name, "a"`, "x.feather": `columns 1 and 3 have the same name, "a"`,
		"no/x.csv": "the directory is missing",
	} {
		err := Write(t.Context(), filepath.Join(dir, name), x, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if err := Write(t.Context(), filepath.Join(dir, "x.csv"), x, nil); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "x.csv")); err != nil || !bytes.Equal(text, []byte("a,b,a\n1,2,3\n")) {
		t.Errorf("%q, %v", text, err)
	}
	// A column of weights and one of that name: no weights could be chosen by it.
	weighted := Table{Source: &block.Dense{P: 1, N: 2, V: []float64{1, 2}, Nu: []float64{1}}, Names: []string{"a", WeightName}, Label: func(int) string { return "" }, Weighted: true}
	for _, name := range []string{"w.csv", "w.tsv.gz", "w.parquet"} {
		if err := Write(t.Context(), filepath.Join(dir, name), weighted, nil); err == nil || !strings.Contains(err.Error(), `column 2 is called "weights", as the last column, of the weights, would be; leave it out`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Write(t.Context(), filepath.Join(dir, "w.npy"), weighted, nil); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}
