package gmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
)

// Observations wait in no more memory than there are, and wide ones in groups that are
// smaller; their coordinates are those of the definition all the same.
func TestGatherWide(t *testing.T) {
	for _, c := range []struct{ p, n, waiting int }{{5, 60_000, 5}, {90, 60_000, gatherMost / 60_000}, {300, 40, gatherRows}} {
		rng := rand.New(rand.NewPCG(3, 1))
		set := &load.Set{Info: load.Info{P: c.p, N: c.n}, Values: make([]float64, c.p*c.n)}
		for i := range set.Values {
			set.Values[i] = rng.NormFloat64()
		}
		mean, basis := make([]float64, c.n), make([]float64, 2*c.n) // two axes
		mean[0], mean[7], basis[3], basis[c.n+7] = 1, -2, 1, 1
		r := &run{t: tables.New(set), o: &Options{Threads: 1}, r: 1, n: c.n, ctx: t.Context(), unit: 2, shape: Spherical, spread: &tables.Spread{Mean: mean, Rows: basis}}
		in, err := r.gather()
		if err != nil {
			t.Fatal(err)
		}
		if len(in.v) != c.waiting*c.n {
			t.Errorf("%d x %d: %d numbers wait, want %d observations of them", c.p, c.n, len(in.v), c.waiting)
		}
		r.t.Storage.Pass(t.Context(), func(b block.Block) { in.see(b) })
		got := in.all().data
		for l := range c.p {
			row, rest := set.Values[l*c.n:(l+1)*c.n], 0.
			for i, v := range row {
				if i != 3 && i != 7 {
					rest += (v - mean[i]) * (v - mean[i]) / 4
				}
			}
			for j, want := range []float64{row[3] / 2, (row[7] + 2) / 2, math.Sqrt(rest)} {
				// sums of n terms of size 1, and the difference of two: rounding of at most n eps
				if d := got.V[3*l+j] - want; !(math.Abs(d) <= float64(c.n)*0x1p-52*math.Max(1, math.Abs(want))) {
					t.Fatalf("%d x %d: coordinate %d of observation %d is %g, want %g", c.p, c.n, j, l, got.V[3*l+j], want)
				}
			}
		}
	}
}
