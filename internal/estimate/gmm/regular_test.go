package gmm

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// readNumbers reads a table of numbers between commas, whose last column is a class.
func readNumbers(t *testing.T, path string) (v []float64, class []int, n int) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		words := strings.Split(lines.Text(), ",")
		n = len(words) - 1
		for i, word := range words {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			if i < n {
				v = append(v, x)
			} else {
				class = append(class, int(x))
			}
		}
	}
	return v, class, n
}

func fitRows(t *testing.T, v []float64, n, r int, shape Shape, change func(*Options)) *Result {
	o := &Options{Shape: shape, Starts: 10, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
	if change != nil {
		change(o)
	}
	f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: len(v) / n, N: n}, Values: v}), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func has(f *Result, code string) bool {
	return slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return w.Code == code })
}

// Answers 1 to 5 of a questionnaire, and iris in tenths: a component that closes in on one answer does not beat
// the profiles. Log-likelihoods of scikit-learn 1.9.1 with ten starts and as many components; with the answers
// those of a seventh of a nat less that the bound of rounding costs a component with little variance.
func TestRoundedDataHaveRegularMixtures(t *testing.T) {
	for _, c := range []struct {
		file       string
		shape      Shape
		likelihood float64
		slack      float64
		agreement  float64 // adjusted Rand index with the classes
	}{
		{"testdata/answers.csv", Diagonal, -1994.684, .15, .97},
		{"testdata/answers.csv", Full, -1978.903, 1, .97},
		{"testdata/iris.csv", Diagonal, -306.86, .01, .83},
		{"testdata/iris.csv", Full, -180.19, .01, .90},
	} {
		v, class, n := readNumbers(t, c.file)
		for seed := range uint64(3) {
			f := fitRows(t, v, n, 3, c.shape, func(o *Options) { o.Seed = seed + 1 })
			of, err := MostLikely(t.Context(), f.Mixture, &block.Dense{P: len(class), N: n, V: v}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(f.LogLikelihood-c.likelihood) <= c.slack) || !(agreement(of, class) >= c.agreement) || has(f, diag.LeastVariance) {
				t.Errorf("%s, shape %d, seed %d: log-likelihood %.3f, want %.3f, agreement %.3f; %v", c.file, c.shape, seed+1, f.LogLikelihood, c.likelihood, agreement(of, class), f.Warnings)
			}
		}
	}
}

// agreement is the adjusted Rand index (Hubert & Arabie 1985).
func agreement(a, b []int) float64 {
	both, left, right := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range a {
		both[[2]int{a[i], b[i]}]++
		left[a[i]]++
		right[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var same, x, y float64
	for _, n := range both {
		same += pairs(n)
	}
	for _, n := range left {
		x += pairs(n)
	}
	for _, n := range right {
		y += pairs(n)
	}
	expected := x * y / pairs(float64(len(a)))
	return (same - expected) / ((x+y)/2 - expected)
}

// A class that gives one answer to two questions has no variance there, and is found all the same: the bound of
// rounding leaves its likelihood a maximum. Without it starts that find the class give way to others.
func TestClassOfOneAnswer(t *testing.T) {
	const p, n, r = 300, 6, 3
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(52, seed))
		var mean, sd [r * n]float64
		for i := range mean {
			mean[i], sd[i] = 1.5+3*rng.Float64(), .5+.5*rng.Float64()
		}
		mean[0], mean[1], sd[0], sd[1] = .7, .7, .1, .1
		v, class := make([]float64, p*n), make([]int, p)
		for l := range p {
			class[l] = l % r
			for i := range n {
				v[l*n+i] = min(5, max(1, math.Round(mean[class[l]*n+i]+sd[class[l]*n+i]*rng.NormFloat64())))
			}
		}
		f := fitRows(t, v, n, r, Diagonal, nil)
		of, err := MostLikely(t.Context(), f.Mixture, &block.Dense{P: p, N: n, V: v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := agreement(of, class); !(a >= .7) || has(f, diag.LeastVariance) {
			t.Errorf("seed %d: agreement %.3f, %v", seed, a, f.Warnings)
		}
	}
}

// A component of many observations may be narrower than the bound of variances: it is no reason to prefer starts that
// miss it. With few, or around one value that half of them have, the likelihood has no maximum.
func TestNarrowComponentOfMany(t *testing.T) {
	slow.Test(t)
	const p, n, others, floor = 6000, 3, 4000., leastVariance
	for _, shape := range []Shape{Diagonal, Full} {
		draw := func(sd float64) []float64 {
			rng := rand.New(rand.NewPCG(60, 2))
			v := make([]float64, p*n)
			for l := range p {
				x := v[l*n : (l+1)*n]
				for i := range x {
					x[i] = rng.NormFloat64()
				}
				if l%3 > 0 {
					continue
				}
				x[0] = .5 + sd*rng.NormFloat64()
				if shape == Full {
					x[0] += x[1]
				}
			}
			return v
		}
		g := Isotropic([]float64{others / p, 1 - others/p}, []float64{0, 0, 0, .5, 0, 0}, 1)
		g.Shape, g.Cov = Diagonal, []float64{1, 1, 1, floor, 1, 1}
		if shape == Full {
			// Of x0 - x1 the variance is the bound, except for a small error of the direction.
			g.Shape, g.Cov = Full, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 1 + 1e-3, 1, 0, 1, 1, 0, 0, 0, 1}
			e := NewEM(&block.Dense{P: 1, N: n, V: make([]float64, n)}, nil, 1, 2, Full, 1)
			if e.SetFloor(floor); !e.raise(t.Context(), g) {
				t.Fatal("cancelled")
			}
			g.Cov[n*n+n+1] -= .999e-3 // as near to the bound again
			if !e.raise(t.Context(), g) {
				t.Fatal("cancelled")
			}
		}
		for _, c := range []struct {
			sd, members float64
			want        bool
		}{{1e-5, p - others, false}, {1e-5, 10, true}, {0, p - others, true}} {
			x := &block.Dense{P: p, N: n, V: draw(c.sd)}
			in := &coordinates{run: &run{n: n, ctx: t.Context(), floor: floor}, data: x}
			if got := in.closed(x, g, []float64{others, c.members}); got != c.want {
				t.Errorf("shape %d, sd %g, %g observations: closed: %t", shape, c.sd, c.members, got)
			}
		}
		f := fitRows(t, draw(1e-5), n, 2, shape, nil)
		if !(math.Abs(slices.Min(f.Mixture.Weights)-1./3) < .01) || has(f, diag.SetAside) || !has(f, diag.LeastVariance) {
			t.Errorf("shape %d: weights %.3f, %v", shape, f.Mixture.Weights, f.Warnings)
		}
	}
}

func TestHalf(t *testing.T) {
	rows := func(of ...float64) (out []valued) { // values and weights
		for l := 0; l < len(of); l += 2 {
			out = append(out, valued{l, of[l], of[l+1]})
		}
		return out
	}
	for _, c := range []struct {
		rows     []valued
		from, to float64
	}{
		{rows(4, 1, 1, 1, 3.5, 1, 9, 1), 3.5, 4},
		{rows(4, 1, 1, 3, 1, 1, 9, 1), 1, 1},
		{rows(0, 1, 2, 1, 5, 1, 5, .5, 5, .4, 5, .2), 5, 5},
		{rows(0, 1, 2, 1, 5, 1, 5, .5, 5, .4), 0, 2},
		{rows(7, 1), 7, 7},
	} {
		if got := half(c.rows); got[0].value != c.from || got[len(got)-1].value != c.to {
			t.Errorf("%v: %v, want %g to %g", c.rows, got, c.from, c.to)
		}
	}
}

// A value that a sixth of the observations have, in a variable without a spacing, makes the likelihood of a
// component around it unbounded: such starts are set aside, which a warning says; with the bound of the
// option high enough they have a maximum.
func TestSetAside(t *testing.T) {
	const p, n = 300, 2
	rng := rand.New(rand.NewPCG(52, 5))
	v := make([]float64, p*n)
	for l := range p {
		v[l*n], v[l*n+1] = rng.NormFloat64(), rng.NormFloat64()
		if l%2 == 0 {
			v[l*n] += 4
		}
		if l%6 == 0 {
			v[l*n+1] = 0
		}
	}
	f := fitRows(t, v, n, 2, Diagonal, nil)
	if !has(f, diag.SetAside) || has(f, diag.LeastVariance) || !(math.Abs(f.Mixture.Weights[0]-.5) < .05) {
		t.Errorf("weights %v, warnings %v", f.Mixture.Weights, f.Warnings)
	}
	if f := fitRows(t, v, n, 2, Diagonal, func(o *Options) { o.RegCovar = .2 }); has(f, diag.SetAside) || has(f, diag.LeastVariance) {
		t.Errorf("variances of .2 and more: %v", f.Warnings)
	}
	// Where no start is regular they compare with each other.
	if f := fitRows(t, v, n, 2, Diagonal, func(o *Options) { o.RegCovar = 4 }); has(f, diag.SetAside) || !has(f, diag.LeastVariance) || slices.Min(f.Mixture.Cov) < 4*(1-1e-12) {
		t.Errorf("variances of 4 and more: %v, %v", f.Mixture.Cov, f.Warnings)
	}
}

// Starts of a higher likelihood that were passed over give a warning, whether theirs is unbounded or lower on other
// observations; if the likelihood of the chosen one is unbounded, there is none.
func TestSetAsideWarns(t *testing.T) {
	irregular := math.Inf(-1)
	for _, c := range []struct {
		chosen candidate
		want   string
	}{
		{candidate{logLikelihood: 10, expected: 5}, "5 of 10 starts set aside, though with a log-likelihood higher by up to 4"},
		{candidate{logLikelihood: 11.995, expected: 5}, "3 of 10 starts set aside, though with a log-likelihood higher by up to 2"},
		{candidate{logLikelihood: 14, expected: 5}, ""},
		{candidate{logLikelihood: 10, expected: irregular}, ""},
	} {
		r := &run{out: &Result{Tried: 10}}
		r.setAside(&c.chosen, []candidate{c.chosen, {logLikelihood: 12, expected: 4, starts: 2}, {logLikelihood: 14, expected: irregular, starts: 3}, {logLikelihood: 8, expected: 3, starts: 4}})
		got := ""
		for _, w := range r.out.Warnings {
			got += w.Text
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v: %q, want %q", c.chosen, got, c.want)
		}
	}
}

// Answers 1 to 7 to two questions, where EM on all observations ends at tied values from every start: the highest
// likelihood counts, which more starts do not lower. The first that had closed in was kept, 12 below.
func TestTiedCompareByLikelihood(t *testing.T) {
	slow.Test(t)
	const n, groups, r = 2, 5, 5
	rng := rand.New(rand.NewPCG(159, 60))
	p := int(60 * math.Pow(1000./60, rng.Float64()))
	rng.IntN(6) // as in bench ladder
	rng.IntN(4)
	rng.IntN(5)
	var mean, sd [groups * n]float64
	for i := range mean {
		mean[i], sd[i] = rng.NormFloat64(), math.Exp(.7*rng.NormFloat64())
	}
	var v []float64
	for range p {
		j := rng.IntN(groups)
		for i := j * n; i < (j+1)*n; i++ {
			v = append(v, math.Max(1, math.Min(7, math.Round(4+1.5*mean[i]+sd[i]*rng.NormFloat64()))))
		}
	}
	before := math.Inf(-1)
	for _, starts := range []int{5, 20} {
		f := fitRows(t, v, n, r, Full, func(o *Options) { o.Starts = starts })
		if !has(f, diag.LeastVariance) || f.LogLikelihood < before-noticeableRise {
			t.Errorf("%d starts: log-likelihood %.3f, before %.3f, %v", starts, f.LogLikelihood, before, f.Warnings)
		}
		before = f.LogLikelihood
	}
}

func TestSpacing(t *testing.T) {
	many := make([]float64, 0, 2*mostValues+2)
	for i := range mostValues + 1 {
		many = append(many, float64(i), float64(i))
	}
	for name, c := range map[string]struct {
		values []float64
		want   float64
	}{
		"answers":              {[]float64{5, 1, 3, 3, 1, 5, 4, 4}, 1},
		"an imputed mean":      {[]float64{5, 1, 3, 3, 1, 5, 3.7}, 2},
		"no value twice":       {[]float64{.3, .1, .2}, 0},
		"one value":            {[]float64{2, 2, 2}, 0},
		"one value many times": {[]float64{0, .1, 0, .2, 0}, 0},
		"too many":             {many, 0},
		"not too many":         {many[2:], 1},
	} {
		if got := spacing(slices.Clone(c.values)); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// Lifted covariances are at the bound in the directions where they were below it, and as they were in others:
// of units of the bound the eigenvalues are those of before, or 1.
func TestLift(t *testing.T) {
	x := &block.Dense{P: 1, N: 2, V: make([]float64, 2)}
	e := NewEM(x, nil, 1, 1, Full, 1)
	e.SetFloor(4, .25)
	// In units of the bound: eigenvalues 3 and .5 along (1, 1) and (1, -1).
	s := []float64{4 * 1.75, 1.25, 1.25, .25 * 1.75}
	if !e.lift(t.Context(), s) {
		t.Fatal("cancelled")
	}
	for i, want := range []float64{4 * 2, 1, 1, .25 * 2} {
		if math.Abs(s[i]-want) > 1e-12 {
			t.Errorf("%v, want 8 1 1 .5", s)
			break
		}
	}
	again := slices.Clone(s)
	s[0] += 1e-9
	again[0] += 1e-9
	if !e.lift(t.Context(), again) || !slices.Equal(again, s) {
		t.Errorf("%v, want %v as it was", again, s)
	}
}

// Equal observations count as one of their mean weight, except for as many as the mixture makes likely.
func TestMembersAreDistinct(t *testing.T) {
	x := &block.Dense{P: 5, N: 1, V: []float64{0, 0, 0, 9, 8}, Nu: []float64{.1, .2, .3, .2, .2}}
	c := &run{t: tables.New(&load.Set{Info: load.Info{P: 5, N: 1}, Values: x.V, Weights: x.Nu}), n: 1, ctx: t.Context(), cell: math.Inf(-1)}
	in := &coordinates{run: c, data: x, copies: copiesOf(x)}
	g := Isotropic([]float64{.6, .4}, []float64{0, 8.5}, .25)
	members := func() []float64 { return in.members(NewEM(x, nil, 1, 2, Spherical, 1), x, g, []float64{3, 2}) }
	if got := members(); !(math.Abs(got[0]-1) < 1e-9 && math.Abs(got[1]-2) < 1e-9) {
		t.Errorf("%v, want 1 and 2", got)
	}
	// The density at 0 is .6 / sqrt(2 pi .25), so that of cells of 1 of five observations 2.39 are likely there.
	c.cell = 0
	if got, want := members()[0], 3/math.Sqrt(2*math.Pi*.25); !(math.Abs(got-want) < 1e-9) {
		t.Errorf("%v, want %v", got, want)
	}
	x.V = []float64{1, 2, 3, 4, 5}
	if copiesOf(x) != nil {
		t.Error("copies where no two are equal")
	}
}

// drawClasses returns p observations in hundredths of three classes that lie apart in n variables.
func drawClasses(p, n int, rng *rand.Rand) (v []float64, class []int) {
	var mean [3][]float64
	for j := range mean {
		for range n {
			mean[j] = append(mean[j], 5*rng.Float64()-2.5)
		}
	}
	for l := range p {
		class = append(class, l%3)
		for _, m := range mean[l%3] {
			v = append(v, math.Round(100*(m+.6*rng.NormFloat64()))/100)
		}
	}
	return v, class
}

// Half of the rows have 0 in one variable, or ten rows occur five times: the classes are found, not the rows with that
// value. With all mixtures at the bound of rounding regular, the adjusted Rand index was below .54 in 10 of these 16; full
// covariances that are regular may still prefer other components to classes (.64, .66 and .23, which one start in 21 found).
func TestClassesBesideTiedValues(t *testing.T) {
	const n = 5
	for _, c := range []struct {
		name string
		tie  func(v []float64, class []int, rng *rand.Rand) ([]float64, []int)
	}{
		{"zeros", func(v []float64, class []int, rng *rand.Rand) ([]float64, []int) {
			for l := range class {
				if rng.IntN(2) == 0 {
					v[l*n] = 0
				}
			}
			return v, class
		}},
		{"repeated rows", func(v []float64, class []int, rng *rand.Rand) ([]float64, []int) {
			for range 10 {
				l := rng.IntN(300)
				for range 5 {
					v, class = append(v, v[l*n:(l+1)*n]...), append(class, class[l])
				}
			}
			return v, class
		}},
	} {
		for _, shape := range []Shape{Diagonal, Full} {
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, 77))
				v, class := drawClasses(300, n, rng)
				v, class = c.tie(v, class, rng)
				f := fitRows(t, v, n, 3, shape, nil)
				of, err := MostLikely(t.Context(), f.Mixture, &block.Dense{P: len(class), N: n, V: v}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if a := agreement(of, class); !(a >= .6 || shape == Full && has(f, diag.FewStarts)) || has(f, diag.LeastVariance) {
					t.Errorf("%s, shape %d, seed %d: agreement %.3f, %v", c.name, shape, seed, a, f.Warnings)
				}
			}
		}
	}
}

// Where every start depends on tied values, the variable, the value and what helps are named.
func TestTiedValuesAreTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 77))
	v := make([]float64, 200)
	for l := range v {
		if l%2 == 0 {
			v[l] = math.Round(100*(3+rng.NormFloat64())) / 100
		}
	}
	f := fitRows(t, v, 1, 2, Diagonal, nil)
	for _, w := range f.Warnings {
		if w.Code == diag.LeastVariance {
			if !strings.Contains(w.Text, "100% of its observations have 0 in column 1, and only tied values separate it from component") || !slices.Equal(w.Help, []string{"RegCovar", "Columns"}) {
				t.Errorf("%q %v", w.Text, w.Help)
			}
			return
		}
	}
	t.Errorf("no such warning: %v", f.Warnings)
}
