package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/eigen"
	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/observations"
	"symmom/internal/storage"
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
	set, err := observations.FromMatrix(mat.NewDense(len(v)/n, n, v), observations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := New(storage.New(set), d)
	o := &Options{Starts: 10, Seed: 1, Tolerance: 1e-4, RelativeDecrease: 2e-9, MaxIterations: 1000, MaxEvaluations: 10000, Memory: 5, Threads: threads}
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
		if off := math.Abs(got - hidden); off > 2*math.Sqrt(2./probes)*hidden+.1*sigma*sigma {
			t.Errorf("hidden %g: %g", hidden, got)
		}
		if a := math.Abs(seen[0]); a > 1e-12 {
			t.Errorf("the products have %g of what is known", a)
		}
	}
}

// spread has whole runs of an eighth of the observations, whatever the blocks.
func TestSpread(t *testing.T) {
	for _, p := range []int{1, 127, 128, 1000, 1025, 10000} {
		x := &spread{Source: &obs.Dense{P: p, N: 2, V: make([]float64, 2*p)}}
		rows := 0
		if !x.Pass(t.Context(), func(b obs.Block) { rows += b.Rows }) || rows != x.rows {
			t.Errorf("p=%d: %d rows, %d counted", p, rows, x.rows)
		}
		if want := p/probedStride*probedRows + min(p%probedStride, probedRows); rows != want {
			t.Errorf("p=%d: %d rows, want %d", p, rows, want)
		}
		if share := x.Share(); math.Abs(share*float64(rows)-1) > 1e-15 {
			t.Errorf("p=%d: weights of %g", p, share)
		}
	}
}

// A component along a few long observations, of which the second moment shows too little for
// a basis to hold it, is found where it belongs to the best fit.
func TestAddPeaks(t *testing.T) {
	const p, n, r = 40000, 200, 3
	for _, c := range []struct {
		d             int
		length, share float64
		best          bool // share length^d is above 1/r
	}{
		{4, 6, 4e-4, true},
		{5, 5, 5e-4, true},
		{3, 14, 2e-4, true},
		{4, 4, 4e-4, false},
	} {
		ones, shares := equal(r)
		linalg.Scale(1-c.share, shares)
		v, means := clusters(p, n, append(ones, c.length), append(shares, c.share), .1, rand.New(rand.NewPCG(34, uint64(c.d))))
		m := planOf(t, v, n, c.d, r, 2).m
		m.Form = Compressed
		o := &Options{Starts: 10, Open: true, Seed: 1, Tolerance: 1e-4, RelativeDecrease: 2e-9, MaxIterations: 1000, MaxEvaluations: 10000, Memory: 5, Threads: 2}
		f, err := m.Decompose(t.Context(), r, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range f.Warnings {
			if c.best && w.Code == notice.FewStarts && !slices.Equal(w.Help, []string{"Implicit"}) {
				t.Errorf("%+v: a basis would hide it under another seed, too: %s", c, w.Text)
			}
		}
		truth := &ktensor.Kruskal{D: c.d, N: n, R: r, Lambda: []float64{1. / r, 1. / r, 1. / r}, A: means[:r*n]}
		if c.best {
			truth.A = means[n:]
			truth.Lambda[r-1] = c.share
		}
		m.Form = Implicit
		from := *o
		from.Starts, from.Open, from.Initial = 1, false, truth
		best, err := m.Decompose(t.Context(), r, &from)
		if err != nil {
			t.Fatal(err)
		}
		q := append([]float64(nil), f.Model.A...)
		if k, err := eigen.Orthonormalize(t.Context(), q, r, n, 1); err != nil || k < r {
			t.Fatal(k, err)
		}
		found := angle(means[r*n:], q, n) < .2
		t.Logf("%+v: f = %.8g, %.8g from the truth, basis %d, found %v, warnings %v", c, f.ObjectiveShifted, best.ObjectiveShifted, f.Basis, found, f.Warnings)
		if found != c.best || f.ObjectiveShifted > best.ObjectiveShifted*(1-SameFit) {
			t.Errorf("%+v: found %v, f = %.8g, %.8g from the truth", c, found, f.ObjectiveShifted, best.ObjectiveShifted)
		}
	}
}
