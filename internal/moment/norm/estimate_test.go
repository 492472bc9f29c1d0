package norm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// tailed draws observations whose components have the given distribution; two
// of them are multiplied by an outlier factor.
func tailed(p, n int, weighted bool, outlier float64, draw func(*rand.Rand) float64, rng *rand.Rand) *block.Dense {
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = draw(rng)
	}
	for _, l := range []int{p / 3, p / 2} {
		linalg.Scale(outlier, x.V[l*n:(l+1)*n])
	}
	if weighted {
		x.Nu = make([]float64, p)
		sum := 0.0
		for l := range x.Nu {
			x.Nu[l] = .1 + rng.ExpFloat64()
			sum += x.Nu[l]
		}
		linalg.Scale(1/sum, x.Nu)
	}
	return x
}

// spread is the mean of z^2, z the errors of some estimates in their standard
// errors.
type spread struct {
	name  string
	exact float64
	z2    float64
	draws int

	rounded bool // a standard error is too small to be seen
}

func (s *spread) see(t *testing.T, e Estimate, most float64) {
	rounding := 1e-11 * math.Abs(s.exact) // of sums of p terms
	z := (e.Value - s.exact) / math.Max(e.StdErr, rounding)
	s.rounded = s.rounded || e.StdErr < rounding
	s.z2 += z * z
	s.draws++
	if !(math.Abs(z) <= most) {
		t.Errorf("%s: %g ± %g, exact %g", s.name, e.Value, e.StdErr, s.exact)
	}
	if e.Least > s.exact*(1+1e-10) {
		t.Errorf("%s: at least %g, exact %g", s.name, e.Least, s.exact)
	}
}

func (s *spread) judge(t *testing.T, least, most float64) {
	if z2 := s.z2 / float64(s.draws); !s.rounded && (z2 < least || z2 > most) {
		t.Errorf("%s: mean squared z is %.2f: the standard error is wrong", s.name, z2)
	}
}

// The estimates are unbiased and their standard errors right: z^2 has mean 1,
// and with 40 draws a deviation of sqrt(2/40) = .22 if it is normal. The error
// from a sample is the jackknife's, which counts the spread of pairs twice, so
// that z^2 may come near 1/2; with heavy tails (t5) either is wider.
func TestEstimateNormSquared(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(9, 1))
	kinds := []struct {
		name    string
		outlier float64
		draw    func(*rand.Rand) float64
	}{
		{"shifted", 1, func(r *rand.Rand) float64 { return r.NormFloat64() + .5 }},
		{"outlier", 40, func(r *rand.Rand) float64 { return r.NormFloat64() + .5 }},
		{"exponential", 1, func(r *rand.Rand) float64 { return r.ExpFloat64() }},
	}
	const p, n, draws = 1500, 12, 40
	for _, kind := range kinds {
		for _, weighted := range []bool{false, true} {
			x := tailed(p, n, weighted, kind.outlier, kind.draw, rng)
			for d := 1; d <= 5; d++ {
				exact, err := Squared(ctx, x, d, 2, 2)
				if err != nil {
					t.Fatal(err)
				}
				lead, err := moment.BasisOf(ctx, &moment.Implicit{Data: x, D: 2}, 5, 2, 1)
				if err != nil {
					t.Fatal(err)
				}
				surveys := map[bool]*Survey{}
				for _, estimate := range []bool{false, true} {
					if surveys[estimate], err = NewSurvey(ctx, x, d, estimate, 2); err != nil {
						t.Fatal(err)
					}
				}
				name := fmt.Sprintf("%s, weighted %v, d=%d", kind.name, weighted, d)
				plain, controlled := &spread{name: name, exact: exact}, &spread{name: name + ", controlled", exact: exact}
				pass, none := &spread{name: name + ", sample and pass", exact: exact}, &spread{name: name + ", sample", exact: exact}
				inside := &spread{name: name + ", sample and basis", exact: exact}
				w, err := lead.Project(ctx, x, 1)
				if err != nil {
					t.Fatal(err)
				}
				inner := &Inner{Basis: lead}
				if inner.NormSquared, err = Squared(ctx, w, d, 2, 1); err != nil {
					t.Fatal(err)
				}
				for seed := range uint64(draws) {
					for estimate, s := range map[bool]*spread{false: plain, true: controlled} {
						e, err := surveys[estimate].NormSquared(ctx, seed, 2)
						if err != nil {
							t.Fatal(err)
						}
						s.see(t, e.times(math.Pow(surveys[estimate].Span/2, float64(2*d))), 5)
					}
					sample, ex := moment.NewSample(400, n, seed), NewExtremes(n)
					for _, b := range []block.Block{{Rows: 1000, V: x.V[:1000*n], Nu: x.Weights(0, 1000)}, {Rows: p - 1000, V: x.V[1000*n:], Nu: x.Weights(1000, p)}} {
						sample.Add(b)
						ex.Add(b)
					}
					for _, c := range []struct {
						x     block.Source
						inner *Inner
						s     *spread
					}{{x, nil, pass}, {nil, nil, none}, {nil, inner, inside}} {
						if c.x == nil && d > 4 {
							continue // fifth powers of 400 norms: too skewed for a test
						}
						e, err := EstimateFromSample(ctx, c.x, sample, ex, c.inner, d, 2, 0, 2)
						if err != nil {
							t.Fatal(err)
						}
						c.s.see(t, e, 6) // skewness of a U-statistic of 400 terms
					}
				}
				if d > 1 { // d = 1 is exact except for rounding
					plain.judge(t, .4, 2)
					controlled.judge(t, .4, 2)
					pass.judge(t, .25, 2.2)
				}
				if d <= 4 {
					none.judge(t, .25, 2.2)
					inside.judge(t, .25, 2.2)
				}
			}
		}
	}
}

// times is the estimate in another unit.
func (e Estimate) times(c float64) Estimate {
	e.Value, e.StdErr, e.Least = e.Value*c, e.StdErr*c, e.Least*c
	return e
}

// With a control variate the error of mixture data is a small part of what it
// is without; that is what it is for.
func TestControlVariate(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 3))
	const p, n = 4000, 40
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for l := range p {
		x.V[l*n+l%4] = 1
		for j := range n {
			x.V[l*n+j] += .1 * rng.NormFloat64()
		}
	}
	for d := 2; d <= 5; d++ {
		var error [2]float64
		for i, estimate := range []bool{false, true} {
			s, err := NewSurvey(ctx, x, d, estimate, 2)
			if err != nil {
				t.Fatal(err)
			}
			e, err := s.NormSquared(ctx, 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			error[i] = e.StdErr
		}
		if error[1] > .2*error[0] {
			t.Errorf("d=%d: ± %g with, ± %g without", d, error[1], error[0])
		}
	}
}

// The sums of a pass, by brute force over all pairs.
func TestSurveySums(t *testing.T) {
	x := randomData(60, 7, true, rand.New(rand.NewPCG(11, 3)))
	for d := 2; d <= 7; d++ {
		s, err := NewSurvey(ctx, x, d, true, 2)
		if err != nil {
			t.Fatal(err)
		}
		c := s.control
		w, phi, all := make([]float64, 60*c.k), make([]float64, 60*len(c.scale)), make([]float64, len(c.features))
		cross := make([]float64, len(c.scale)*7)
		c.coordinates(w, x.V, 60)
		for l := range 60 {
			c.monomials(phi[l*len(c.scale):], all, w[l*c.k:(l+1)*c.k], x.Nu[l])
		}
		linalg.AddAtB(cross, phi, x.V, len(c.scale), 7, 60)
		var linear, within, self float64
		for l := range 60 {
			for m := range 60 {
				nu := x.Nu[l] * x.Nu[m]
				g := linalg.Dot(x.V[l*7:(l+1)*7], x.V[m*7:(m+1)*7]) / (s.Span * s.Span)
				in := linalg.Dot(w[l*c.k:(l+1)*c.k], w[m*c.k:(m+1)*c.k])
				linear += nu * math.Pow(in, float64(d-1)) * (g - in)
				within += nu * math.Pow(in, float64(d))
				if l == m {
					self += nu * (math.Pow(g, float64(d)) - math.Pow(in, float64(d)))
				}
			}
		}
		// Sums of 3,600 terms: some 1e-14 relative to their size.
		for what, v := range map[string][2]float64{"within": {s.sums.within, within}, "self": {s.sums.self, self}, "linear": {c.spread(cross), linear}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-12*math.Max(within, math.Abs(v[1]))) {
				t.Errorf("d=%d, %s: got %g, want %g", d, what, v[0], v[1])
			}
		}
		if span := largest(x); s.Span != span && !(math.Abs(s.Span-span) <= 1e-15*span) {
			t.Errorf("span %g, want %g", s.Span, span)
		}
	}
}

// A survey stays in range for data of any unit, with outliers beyond all others.
func TestSurveyRange(t *testing.T) {
	for _, unit := range []float64{1e-130, 1, 1e130} {
		for _, outlier := range []float64{1, 1e9, 1e-9} {
			x := randomData(2000, 3, false, rand.New(rand.NewPCG(14, 3)))
			for i := range x.V {
				x.V[i] *= unit
			}
			linalg.Scale(outlier, x.V[3:6])
			if math.IsInf(x.V[3], 0) {
				continue
			}
			s, err := NewSurvey(ctx, x, 4, true, 1)
			if err != nil {
				t.Fatal(err)
			}
			e, err := s.NormSquared(ctx, 1, 1)
			scaled := &block.Dense{P: x.P, N: x.N, V: make([]float64, len(x.V))}
			for i, v := range x.V {
				scaled.V[i] = v / s.Span
			}
			exact, _ := Squared(ctx, scaled, 4, 1, 1)
			if err != nil || !(math.Abs(e.Value-exact) <= 6*e.StdErr+1e-10*exact) {
				t.Errorf("unit %g, outlier %g: span %g, %+v, exact %g, %v", unit, outlier, s.Span, e, exact, err)
			}
		}
	}
}

// One, two and equal observations are exact or reported as unknown.
func TestEstimateOfFew(t *testing.T) {
	for _, x := range []*block.Dense{
		{P: 1, N: 2, V: []float64{3, 4}},
		{P: 2, N: 2, V: []float64{3, 4, 1, 2}},
		{P: 3, N: 2, V: []float64{3, 4, 3, 4, 3, 4}},
		{P: 3, N: 2, V: []float64{3, 4, 0, 0, 0, 0}},
	} {
		exact, err := Squared(ctx, x, 3, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		survey, err := NewSurvey(ctx, x, 3, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		e, err := survey.NormSquared(ctx, 1, 1)
		e = e.times(math.Pow(survey.Span, 6))
		if err != nil || !(math.Abs(e.Value-exact) <= 1e-12*exact+3*e.StdErr) {
			t.Errorf("%v: %+v, exact %g, %v", x.V, e, exact, err)
		}
		sample, ex := moment.NewSample(2, 2, 1), NewExtremes(2)
		x.Pass(ctx, sample.Add)
		x.Pass(ctx, ex.Add)
		for _, source := range []block.Source{nil, x} {
			e, err := EstimateFromSample(ctx, source, sample, ex, nil, 3, 1, 0, 1)
			if err != nil || !(math.Abs(e.Value-exact) <= 1e-12*exact+3*e.StdErr) {
				t.Errorf("sample of %v: %+v, exact %g, %v", x.V, e, exact, err)
			}
		}
	}
}

// Longest says what the observations that are longer than most hold of X in any direction,
// however many they are: of 20,000 equal ones among noise, all.
func TestLongestHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const p, n = 60000, 20
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64() * .1
	}
	for l := 0; l < p; l += 3 {
		x.V[l*n] += 3
	}
	s, err := NewSurvey(ctx, x, 3, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	_, held := s.Longest(make([]float64, 2*n))
	var first float64 // X e_1^3
	for l := range p {
		first += math.Pow(x.V[l*n]/s.Span, 3) / p
	}
	if !(held >= first) {
		t.Errorf("%g is held, X e_1^3 is %g", held, first)
	}
}

// Extremes are those of all observations, however they come.
func TestExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	x := tailed(900, 3, true, 7, func(r *rand.Rand) float64 { return r.NormFloat64() / (.1 + r.Float64()) }, rng)
	x.V[0], x.V[1], x.V[2] = 0, 0, 0
	all := NewExtremes(3)
	all.Add(block.Block{Rows: 900, V: x.V, Nu: x.Nu})
	part := NewExtremes(3)
	part.Add(block.Block{Rows: 300, V: x.V[:900], Nu: x.Nu[:300]})
	grown := part.Clone(2 * part.total) // the weights of the others in the same unit
	twice := make([]float64, 600)
	for i := range twice {
		twice[i] = 2 * x.Nu[300+i]
	}
	grown.Add(block.Block{Rows: 600, V: x.V[900:], Nu: twice})
	for d := 1; d <= maxPower; d++ {
		var want float64
		for l := range 900 {
			g := linalg.Dot(x.V[3*l:3*l+3], x.V[3*l:3*l+3]) / 4
			want += x.Nu[l] * x.Nu[l] * math.Pow(g, float64(d))
		}
		for _, e := range []*Extremes{all, grown} {
			// 900 terms, each with d roundings.
			if got := e.diagonal(d, 2); !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("d=%d: %g, want %g", d, got, want)
			}
		}
	}
	c := newControl(3, 3, nil, 0, 2)
	a, b := all.heavies(c, 50), grown.heavies(c, 50)
	if a == nil || a.m != b.m || fmt.Sprint(a.index) != fmt.Sprint(b.index) {
		t.Errorf("heavy observations: %v and %v", a, b)
	}
	if part.seen != 300 || grown.seen != 900 {
		t.Errorf("seen %d and %d", part.seen, grown.seen)
	}
}

// Where so many observations stand out that even their pairs with each other are too many, a sample
// can have no pair of a second, rare set of them: there is no estimate without doubt then that
// is wrong.
func TestEstimateMisses(t *testing.T) {
	slow.Test(t)
	const p, n, d = 26000, 12, 5
	rng := rand.New(rand.NewPCG(1, 1))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for l := range p {
		v := x.V[l*n : (l+1)*n]
		for i := range v {
			v[i] = .001 * rng.NormFloat64()
		}
		switch {
		case l%20 == 0: // more than are kept
			v[0] += 2.2
		case l%5200 == 31: // five
			v[1] += 2.1
		default:
			v[2+l%8] += .3
		}
	}
	exact, err := Squared(t.Context(), x, d, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSurvey(t.Context(), x, d, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for seed := range uint64(20) {
		e, err := s.NormSquared(t.Context(), seed, 2)
		if err != nil {
			t.Fatal(err)
		}
		e = e.times(math.Pow(s.Span, 2*d))
		if !(math.Abs(e.Value-exact) <= 6*e.StdErr) {
			wrong++
			if missed := e.Missed * math.Pow(s.Span, 2*d); missed < math.Abs(e.Value-exact) {
				t.Errorf("seed %d: %g ± %g, exactly %g: no more than %g was to be missed", seed, e.Value, e.StdErr, exact, missed)
			}
		}
	}
	if wrong == 0 {
		t.Error("no sample missed anything")
	}
}

// Of 480 observations that have a spike each, more than are paired with all others, those with a spike
// in the same variable carry what is left of the fourth moment: a hundred pairs of a million.
func TestEstimateOfSpikes(t *testing.T) {
	const p, n, d = 8000, 60, 4
	rng := rand.New(rand.NewPCG(3, 77))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
		if rng.Float64() < .001 {
			x.V[i] *= 30
		}
	}
	s, err := NewSurvey(t.Context(), x, d, true, 2)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := Squared(t.Context(), x, d, s.Span, 2)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(8) {
		e, err := s.NormSquared(t.Context(), seed, 2)
		if err != nil || !(math.Abs(e.Value-exact) <= 5*e.StdErr) || !(e.StdErr <= 5e-6*exact) {
			t.Errorf("seed %d: %g ± %g, exactly %g, %v", seed, e.Value, e.StdErr, exact, err)
		}
	}
}

// tops are the first after sorting all, and the sum is of all, in whatever order they come.
func TestTops(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, p := range []int{1, 7, 8, 9, 500} {
		x := randomData(p, 1, true, rng)
		norms := make([]float64, p)
		var all []one
		var sum float64
		for l := range norms {
			norms[l] = float64(l % 50) // many are equal
			if norms[l] > 3 {
				v := x.Nu[l] * x.Nu[l] * norms[l] * norms[l] * norms[l]
				all, sum = append(all, one{l, v}), sum+v
			}
		}
		slices.SortFunc(all, one.compare)
		for _, most := range []int{1, 8, 100} {
			got, total := tops(x, norms, 3, most, 3)
			want := all[:min(most, len(all))]
			if !slices.EqualFunc(got, want, func(a, b one) bool { return a.index == b.index && math.Abs(a.term-b.term) <= 1e-15*b.term }) || !(math.Abs(total-sum) <= 1e-12*sum) {
				t.Errorf("p = %d, most = %d: %v of %g, want %v of %g", p, most, got, total, want, sum)
			}
		}
	}
}
