package objects

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/symmom"
)

// The numbers of a mixture are those of its components, at their places, and so are their
// standard errors.
func TestMixtureNumbers(t *testing.T) {
	const n, r, p = 3, 2, 120
	rng := rand.New(rand.NewPCG(33, 20))
	rows := make([][]float64, p)
	for l := range rows {
		rows[l] = make([]float64, n)
		for i := range n {
			rows[l][i] = float64(4*(l%3/2)) + (1+float64(l%3/2))*rng.NormFloat64()
		}
		rows[l][1] += rows[l][0]
	}
	for _, shape := range []string{symmom.CovarianceSpherical, symmom.CovarianceTied, symmom.CovarianceDiagonal, symmom.CovarianceFull} {
		f := symmom.FromRows(rows).Mixture(r, symmom.MixtureOptions{Covariance: shape, Starts: 2})
		e := f.Bootstrap(4, 0)
		if f.Err() != nil || e.Err() != nil {
			t.Fatal(f.Err(), e.Err())
		}
		text, err := json.Marshal(NewMixture(f, nil, nil, e, nil))
		if err != nil {
			t.Fatal(err)
		}
		type numbers struct {
			Means      [][]float64
			Weights    []float64
			Covariance any
			Sigma      float64
		}
		var got struct {
			numbers
			StandardErrors numbers `json:"standard_errors"`
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		// at returns a number of nested lists.
		at := func(of any, index ...int) float64 {
			for _, i := range index {
				of = of.([]any)[i]
			}
			return of.(float64)
		}
		for j := range r {
			if got.Weights[j] != f.Weights[j] || got.StandardErrors.Weights[j] != e.Weights[j] || got.Sigma != f.Sigma || got.StandardErrors.Sigma != e.Sigma {
				t.Errorf("%s, component %d: weights %v and sigma %g", shape, j, got.Weights, got.Sigma)
			}
			s := f.CovarianceOf(j)
			for i := range n {
				if got.Means[j][i] != f.Means.At(i, j) || got.StandardErrors.Means[j][i] != e.Means.At(i, j) {
					t.Errorf("%s, component %d, variable %d: mean %g ± %g", shape, j, i, got.Means[j][i], got.StandardErrors.Means[j][i])
				}
				for k := range n {
					var index []int
					var spread float64
					switch shape {
					case symmom.CovarianceSpherical:
						index, spread = []int{j}, e.Covariances.At(j, 0)
					case symmom.CovarianceTied:
						index, spread = []int{i, k}, e.Covariances.At(i, k)
					case symmom.CovarianceDiagonal:
						index, spread = []int{j, i}, e.Covariances.At(j, i)
					default:
						index, spread = []int{j, i, k}, e.Covariances.At(j*n+i, k)
					}
					if i != k && len(index) < 3 && shape != symmom.CovarianceTied {
						continue
					}
					if v := at(got.Covariance, index...); !(math.Abs(v-s.At(i, k)) <= 1e-13) { // the lower half rounds for itself
						t.Errorf("%s, component %d: covariance (%d, %d) is %g, want %g", shape, j, i, k, v, s.At(i, k))
					}
					if v := at(got.StandardErrors.Covariance, index...); v != spread {
						t.Errorf("%s, component %d: error of covariance (%d, %d) is %g, want %g", shape, j, i, k, v, spread)
					}
				}
			}
		}
	}
}
