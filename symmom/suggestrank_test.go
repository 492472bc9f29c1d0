package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/ranks"
	"symmom/internal/system/memory"
	"symmom/internal/test/slow"
)

// noiseOf draws observations that have no components.
func noiseOf(kind string, n, p int, seed uint64) *Session {
	var mixture mat.Matrix
	if kind == "permuted mixture" {
		mixture = drawGaussians(draw.Mixture{N: n, Components: 5, Observations: p, Sigma: .1, Congruence: .5, Seed: seed}).Session.Matrix()
	}
	return FromRows(draw.Noise(kind, n, p, seed, mixture))
}

// The paper's mixtures with fewer variables; all of their size, and noise of more
// seeds, are in bench/RANKS.md.
func TestSuggestRank(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		r, d  int
		sigma float64
	}{{3, 3, 1e-3}, {3, 3, 1e-1}, {5, 3, 1e-2}, {5, 3, 1e-1}, {3, 4, 1e-1}} {
		m := drawGaussians(draw.Mixture{N: 60, Components: c.r, PerComponent: 100, Sigma: c.sigma, Congruence: .5, Seed: 2})
		s := m.Session.Moment(c.d).SuggestRank(c.r + 1)
		if s.Err() != nil || s.Rank != c.r {
			t.Errorf("r = %d, sigma = %g, d = %d: got rank %d, error %v\n%s", c.r, c.sigma, c.d, s.Rank, s.Err(), s)
		}
	}
}

// Adam is given as many iterations as where one rank is asked for, which it needs: its fits
// are the same bits, and they agree with the other evidence.
func TestSuggestRankSampled(t *testing.T) {
	slow.Test(t)
	m := drawGaussians(draw.Mixture{N: 20, Components: 3, PerComponent: 200, Sigma: .2, Congruence: .4, Seed: 1}).Session.Moment(3).Sampled(300)
	s := m.SuggestRank(4)
	if s.Err() != nil || s.Rank != 3 {
		t.Fatalf("got rank %d, error %v\n%s", s.Rank, s.Err(), s)
	}
	for _, r := range s.Sweep.Fits {
		if want := m.Decompose(r.Rank); r.RelativeError != want.RelativeError {
			t.Errorf("rank %d: a relative error of %g, and %g by itself", r.Rank, r.RelativeError, want.RelativeError)
		}
	}
}

func TestSuggestRankOfNoise(t *testing.T) {
	slow.Test(t)
	for _, kind := range []string{"normal", "uniform", "exponential", "t3", "multivariate t3", "five normal directions", "permuted mixture"} {
		s := noiseOf(kind, 12, 500, 1).Moment(3).SuggestRank(5)
		if s.Err() != nil || s.Rank != 0 || !strings.HasPrefix(s.Conclusion, "unsure: ") {
			t.Errorf("%s: got rank %d, error %v\n%s", kind, s.Rank, s.Err(), s)
		}
	}
}

// Halves of correlated normal data agree on components of the fourth moment, which follows from the
// covariance.
func TestSuggestRankOfCorrelatedNoise(t *testing.T) {
	slow.Test(t)
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := make([][]float64, 500)
		for l := range rows {
			rows[l] = []float64{rng.NormFloat64()}
			for i := range 4 {
				rows[l] = append(rows[l], .6*rows[l][i]+.8*rng.NormFloat64())
			}
		}
		s := FromRows(rows).Moment(4).SuggestRank(0)
		if s.Err() != nil || s.Rank != 0 {
			t.Errorf("seed %d: got rank %d, error %v\n%s", seed, s.Rank, s.Err(), s)
		}
	}
}

// Weights that depend on the values: observations uniform in a cube, weighted as exp(-sum of
// them), are of independent variables like the truncated exponential ones without weights.
func TestSuggestRankOfWeightedNoise(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(6, 0))
	rows, weights := make([][]float64, 20000), make([]float64, 20000)
	for l := range rows {
		rows[l] = make([]float64, 6)
		sum := 0.
		for i := range rows[l] {
			rows[l][i] = 3 * rng.Float64()
			sum += rows[l][i]
		}
		weights[l] = math.Exp(-sum)
	}
	s := FromRows(rows).WithWeights(weights).Cumulant(3).SuggestRank(7)
	if s.Err() != nil || s.Rank != 0 || !strings.HasPrefix(s.Conclusion, "unsure: the data with each column permuted independently show as much") {
		t.Errorf("got rank %d, error %v\n%s", s.Rank, s.Err(), s)
	}
	// The mixture's components are still found with weights that do not depend on them.
	m := drawGaussians(draw.Mixture{N: 30, Components: 3, PerComponent: 300, Sigma: .1, Congruence: .5, Seed: 2})
	for l := range weights[:900] {
		weights[l] = rng.ExpFloat64()
	}
	if s := m.Session.WithWeights(weights[:900]).Moment(3).SuggestRank(5); s.Rank != 3 {
		t.Errorf("mixture with weights: got rank %d, error %v\n%s", s.Rank, s.Err(), s)
	}
}

// Mixtures have components around observations of large weight: these are none to judge by.
func TestSuggestRankOfUnevenWeights(t *testing.T) {
	slow.Test(t)
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 21))
		means, rows, weights := make([][]float64, 3), make([][]float64, 3000), make([]float64, 3000)
		for j := range means {
			for range 10 {
				means[j] = append(means[j], 2*rng.NormFloat64())
			}
		}
		for l := range rows {
			for _, m := range means[rng.IntN(3)] {
				rows[l] = append(rows[l], m+.5*rng.NormFloat64())
			}
			weights[l] = math.Exp(rng.NormFloat64())
		}
		if s := FromRows(rows).WithWeights(weights).Moment(3).SuggestRank(5); s.Rank != 3 {
			t.Errorf("seed %d: got rank %d, error %v\n%s", seed, s.Rank, s.Err(), s)
		}
	}
}

// Few observations leave the rank open: a mixture of two is found in twenty, but a component
// with fewer than ten is no evidence.
func TestSuggestRankOfFew(t *testing.T) {
	one := FromRows([][]float64{{1, 2, 3}}).Moment(3).SuggestRank(2)
	if got := one.String(); !strings.Contains(got, "1 observation is too few to halve") {
		t.Errorf("one observation:\n%s", got)
	}
	rng, rows := rand.New(rand.NewPCG(4, 1)), make([][]float64, 20)
	for l := range rows {
		rows[l] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if l < 5 {
			rows[l][0] += 20
		}
	}
	if m := FromRows(rows).Mixture(2); m.Err() != nil {
		t.Fatal(m.Err())
	}
	few := FromRows(rows).Moment(3).SuggestRank(2)
	if got := few.String(); !strings.Contains(got, "fewer than two mixtures give each component 10 observations") {
		t.Errorf("twenty observations:\n%s", got)
	}
}

// A Max below the rank is reported.
func TestSuggestRankTooLow(t *testing.T) {
	slow.Test(t)
	m := drawGaussians(draw.Mixture{N: 30, Components: 5, PerComponent: 100, Sigma: .05, Congruence: .5, Seed: 1})
	if s := m.Session.Moment(3).SuggestRank(3); s.Rank != 0 {
		t.Errorf("ranks up to 3 of a mixture of 5: got %d\n%s", s.Rank, s)
	}
	if s := m.Session.Moment(3).SuggestRank(5); s.Rank != 5 {
		t.Errorf("ranks up to 5 of a mixture of 5: got %d\n%s", s.Rank, s)
	}
}

// Independent sources: only stagnation and replicability speak for a cumulant.
func TestSuggestRankOfCumulant(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	rows := make([][]float64, 3000)
	for l := range rows {
		rows[l] = make([]float64, 6)
		z := [3]float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		for i := range rows[l] {
			rows[l][i] = z[i%3] + .5*z[(i+i/3)%3] + .05*rng.NormFloat64()
		}
	}
	s := FromRows(rows).Cumulant(3).SuggestRank(5)
	if s.Err() != nil || s.Rank != 3 {
		t.Errorf("three sources: got %d, error %v\n%s", s.Rank, s.Err(), s)
	}
}

func TestSuggestRankArguments(t *testing.T) {
	s := noiseOf("normal", 4, 50, 1)
	for what, r := range map[string]*RankSuggestion{
		"order 2":      s.Moment(2).SuggestRank(0),
		"Max":          s.Moment(3).SuggestRank(-1),
		"estimated":    s.Moment(3).Debias(Noise{}).SuggestRank(4),
		"failed chain": s.Moment(0).SuggestRank(0),
		"a model":      s.Moment(3).With(Options{InitialModel: s.Moment(3).Decompose(1).Model}).SuggestRank(0),
	} {
		var a *ArgumentError
		if !errors.As(r.Err(), &a) || r.Rank != 0 || r.Sweep == nil || r.String() == "" {
			t.Errorf("%s: got %v", what, r.Err())
		}
	}
	if r := noiseOf("normal", 3, 6, 1).Moment(3).SuggestRank(2); r.Err() != nil || r.Rank != 0 || !strings.Contains(r.Conclusion, "too few") {
		t.Errorf("six observations: got %v\n%s", r.Err(), r)
	}
}

// Interrupted at each of its phases it keeps what was found.
func TestSuggestRankInterrupted(t *testing.T) {
	data := drawGaussians(draw.Mixture{N: 20, Components: 3, PerComponent: 50, Sigma: .3, Congruence: .5}).Session // no groups that lie apart
	for phase, evidence := range map[string]int{PhaseSearch: 2, PhaseHalves: 3, PhaseMixtures: 4, PhasePermuted: 4} {
		ctx, cancel := context.WithCancel(context.Background())
		s := data.WithContext(ctx).Moment(3).With(Options{Progress: func(p Progress) {
			if p.Phase == phase && (phase != PhaseSearch || p.Rank == 3 && p.Iterations > 0) {
				cancel()
			}
		}}).SuggestRank(4)
		cancel()
		if !errors.Is(s.Err(), ErrInterrupted) || s.Rank != 0 || len(s.Evidence) != evidence || len(s.Sweep.Fits) == 0 || s.Conclusion == "" {
			t.Errorf("%s: got rank %d, %d pieces of evidence, want %d, error %v\n%s", phase, s.Rank, len(s.Evidence), evidence, s.Err(), s)
		}
	}
}

// The same answer in every number for any number of threads, and from a stream.
func TestSuggestRankThreads(t *testing.T) {
	slow.Test(t)
	data := drawGaussians(draw.Mixture{N: 20, Components: 3, PerComponent: 60, Sigma: .05, Congruence: .5}).Session
	var first string
	for _, threads := range []int{1, 2, 5} {
		s := data.Moment(3).With(Options{Threads: threads}).SuggestRank(4)
		if s.Rank != 3 {
			t.Errorf("%d threads: got rank %d\n%s", threads, s.Rank, s)
		}
		if got := fmt.Sprint(s.Rank, s.Conclusion, s.Evidence); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d threads: got\n%s\nwith one:\n%s", threads, got, first)
		}
	}
}

// Ranks of which a fit has a component twice, in all of the observations or in a half, were
// not compared: they have no congruence, which 0 would be.
func TestReplicabilityLeavesOut(t *testing.T) {
	slow.Test(t)
	m := drawGaussians(draw.Mixture{N: 12, Components: 3, PerComponent: 100, Sigma: .1, Congruence: .3, Seed: 4})
	s := m.Session.Moment(3).SuggestRank(7)
	e := s.Evidence[2]
	if s.Err() != nil || e.Kind != EvidenceReplicability {
		t.Fatal(s)
	}
	twice := 0
	for _, r := range s.Sweep.Fits {
		var cosines mat.Dense // of components of unit norm
		a := r.Model.Factors
		cosines.Mul(a.T(), a)
		for i := range r.Rank {
			cosines.Set(i, i, 0)
		}
		at := slices.Index(e.Ranks, r.Rank)
		if largest := math.Max(mat.Max(&cosines), -mat.Min(&cosines)); largest > .95 { // internal/estimate/ranks: splitCosine
			if twice++; at >= 0 {
				t.Errorf("rank %d has a component twice (cosine %.4f), and congruence %g", r.Rank, largest, e.Numbers[at])
			}
		}
	}
	if twice == 0 || len(e.Ranks) < 3 || len(e.Ranks)+twice > len(s.Sweep.Fits) {
		t.Errorf("ranks %v compared, %d with a component twice: this test looks at nothing", e.Ranks, twice)
	}
	if !strings.Contains(e.Text, "left out, for want of fits that have each component once") {
		t.Errorf("no reason given for the omitted ranks: %s", e.Text)
	}
}

// Results name the moment that they are of.
func TestResultsNameTheMoment(t *testing.T) {
	s := noiseOf("exponential", 4, 200, 1)
	for _, c := range []struct {
		m    *Moment
		want string
	}{{s.Moment(3), "3rd moment"}, {s.Cumulant(4), "4th cumulant"}, {s.Whiten(3).Cumulant(3), "3rd cumulant"}} {
		fit, sweep, rank := c.m.Decompose(1), c.m.Sweep(1, 2), c.m.SuggestRank(1)
		for what, text := range map[string]string{"moment": c.m.String(), "fit": fit.String(), "model": fit.Model.String(),
			"sweep": sweep.String(), "sweep in HTML": sweep.HTML(), "rank": rank.String(), "rank in HTML": rank.HTML()} {
			if !strings.Contains(text, c.want) {
				t.Errorf("%s of the %s: %s", what, c.want, text)
			}
		}
	}
	w := s.Whiten(2)
	if sum := w.Summary(); sum.Coordinates != "whitened" || sum.Variables[1].Name != "coordinate 2" || w.Moment(3).Decompose(1).Model.Names[0] != "coordinate 1" {
		t.Errorf("whitened: %q, %v", sum.Coordinates, sum.Variables)
	}
	if sum := s.Standardize().Summary(); sum.Coordinates != "standardized" || s.Summary().Coordinates != "" {
		t.Errorf("standardized: %q", sum.Coordinates)
	}
}

// Independent factors are as many as eigenvalues stand out of data about their mean, and groups
// one more: the evidence says both, and the conclusion what may be meant. It was unsure of each of
// these factors, as the spectrum was sure of one more.
func TestSuggestRankOfFactors(t *testing.T) {
	slow.Test(t)
	rng, rows := rand.New(rand.NewPCG(1, 34)), make([][]float64, 3000)
	for l := range rows {
		factors := []float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		for i := range 12 {
			rows[l] = append(rows[l], float64(i)+factors[i%3]+.4*rng.NormFloat64())
		}
	}
	for _, s := range []*Session{FromRows(rows).Standardize(), FromRows(rows).Center()} {
		r := s.Moment(3).SuggestRank(4)
		if e := r.Evidence[0]; r.Err() != nil || r.Rank != 3 || e.Rank != 3 || e.Or != 4 || !strings.HasSuffix(r.Conclusion, "they may be 3 independent factors, or 4 groups of observations") {
			t.Errorf("%s: got rank %d, %v\n%s", s.Coordinates(), r.Rank, r.Err(), r)
		}
	}
}

// Clusters whose mean was subtracted span one direction less than their number, wherever
// the observations are and however many.
func TestSuggestRankOfStandardized(t *testing.T) {
	slow.Test(t)
	m := drawGaussians(draw.Mixture{N: 20, Components: 3, Observations: 6000, Sigma: .1, Congruence: .5, Seed: 1})
	path := storedNPY(t, m.Session)
	for name, s := range map[string]*Session{"memory": m.Session.Standardize(), "float32": Load(path, LoadOptions{Float32: true}).Standardize(),
		"stream": Stream(path).Standardize(), "sparse": m.Session.Sparse().Standardize()} {
		r := s.Moment(3).SuggestRank(3)
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		for _, e := range r.Evidence {
			if e.Kind == EvidenceSpectrum && (e.Rank != 2 || e.Or != 3) {
				t.Errorf("%s: %s suggests %s: %s", name, e.Kind, (*ranks.Evidence)(&e).Says(), e.Text)
			}
		}
	}
}

// The dimension of the data is not a number of components: eigenvalues that fall smoothly
// do not stand out from zeros, of whatever origin, nor from the steep end of a spectrum.
// Components do, though more than half of the variables if these are few.
func TestDimensionIsNoRank(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(29, 1))
	// smooth draws uncorrelated variables of standard deviations that fall by a twentieth.
	smooth := func(p, n int) [][]float64 {
		rows := make([][]float64, p)
		for l := range rows {
			rows[l] = make([]float64, n)
			for i := range n {
				rows[l][i] = math.Pow(.95, float64(i)) * rng.NormFloat64()
			}
		}
		return rows
	}
	with := func(rows [][]float64, more func(row []float64) []float64) [][]float64 {
		for l, row := range rows {
			rows[l] = append(row, more(row)...)
		}
		return rows
	}
	// Of 4,000 observations the factors between neighbours vary about 1.1 by some
	// 2 sqrt(2 / 4000) = .05, and stay below 1.5.
	steep := with(smooth(4000, 12), func([]float64) []float64 {
		return []float64{.28 * rng.NormFloat64(), .12 * rng.NormFloat64(), .04 * rng.NormFloat64()}
	})
	lowRank := func(constants int) [][]float64 {
		return with(make([][]float64, 600), func([]float64) []float64 {
			row := make([]float64, 20+constants)
			row[rng.IntN(3)], row[3+rng.IntN(17)] = 2+math.Abs(rng.NormFloat64()), 0
			for i := range 17 { // each of the three means has 20 coordinates
				row[3+i] = row[i%3]
			}
			return row
		})
	}
	clusters := make([][]float64, 600)
	for l := range clusters {
		clusters[l] = make([]float64, 6)
		for i := range 6 {
			clusters[l][i] = .3 * rng.NormFloat64()
		}
		clusters[l][l%4] += 4
	}
	for name, c := range map[string]struct {
		rows [][]float64
		want int
	}{
		"zeros":              {with(smooth(4000, 12), func([]float64) []float64 { return make([]float64, 40) }), 0},
		"constants":          {with(smooth(4000, 12), func([]float64) []float64 { return []float64{.1, .1, 0} }), 0},
		"a sum":              {with(smooth(4000, 12), func(v []float64) []float64 { return []float64{v[10] + v[11]} }), 0},
		"fewer observations": {smooth(40, 100), 0},
		"a steep end":        {steep, 0},
		"three components":   {lowRank(0), 3},
		"and constants":      {lowRank(3), 3},
		"four of six":        {clusters, 4},
	} {
		s := FromRows(c.rows)
		m := s.Moment(3)
		sum, f := s.Summary(), m.Compressed(len(c.rows[0])).With(Options{Starts: 1}).Decompose(2)
		var evidence int
		for _, e := range m.SuggestRank(2).Evidence {
			if e.Kind == EvidenceSpectrum {
				evidence = e.Rank
			}
		}
		if got := []int{sum.SuggestedRank, f.SuggestedRank, evidence}; !slices.Equal(got, []int{c.want, c.want, c.want}) {
			t.Errorf("%s: the summary, the fit and the evidence suggest %v, want %d; eigenvalues %.3g, %.3g", name, got, c.want, sum.Eigenvalues, f.Spectrum)
		}
		if c.want == 0 { // nor is there one component more, which centering would hide
			if got := s.Center().Summary().SuggestedRank; got != 0 {
				t.Errorf("%s: of centered data the summary suggests %d", name, got)
			}
		}
		if name != "four of six" {
			continue
		}
		// The means of the four clusters, once centered, span three directions. Standardized
		// variables all have a variance of 1: the two without clusters stand out, too,
		// beside the direction (1, 1, 1, 1, 0, 0), in which the clusters are alike.
		for s, want := range map[*Session]int{s.Center(): c.want, s.Standardize(): 6} {
			if got := s.Summary().SuggestedRank; got != want {
				t.Errorf("%s: of %s data the summary suggests %d, want %d", name, s.Coordinates(), got, want)
			}
		}
	}
}

// Summary and fits count the same eigenvalues: those that are few observations', of heavy-tailed
// data, of an outlying row or of uneven weights, are none of them. A fit had counted them.
func TestFitSuggestsWhatSummaryDoes(t *testing.T) {
	const p, n = 300, 12
	for name, c := range map[string]struct {
		groups  int
		heavy   bool
		outlier float64
		uneven  float64
	}{"groups": {3, false, 0, 0}, "heavy": {0, true, 0, 0}, "an outlier": {0, false, 100, 0}, "weights": {0, false, 0, 2}, "weighted groups": {3, false, 0, .5}} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 35))
			rows, weights := make([][]float64, p), make([]float64, p)
			for l := range rows {
				weights[l] = math.Exp(c.uneven * rng.NormFloat64())
				scale := 1.
				if c.heavy {
					scale = math.Pow(rng.Float64(), -.5)
				}
				for i := range n {
					v := scale * rng.NormFloat64()
					if c.groups > 0 && l%c.groups == i {
						v += 20
					}
					if l == 7 && i == 2 {
						v += c.outlier
					}
					rows[l] = append(rows[l], v)
				}
			}
			s := FromRows(rows)
			if c.uneven > 0 {
				s = s.WithWeights(weights)
			}
			sum := s.Summary()
			for _, basis := range []int{n, 6} { // the whole space, and less
				f := s.Moment(3).Compressed(basis).With(Options{Starts: 1}).Decompose(2)
				if f.Err() != nil || f.SuggestedRank != c.groups || sum.Stand != c.groups {
					t.Errorf("%s, seed %d: a fit in %d vectors suggests %d, the summary %d, want %d (%v); %.3g", name, seed, basis, f.SuggestedRank, sum.Stand, c.groups, f.Err(), f.Spectrum)
				}
			}
		}
	}
}

// A highest rank that no machine has room for is refused for that, the highest there is too.
func TestSuggestRankOfAnyMax(t *testing.T) {
	m := drawUniform(5, 200, 2).Moment(3)
	for _, most := range []int{math.MaxInt - 1, math.MaxInt} {
		var room *memory.Error
		if s := m.SuggestRank(most); !errors.As(s.Err(), &room) || !strings.Contains(s.Err().Error(), "rank 9,223,372,036,854,775,807 of 5 variables") {
			t.Errorf("Max %d: %v", most, s.Err())
		}
	}
}

// Fits say of data about their mean what their summary does, wherever that was subtracted and
// however the moment is held: three groups may be two factors. A fit went by the session's
// coordinates alone.
func TestFitKnowsDataAboutTheirMean(t *testing.T) {
	slow.Test(t)
	x, _ := shuffled(t, 40, 3, 1000, .1)
	far := FromMatrix(x)
	near := FromMatrix(far.Center().Matrix())
	stored := storedNPY(t, near)
	grown := FromMatrix(near.Matrix().Dense.Slice(0, 900, 0, 40))
	mustFit(t, grown.Moment(3).Compressed(0).Decompose(3))
	grown = feedIn(t, grown, near.Matrix().Dense, 900, 700)
	for name, c := range map[string]struct {
		m    *Moment
		want int
	}{
		"about 0":           {far.Moment(3).Compressed(0), 3},
		"centered":          {far.Center().Moment(3).Compressed(0), 3},
		"elsewhere":         {near.Moment(3).Compressed(0), 3},
		"projected":         {near.Moment(6).Compressed(20), 3},
		"debiased":          {near.Moment(3).Compressed(0).Debias(Noise{Sigma: .1}), 3},
		"order 4 debiased":  {near.Moment(4).Compressed(0).Debias(Noise{Sigma: .1}), 3},
		"streamed":          {Stream(stored).Moment(3).Compressed(0), 3},
		"accumulated":       {grown.Moment(3).Accumulated(0), 3},
		"cumulant":          {far.Cumulant(3).Compressed(0), 3},
		"centered cumulant": {near.Cumulant(4).Compressed(0), 3},
	} {
		f := mustFit(t, c.m.With(Options{Starts: 1}).Decompose(2))
		stand := c.want - 1
		if name == "about 0" {
			stand = c.want
		}
		if f.Form != FormCompressed || f.Stand != stand || f.SuggestedRank != c.want {
			t.Errorf("%s: of the %s form, %d stand out, which suggests %d; want %d and %d; %.3g", name, f.Form, f.Stand, f.SuggestedRank, stand, c.want, f.Spectrum)
		}
		if sum := c.m.session.Summary(); !c.m.fit.Cumulant && name != "accumulated" && (sum.Stand != f.Stand || sum.SuggestedRank != f.SuggestedRank) {
			t.Errorf("%s: the fit says %d and %d, the summary %d and %d", name, f.Stand, f.SuggestedRank, sum.Stand, sum.SuggestedRank)
		}
	}
}
