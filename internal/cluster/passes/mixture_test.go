package passes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/columnar"
	"symmom/internal/data/export"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/gmm"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/test/slow"
)

var shapes = []gmm.Shape{gmm.Spherical, gmm.Tied, gmm.Diagonal, gmm.Full}

// A step of EM by passes is that in memory, up to rounding, for all shapes before and
// after it.
func TestStepsEqualMemory(t *testing.T) {
	slow.Test(t)
	const n, r = 6, 3
	path := writeShards(t, "csv", 1500, n)
	o := load.Options{Weights: "w"}
	set, err := load.Load(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	memory, far := tables.New(set), open(t, restless{4}, path, o)
	for _, from := range shapes {
		for _, to := range shapes {
			for _, center := range [][]float64{nil, {.1, .2, .3, .4, .5, .6}} {
				step := func(x *tables.Table) (*gmm.Mixture, []float64) {
					g := gmm.NewMixture(n, r, from)
					for j := range r {
						g.Weights[j] = 1. / r
						for i := range n {
							if i%3 == j {
								g.Means[j*n+i] = 2
							}
						}
					}
					for at := range g.Cov {
						g.Cov[at] = .25
						if from == gmm.Tied || from == gmm.Full {
							g.Cov[at] = 0
							if at%(n*n)%(n+1) == 0 {
								g.Cov[at] = .25
							}
						}
					}
					e := gmm.NewEM(x.Storage, center, 1.5, r, to, 2)
					e.SetFloor(1e-6)
					first := &gmm.Ascent{EM: e}
					first.Run(t.Context(), g.Clone())
					v, ok := e.Step(t.Context(), g)
					if !ok {
						t.Fatal(x.Err())
					}
					again, ok := e.LogLikelihood(t.Context(), g)
					if !ok || again < v && from == to {
						t.Errorf("the log-likelihood falls from %v to %v (%v)", v, again, ok)
					}
					return g, []float64{v + again, first.Overlap}
				}
				want, v := step(memory)
				got, w := step(far)
				closeTo(t, "log-likelihood and overlap", w, v)
				if !(v[1] > 0) {
					t.Errorf("nothing overlaps: %v", v[1])
				}
				closeTo(t, "weights", got.Weights, want.Weights)
				closeTo(t, "means", got.Means, want.Means)
				closeTo(t, "covariances", got.Cov, want.Cov)
			}
		}
	}
}

// A mixture that is fitted by passes is that of the data in memory, as far as EM goes,
// with the observations about the origin or a million away from it, and the same bits
// whatever the engine.
func TestMixtureEqualsMemory(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		rows int // more than a sample has, or fewer
		by   float64
	}{{3000, 0}, {20000, 0}, {3000, 1e6}} {
		path := writeShards(t, "csv", c.rows, 6)
		o := load.Options{Weights: "w"}
		set, err := load.Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		at := path
		if c.by != 0 {
			v := mat.NewDense(set.P, set.N, set.Values)
			v.Apply(func(_, _ int, x float64) float64 { return x + c.by }, v)
			at = filepath.Join(t.TempDir(), "x.npy")
			if err := export.WriteNPY(at, v); err != nil {
				t.Fatal(err)
			}
			o.Weights, set.Weights = "", nil
		}
		memory, one, other := tables.New(set), open(t, Local{Threads: 2}, at, o), open(t, restless{7}, at, o)
		for _, shape := range shapes {
			options := &gmm.Options{Shape: shape, Unlimited: true, Starts: 3, Seed: 1, Tolerance: 1e-9, MaxIterations: 200, Threads: 2}
			var all []*gmm.Result
			for _, x := range []*tables.Table{memory, one, other} {
				f, err := gmm.Fit(t.Context(), x, 3, options)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, f)
			}
			want, got, again := all[0], all[1], all[2]
			// The tolerance is 1e-9 for each of 20,000 observations, and how far it goes on
			// from there depends on the way.
			if !(math.Abs(got.LogLikelihood-want.LogLikelihood) <= 1e-3) || !got.Converged {
				t.Errorf("shape %v, %+v: log-likelihood %v, in memory %v, converged %v", shape, c, got.LogLikelihood, want.LogLikelihood, got.Converged)
			}
			d := slices.Clone(got.Mixture.Means)
			linalg.Axpy(-1, want.Mixture.Means, d)
			if d := linalg.NormInf(d); !(d < 1e-3) {
				t.Errorf("shape %v, %+v: means differ by %v", shape, c, d)
			}
			if got.LogLikelihood != again.LogLikelihood || !slices.Equal(got.Mixture.Means, again.Mixture.Means) || !slices.Equal(got.Mixture.Cov, again.Mixture.Cov) {
				t.Errorf("shape %v, %+v: another engine gives other bits", shape, c)
			}
			t.Logf("shape %v, %+v: %d passes, in memory %d", shape, c, got.Passes, want.Passes)
		}
		// The covariance of the last fit serves the next, which gives the same bits.
		options := gmm.Options{Shape: gmm.Diagonal, Starts: 3, Seed: 1, Tolerance: 1e-9, MaxIterations: 200, Threads: 2}
		alone, err := gmm.Fit(t.Context(), one, 2, &options)
		if err != nil {
			t.Fatal(err)
		}
		before, err := gmm.Fit(t.Context(), one, 3, &options)
		if err != nil {
			t.Fatal(err)
		}
		options.Spread = before.Spread
		after, err := gmm.Fit(t.Context(), one, 2, &options)
		if err != nil {
			t.Fatal(err)
		}
		if after.LogLikelihood != alone.LogLikelihood || !slices.Equal(after.Mixture.Means, alone.Mixture.Means) || after.Passes >= alone.Passes {
			t.Errorf("%+v: log-likelihood %v and %d passes, alone %v and %d", c, after.LogLikelihood, after.Passes, alone.LogLikelihood, alone.Passes)
		}
	}
}

// Files of float32 are read as they are: sums are those of the values that they hold, and
// many variables can be fitted.
func TestSingleEqualsMemory(t *testing.T) {
	slow.Test(t)
	const p, n = 40, 5000
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(5, 5))
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprint("x", j)
	}
	for k := range 2 {
		var b bytes.Buffer
		w, err := columnar.NewWriter(&b, "parquet", names, true)
		if err != nil {
			t.Fatal(err)
		}
		v := make([]float64, p*n)
		for i := range v {
			v[i] = .1 * rng.NormFloat64()
			if i%n%3 == i/n%3 {
				v[i]++
			}
		}
		if err := errors.Join(w.Write(v), w.Close(), os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.parquet", k)), b.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	set, err := load.Load(t.Context(), dir, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := set.Values[7]; v != float64(float32(v)) {
		t.Errorf("%v is no float32", v)
	}
	x := open(t, Local{Threads: 2}, dir, load.Options{})
	mean, square, err := moment.Mean(t.Context(), set.Dense(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	farMean, farSquare, err := moment.Mean(t.Context(), x.Storage, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "mean", append(farMean, farSquare), append(mean, square))
	m := fit.New(x, 3)
	const r = 3
	f, err := m.Decompose(t.Context(), r, &fit.Options{Starts: 1, Seed: 1, Tolerance: 1e-2, MaxIterations: 5, MaxEvaluations: 10, Corrections: 5, Threads: 2})
	if err != nil || f.Form != fit.Compressed || f.Model.N != n {
		t.Errorf("%+v, %v", f, err)
	}
}

// The results of a pass for each variable are those of a pass over the observations.
func TestDescribeEqualsMemory(t *testing.T) {
	path := writeShards(t, "csv", 1500, 6)
	o := load.Options{Weights: "w"}
	set, err := load.Load(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tables.Describe(t.Context(), set.Dense())
	if err != nil {
		t.Fatal(err)
	}
	var first *tables.Variables
	for seed := range uint64(3) {
		x := open(t, restless{seed}, path, o)
		got, err := tables.Describe(t.Context(), x.Storage)
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, "mean", got.Mean, want.Mean)
		linalg.Scale(math.Sqrt(x.Share()), got.Root)
		closeTo(t, "roots", got.Root, want.Root)
		if !slices.Equal(got.Min, want.Min) || !slices.Equal(got.Max, want.Max) || got.Nonzero != want.Nonzero {
			t.Errorf("%+v, want %+v", got, want)
		}
		if first == nil {
			first = got
		}
		if !slices.Equal(first.Mean, got.Mean) || !slices.Equal(first.Root, got.Root) {
			t.Error("another order of the answers gives other bits")
		}
		second, err := moment.NewSecond(t.Context(), x.Storage, x.Sketch().Span)
		if err != nil {
			t.Fatal(err)
		}
		all, err := moment.Spectrum(t.Context(), set.Dense())
		if err != nil {
			t.Fatal(err)
		}
		closeTo(t, "eigenvalues", second.Values, all.Values)
		far, err1 := second.SuggestedRank(t.Context(), 6, 1e6)
		here, err2 := all.SuggestedRank(t.Context(), 6, 1e6)
		if far != here || here == 0 || err1 != nil || err2 != nil {
			t.Errorf("rank %d (%v) suggested, in memory %d (%v)", far, err1, here, err2)
		}
	}
}
