package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/eigen"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// A component along a few long observations, of which the second moment shows too little for
// a basis to hold it, is found where it belongs to the best fit.
func TestAddPeaks(t *testing.T) {
	slow.Test(t)
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
		o := openStarts()
		f, err := m.Decompose(t.Context(), r, o)
		if err != nil {
			t.Fatal(err)
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

// Of two components along long observations both are found, and the words do not advise what
// cannot help.
func TestAddPeaksTwice(t *testing.T) {
	slow.Test(t)
	const p, n, d, r = 52000, 100, 5, 5
	ones, shares := equal(r)
	linalg.Scale(.994, shares)
	v, means := clusters(p, n, append(ones, 3, 2.7), append(shares, .003, .003), .1, rand.New(rand.NewPCG(36, 1)))
	m := planOf(t, v, n, d, r, 2).m
	truth := &ktensor.Kruskal{D: d, N: n, R: r, Lambda: slices.Repeat([]float64{.2}, r), A: means[2*n:]}
	truth.Lambda[r-2], truth.Lambda[r-1] = .003*243, .003*math.Pow(2.7, d)
	for j := range r {
		normalize(truth.A[j*n : (j+1)*n])
	}
	m.Form = Implicit
	from := openStarts()
	from.Starts, from.Open, from.Initial = 1, false, truth
	best, err := m.Decompose(t.Context(), r, from)
	if err != nil {
		t.Fatal(err)
	}
	m.Form = Compressed
	f, err := m.Decompose(t.Context(), r, openStarts())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("f = %.8g, %.8g from the truth, basis %d, warnings %v", f.ObjectiveShifted, best.ObjectiveShifted, f.Basis, f.Warnings)
	if f.ObjectiveShifted > best.ObjectiveShifted*(1-SameFit) {
		t.Errorf("f = %.8g, %.8g from the truth", f.ObjectiveShifted, best.ObjectiveShifted)
	}
	for _, w := range f.Warnings {
		if w.Code == diag.FewStarts && f.Basis == r+spareVectors && !slices.Equal(w.Help, []string{"Implicit"}) {
			t.Errorf("this basis would hide it under another seed, too: %s", w)
		}
	}
}

// The basis is not blamed for a start that missed a component along long observations which
// the basis contains.
func TestPeakMissed(t *testing.T) {
	slow.Test(t)
	const p, n, d, r, directions = 40000, 100, 4, 3, 8
	rng := rand.New(rand.NewPCG(8, 1))
	v := make([]float64, p*n)
	for l := range p {
		row := v[l*n : (l+1)*n]
		j := rng.IntN(directions)
		row[j] = 1 + .15*float64(j)
		if j >= directions/2 && rng.IntN(500) == 0 {
			row[j] = 7 + .1*float64(j) + .6*rng.NormFloat64()
		}
		for i := range row {
			row[i] += .03 * rng.NormFloat64()
		}
	}
	m := planOf(t, v, n, d, r, 2).m
	m.Form = Compressed
	added := 0
	for seed := range uint64(8) {
		o := openStarts()
		o.Starts, o.Open, o.Seed = 1, false, seed
		f, err := m.Decompose(t.Context(), r, o)
		if err != nil {
			t.Fatal(err)
		}
		added += len(f.Starts) - 1
		for _, w := range f.Warnings {
			if w.Code == diag.BasisMissed {
				t.Errorf("seed %d: %s", seed, w)
			}
		}
	}
	if added == 0 {
		t.Error("no start missed anything")
	}
}

// After a second search around what a basis hid, the fit is the best of all that was found, and
// its figures are of one search. Seed 35 goes on in the implicit form then.
func TestAround(t *testing.T) {
	slow.Test(t)
	for _, seed := range []uint64{35, 42} {
		rng := rand.New(rand.NewPCG(99, seed))
		p, n := 20000+rng.IntN(10000), 80+rng.IntN(80)
		d, r := 5, 3+rng.IntN(4)
		noise := .06 + .07*rng.Float64()
		ones, shares := equal(r)
		extra := 2 + rng.IntN(4)
		var lengths, rare []float64
		left := 1.
		for range extra {
			length := 2.5 + 4*rng.Float64()
			share := (.5 + 1.5*rng.Float64()) / math.Pow(length, float64(d)) / float64(r)
			lengths, rare, left = append(lengths, length), append(rare, share), left-share
		}
		linalg.Scale(left, shares)
		v, _ := clusters(p, n, append(ones, lengths...), append(shares, rare...), noise, rng)
		m := planOf(t, v, n, d, r, 2).m
		m.Form = Compressed
		lowest := math.Inf(1)
		o := openStarts()
		o.Progress = func(p progress.Report) { lowest = math.Min(lowest, p.Best) }
		f, err := m.Decompose(t.Context(), r, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: basis %d, %d starts, f = %g, warnings %v", seed, f.Basis, len(f.Starts), f.ObjectiveShifted, f.Warnings)
		if f.Begun != len(f.Starts) || f.Starts[f.Best].ObjectiveShifted != f.ObjectiveShifted {
			t.Errorf("seed %d: %d starts begun, %d recorded; f = %g, of the best start %g", seed, f.Begun, len(f.Starts), f.ObjectiveShifted, f.Starts[f.Best].ObjectiveShifted)
		}
		if f.ObjectiveShifted > lowest+sameSolution*math.Abs(lowest) {
			t.Errorf("seed %d: f = %g, and %g was found", seed, f.ObjectiveShifted, lowest)
		}
	}
}
