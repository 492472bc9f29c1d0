package norm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Pairs of an observation with itself, also where it was drawn twice, do not count.
func TestSamplePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	index := []int{4, 7, 4, 9, 2, 7}
	m := len(index)
	s := newSamplePairs(m, 2)
	var squares, fourths float64
	for l := range m {
		h := make([]float64, m)
		var sum float64
		count := 0
		for k := range h {
			h[k] = rng.NormFloat64()
			if index[k] != index[l] {
				sum += h[k]
				count++
				squares += h[k] * h[k]
				fourths += math.Pow(h[k], 4)
			}
		}
		s.add(l, l%2, h[:4], index[:4], index[l])
		s.add(l, l%2, h[4:], index[4:], index[l])
		if !(math.Abs(s.sums[l]-sum) <= 1e-14) || s.counts[l] != count {
			t.Errorf("observation %d: %g of %d pairs, want %g of %d", l, s.sums[l], s.counts[l], sum, count)
		}
	}
	if got := s.squares[0] + s.squares[1]; !(math.Abs(got-squares) <= 1e-13) {
		t.Errorf("squares %g, want %g", got, squares)
	}
	if got := s.fourths[0] + s.fourths[1]; !(math.Abs(got-fourths) <= 1e-12) {
		t.Errorf("fourth powers %g, want %g", got, fourths)
	}
}

// The estimate from a sample's pairs is their mean, and its error that of leaving out each
// observation in turn (the jackknife), computed here by doing so, for pairs times (m-2)/(m-1)
// and Student's factor for the effective numbers of pairs and of observations.
func TestSamplePairsError(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 3))
	const m = 40
	effective := func(v []float64) float64 {
		var squares, fourths float64
		for _, x := range v {
			squares += x * x
			fourths += x * x * x * x
		}
		return squares * squares / fourths
	}
	for _, c := range []struct {
		apart  float64
		alone  bool
		spread float64 // the larger, the fewer observations carry the sums
	}{{.9, false, .5}, {.9, true, .5}, {0, true, .5}, {.7, true, 1.5}} {
		h, alone, index, size := make([]float64, m*m), make([]float64, m), make([]int, m), make([]float64, m)
		for l := range m {
			index[l], alone[l], size[l] = l, rng.NormFloat64(), math.Exp(c.spread*rng.NormFloat64())
		}
		for l := range m {
			for k := range l {
				h[l*m+k] = size[l] * size[k] * (1 + rng.NormFloat64())
				h[k*m+l] = h[l*m+k]
			}
		}
		// without returns the means of pairs and single ones, all but those of an observation.
		without := func(i int) (pairs, singles float64) {
			var n, k float64
			for l := range m {
				if l == i {
					continue
				}
				singles, k = singles+alone[l], k+1
				for o := range l {
					if o != i {
						pairs, n = pairs+h[l*m+o], n+1
					}
				}
			}
			return pairs / n, singles / k
		}
		pairs, singles := without(-1)
		if !c.alone {
			singles = 0
		}
		var each, influence []float64
		var square float64
		for i := range m {
			u, v := without(i)
			d := c.apart * (m - 2) * (pairs - u)
			if c.alone {
				d += (m - 1) * (singles - v)
			}
			influence, square = append(influence, d), square+d*d
			for o := range i {
				each = append(each, h[i*m+o])
			}
		}
		want := Estimate{Value: 5 + c.apart*pairs + singles, Pairs: m * (m - 1) / 2, Carriers: math.Min(effective(each), effective(influence))}
		freedom := math.Max(4, want.Carriers)
		want.StdErr = math.Sqrt(square/(m*(m-1))) * math.Sqrt(freedom/(freedom-2))

		s := newSamplePairs(m, 3)
		for l := range m {
			s.add(l, l%3, h[l*m:(l+1)*m], index, l)
		}
		got := Estimate{Value: 5}
		if !c.alone {
			alone = nil
		}
		s.estimate(&got, c.apart, alone, singles)
		// Leaving out cancels two digits or so.
		for _, x := range [][2]float64{{got.Value, want.Value}, {got.StdErr, want.StdErr}, {got.Carriers, want.Carriers}} {
			if !(math.Abs(x[0]-x[1]) <= 1e-11*math.Abs(x[1])) || got.Pairs != want.Pairs {
				t.Errorf("%+v: %+v, want %+v", c, got, want)
			}
		}
	}
}
