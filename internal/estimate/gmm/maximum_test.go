package gmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/test/slow"
)

// drawn is a small table, of a mixture whose components overlap more or less, with any number of groups and, of some tables,
// heavy tails, and what to fit to it.
func drawn(seed int) (v []float64, n, r int, shape Shape) {
	rng := rand.New(rand.NewPCG(uint64(seed), 77))
	n = 2 + rng.IntN(7)
	r = 2 + rng.IntN(4)
	p := int(50 * math.Pow(20, rng.Float64()))
	shape = Shape(seed % 4)
	k := r
	if rng.IntN(3) == 0 {
		k = 1 + rng.IntN(6)
	}
	sep := 3 * rng.Float64()
	means, mix, w := make([]float64, k*n), make([]float64, k*n*n), make([]float64, k)
	for i := range means {
		means[i] = sep * rng.NormFloat64()
	}
	for j := range k {
		s := math.Exp(.5 * rng.NormFloat64())
		for i := range n * n {
			mix[j*n*n+i] = s * rng.NormFloat64() / math.Sqrt(float64(n))
			if i%(n+1) == 0 {
				mix[j*n*n+i] += s
			}
		}
		w[j] = rng.ExpFloat64() + .2
	}
	heavy := rng.IntN(4) == 0
	v = make([]float64, p*n)
	var sum float64
	for _, x := range w {
		sum += x
	}
	z := make([]float64, n)
	for l := range p {
		u, j := rng.Float64()*sum, 0
		for ; j < k-1 && u > w[j]; j++ {
			u -= w[j]
		}
		f := 1.
		if heavy {
			f = math.Exp(.5 * rng.NormFloat64())
		}
		for i := range z {
			z[i] = f * rng.NormFloat64()
		}
		for i := range n {
			v[l*n+i] = means[j*n+i]
			for c := range n {
				v[l*n+i] += mix[(j*n+i)*n+c] * z[c]
			}
		}
	}
	return
}

// The rise that is left is that of a geometric series: of steps .9 times as long each, which raise a quadratic likelihood by
// .81 times as much each, 4.26 times the last one.
func TestLeft(t *testing.T) {
	at := func(m float64) *Mixture { return Isotropic([]float64{.5, .5}, []float64{m, 3}, 1) }
	var s extrapolation
	if got := s.left(at(1), at(.9), at(.81), 1); !(got >= .81/.19 && got <= 5+1e-9) {
		t.Errorf("%g are left, want %g to 5", got, .81/.19)
	}
	if got := s.left(nil, at(.9), at(.81), 1); got != 1 {
		t.Errorf("%g are left after a step that is none of EM, want 1", got)
	}
}

// More starts find a mixture that is no worse: each ends where it did, at no plateau, and none passes for another of the
// same likelihood. In three tables of 400, where it was worse.
func TestMoreStartsAreNoWorse(t *testing.T) {
	slow.Test(t)
	for _, seed := range []int{70, 93, 339} {
		v, n, r, shape := drawn(seed)
		last := math.Inf(-1)
		for _, starts := range []int{5, 10, 20, 40} {
			f := fitRows(t, v, n, r, shape, func(o *Options) { o.Starts = starts })
			now := f.LogLikelihood - f.Mixture.Optimism(n, float64(len(v)/n), f.Members)
			if now < last-.01 {
				t.Errorf("table %d: %d starts lead to %.4f, fewer to %.4f", seed, starts, now, last)
			}
			last = now
		}
	}
}
