package frame

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Centers and scales are the same within a millionth of the deviation, or of a mean that is
// larger, as far as that is a thousandth of the deviation; what is not known is the same.
func TestSameMove(t *testing.T) {
	of := func(v ...float64) []float64 { return v }
	for _, c := range []struct {
		name                           string
		center, scale, center2, scale2 []float64
		same                           bool
	}{
		{"unknown", nil, nil, of(1, 2), of(3, 4), true},
		{"unknown here", of(1, 2), of(3, 4), nil, nil, true},
		{"center", of(1, 2), of(3, 4), of(1+2.9e-6, 2-3.9e-6), of(3, 4), true},
		{"another center", of(1, 2), of(3, 4), of(1, 2+4.1e-6), of(3, 4), false},
		{"a center far off", of(1, -900), of(3, 4), of(1, -900+8.9e-4), of(3, 4), true},
		{"another far off", of(1, -900), of(3, 4), of(1, -900+9.1e-4), of(3, 4), false},
		{"a center very far off", of(1, -1e8), of(3, 4), of(1, -1e8+3.9e-3), of(3, 4), true},
		{"another very far off", of(1, -1e8), of(3, 4), of(1, -1e8+4.1e-3), of(3, 4), false},
		{"as far as rounding tells", of(1, -1e16), of(3, 4), of(1, -1e16+2), of(3, 4), true},
		{"scale", of(1, 2), of(3, .5), of(1, 2), of(3, .5+4.9e-7), true},
		{"another scale", of(1, 2), of(3, .5), of(1, 2), of(3, .5+5.1e-7), false},
		{"another first scale", of(1, 2), of(3, .5), of(1, 2), of(3-3.1e-6, .5), false},
		{"centers alone", of(1, 2), nil, of(1+1.9e-6, 2), nil, true},
		{"other centers alone", of(1, 2), nil, of(1+2.1e-6, 2), nil, false},
		{"a scale on one side", of(1, 2), nil, of(1, 2), of(3, 4), true},
		{"and another center", of(1, 2), of(3, 4), of(1, 2.1), nil, false},
		{"another center, a scale on one side", of(1, 2), nil, of(1, 2.1), of(3, 4), false},
		{"not a number", of(1, math.NaN()), of(3, 4), of(1, 2), of(3, 4), false},
	} {
		if got := (Move{Center: c.center, Scale: c.scale}).same(Move{Center: c.center2, Scale: c.scale2}); got != c.same {
			t.Errorf("%s: same %v, want %v", c.name, got, c.same)
		}
	}
	far, other := Move{Center: of(1e8)}, Move{Center: of(1e8 + 2)}
	known := Move{Center: other.Center, Deviations: of(1)}
	if !far.same(other) || far.same(known) || known.same(far) {
		t.Error("centers that are two deviations apart are the same, if these are known")
	}
}

// Two whitenings are the same if their coordinates differ by a root mean square of up to 1e-4,
// of observations with the covariance that the rows tell: here it is formed. Variables may come
// in another order, and in other units if the data were standardized.
func TestSameWhitening(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 14))
	const n, rows = 5, 3
	for trial := range 200 {
		q := make([][]float64, rows)
		values := []float64{9, 4, .5 + rng.Float64()}
		for i := range q { // Gram and Schmidt
			q[i] = make([]float64, n)
			for j := range n {
				q[i][j] = rng.NormFloat64()
			}
			for range 2 {
				for _, u := range q[:i] {
					s := 0.
					for j := range n {
						s += u[j] * q[i][j]
					}
					for j := range n {
						q[i][j] -= s * u[j]
					}
				}
			}
			s := 0.
			for _, v := range q[i] {
				s += v * v
			}
			for j := range n {
				q[i][j] /= math.Sqrt(s)
			}
		}
		var cov [n][n]float64
		for a := range n {
			for b := range n {
				if a == b {
					cov[a][b] = values[2]
				}
				for i := range rows {
					cov[a][b] += (values[i] - values[2]) * q[i][a] * q[i][b]
				}
			}
		}
		here := &Kind{Coordinates: Whitened, Mean: make([]float64, n), Variables: []string{"a", "b", "c", "d", "e"}}
		found := &Kind{Coordinates: Whitened, Mean: make([]float64, n)}
		if trial%2 == 1 {
			for range n {
				here.Scale, found.Scale = append(here.Scale, .5+rng.Float64()), append(found.Scale, .5+rng.Float64())
			}
		}
		order := rng.Perm(n) // of the variables of found
		for _, j := range order {
			found.Variables = append(found.Variables, here.Variables[j])
		}
		other, off := rng.IntN(rows), []float64{.9e-4, 1.1e-4}[trial/2%2]
		for i := range rows {
			d := make([]float64, n)
			if i == other {
				var square float64
				for j := range n {
					d[j] = rng.NormFloat64()
				}
				for a := range n {
					for b := range n {
						square += d[a] * cov[a][b] * d[b]
					}
				}
				for j := range n {
					d[j] *= off / math.Sqrt(square)
				}
			}
			row, theirs := make([]float64, n), make([]float64, n)
			for j := range n {
				row[j] = q[i][j] / math.Sqrt(values[i])
			}
			for at, j := range order {
				theirs[at] = row[j] + d[j]
				if here.Scale != nil { // v / scale times this is the coordinate
					theirs[at] *= found.Scale[at] / here.Scale[j]
				}
			}
			here.Whitening, found.Whitening = append(here.Whitening, row), append(found.Whitening, theirs)
		}
		if refused := Compare(found, here, 3, false); (refused != nil) != (off > 1e-4) {
			t.Errorf("trial %d, coordinates off by %g: %+v", trial, off, refused)
		}
	}
}
