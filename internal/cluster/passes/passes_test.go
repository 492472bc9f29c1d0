package passes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/test/slow"
)

func TestPassesEqualMemory(t *testing.T) {
	slow.Test(t)
	const p, n = 3000, 6
	for _, format := range []string{"csv", "parquet"} {
		for _, weights := range []string{"", "w"} {
			t.Run(format+weights, func(t *testing.T) {
				defer func(b int) { splitBytes = b }(splitBytes)
				splitBytes = 1
				path := writeShards(t, format, p, n)
				o := load.Options{Weights: weights}
				if weights == "" {
					o.Columns = []string{"1-6"}
					if format == "csv" {
						o.Columns = []string{"x0", "x1", "x2", "x3", "x4", "x5"}
					}
				}
				set, err := load.Load(t.Context(), path, o)
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
				all, err := block.Gather(ctx, far)
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
	o := load.Options{Weights: "w"}
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

// Root mean squares in warnings are labelled as unweighted, if the weights differ.
func TestScalesOfWeightedColumns(t *testing.T) {
	for weights, aside := range map[string]bool{"1,1,8": true, "2,2,2": false} {
		w := strings.Split(weights, ",")
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, fmt.Appendf(nil, "a,b,w\n-2e6,-.01,%s\n3e6,.02,%s\n1e6,.04,%s\n", w[0], w[1], w[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(open(t, Local{Threads: 2}, path, load.Options{Weights: "w"}).Warnings)
		if !strings.Contains(text, "a has root mean square 2.16e+06, b only 0.0265") || strings.Contains(text, "leave the weights aside") != aside {
			t.Errorf("weights %s: %s", weights, text)
		}
	}
}
