package load

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Centered and standardized values are right however far the mean is from 0: differences
// of the numbers from one of them are exact, and take 50 roundings from there.
func TestCenterFarFromZero(t *testing.T) {
	const p = 50
	rng := rand.New(rand.NewPCG(3, 2))
	for _, offset := range []float64{0, 1e9, 1e12, 1e14, 1e15} {
		x := mat.NewDense(p, 1, nil)
		for l := range p {
			x.Set(l, 0, offset+rng.ExpFloat64())
		}
		var mean, square float64
		for l := range p {
			mean += (x.At(l, 0) - x.At(0, 0)) / p
		}
		want := make([]float64, p)
		for l := range p {
			want[l] = x.At(l, 0) - x.At(0, 0) - mean
			square += want[l] * want[l] / p
		}
		s, err := FromMatrix(x, Options{})
		if err != nil {
			t.Fatal(err)
		}
		centered, _, err := s.Standardize(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		standard, _, err := s.Standardize(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for l, w := range want {
			if got := centered.Values[l]; !(math.Abs(got-w) <= 1e-13) {
				t.Errorf("offset %g: centered %.16g, want %.16g", offset, got, w)
			}
			if got := standard.Values[l]; !(math.Abs(got-w/math.Sqrt(square)) <= 1e-13) {
				t.Errorf("offset %g: standardized %.16g, want %.16g", offset, got, w/math.Sqrt(square))
			}
		}
	}
}
