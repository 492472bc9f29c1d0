package ranks

import "testing"

func TestStands(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		rank int
	}{
		{[]float64{9, 2, 2, .1, .1}, 3},
		{[]float64{9, 2, .1, 2, .1, .1}, 1}, // later values count
		{[]float64{9, .1, .1, .1}, 1},
		{[]float64{1, 1, 1, 1}, 0},
		{[]float64{1, .9, 0, 0}, 2},
		{[]float64{1}, 0},
		{nil, 0},
	} {
		floor := make([]float64, len(c.v))
		for i := range floor {
			floor[i] = .01
		}
		if r, _ := stands(c.v, floor); r != c.rank {
			t.Errorf("%v: got %d, want %d", c.v, r, c.rank)
		}
	}
}
