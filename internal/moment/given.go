package moment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/diag"
)

// GivenNoise returns the noise of n variables that is given by one of a standard deviation,
// variances and a covariance, nil if by none of them.
func GivenNoise(n int, sigma float64, variances []float64, covariance mat.Matrix) (*Noise, error) {
	count := 0
	for _, is := range []bool{sigma != 0, variances != nil, covariance != nil} {
		if is {
			count++
		}
	}
	switch {
	case count > 1:
		return nil, &diag.Argument{Name: "Noise", Value: fmt.Sprintf("%d fields", count), Want: "one of Sigma, Variances and Covariance at most"}
	case !(sigma >= 0) || math.IsInf(sigma, 0):
		return nil, &diag.Argument{Name: "Sigma", Value: sigma, Want: "a finite number above 0 (0: estimated)"}
	case sigma > 0:
		return &Noise{N: n, Variance: sigma * sigma}, nil
	case variances != nil:
		if len(variances) != n {
			return nil, &diag.Argument{Name: "Variances", Value: len(variances), Want: fmt.Sprintf("%d of them, one a variable", n)}
		}
		for _, v := range variances {
			if !(v >= 0) || math.IsInf(v, 0) {
				return nil, &diag.Argument{Name: "Variances", Value: v, Want: "finite numbers, 0 or more"}
			}
		}
		return &Noise{N: n, Diagonal: slices.Clone(variances)}, nil
	case covariance != nil:
		full, value, want := Symmetric(covariance, n)
		if full == nil {
			return nil, &diag.Argument{Name: "Covariance", Value: value, Want: want}
		}
		return &Noise{N: n, Full: full}, nil
	}
	return nil, nil
}
