package tables

import (
	"math/rand/v2"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/math/eigen"
	"symmom/internal/moment"
)

// The doubt names eigenvectors that are inaccurate because the passes were limited.
func TestDoubt(t *testing.T) {
	const p, n = 200, 400
	rng := rand.New(rand.NewPCG(4, 4))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	table := New(&load.Set{Info: load.Info{P: p, N: n}, Values: v})
	s, err := table.Spread(t.Context(), 3, Exact, nil, 0)
	if err != nil || s.Doubt() != nil {
		t.Fatalf("%v, %v", s.Doubt(), err)
	}
	found, err := moment.Leading(t.Context(), table.Storage, s.Mean, eigen.Wanted{K: 3, Accuracy: Exact, Products: 2}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.residual, s.products = found.Residual, found.Products
	// Two products with 13 columns of a flat spectrum.
	if w := s.Doubt(); len(w) != 1 || !strings.Contains(w[0].Text, "not fully found in 2 products") || !strings.Contains(w[0].Text, "along the first 3 are known to a relative error of about 0.") {
		t.Errorf("%v", w)
	}
}
