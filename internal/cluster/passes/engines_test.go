package passes

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"symmom/internal/data/columnar"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
)

// writeShards writes p observations of n variables, and weights in a last column "w", to
// files of different lengths: CSV, or Parquet of row groups of 150.
func writeShards(t *testing.T, format string, p, n int) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, uint64(p)))
	names := []string{}
	for j := range n {
		names = append(names, fmt.Sprintf("x%d", j))
	}
	names = append(names, "w")
	for file, left := 0, p; left > 0; file++ {
		rows := min(left, p/7+37*file)
		left -= rows
		var values []float64
		for range rows {
			c := rng.IntN(3)
			for j := range n {
				mean := 0.
				if j%3 == c {
					mean = 2 + float64(c)/2
				}
				values = append(values, mean+.3*rng.NormFloat64())
			}
			values = append(values, .5+rng.Float64())
		}
		var b bytes.Buffer
		if format == "parquet" {
			w, err := columnar.NewWriter(&b, "parquet", names, false)
			for group := range slices.Chunk(values, 150*(n+1)) {
				if err == nil {
					err = w.Write(group)
				}
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		} else {
			w := csv.NewWriter(&b)
			at := slices.Clone(names)
			if file == 2 { // in another order
				at[0], at[1] = at[1], at[0]
			}
			_ = w.Write(at)
			for i := 0; i < len(values); i += n + 1 {
				row := make([]string, n+1)
				for j := range row {
					row[j] = strconv.FormatFloat(values[i+j], 'g', -1, 64)
				}
				if file == 2 {
					row[0], row[1] = row[1], row[0]
				}
				_ = w.Write(row)
			}
			w.Flush()
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%02d.%s", file, format)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "*."+format)
}

// restless is an engine that answers in a random order, some splits twice.
type restless struct{ seed uint64 }

func (restless) Name() string { return "a restless engine" }

func (r restless) Run(ctx context.Context, message string, splits, fan int, done func(int), answer func(string) error) error {
	rng := rand.New(rand.NewPCG(r.seed, 0))
	order := append(rng.Perm(splits), rng.IntN(splits), rng.IntN(splits))
	lines := map[int]string{}
	serve := func(in string) ([]string, error) {
		var out bytes.Buffer
		err := Serve(ctx, strings.NewReader(in), &out, 1+rng.IntN(2))
		return strings.Split(strings.TrimSpace(out.String()), "\n"), err
	}
	for i, k := range order {
		out, err := serve(message + " " + strconv.Itoa(k) + "\n")
		if err != nil {
			return err
		}
		number, line, _ := strings.Cut(out[0], "\t")
		if number != strconv.Itoa(k) {
			return fmt.Errorf("split %d is answered with number %s", k, number)
		}
		if lines[k] = out[0]; fan > 0 {
			continue
		}
		if err := answer(line); err != nil {
			return err
		}
		if done != nil {
			done(min(i+1, splits))
		}
	}
	if fan == 0 {
		return nil
	}
	// The groups go to three tasks at random.
	merged.Add(1)
	tasks := make([]string, 3)
	for lo := 0; lo < splits; lo += fan {
		to := &tasks[rng.IntN(len(tasks))]
		for k := lo; k < min(lo+fan, splits); k++ {
			*to += lines[k] + "\n"
		}
	}
	for _, k := range rng.Perm(len(tasks)) {
		if tasks[k] == "" {
			continue
		}
		out, err := serve(tasks[k])
		if err != nil {
			return err
		}
		for _, line := range out {
			if err := answer(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// merged counts the passes whose answers restless engines had added up by workers.
var merged atomic.Int64

func open(t *testing.T, e Engine, path string, o load.Options) *tables.Table {
	t.Helper()
	x, err := Open(t.Context(), e, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// near is for sums of the same numbers in another order: thousands of them, of like
// size.
const near = 1e-12

func closeTo(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	largest := 0.
	for _, v := range want {
		largest = math.Max(largest, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= near*largest) {
			t.Errorf("%s: number %d is %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func (x *far) parts() int { return len(x.splits) }
