package symmom

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Parameters are counted by hand; the log-likelihood is the sum of log sum_j w_j N(v; mu_j, S_j),
// from the parameters as they are returned; and BIC is made of the two. So it is of the
// mixture that is read back.
func TestMixtureCounts(t *testing.T) {
	const n, r, p = 4, 3, 600
	s, _ := drawMixture(unequal(n, 1), constant(n, r, .3), []float64{.5, .3, .2}, p, 2)
	x := s.Matrix()
	for _, c := range []struct {
		covariance  string
		momentsOnly bool
		own         int // of covariances; means and weights have n r + r - 1
	}{
		{"spherical", false, r}, {"tied", false, n * (n + 1) / 2}, {"diag", false, r * n}, {"full", false, r * n * (n + 1) / 2},
		{"spherical", true, 1}, {"tied", true, n * (n + 1) / 2}, {"diag", true, n}, {"full", true, n * (n + 1) / 2},
	} {
		f := s.Mixture(r, MixtureOptions{Covariance: c.covariance, MomentsOnly: c.momentsOnly, Starts: 2})
		if f.Err() != nil {
			t.Fatal(c, f.Err())
		}
		if want := n*r + r - 1 + c.own; f.Parameters != want {
			t.Errorf("%+v: %d parameters, want %d", c, f.Parameters, want)
		}
		if c.momentsOnly && !mat.Equal(f.CovarianceOf(0), f.CovarianceOf(r-1)) {
			t.Errorf("%+v: several covariances", c)
		}
		var want float64
		for l := range p {
			var density float64
			for j := range r {
				var chol mat.Cholesky
				chol.Factorize(f.CovarianceOf(j))
				var d, solved mat.VecDense
				d.SubVec(x.Dense.RowView(l), f.Means.ColView(j))
				chol.SolveVecTo(&solved, &d)
				density += f.Weights[j] * math.Exp(-.5*mat.Dot(&d, &solved)) / math.Sqrt(math.Pow(2*math.Pi, n)*chol.Det())
			}
			want += math.Log(density)
		}
		// EM computes the likelihood of the parameters before its last step, which raises it by
		// up to the tolerance.
		if d := f.LogLikelihood - want; !(math.Abs(d) <= 1e-6*p) {
			t.Errorf("%+v: log-likelihood %.9g, want %.9g", c, f.LogLikelihood, want)
		}
		if want := -2*f.LogLikelihood + float64(f.Parameters)*math.Log(p); !(math.Abs(f.BIC-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("%+v: BIC %g, want %g", c, f.BIC, want)
		}
		path := filepath.Join(t.TempDir(), "mixture.json")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if g, err := LoadMixture(path); err != nil || g.Parameters != f.Parameters || g.BIC != f.BIC {
			t.Errorf("%+v: read back with %d parameters and BIC %g, not %d and %g (%v)", c, g.Parameters, g.BIC, f.Parameters, f.BIC, err)
		}
	}
}
