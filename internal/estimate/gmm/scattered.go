package gmm

import (
	"math"
	"math/rand/v2"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Scattered starts.
const (
	// smallTable is how many numbers a table may hold for starts of this kind. They take more
	// steps of EM than others: in place of them, on larger tables, they took up to twice the time,
	// and found a better mixture once in 16 fits, a worse one in 3.
	smallTable = 1 << 16

	// scatteredStreams is where their streams begin, after those of k-means++, of which there are fewer: start
	// k is the same whatever number is asked for.
	scatteredStreams = 1 << 62

	scatteredFew    = 4   // observations, of which a component has the mean
	scatteredSpread = 1.5 // standard deviation of the logarithm of a component's variance
)

// scattered returns spherical components at the means of a few observations drawn at random, which
// lie nearer to each other than observations do, with variances that differ: components within or
// across each other, which no clustering leads to. The mean of the variances' logarithms is that of the
// square distance from the nearest mean; n is the number of dimensions. Operations: 3 p n r.
func scattered(x *block.Dense, r, n int, rng *rand.Rand) *Mixture {
	upTo := cumulated(x)
	means, weights := make([]float64, r*x.N), make([]float64, r)
	for j := range r {
		weights[j] = 1 / float64(r)
		for range scatteredFew {
			l := draw(upTo, rng)
			linalg.Axpy(1./scatteredFew, x.V[l*x.N:(l+1)*x.N], means[j*x.N:(j+1)*x.N])
		}
	}
	var square float64
	for l := range x.P {
		nearest := math.Inf(1)
		for j := range r {
			d := 0.
			for i, m := range means[j*x.N : (j+1)*x.N] {
				d += (x.V[l*x.N+i] - m) * (x.V[l*x.N+i] - m)
			}
			nearest = min(nearest, d)
		}
		square += x.Weight(l) * nearest / upTo[x.P-1]
	}
	g := Isotropic(weights, means, square/float64(n))
	for j := range g.Cov {
		g.Cov[j] *= math.Exp(scatteredSpread * rng.NormFloat64())
	}
	return g
}
