package symmom

import (
	"slices"
	"testing"

	"symmom/internal/test/slow"
)

// A mixture of oblong groups with spherical covariances says that others have a lower BIC, and
// the fit with these is that good; one with its own covariances says nothing.
func TestAnotherCovariance(t *testing.T) {
	slow.Test(t)
	x := clusters(3, 3, 600, 4, 1)
	for i := range 600 {
		x.Set(i, 1, x.At(i, 1)+2*x.At(i, 0))
	}
	s := FromMatrix(x)
	bic := map[string]float64{}
	for _, kind := range covariances {
		f := s.Mixture(3, MixtureOptions{Covariance: kind})
		bic[kind] = f.BIC
		said := slices.ContainsFunc(f.Warnings, func(w Warning) bool { return w.Code == WarnCovariance })
		if want := kind != CovarianceTied; said != want {
			t.Errorf("%s: BIC %g, %v", kind, f.BIC, f.Warnings)
		}
	}
	t.Log(bic)
	if large := s.Append(clusters(3, 3, 100_000, 4, 1)).Mixture(3, MixtureOptions{Starts: 1}); slices.ContainsFunc(large.Warnings, func(w Warning) bool { return w.Code == WarnCovariance }) {
		t.Error("a large table was tried")
	}
}
