package fit

import (
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// actsBeyond estimates how X a_j^(d-2) acts in the directions orthogonal to the basis, for
// the columns a_j of factors a (r x K) in its coordinates: by the mean of its eigenvalues
// there, sum nu z^(d-2) |v - Q Q'v|^2 / (n - K) with z = a_j'v. The observations, of which
// it takes a sample, are divided by unit. It is 0 where there are no such directions.
// 2 n K operations an observation.
func actsBeyond(b *moment.Basis, sample *block.Dense, a []float64, d int, unit float64) []float64 {
	p, n, k := sample.P, sample.N, b.K
	r := len(a) / k
	mean := make([]float64, r)
	if k >= n || d < 2 {
		return mean
	}
	w, z := make([]float64, p*k), make([]float64, p*r)
	linalg.MulABt(w, sample.V, b.Q, p, k, n)
	linalg.Scale(1/unit, w)
	linalg.MulABt(z, w, a, p, r, k)
	for l := range p {
		own, inside := linalg.Norm2(sample.V[l*n:(l+1)*n])/unit, linalg.Norm2(w[l*k:(l+1)*k])
		beyond := sample.Weight(l) * max(0, (own-inside)*(own+inside)) / float64(n-k)
		for j := range r {
			mean[j] += linalg.Powi(z[l*r+j], d-2) * beyond
		}
	}
	return mean
}
