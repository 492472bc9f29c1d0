package gmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The expected difference is compared with its mean over draws: one component (two
// for a shared matrix) is fitted to few observations of N(0, I), and the likelihood
// of others is known in closed form from tr S^-1 and m'S^-1 m.
func TestOptimism(t *testing.T) {
	const n, size, draws = 4, 15, 4000
	for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
		r := 1
		if shape == Tied {
			r = 2
		}
		rng := rand.New(rand.NewPCG(1, uint64(shape)))
		var sum, square float64
		for range draws {
			v := optimismOf(shape, n, r, size, rng)
			sum += v / draws
			square += v * v / draws
		}
		g := NewMixture(n, r, shape)
		for j := range r {
			g.Weights[j] = 1 / float64(r)
		}
		want := g.Optimism(n, float64(r*size), slices.Repeat([]float64{size}, r))
		// Four standard errors of the mean of the draws.
		if tol := 4 * math.Sqrt((square-sum*sum)/draws); !(math.Abs(sum-want) <= tol) {
			t.Errorf("shape %d: %g of %d draws, want %g to %g", shape, sum, draws, want, tol)
		}
	}
	few := NewMixture(n, 1, Full)
	few.Weights[0] = 1
	if v := few.Optimism(n, n+2, []float64{n + 2}); !math.IsInf(v, 1) {
		t.Errorf("six observations of four variables: %g, want +Inf", v)
	}
	// With many observations it is the number of parameters except weights.
	for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
		g := NewMixture(n, 1, shape)
		g.Weights[0] = 1
		if v, want := g.Optimism(n, 1e9, []float64{1e9}), float64(g.Parameters()); !(math.Abs(v-want) <= 1e-6) {
			t.Errorf("shape %d: %g, want %g parameters", shape, v, want)
		}
	}
}

// With weights of 1 and 3 in turns, means of many draws show how much more the weighted
// log-likelihood of one variable exceeds that of other observations.
func TestOptimismOfWeights(t *testing.T) {
	const size, draws = 200, 20000
	rng := rand.New(rand.NewPCG(2, 2))
	var sum, square float64
	for range draws {
		var mean, second float64
		for l := range size {
			x := rng.NormFloat64()
			w := (1 + 2*float64(l%2)) / (2 * size) // of sum 1
			mean += w * x
			second += w * x * x
		}
		// The means of log densities differ by (1 + mean^2)/(2 variance) - 1/2.
		variance := second - mean*mean
		v := size / 2. * ((1+mean*mean)/variance - 1)
		sum += v / draws
		square += v * v / draws
	}
	// An effective number of size (1+3)^2 / 2 / (1+9) = .8 size. Four standard errors, and
	// 2% as the next term in 1/size is not the same for uneven weights.
	tol := 4*math.Sqrt((square-sum*sum)/draws) + .02*sum
	for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
		g := NewMixture(1, 1, shape)
		g.Weights[0] = 1
		if got := g.Optimism(1, size, []float64{.8 * size}); !(math.Abs(got-sum) <= tol) {
			t.Errorf("shape %d: %g, want %g to %g", shape, got, sum, tol)
		}
	}
}

// optimismOf fits r groups of observations separately and returns the mean of their
// log-likelihood minus that of other observations.
func optimismOf(shape Shape, n, r, size int, rng *rand.Rand) float64 {
	s := mat.NewSymDense(n, nil)
	var means []*mat.VecDense
	for range r {
		x := mat.NewDense(size, n, nil)
		x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
		m := mat.NewVecDense(n, nil)
		for l := range size {
			m.AddScaledVec(m, 1/float64(size), x.RowView(l))
		}
		for l := range size {
			var d mat.VecDense
			d.SubVec(x.RowView(l), m)
			s.SymRankOne(s, 1/float64(r*size), &d)
		}
		means = append(means, m)
	}
	switch trace := mat.Trace(s) / float64(n); shape {
	case Spherical:
		s.Zero()
		for i := range n {
			s.SetSym(i, i, trace)
		}
	case Diagonal:
		for i := range n {
			for j := range i {
				s.SetSym(i, j, 0)
			}
		}
	}
	var c mat.Cholesky
	c.Factorize(s)
	var inv mat.SymDense
	if err := c.InverseTo(&inv); err != nil {
		panic(err)
	}
	// Within the sample tr S^-1 S = n; for others it is tr S^-1 + m'S^-1 m.
	var sum float64
	for _, m := range means {
		sum += float64(size) / 2 * (mat.Trace(&inv) + mat.Inner(m, &inv, m) - float64(n))
	}
	return sum
}
