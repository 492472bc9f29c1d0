package ranks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment/block"
)

// of returns a search for a moment of order 3 of a table.
func of(t *testing.T, n int, v []float64, most int) *Search {
	table := tables.New(&load.Set{Info: load.Info{P: len(v) / n, N: n}, Values: v})
	return &Search{Moment: fit.New(table, 3), Max: most, ctx: t.Context(), out: &Suggestion{}, Options: fit.Options{Seed: 1, Threads: 1}}
}

// uncorrelated returns observations of mean 0 whose second moment has these eigenvalues: each
// row is along one axis.
func uncorrelated(p int, eigenvalues ...float64) []float64 {
	n := len(eigenvalues)
	v := make([]float64, p*n)
	for l := range p {
		i := l / 2 % n
		v[l*n+i] = math.Sqrt(eigenvalues[i] * float64(n))
		if l%2 == 1 {
			v[l*n+i] *= -1
		}
	}
	return v
}

// turned turns rows so that all variables have a part of each direction: the cosine transform.
func turned(v []float64, n int) []float64 {
	w := make([]float64, len(v))
	for at := 0; at < len(v); at += n {
		for i := range n {
			for j := range n {
				scale := math.Sqrt(2 / float64(n))
				if j == 0 {
					scale = math.Sqrt(1 / float64(n))
				}
				w[at+i] += scale * math.Cos(math.Pi*(float64(i)+.5)*float64(j)/float64(n)) * v[at+j]
			}
		}
	}
	return w
}

// Variables that have nothing to do with each other, of which some have larger values, are no
// sure evidence.
func TestSpectrumOfUnits(t *testing.T) {
	e, err := of(t, 6, uncorrelated(480*6, 40, 20, 1, 1, 1, 1), 3).spectrum()
	if want := "by a factor of 20, as for independent variables with these means and deviations: 2 independent factors, or 3 groups of observations"; err != nil || e.Rank != 2 || e.Sure != Likely || !strings.HasSuffix(e.Text, want) {
		t.Errorf("%+v, %v; want %s", e, err, want)
	}
}

// The evidence of a spectrum is the ratio of its eigenvalues at the rank; another ratio as
// large makes it unsure, and about the mean there may be one group more than eigenvalues.
func TestSpectrumSays(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		centered bool
		rank, or int
		sure     string
		text     string
	}{
		{[]float64{40, 20, 1, 1, 1, 1}, false, 2, 0, Sure, "2 eigenvalues of the second moment stand out, by a factor of 20"},
		{[]float64{40, 20, 1, 1, 1, 1}, true, 2, 3, Sure, "by a factor of 20: 2 independent factors, or 3 groups of observations"},
		{[]float64{40, 2.5, 1, 1, 1, 1}, false, 2, 0, Likely, "by a factor of 2.5"},
		{[]float64{90, 80, 70, 10, 9, 8, 1.5, 1.4}, false, 3, 0, Likely, "3 eigenvalues of the second moment stand out, by a factor of 7"}, // 8/1.5 is another
		{[]float64{90, 80, 70, 10, 9, 8, 7, 6}, false, 3, 0, Sure, "by a factor of 7"},
		{[]float64{1, 1, 1, 1, 1, 1}, false, 0, 0, Silent, "no eigenvalues of the second moment stand out"},
	} {
		v := uncorrelated(480*len(c.values), c.values...)
		if !c.centered { // the mean is one of the directions
			for at := 0; at < len(v); at += len(c.values) {
				v[at] = math.Abs(v[at])
			}
		}
		v = turned(v, len(c.values))
		s := of(t, len(c.values), v, 3)
		e, err := s.spectrum()
		if err != nil || e.Rank != c.rank || e.Or != c.or || e.Sure != c.sure || !strings.HasSuffix(e.Text, c.text) {
			t.Errorf("%g, centered %v: %+v, %v; want rank %d or %d, %s: %s", c.values, c.centered, e, err, c.rank, c.or, c.sure, c.text)
		}
		for i, want := range c.values {
			// Roundings of the largest.
			if e.Ranks[i] != i+1 || !(math.Abs(e.Numbers[i]-want) <= 1e-13*c.values[0]) {
				t.Errorf("%g: eigenvalue %d is %g", c.values, e.Ranks[i], e.Numbers[i])
			}
		}
	}
}

// Rounding errors of eigenvalues that are 0 are no factors.
func TestSpectrumOfFewDirections(t *testing.T) {
	const p, n = 60, 8
	rng := rand.New(rand.NewPCG(33, 16))
	means := make([]float64, 2*n)
	for i := range means {
		means[i] = rng.Float64()
	}
	v := make([]float64, p*n)
	for l := range p {
		by := 1 + rng.Float64()
		for i := range n {
			v[l*n+i] = by * means[l%2*n+i]
		}
	}
	e, err := of(t, n, v, 3).spectrum()
	if want := "2 eigenvalues of the second moment stand out, the others are zero to within rounding"; err != nil || e.Rank != 2 || e.Sure != Sure || e.Text != want {
		t.Errorf("%+v, %v; want %s", e, err, want)
	}
}

func TestSureness(t *testing.T) {
	for _, c := range []struct{ likely, sure float64 }{{dropLikely, dropSure}, {sameLikely, sameSure}, {bicLikely, bicSure}} {
		const less = 1 - 1e-12
		for value, want := range map[float64]string{c.likely * less: Silent, c.likely: Likely, c.sure * less: Likely, c.sure: Sure, math.Inf(1): Sure, math.NaN(): Silent} {
			if got := sureness(value, c.likely, c.sure); got != want {
				t.Errorf("%g of %+v: %s, want %s", value, c, got, want)
			}
		}
	}
	for _, c := range []struct {
		hits, starts int
		found        bool
	}{{1, 1, true}, {1, 2, false}, {2, 2, true}, {2, 10, true}, {0, 3, false}} {
		if got := (&Search{Fits: []Fitted{{Hits: c.hits, Starts: c.starts}}}).found(1); got != c.found {
			t.Errorf("%+v: found %v", c, got)
		}
	}
	// Any two of four components.
	for i := range 4 {
		for j := range 4 {
			k := ktensor.New(3, 4, 4)
			for l := range 4 {
				k.Column(l)[l] = 1
			}
			copy(k.Column(i), k.Column(j))
			if got := split(k); got != (i != j) {
				t.Errorf("components %d and %d the same: split %v", i, j, got)
			}
		}
	}
}

// The evidence of the relative errors is their differences.
func TestStagnationSays(t *testing.T) {
	for _, c := range []struct {
		n      int
		errors []float64
		rank   int
		sure   string
		text   string
	}{
		{9, []float64{.8, .5, .1, .05, .01}, 3, Sure, "up to rank 3 each component lowers the relative error by 0.2 or more, further ones by 0.05 or less"},
		{9, []float64{.8, .5, .24, .11, .01}, 3, Likely, "by 0.2 or more, further ones by 0.13 or less"},
		{9, []float64{.8, .5, .1, .2, .09}, 3, Sure, "by 0.2 or more, further ones by 0.01 or less"}, // a fit that found less than one before
		{9, []float64{.8, .6, .4, .2, 0}, 0, Silent, "no rank up to 4 ends the fall of the relative error"},
		{9, []float64{.5, -1e-9, -1e-9}, 2, Sure, "by 0.5 or more, further ones by 0 or less"},
		{2, []float64{.8, .1, .1, .1}, 0, Silent, "from rank 2 on, the generic rank of tensors of this size"},
	} {
		s := of(t, c.n, make([]float64, 10*c.n), 4)
		for i, v := range c.errors {
			s.Fits = append(s.Fits, Fitted{Rank: i + 1, RelativeError: v})
		}
		e := s.stagnation()
		if e.Rank != c.rank || e.Sure != c.sure || !strings.Contains(e.Text, c.text) || !slices.Equal(e.Numbers, c.errors) || e.Ranks[1] != 2 {
			t.Errorf("%g: %+v, want rank %d, %s: %s", c.errors, e, c.rank, c.sure, c.text)
		}
	}
}

// The evidence of mixtures is the BIC and the difference of the two lowest.
func TestMixturesSay(t *testing.T) {
	const n = 2
	for _, c := range []struct {
		clusters, p, most int
		apart             float64
		rank              int
		above             bool
	}{{3, 150, 4, 9, 3, false}, {3, 150, 2, 9, 0, true}, {1, 150, 3, 0, 1, false}, {2, 80, 2, 2.6, 2, false}, {2, 80, 2, 2.2, 0, false}} {
		rng := rand.New(rand.NewPCG(33, uint64(c.p+c.most)))
		v := make([]float64, c.p*n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for l := range c.p {
			v[l*n] += c.apart * float64(l%c.clusters)
		}
		s := of(t, n, v, c.most)
		s.drawn = &block.Dense{P: c.p, N: n, V: v}
		e, err := s.mixtures()
		if err != nil {
			t.Fatal(err)
		}
		if c.above != s.bicAbove || c.rank != e.Rank || len(e.Numbers) < 2 {
			t.Errorf("%+v: %+v, above %v", c, e, s.bicAbove)
			continue
		}
		sorted := slices.Sorted(slices.Values(e.Numbers))
		margin := sorted[1] - sorted[0]
		lowest := e.Ranks[slices.Index(e.Numbers, sorted[0])]
		want := fmt.Sprintf("a Gaussian mixture of %d component", lowest)
		if c.above {
			want = "BIC of Gaussian mixtures still falls at 3 components"
		} else if !strings.Contains(e.Text, fmt.Sprintf("has the lowest BIC, by %.3g", margin)) {
			t.Errorf("%+v: %s, of %g", c, e.Text, e.Numbers)
		}
		sure := map[bool]string{true: Sure, false: Silent}[margin >= 10]
		if margin >= 2 && margin < 10 {
			sure = Likely
		}
		if !strings.HasPrefix(e.Text, want) || !c.above && (e.Sure != sure || (e.Rank == 0) != (sure == Silent)) {
			t.Errorf("%+v: %+v, want %s, %s", c, e, sure, want)
		}
	}
}

// The lowest BIC that counts is not sure if it still falls where components have too few
// observations: eight clusters of 25 observations, alone and with one of 6.
func TestMixturesAtTheEdge(t *testing.T) {
	const n, clusters = 2, 9
	for of6, want := range map[int]string{0: Sure, 1: Likely} {
		rng := rand.New(rand.NewPCG(33, 1))
		var v []float64
		for k := range clusters - 1 + of6 {
			p := 25
			if k == clusters-1 {
				p = 6
			}
			for range p {
				v = append(v, 12*float64(k%3)+rng.NormFloat64(), 12*float64(k/3)+rng.NormFloat64())
			}
		}
		s := of(t, n, v, 12)
		s.drawn = &block.Dense{P: len(v) / n, N: n, V: v}
		e, err := s.mixtures()
		if err != nil {
			t.Fatal(err)
		}
		open := want == Likely
		if e.Rank != 8 || e.Sure != want || s.bicOpen != open || open != strings.HasSuffix(e.Text, "of those with 10 observations in each component; more components have a lower one") {
			t.Errorf("%d small clusters: %+v, open %v", of6, e, s.bicOpen)
		}
	}
}

// A rank is concluded only if halves surely agree on it, with one more piece of evidence if no
// higher rank agrees, with two otherwise, and nothing sure is against it.
func TestAgreed(t *testing.T) {
	same := func(best int, numbers ...float64) Evidence {
		e := Evidence{Kind: Replicability, Rank: best, Sure: Sure, Text: "halves", Numbers: numbers}
		for i := range numbers {
			e.Ranks = append(e.Ranks, i+1)
		}
		return e
	}
	say := func(kind string, rank int, sure string) Evidence { return Evidence{Kind: kind, Rank: rank, Sure: sure} }
	or := func(rank int) Evidence { return Evidence{Kind: Spectrum, Rank: rank, Or: rank + 1, Sure: Sure} }
	for _, c := range []struct {
		name            string
		spectrum, stops Evidence
		same            Evidence
		bic             Evidence
		hits            int
		above           bool
		rank            int
		text            string
	}{
		{"all", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .9, .5), say(BIC, 2, Sure), 3, false, 2, "spectrum, stagnation, replicability and BIC"},
		{"one beside the halves", say(Spectrum, 2, Likely), say(Stagnation, 0, Silent), same(2, .9, .9, .5), say(BIC, 0, Silent), 3, false, 2, "spectrum and replicability"},
		{"none beside the halves", say(Spectrum, 0, Silent), say(Stagnation, 0, Silent), same(2, .9, .9, .5), say(BIC, 0, Silent), 3, false, 0, "only replicability says anything, 2"},
		{"a lower rank with two", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(3, .9, .9, .9), say(BIC, 0, Silent), 3, false, 2, "spectrum, stagnation and replicability"},
		{"a lower rank with one", say(Spectrum, 2, Sure), say(Stagnation, 0, Silent), same(3, .9, .9, .9), say(BIC, 0, Silent), 3, false, 0, "the evidence disagrees: spectrum 2 and replicability 3"},
		{"sure evidence against", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 3, Sure), 3, false, 0, "spectrum 2, stagnation 2, replicability 2 and BIC 3"},
		{"likely evidence against", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 3, Likely), 3, false, 2, "spectrum, stagnation and replicability"},
		{"halves not sure", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .84), say(BIC, 2, Sure), 3, false, 0, "what agrees is not sure enough"},
		{"one start of several", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 2, Sure), 1, false, 0, "what agrees is not sure enough"},
		{"BIC still falls", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 0, Silent), 3, true, 0, "BIC more than 3"},
		{"halves of more than was asked", say(Spectrum, 4, Sure), say(Stagnation, 4, Sure), same(4, .9, .5, .5, .9), say(BIC, 4, Sure), 3, false, 0, "what agrees is not sure enough"},
		{"factors", or(2), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 0, Silent), 3, false, 2, "spectrum, stagnation and replicability"},
		{"groups", or(1), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 2, Sure), 3, false, 2, "spectrum, stagnation, replicability and BIC"},
		{"neither factors nor groups", or(3), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 2, Sure), 3, false, 0, "the evidence disagrees: spectrum 3 or 4, stagnation 2"},
		{"factors that BIC counts as many groups", or(2), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 0, Silent), 3, true, 2, "spectrum, stagnation and replicability"},
		{"factors that BIC counts as more groups", or(1), say(Stagnation, 1, Sure), same(1, .9), say(BIC, 3, Sure), 3, false, 1, "spectrum, stagnation and replicability"},
		{"groups that BIC counts", or(2), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 3, Sure), 3, false, 0, "spectrum 2 or 3, stagnation 2, replicability 2 and BIC 3"},
		{"groups where BIC still falls", or(1), say(Stagnation, 2, Sure), same(2, .9, .9), say(BIC, 0, Silent), 3, true, 0, "BIC more than 3"},
		{"factors not sure", or(2), say(Stagnation, 2, Sure), same(2, .9, .84), say(BIC, 2, Sure), 3, false, 0, "what agrees is not sure enough: spectrum 2 or 3"},
		{"no halves", say(Spectrum, 2, Sure), say(Stagnation, 2, Sure), same(0), say(BIC, 2, Sure), 3, false, 0, "halves"},
	} {
		s := of(t, 2, make([]float64, 20), 3)
		for r := range 4 {
			s.Fits = append(s.Fits, Fitted{Rank: r + 1, Hits: c.hits, Starts: 5})
		}
		s.bicAbove, s.out.Evidence = c.above, []Evidence{c.spectrum, c.stops, c.same, c.bic}
		rank, with := s.agreed()
		text := list(with)
		if rank == 0 {
			text = s.disagreement()
		}
		if rank != c.rank || !strings.Contains(text, c.text) {
			t.Errorf("%s: rank %d, %q; want %d, %q", c.name, rank, text, c.rank, c.text)
		}
		if s.bicOpen = c.name == "likely evidence against"; s.bicOpen {
			if rank, with := s.agreed(); rank != 0 || !strings.Contains(s.disagreement(), "BIC 3 or more") {
				t.Errorf("at least 3 by BIC: rank %d by %v, %q", rank, with, s.disagreement())
			}
		}
	}
}

// The congruence is the cosine of the worst pair of the best pairing, by trying all.
func TestCongruence(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 15))
	const n, r = 7, 3
	orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for trial := range 200 {
		x, y := ktensor.New(3, n, r), ktensor.New(3, n, r)
		order := orders[rng.IntN(len(orders))]
		for j, to := range order {
			x.Lambda[j], y.Lambda[to] = 1+rng.Float64(), 1+rng.Float64()
			if trial%3 == 0 {
				y.Lambda[to] *= 1.7 // some weights are not alike
			}
			for i := range n {
				v := rng.NormFloat64()
				x.Column(j)[i], y.Column(to)[i] = v, v+.5*rng.NormFloat64()
			}
		}
		x.Normalize()
		y.Normalize()
		cos := func(i, j int) float64 {
			if u, v := x.Lambda[i], y.Lambda[j]; u/v < .5 || v/u < .5 {
				return 0
			}
			var s float64
			for l := range n {
				s += x.Column(i)[l] * y.Column(j)[l]
			}
			return math.Abs(s)
		}
		most, want := -1., 0.
		for _, o := range orders {
			sum, worst := 0., 1.
			for i, j := range o {
				sum, worst = sum+cos(i, j), math.Min(worst, cos(i, j))
			}
			if sum > most {
				most, want = sum, worst
			}
		}
		if got := congruence(x, y); !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("trial %d: %g, want %g", trial, got, want)
		}
	}
	// A component that a fit has twice, and other numbers of them, have none.
	twice := ktensor.New(3, 2, 2)
	copy(twice.Lambda, []float64{1, 1})
	copy(twice.A, []float64{1, 0, math.Cos(.3), math.Sin(.3)}) // cosine .955
	apart := ktensor.New(3, 2, 2)
	copy(apart.Lambda, []float64{1, 1})
	copy(apart.A, []float64{1, 0, math.Cos(.33), math.Sin(.33)}) // .946
	for _, c := range []struct {
		x, y *ktensor.Kruskal
		none bool
	}{{apart, apart, false}, {twice, apart, true}, {apart, twice, true}, {nil, apart, true}, {apart, nil, true}, {apart, ktensor.New(3, 2, 1), true}} {
		if got := congruence(c.x, c.y); math.IsNaN(got) != c.none {
			t.Errorf("%+v and %+v: %g", c.x, c.y, got)
		}
	}
}
