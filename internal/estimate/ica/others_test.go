package ica

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// rare draws one of two values, three one of three and shifted a normal number about one of two:
// all have kurtosis 0. The skewness of two values with probabilities q and 1-q of q(1-q) = 1/6 is 1.41.
func rare(rng *rand.Rand) float64 {
	if rng.Float64() < (1-math.Sqrt(1./3))/2 {
		return math.Sqrt(6)
	}
	return 0
}

func three(rng *rand.Rand) float64 {
	switch rng.IntN(6) {
	case 0:
		return 1
	case 1:
		return -1
	}
	return 0
}

func shifted(rng *rand.Rand) float64 { return rare(rng) + .5*rng.NormFloat64() }

// Sources whose kurtosis is that of a normal one are found by what else tells them from it, and
// not doubted; beside normal ones, too.
func TestSourcesOfKurtosisZero(t *testing.T) {
	slow.Test(t)
	for name, c := range map[string]struct {
		other             func(*rand.Rand) float64
		p, normal, others int
	}{
		"two values": {rare, 2000, 0, 2}, "three values": {three, 2000, 0, 2}, "about two values": {shifted, 4000, 0, 3},
		"many, two values": {rare, 12000, 0, 5}, "many, three values": {three, 12000, 0, 5},
		"beside a normal one": {rare, 4000, 1, 3}, "beside normal ones": {shifted, 4000, 3, 3},
	} {
		separated, right := 0, 0
		const runs = 10
		for seed := range uint64(runs) {
			x := whitened(c.p, c.normal, c.others, seed, c.other)
			o := Options{Starts: 3, Seed: 1, Polish: true, MaxIterations: 200, Threads: 2}
			found, err := Separate(t.Context(), x, o)
			if err != nil {
				t.Fatal(err)
			}
			k := c.normal + c.others
			all := true
			for j := c.normal; j < k; j++ { // some row is this source
				most := 0.
				for i := range k {
					most = max(most, math.Abs(found.Rows[i*k+j]))
				}
				all = all && most > .97
			}
			if all {
				separated++
			}
			warned := ""
			for _, w := range found.Doubts(float64(c.p), k, o, false) {
				warned += w.Text
			}
			if strings.Contains(warned, "look normal") == (c.normal > 1) {
				right++
			}
		}
		// One table in twenty may have a mixture whose kurtosis stands out by chance.
		if separated < runs-1 || right < runs-1 {
			t.Errorf("%s: separated in %d of %d tables, doubted as they should be in %d", name, separated, runs, right)
		}
	}
}

// The contrasts of normal sources are within their range but in one table of a hundred.
func TestNormalRangeOfContrasts(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct{ p, m int }{{100, 2}, {2000, 2}, {300, 4}, {150, 8}, {3000, 12}} {
		for _, g := range []contrast{skewness, heavyTails} {
			beyond, near := 0, 0
			const runs = 50
			for seed := range uint64(runs) {
				x := whitened(c.p, c.m, 0, 100+seed, nil)
				s := search{Options: Options{Starts: 3, Seed: 1, MaxIterations: 200, Threads: 2}, x: x}
				a, err := s.turn(t.Context(), x, g, nearAt)
				if err != nil {
					t.Fatal(err)
				}
				most := 0.
				for _, e := range excess(x, a, c.m, g) {
					most = max(most, math.Abs(e)/g.normalRange(c.m, float64(c.p)))
				}
				if most > 1 {
					beyond++
				}
				if most > .5 {
					near++
				}
			}
			// More than 3 of 50 have a probability of .002 at one in a hundred; the range is not
			// so wide that nothing could be out of it.
			if beyond > 3 || near < runs/5 {
				t.Errorf("contrast %d, %d sources of %d observations: %d of %d tables beyond the range, %d beyond half of it", g, c.m, c.p, beyond, runs, near)
			}
		}
	}
}
