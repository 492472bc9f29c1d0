package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// clusters returns p observations around r directions, of which one in each has the
// given length, with normal noise of deviation sigma, and their means by rows.
func clusters(p, n int, lengths []float64, shares []float64, sigma float64, rng *rand.Rand) (v, means []float64) {
	r := len(lengths)
	means = make([]float64, r*n)
	moment.Gaussian(means, n, rng)
	for j, length := range lengths {
		linalg.Scale(length, means[j*n:(j+1)*n])
	}
	v = make([]float64, p*n)
	for l := range p {
		at, j := rng.Float64(), 0
		for ; j < r-1 && at >= shares[j]; j++ {
			at -= shares[j]
		}
		for i := range n {
			v[l*n+i] = means[j*n+i] + sigma*rng.NormFloat64()
		}
	}
	return v, means
}

func equal(r int) (ones, shares []float64) {
	for range r {
		ones, shares = append(ones, 1), append(shares, 1/float64(r))
	}
	return ones, shares
}

// planOf returns what Decompose plans with for ten starts of observations.
func planOf(t *testing.T, v []float64, n, d, r, threads int) *plan {
	t.Helper()
	set, err := load.FromMatrix(mat.NewDense(len(v)/n, n, v), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := New(tables.New(set), d)
	o := &Options{Starts: 10, Seed: 1, Tolerance: 1e-4, RelativeDecrease: 2e-9, MaxIterations: 1000, MaxEvaluations: 10000, Corrections: 5, Threads: threads}
	return &plan{m: &m, o: o, r: r, p: m.Table.P, n: n, ctx: t.Context(), identify: func() {}, tracker: &tracker{starts: o.Starts, rank: r}}
}

// angle returns the largest angle between a row of a and the span of the orthonormal rows q.
func angle(a, q []float64, n int) (most float64) {
	for a := range chunks(a, n) {
		rest := append([]float64(nil), a...)
		outside(rest, q, n)
		most = math.Max(most, linalg.Norm2(rest)/linalg.Norm2(a))
	}
	return most
}

func chunks(a []float64, n int) func(func([]float64) bool) {
	return func(yield func([]float64) bool) {
		for ; len(a) > 0; a = a[n:] {
			if !yield(a[:n]) {
				return
			}
		}
	}
}

// Where r directions stand out, the basis holds the components of the best fit, which the
// implicit form finds, better than the eigenvectors of the second moment do, and polishing
// takes two passes.
func TestImageBasis(t *testing.T) {
	slow.Test(t)
	const p, n, r = 40000, 200, 4 // too many variables to hold the tensor for polishing
	ones, shares := equal(r)
	for _, d := range []int{3, 4} {
		v, _ := clusters(p, n, ones, shares, .1, rand.New(rand.NewPCG(31, uint64(d))))
		c := planOf(t, v, n, d, r, 2)
		b, sample, err := c.newBasis(c.basisSize(), true)
		if err != nil {
			t.Fatal(err)
		}
		if b.K != r+spareVectors {
			t.Fatalf("d=%d: a basis of %d vectors", d, b.K)
		}
		if one, _, err := planOf(t, v, n, d, r, 1).newBasis(c.basisSize(), true); err != nil || one.Q[0] != b.Q[0] || one.Q[len(b.Q)-1] != b.Q[len(b.Q)-1] {
			t.Errorf("d=%d: other bits on one thread (%v)", d, err)
		}
		m := *c.m
		m.Form = Implicit
		o := *c.o
		o.Tolerance = 1e-8
		best, err := m.Decompose(t.Context(), r, &o)
		if err != nil {
			t.Fatal(err)
		}
		second, err := moment.NewBasis(t.Context(), c.m.Table.Storage, nil, b.K, r, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		own, other := angle(best.Model.A, b.Q, n), angle(best.Model.A, second.Q, n)
		t.Logf("d=%d: angles %.2g and %.2g of %d in the sample", d, own, other, sample.P)
		if own > other/3 {
			t.Errorf("d=%d: the components are off the basis by %.2g, by %.2g off the eigenvectors of the second moment", d, own, other)
		}
		m.Form = Compressed
		f, err := m.Decompose(t.Context(), r, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, phase := range f.Phases {
			if phase.Phase == "polish" && phase.Passes != 2 {
				t.Errorf("d=%d: polishing took %d passes", d, phase.Passes)
			}
		}
		if f.ObjectiveShifted > best.ObjectiveShifted*(1-1e-9) { // the square of the tolerance
			t.Errorf("d=%d: f = %.12g, %.12g in the implicit form", d, f.ObjectiveShifted, best.ObjectiveShifted)
		}
	}
}

// There is no such basis where the moment does not hold a direction that stands out in the
// second one, or the sample missed one.
func TestImageBasisRefused(t *testing.T) {
	const p, n, r = 70000, 60, 3
	rng := rand.New(rand.NewPCG(32, 1))
	ones, shares := equal(r)
	for name, change := range map[string]func(v []float64) int{
		"nothing": func([]float64) int { return r + spareVectors },
		"symmetric": func(v []float64) int { // X vanishes but for noise
			for l := 0; l < p; l += 2 {
				linalg.Scale(-1, v[l*n:(l+1)*n])
			}
			return 0
		},
		"missed": func(v []float64) int { // by a sample of 8165 in 70000 with probability 1/2
			for l := 0; l < p; l += p / 14 {
				v[l*n] += 60
			}
			return 0
		},
	} {
		v, _ := clusters(p, n, ones, shares, .1, rng)
		want := change(v)
		c := planOf(t, v, n, 3, r, 2)
		sample := c.sample(2*r + 10)
		if name == "missed" { // for certain
			for l := range sample.P {
				sample.V[l*n] = math.Min(sample.V[l*n], 2)
			}
		}
		start, err := c.basisOf(&moment.Implicit{Data: sample, D: 2}, 2*r+10, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.imageBasis(start, sample, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := 0; b != nil {
			got = b.K
			if got != want {
				t.Errorf("%s: a basis of %d vectors", name, got)
			}
		} else if want != 0 {
			t.Errorf("%s: no basis", name)
		}
	}
}

// probe tells the eigenvalue of a direction that is hidden, which a mean over ten random
// directions has to sqrt(2/10), and of noise alone next to nothing.
func TestProbe(t *testing.T) {
	const p, n, sigma, span = 40000, 50, .3, 2.
	for _, hidden := range []float64{0, .05, .4} {
		rng := rand.New(rand.NewPCG(33, uint64(100*hidden)))
		v := make([]float64, p*n)
		for l := range p {
			for i := range n {
				v[l*n+i] = sigma * rng.NormFloat64()
			}
			v[l*n] += 3 * rng.NormFloat64() // known
			v[l*n+1] += math.Sqrt(hidden) * rng.NormFloat64()
		}
		q := make([]float64, n)
		q[0] = 1
		c := planOf(t, v, n, 3, 1, 2)
		seen, got, err := c.probe(&spread{Source: c.m.Table.Storage}, q, span)
		if err != nil {
			t.Fatal(err)
		}
		got *= span * span
		if off := math.Abs(got - hidden); !(off <= 2*math.Sqrt(2./probes)*hidden+.1*sigma*sigma) {
			t.Errorf("hidden %g: %g", hidden, got)
		}
		if a := math.Abs(seen[0]); !(a <= 1e-12) {
			t.Errorf("the products have %g of what is known", a)
		}
	}
}

// spread has whole runs of an eighth of the observations, whatever the blocks.
func TestSpread(t *testing.T) {
	for _, p := range []int{1, 127, 128, 1000, 1025, 10000} {
		x := &spread{Source: &block.Dense{P: p, N: 2, V: make([]float64, 2*p)}}
		rows := 0
		if !x.Pass(t.Context(), func(b block.Block) { rows += b.Rows }) || rows != x.rows {
			t.Errorf("p=%d: %d rows, %d counted", p, rows, x.rows)
		}
		if want := p/probedStride*probedRows + min(p%probedStride, probedRows); rows != want {
			t.Errorf("p=%d: %d rows, want %d", p, rows, want)
		}
		if share := x.Share(); !(math.Abs(share*float64(rows)-1) <= 1e-15) {
			t.Errorf("p=%d: weights of %g", p, share)
		}
	}
}

// A sample can have fewer directions than r and the spare ones, and the others more.
func TestImageBasisOfFewDirections(t *testing.T) {
	const p, n, r = 70000, 60, 3
	rng := rand.New(rand.NewPCG(6, 1))
	v := make([]float64, p*n)
	for l := range p {
		v[l*n+rng.IntN(r)] = 1
		v[l*n+r] = 1e-3 * rng.NormFloat64()
	}
	for _, l := range []int{5 * 1024, 20*1024 + 3} { // read by spread, not in the sample
		v[l*n+n-1] = .5
	}
	m := planOf(t, v, n, 4, r, 2).m
	m.Form = Compressed
	f, err := m.Decompose(t.Context(), r, openStarts())
	if err != nil {
		t.Fatal(err)
	}
	// Each direction has a third of the observations, except for what is in the others.
	if f.Basis != r+1 || !(math.Abs(f.ObjectiveShifted+1./3) <= 1e-4) {
		t.Errorf("a basis of %d vectors, f = %g", f.Basis, f.ObjectiveShifted)
	}
}

// Where f in the data's units is out of range, the search in the basis is no other.
func TestCompressedScales(t *testing.T) {
	slow.Test(t)
	const n, r, d = 60, 3, 4
	rng := rand.New(rand.NewPCG(37, 1))
	ones, shares := equal(r)
	v, _ := clusters(3000, n, ones, shares, .1, rng)
	var passes []int
	for _, unit := range []float64{1, 0x1p-200, 0x1p+200} {
		scaled := slices.Clone(v)
		linalg.Scale(unit, scaled)
		m := planOf(t, scaled, n, d, r, 2).m
		m.Form = Compressed
		f, err := m.Decompose(t.Context(), r, openStarts())
		if err != nil {
			t.Fatal(err)
		}
		passes = append(passes, f.Passes)
		if f.Form != Compressed || f.Passes != passes[0] {
			t.Errorf("data times %g: %s form, %d passes, %d for the data themselves; %v", unit, f.Form, f.Passes, passes[0], f.Warnings)
		}
	}
}

// openStarts returns options with the number of starts left open.
func openStarts() *Options {
	return &Options{Starts: 10, Open: true, Seed: 1, Tolerance: 1e-4, RelativeDecrease: 2e-9, MaxIterations: 1000, MaxEvaluations: 10000, Corrections: 5, Threads: 2}
}
