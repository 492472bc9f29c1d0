package gmm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"symmom/internal/estimate/progress"
	"symmom/internal/text/diag"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
)

// Of components whose variables are exactly independent, since all combinations of their values are there, the
// linear equations give the exact shares of the values.
func TestSharesFromProducts(t *testing.T) {
	const n, r = 4, 3
	rng := rand.New(rand.NewPCG(3, 55))
	values := [r * n][3]float64{}
	for k := range values {
		for q := range values[k] {
			values[k][q] = rng.NormFloat64() * float64(1+k%3)
		}
	}
	x := &block.Dense{N: n}
	g := NewMixture(n, r, Diagonal)
	for j := range r {
		g.Weights[j] = float64(j+1) / 6
		for c := range 81 {
			for i := range n {
				x.V = append(x.V, values[j*n+i][c%3])
				c /= 3
			}
			x.Nu = append(x.Nu, g.Weights[j])
			x.P++
		}
		for i := range n {
			for _, v := range values[j*n+i] {
				g.Means[j*n+i] += v / 3
			}
		}
	}
	// The weights of a table have the mean 1.
	for l := range x.Nu {
		x.Nu[l] *= 3
	}
	_, mean := g.Centered()
	d := newDensities(newCells(t.Context(), x, mean), r)
	if !d.fromProducts(t.Context(), x, g, 1e-14, 1) {
		t.Fatal("cancelled")
	}
	for i := range n {
		for j := range r {
			want := make([]float64, Cells)
			for _, v := range values[j*n+i] {
				want[d.cell(i, v)/r-i*Cells] += 1. / 3
			}
			var sum float64
			for c := range Cells {
				sum += d.shares[(i*Cells+c)*r+j]
			}
			for c, w := range want {
				if got := d.shares[(i*Cells+c)*r+j] / sum; math.Abs(got-w) > 1e-9 {
					t.Fatalf("variable %d, component %d, cell %d: %.6f, want %.6f", i, j, c, got, w)
				}
			}
		}
	}
}

// odd draws a number of mean 0 and variance 1: exponential, uniform, or of two peaks.
func odd(rng *rand.Rand, kind int) float64 {
	switch kind % 4 {
	case 0:
		return rng.ExpFloat64() - 1
	case 1:
		return math.Sqrt(3) * (2*rng.Float64() - 1)
	case 2:
		return 1 - rng.ExpFloat64()
	}
	return .95*float64(2*rng.IntN(2)-1) + .31*rng.NormFloat64()
}

// oddTable draws observations of components with independent variables, none of them normal.
func oddTable(seed uint64, p, n, r int, spread float64) (x *tables.Table, means []float64, of []int) {
	rng := rand.New(rand.NewPCG(seed, 55))
	means, deviations := make([]float64, r*n), make([]float64, r*n)
	for i := range means {
		means[i], deviations[i] = spread*rng.NormFloat64(), .2+math.Abs(rng.NormFloat64())
	}
	v := make([]float64, 0, p*n)
	for range p {
		j := rng.IntN(r)
		of = append(of, j)
		for i := range n {
			v = append(v, means[j*n+i]+deviations[j*n+i]*odd(rng, i+j))
		}
	}
	return tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v}), means, of
}

func fitOdd(ctx context.Context, x *tables.Table, r, threads int, moments bool) (*Result, error) {
	return Fit(ctx, x, r, &Options{Shape: Diagonal, Nonparametric: true, MomentsOnly: moments, Starts: 5, Seed: 1, MaxIterations: DefaultIterations, Threads: threads})
}

// matchedTo returns the component of g that is nearest to each mean, and the root of the squared distances over that of
// the squared means.
func matchedTo(g *Mixture, means []float64) (to []int, distance float64) {
	n := g.N
	var off, all float64
	for at := 0; at < len(means); at += n {
		nearest, of := math.Inf(1), 0
		for j := range g.R {
			var d float64
			for i := range n {
				e := means[at+i] - g.Means[j*n+i]
				d += e * e
			}
			if d < nearest {
				nearest, of = d, j
			}
		}
		to, off = append(to, of), off+nearest
		for i := range n {
			all += means[at+i] * means[at+i]
		}
	}
	return to, math.Sqrt(off / all)
}

// Components that overlap and have no normal variable: EM errs by .13 in the means (8 % of the labels), the steps from the
// moments hardly.
func TestNonparametric(t *testing.T) {
	for _, c := range []struct {
		p, n, r        int
		spread         float64
		off, wrong     float64
		offThen, moved float64
	}{
		{20000, 8, 3, .5, .05, .04, .5, 0},
		{20000, 10, 6, .5, .06, .04, .3, 0},
		{2000, 5, 2, 1, .1, .1, .3, 0},
	} {
		x, means, of := oddTable(8, c.p, c.n, c.r, c.spread)
		f, err := fitOdd(t.Context(), x, c.r, 2, false)
		if err != nil {
			t.Fatal(err)
		}
		to, off := matchedTo(f.Mixture, means)
		wrong := 0.
		if err := f.Densities.Responsibilities(t.Context(), x.Storage, nil, func(l int, z []float64) {
			if z[to[of[l]]] < slices.Max(z) {
				wrong += 1 / float64(c.p)
			}
		}); err != nil {
			t.Fatal(err)
		}
		m, err := fitOdd(t.Context(), x, c.r, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		_, then := matchedTo(m.Mixture, means)
		t.Logf("%d x %d, %d components: error of means %.3f, of the moments alone %.3f, %.3f of the labels wrong, %d steps, %d of %d fits, warnings %q", c.p, c.n, c.r, off, then, wrong, f.Iterations, f.Hits, f.Tried, f.Warnings)
		if off > c.off || wrong > c.wrong || then > c.offThen || !f.Converged || m.Iterations != 0 {
			t.Errorf("%d x %d, %d components: error of means %.3f, of the moments alone %.3f, %.3f of the labels wrong, converged: %v", c.p, c.n, c.r, off, then, wrong, f.Converged)
		}
	}
}

// Threads change no bit; an observation of weight 2 counts as two.
func TestNonparametricThreadsAndWeights(t *testing.T) {
	x, _, _ := oddTable(3, 3000, 6, 2, 1)
	a, err := fitOdd(t.Context(), x, 2, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fitOdd(t.Context(), x, 2, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	if a.LogLikelihood != b.LogLikelihood || !slices.Equal(a.Mixture.Means, b.Mixture.Means) || !slices.Equal(a.Densities.shares, b.Densities.shares) {
		t.Errorf("log-likelihood %v with one thread, %v with two", a.LogLikelihood, b.LogLikelihood)
	}
	values := x.Array().Values
	twice, weighted := &load.Set{Info: load.Info{P: 4000, N: 6}}, &load.Set{Info: load.Info{P: 3000, N: 6}, Values: values}
	for l := range 3000 {
		row := values[6*l : 6*l+6]
		twice.Values = append(twice.Values, row...)
		w := 1. / 4000
		if l < 1000 {
			twice.Values = append(twice.Values, row...)
			w *= 2
		}
		weighted.Weights = append(weighted.Weights, w)
	}
	c, err := fitOdd(t.Context(), tables.New(twice), 2, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	d, err := fitOdd(t.Context(), tables.New(weighted), 2, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	// Kernels are narrower for 4,000 observations than for 3,000.
	for k, v := range c.Mixture.Means {
		if math.Abs(v-d.Mixture.Means[k]) > .01 || math.Abs(v-a.Mixture.Means[k]) < 1e-4 {
			t.Errorf("mean %d is %.5f with repeated rows, %.5f with weights, %.5f without", k, v, d.Mixture.Means[k], a.Mixture.Means[k])
		}
	}
}

// A variable that follows from another within components is named.
func TestNonparametricDependent(t *testing.T) {
	x, _, _ := oddTable(3, 5000, 6, 2, 1)
	values := x.Array().Values
	for l := range 5000 {
		row := values[6*l : 6*l+6]
		row[4] = row[4] + 2*row[1]
	}
	f, err := fitOdd(t.Context(), tables.New(&load.Set{Info: load.Info{P: 5000, N: 6}, Values: values}), 2, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) == 0 || f.Warnings[0].Code != diag.Dependent || !strings.HasPrefix(f.Warnings[0].Text, "column 2 and column 5 go together within component ") {
		t.Errorf("warnings are %q", f.Warnings)
	}
	if f, err = fitOdd(t.Context(), x, 1, 1, false); err != nil || math.Abs(f.Mixture.Weights[0]-1) > 1e-12 || math.Abs(f.Mixture.Means[0]-meanOf(values, 6)) > 1e-9 {
		t.Errorf("one component: %v, weights and means %v, want the mean %v", err, f.Mixture, meanOf(values, 6))
	}
}

func meanOf(v []float64, n int) (m float64) {
	for l := 0; l < len(v); l += n {
		m += v[l] * float64(n) / float64(len(v))
	}
	return m
}

// Of counts and of yes and no the steps end where EM on the values themselves does: kernels would favour a component.
func TestNonparametricCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		draw func(rng *rand.Rand, j int) float64
	}{
		{"counts", 8, func(rng *rand.Rand, j int) float64 { return float64(poisson(rng, 3+2*float64(j))) }},
		{"yes and no", 12, func(rng *rand.Rand, j int) float64 {
			if rng.Float64() < .2+.3*float64(j) {
				return 1
			}
			return 0
		}},
	} {
		rng := rand.New(rand.NewPCG(5, 55))
		var values []float64
		for l := range 3000 {
			for range c.n {
				values = append(values, c.draw(rng, l%2))
			}
			values = append(values, 7) // a column without a meaning
		}
		f, err := fitOdd(t.Context(), tables.New(&load.Set{Info: load.Info{P: 3000, N: c.n + 1}, Values: values}), 2, 2, false)
		if err != nil {
			t.Fatal(err)
		}
		if w := f.Mixture.Weights[0]; w > .56 || f.Mixture.Variance(0, c.n) != 0 {
			t.Errorf("%s: the larger of two equal components has the weight %.3f, the constant column the variance %g", c.name, w, f.Mixture.Variance(0, c.n))
		}
	}
}

func poisson(rng *rand.Rand, mean float64) (k int) {
	for p := rng.Float64(); p > math.Exp(-mean); k++ {
		p *= rng.Float64()
	}
	return k
}

// Warnings name components as they are sorted, and say where there are none.
func TestNonparametricDoubts(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 55))
	var none, apart []float64
	for l := range 4000 {
		var shared float64
		for i := range 6 {
			x := rng.NormFloat64()
			none = append(none, x)
			third := float64(min(l%10, 3)) // the last, of a weight of .7, is the largest
			if third < 2 {
				third = 0
			}
			switch {
			case i == 0:
				shared = x
			case i == 1 && third == 2: // of a weight of .1
				x = shared + .3*x
			}
			apart = append(apart, x+6*third*float64(1+i%2))
		}
	}
	fit := func(v []float64, r int) *Result {
		f, err := fitOdd(t.Context(), tables.New(&load.Set{Info: load.Info{P: 4000, N: 6}, Values: v}), r, 2, false)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	says := func(f *Result, code, text string) {
		t.Helper()
		if !slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return w.Code == code && strings.Contains(w.Text, text) }) {
			t.Errorf("weights %.3f, warnings %q, want %q", f.Mixture.Weights, f.Warnings, text)
		}
	}
	says(fit(none, 2), diag.Overlap, "they may not be there")
	if f := fit(apart, 3); slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return w.Code == diag.Overlap }) {
		t.Errorf("warnings %q", f.Warnings)
	}
	says(fit(apart, 3), diag.Dependent, "column 1 and column 2 go together within component 3")
}

// Too many components for the variables are refused; an interrupt keeps what was found.
func TestNonparametricLimits(t *testing.T) {
	x, _, _ := oddTable(3, 3000, 6, 2, 1)
	var wrong *diag.Argument
	if _, err := fitOdd(t.Context(), x, 5, 1, false); !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Want, "at most 4: the moments of 6 variables") {
		t.Errorf("5 components of 6 variables: %v", err)
	}
	if _, err := fitOdd(t.Context(), x, 4, 1, false); err != nil {
		t.Errorf("4 components of 6 variables: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := &Options{Shape: Diagonal, Nonparametric: true, Starts: 5, Seed: 1, MaxIterations: DefaultIterations, Threads: 1, Progress: func(r progress.Report) {
		if r.Iterations == 2 {
			cancel()
		}
	}}
	f, err := Fit(ctx, x, 2, o)
	if !errors.Is(err, context.Canceled) || f.Mixture == nil || f.Densities == nil || f.Iterations != 2 || !math.IsNaN(f.LogLikelihood) {
		t.Errorf("after an interrupt: %v, %+v", err, f)
	}
}
