package passes

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
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

	"symmom/internal/columnar"
	"symmom/internal/gmm"
	"symmom/internal/moment"
	"symmom/internal/norm"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/observations"
	"symmom/internal/storage"
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

func open(t *testing.T, e Engine, path string, o observations.Options) *storage.Table {
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

func TestPassesEqualMemory(t *testing.T) {
	const p, n = 3000, 6
	for _, format := range []string{"csv", "parquet"} {
		for _, weights := range []string{"", "w"} {
			t.Run(format+weights, func(t *testing.T) {
				defer func(b int) { splitBytes = b }(splitBytes)
				splitBytes = 1
				path := writeShards(t, format, p, n)
				o := observations.Options{Weights: weights}
				if weights == "" {
					o.Columns = []string{"1-6"}
					if format == "csv" {
						o.Columns = []string{"x0", "x1", "x2", "x3", "x4", "x5"}
					}
				}
				set, err := observations.Load(t.Context(), path, o)
				if err != nil {
					t.Fatal(err)
				}
				x := set.Dense()
				far := open(t, Local{Threads: 2}, path, o)
				if far.P != p || far.N != n || !slices.Equal(far.Names, set.Names) || len(far.Shards) != len(set.Shards) || far.Shards[1].Rows != set.Shards[1].Rows || far.Shards[1].Name != set.Shards[1].Name {
					t.Errorf("%d x %d, %v, %v", far.P, far.N, far.Names, far.Shards)
				}
				if x := far.Storage.(interface{ parts() int }); format == "parquet" && x.parts() < 2*len(set.Shards) {
					t.Errorf("%d splits of %d files", x.parts(), len(set.Shards))
				}
				ctx := t.Context()
				rng := rand.New(rand.NewPCG(1, 2))
				vector := func(n int) []float64 {
					v := make([]float64, n)
					for i := range v {
						v[i] = rng.NormFloat64()
					}
					return v
				}
				a, b := vector(2*n), vector(2*n)
				full := vector(n * n)
				for i := range n {
					for j := range i {
						full[i*n+j] = full[j*n+i]
					}
				}
				for _, noise := range []*moment.Noise{nil, {N: n, Variance: .2}, {N: n, Diagonal: vector(n)}, {N: n, Full: full}} {
					for d := 1; d <= 4; d++ {
						want, got := make([]float64, 2*n), make([]float64, 2*n)
						(&moment.Implicit{Data: x, D: d, Noise: noise}).Worker(2, 1).TTSV(ctx, want, a)
						if !(&moment.Implicit{Data: far, D: d, Noise: noise}).Worker(2, 1).TTSV(ctx, got, a) {
							t.Fatal(far.Err())
						}
						closeTo(t, "Y", got, want)
						shared := moment.NewSharedPass(&moment.Implicit{Data: far, D: d, Noise: noise}, 2, 2, 1)
						other := make(chan []float64)
						go func() {
							y := make([]float64, 2*n)
							shared.Join()
							shared.Worker(2, 1).TTSV(ctx, y, b)
							shared.Leave()
							other <- y
						}()
						y := make([]float64, 2*n)
						shared.Join()
						shared.Worker(2, 1).TTSV(ctx, y, a)
						shared.Leave()
						if !slices.Equal(y, got) {
							t.Error("Y of a shared pass differs")
						}
						(&moment.Implicit{Data: x, D: d, Noise: noise}).Worker(2, 1).TTSV(ctx, want, b)
						closeTo(t, "the other Y", <-other, want)
					}
				}
				basis, err := moment.NewBasis(ctx, x, nil, 3, 2, 1, 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range []*moment.Basis{nil, basis} {
					for _, center := range [][]float64{nil, vector(n)} {
						want, err := moment.NewCentral(ctx, x, q, center, []int{3, 2, 1}, 1.5, 1)
						if err != nil {
							t.Fatal(err)
						}
						got, err := moment.NewCentral(ctx, far, q, center, []int{3, 2, 1}, 1.5, 1)
						if err != nil {
							t.Fatal(err)
						}
						for i := range want {
							k := want[i].N()
							y, z := make([]float64, k), make([]float64, k)
							in := vector(k)
							want[i].Worker(1, 1).TTSV(ctx, y, in)
							got[i].Worker(1, 1).TTSV(ctx, z, in)
							closeTo(t, "packed", z, y)
							closeTo(t, "norm", []float64{got[i].NormSquared()}, []float64{want[i].NormSquared()})
						}
					}
				}
				mean, square, err := moment.Mean(ctx, x, 2, 1)
				if err != nil {
					t.Fatal(err)
				}
				farMean, farSquare, err := moment.Mean(ctx, far, 2, 1)
				if err != nil {
					t.Fatal(err)
				}
				closeTo(t, "mean", append(farMean, farSquare), append(mean, square))
				all, err := obs.Gather(ctx, far)
				if err != nil || !slices.Equal(all.V, set.Values) {
					t.Errorf("the rows differ: %v", err)
				}
				if weights != "" {
					closeTo(t, "weights", all.Nu, set.Weights)
				}
				span, err := moment.Span(ctx, x)
				if err != nil || far.Sketch().Span < span {
					t.Errorf("span %v, %v, %v", far.Sketch().Span, span, err)
				}
				// ||X||^2: exact, and estimated with the sample, the extremes and the
				// pass over all pairs with them.
				for d := 2; d <= 3; d++ {
					want, err := norm.Squared(ctx, x, d, 1, 1)
					if err != nil {
						t.Fatal(err)
					}
					e, err := norm.EstimateFromSample(ctx, far, far.Sketch().Sample, far.Sketch().Extremes, nil, d, 1, 1000, 1)
					// Rounding is all that is left where the control spans all variables.
					if err != nil || !(math.Abs(e.Value-want) < 5*e.StdErr+near*want) || !(e.StdErr < .01*want) {
						t.Errorf("||X||^2 of order %d: %v +- %v, want %v (%v)", d, e.Value, e.StdErr, want, err)
					}
				}
			})
		}
	}
}

func TestDivided(t *testing.T) {
	file := Split{Path: "a.parquet"}
	for _, c := range []struct {
		groups []int
		least  float64
		want   [][2]int
	}{
		{[]int{10, 10, 10}, 1, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{[]int{10, 10, 10}, 8 * 20 * 2, [][2]int{{0, 2}, {2, 3}}},
		{[]int{10, 10, 10}, 1e9, [][2]int{{}}},
		{[]int{10}, 1, [][2]int{{}}},
		{nil, 1, [][2]int{{}}},
	} {
		var got [][2]int
		for _, s := range divided(file, answer{Groups: c.groups, Width: 2}, c.least) {
			got = append(got, s.Groups)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v in parts of %g: %v, want %v", c.groups, c.least, got, c.want)
		}
	}
}

// The order of answers, and how often a split is answered, changes nothing.
func TestPassesSameBits(t *testing.T) {
	path := writeShards(t, "csv", 2000, 5)
	o := observations.Options{Weights: "w"}
	want := open(t, Local{Threads: 1}, path, o)
	a := []float64{1, 2, 3, 4, 5, .1, .2, .3, .4, .5}
	y := make([]float64, 10)
	(&moment.Implicit{Data: want, D: 3}).Worker(2, 1).TTSV(t.Context(), y, a)
	m, err := moment.NewPacked(t.Context(), want, nil, 3, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		x := open(t, restless{seed}, path, o)
		if !slices.Equal(x.Sketch().Sample.Data().V, want.Sketch().Sample.Data().V) || x.Sketch().Span != want.Sketch().Span || !slices.Equal(x.Sketch().Extremes.Numbers(), want.Sketch().Extremes.Numbers()) {
			t.Errorf("seed %d: the sketches differ", seed)
		}
		z := make([]float64, 10)
		(&moment.Implicit{Data: x, D: 3}).Worker(2, 1).TTSV(t.Context(), z, a)
		if !slices.Equal(y, z) {
			t.Errorf("seed %d: Y = %v, want %v", seed, z, y)
		}
		p, err := moment.NewPacked(t.Context(), x, nil, 3, 1, 1)
		if err != nil || p.NormSquared() != m.NormSquared() || p.Trace() != m.Trace() {
			t.Errorf("seed %d: the moments differ (%v)", seed, err)
		}
		one, _ := x.Fingerprint(t.Context())
		two, _ := want.Fingerprint(t.Context())
		if one != two || one == "" {
			t.Errorf("seed %d: fingerprints %s and %s", seed, one, two)
		}
	}
}

// Estimates of ||X||^2 from samples that are drawn over the splits are those of the
// observations, on average, with weights too.
func TestSamplesAreFair(t *testing.T) {
	path := writeShards(t, "csv", 1500, 30)
	for _, weights := range []string{"", "w"} {
		o := observations.Options{Weights: weights}
		set, err := observations.Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := norm.Squared(t.Context(), set.Dense(), 3, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, Local{Threads: 2}, path, o)
		const draws = 40
		var sum, squares, said float64
		for seed := range uint64(draws) {
			sample, err := x.SampleFor(t.Context(), seed+1)
			if err != nil {
				t.Fatal(err)
			}
			e, err := norm.EstimateFromSample(t.Context(), x, sample, x.Sketch().Extremes, nil, 3, 1, 600, 1)
			if err != nil {
				t.Fatal(err)
			}
			sum += e.Value - want
			squares += (e.Value - want) * (e.Value - want)
			said += e.StdErr / draws
		}
		spread := math.Sqrt(squares / draws)
		// The mean of 40 draws is within 4 of its standard errors, and those are said to
		// be what they are within a third: chi-square of 40, three sigma.
		t.Logf("%v: off by %v +- %v, said %v", want, sum/draws, spread, said)
		if !(math.Abs(sum/draws) <= 4*spread/math.Sqrt(draws)) || spread > 1.34*said || spread < said/1.5 {
			t.Errorf("weights %q: off by %v +- %v, said %v", weights, sum/draws, spread, said)
		}
	}
}

// A message or an answer with any byte changed is refused.
func TestDamaged(t *testing.T) {
	m := &Message{Pass: obs.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {1, math.NaN(), math.Inf(1)}}}, N: 3, Splits: []Split{{Path: "a.npy", Rows: 3, Digest: "d"}}}
	line, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(line)
	if err != nil || !math.IsNaN(back.Pass.Data[1][1]) || back.Splits[0] != m.Splits[0] || back.Pass.Kind != m.Pass.Kind {
		t.Fatalf("%+v, %v", back, err)
	}
	for i := range line {
		for _, c := range []byte{line[i] ^ 1, ' ', '\n', 'A'} {
			bad := line[:i] + string(c) + line[i+1:]
			if _, err := Decode(bad); bad != line && err == nil {
				t.Errorf("byte %d changed to %q is not noticed", i, c)
			}
		}
		if _, err := Decode(line[:i]); err == nil {
			t.Errorf("cut after %d bytes is not noticed", i)
		}
	}
	// Messages that say what cannot be are answered with an error.
	for _, bad := range []*Message{
		{Pass: obs.Pass{Kind: "unknown", Orders: []int{1}, Unit: 1}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Unit: 1, Data: [][]float64{nil, {1}}}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {1}}}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, {}}}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Orders: []int{-3}, Unit: 1, Data: [][]float64{nil, {1, 2, 3}}}, N: 3},
		{Pass: obs.Pass{Kind: moment.Products, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2}, {1, 2, 3}}}, N: 3},
		{Pass: obs.Pass{Kind: moment.Moments, Orders: []int{60}, Unit: 1, Data: [][]float64{nil, nil}}, N: 300},
		{Pass: obs.Pass{Kind: moment.Moments, Orders: []int{3}, Unit: 0, Data: [][]float64{nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2}}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{0}, Unit: 1, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{65}, Unit: 1, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{3}, Data: [][]float64{nil, nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{{1, 2}, nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{64}, Unit: 1, Data: [][]float64{make([]float64, 36), nil, nil}}, N: 3},
		{Pass: obs.Pass{Kind: norm.Pairs, Orders: []int{3}, Unit: 1, Data: [][]float64{nil, make([]float64, 30000), make([]float64, 10000)}}, N: 3},
		{Pass: obs.Pass{Kind: gmm.Sums, Orders: []int{1}, Unit: 1}, N: 3},
		{Pass: obs.Pass{Kind: gmm.Sums, Orders: []int{2, 0, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: obs.Pass{Kind: gmm.Sums, Orders: []int{1, 9, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: obs.Pass{Kind: gmm.Sums, Orders: []int{math.MaxInt >> 23, 0, 3, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {1}}}, N: 3},
		{Pass: obs.Pass{Kind: gmm.Sums, Orders: []int{1, 0, 0, 1}, Unit: 1, Data: [][]float64{nil, {1}, {1, 2, 3}, {-1}}}, N: 3},
		{Pass: kind(Sample), N: 3, Counts: []int{-1}},
		{Pass: kind(Sample), N: 3, Counts: []int{math.MaxInt >> 3}},
	} {
		bad.Splits = []Split{{Path: "a.npy", Rows: 3}}
		var a answer
		if _, err := unpack(Run(t.Context(), bad, 0, 1), &a); err != nil || a.Error == "" {
			t.Errorf("%+v: %v, %v", bad.Pass, a, err)
		}
	}
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader("nonsense\n"+line+" x\n"+line+" 7\n"+line+" 0"), &out, 1); err != nil {
		t.Fatal(err)
	}
	replies := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"the message is damaged", "invalid syntax", "there is no split 7", "a.npy"} {
		var a answer
		_, line, _ := strings.Cut(replies[i], "\t")
		if _, err := unpack(line, &a); err != nil || !strings.Contains(a.Error, want) {
			t.Errorf("reply %d: %+v, %v", i, a, err)
		}
	}
}

// What changes, goes or is cut between passes is one error that names it.
func TestChangedBetweenPasses(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		path := writeShards(t, format, 1000, 4)
		victim := strings.Replace(path, "*", "part-01", 1)
		x := open(t, Local{Threads: 2}, path, observations.Options{})
		data, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		pass := func() error {
			y := make([]float64, x.N)
			if (&moment.Implicit{Data: x, D: 3}).Worker(1, 1).TTSV(t.Context(), y, make([]float64, x.N)) {
				return nil
			}
			return x.Err()
		}
		first, err := os.ReadFile(strings.Replace(path, "*", "part-00", 1))
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"gone":  func() error { return os.Remove(victim) },
			"cut":   func() error { return os.WriteFile(victim, data[:len(data)/2], 0o666) },
			"other": func() error { return os.WriteFile(victim, first, 0o666) },
		} {
			if err := do(); err != nil {
				t.Fatal(err)
			}
			if err := pass(); err == nil || !strings.Contains(err.Error(), victim) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %s: %v", format, what, err)
			}
		}
		if err := os.WriteFile(victim, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := pass(); err != nil {
			t.Errorf("%s: put back: %v", format, err)
		}
	}
}

// missing is an engine that leaves answers out, or damages them.
type missing struct{ damage func(string) string }

func (missing) Name() string { return "a poor engine" }

func (m missing) Run(ctx context.Context, message string, splits, fan int, done func(int), answer func(string) error) error {
	return Local{Threads: 1}.Run(ctx, message, splits, fan, done, func(line string) error {
		if line = m.damage(line); line == "" {
			return nil
		}
		return answer(line)
	})
}

// An error about a table says what helps against it, as it does where the table is here.
func TestHelp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n,4\n5,7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Local{Threads: 1}, path, observations.Options{})
	want := path + ": 1 missing value: a (1); drop those rows or choose other columns (on this machine)"
	if err == nil || err.Error() != want || !slices.Equal(notice.Help(err), []string{"Missing=drop", "Columns"}) {
		t.Errorf("got %v, with %q", err, notice.Help(err))
	}
}

func TestEngineErrors(t *testing.T) {
	path := writeShards(t, "csv", 500, 4)
	k := 0
	for want, damage := range map[string]func(string) string{
		"answers for only": func(s string) string {
			if k++; k == 2 {
				return ""
			}
			return s
		},
		"is damaged": func(s string) string { return s[:len(s)-1] },
	} {
		if _, err := Open(t.Context(), missing{damage}, path, observations.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Local{Threads: 1}, path, observations.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Open(t.Context(), Local{Threads: 1}, path, observations.Options{Labels: "w"}); err == nil {
		t.Error("labels are not refused")
	}
}

func (x *far) parts() int { return len(x.splits) }

// Some observations of a table on a cluster are those that have their indices, without a pass;
// with weights a small table is read.
func TestSome(t *testing.T) {
	for _, rows := range []int{1500, 40000} { // fewer and more than a sample has
		path := writeShards(t, "csv", rows, 4)
		set, err := observations.Load(t.Context(), path, observations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, restless{5}, path, observations.Options{})
		some, index, err := x.Some(t.Context(), 300, 2)
		if err != nil || len(index) != 300 || some.P != 300 || !slices.IsSorted(index) || len(slices.Compact(slices.Clone(index))) != 300 {
			t.Fatalf("%v: %d of %d", err, len(index), rows)
		}
		half := 0
		for i, l := range index {
			if !slices.Equal(some.V[i*set.N:(i+1)*set.N], set.Values[l*set.N:(l+1)*set.N]) {
				t.Fatalf("observation %d is another", l)
			}
			if l < rows/2 {
				half++
			}
		}
		if half < 110 || half > 190 { // 150 and four standard deviations of at most 8.7
			t.Errorf("%d of 300 are of the first half of %d", half, rows)
		}
		weighted := open(t, restless{5}, path, observations.Options{Weights: "w"})
		if some, index, err := weighted.Some(t.Context(), 300, 2); err != nil || some.P != 300 || some.Nu == nil || !slices.Equal(index, obs.Stratified(rows, 300, 2)) {
			t.Errorf("%v: %v", err, index)
		}
	}
}

// Root mean squares in warnings are said to be without weights, if these differ.
func TestScalesOfWeightedColumns(t *testing.T) {
	for weights, aside := range map[string]bool{"1,1,8": true, "2,2,2": false} {
		w := strings.Split(weights, ",")
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, fmt.Appendf(nil, "a,b,w\n-2e6,-.01,%s\n3e6,.02,%s\n1e6,.04,%s\n", w[0], w[1], w[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(open(t, Local{Threads: 2}, path, observations.Options{Weights: "w"}).Warnings)
		if !strings.Contains(text, "a has root mean square 2.16e+06, b only 0.0265") || strings.Contains(text, "leave the weights aside") != aside {
			t.Errorf("weights %s: %s", weights, text)
		}
	}
}
