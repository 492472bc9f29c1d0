package topics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// between returns a random number whose logarithm is uniform.
func between(rng *rand.Rand, least, most float64) float64 {
	return least * math.Pow(most/least, rng.Float64())
}

// oddDocuments are documents of a random topic model, many of them in some way unusual.
func oddDocuments(seed uint64) (x *block.Dense, k int, about string) {
	rng := rand.New(rand.NewPCG(58, seed))
	chance := func(share float64) bool { return rng.Float64() < share }
	k = 1 + rng.IntN(8)
	n := max(k, int(between(rng, 5, 300)))
	p := int(between(rng, 20, 2000))
	length := int(between(rng, 3, 200))
	a0, beta := between(rng, .05, 20), between(rng, .02, 2)
	mu, alpha := make([]float64, k*n), make([]float64, k)
	shareOut(rng, alpha, between(rng, .2, 10))
	linalg.Scale(a0, alpha)
	for j := range k {
		alpha[j] = max(alpha[j], 1e-6)
		shareOut(rng, mu[j*n:(j+1)*n], beta)
	}
	pick := func(x []float64) int {
		u := rng.Float64()
		for i, v := range x {
			if u -= v; u < 0 {
				return i
			}
		}
		return len(x) - 1
	}
	x = &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	about = fmt.Sprintf("seed %d: %d topics, %d words, %d documents of up to %d, concentration %.3g", seed, k, n, p, length, a0)
	empty, never, twice, weighted, uneven := chance(.3), chance(.3), chance(.3), chance(.4), chance(.5)
	own := make([]float64, k)
	for l := range p {
		row := x.V[l*n : (l+1)*n]
		if twice && l > 0 && chance(.3) {
			copy(row, x.V[rng.IntN(l)*n:])
			continue
		}
		if empty && chance(.2) {
			continue
		}
		for own[0] = math.NaN(); own[0] != own[0]; { // all draws can be 0
			total := 0.
			for j, a := range alpha {
				own[j] = math.Pow(rng.Float64(), 1/a) * rng.ExpFloat64()
				total += own[j]
			}
			linalg.Scale(1/total, own)
		}
		words := length
		if uneven {
			words = rng.IntN(length + 1)
		}
		for range words {
			j := pick(own)
			row[pick(mu[j*n:(j+1)*n])]++
		}
	}
	if never {
		for i := range n {
			if chance(.3) {
				for l := range p {
					x.V[l*n+i] = 0
				}
			}
		}
		about += ", words that never occur"
	}
	if chance(.2) {
		for i := range n {
			x.V[i] = math.Floor(1e5 * mu[i])
		}
		about += ", one document of 1e5 words"
	}
	if weighted {
		x.Nu = make([]float64, p)
		for l := range p {
			x.Nu[l] = between(rng, .01, 1)
		}
		linalg.Scale(1/sum(x.Nu), x.Nu)
		about += ", weighted"
	}
	if empty {
		about += ", empty ones"
	}
	if twice {
		about += ", duplicates"
	}
	return x, k, about
}

// sparseOf stores what is not 0.
func sparseOf(x *block.Dense) *block.SparseRows {
	s := &block.Sparse{Start: []int{0}}
	for l := range x.P {
		for i, v := range x.V[l*x.N : (l+1)*x.N] {
			if v != 0 {
				s.Index, s.V = append(s.Index, int32(i)), append(s.V, v)
			}
		}
		s.Start = append(s.Start, len(s.V))
	}
	return &block.SparseRows{P: x.P, N: x.N, Values: s, Nu: x.Nu}
}

// Whatever the documents are, topics and weights are distributions and nothing is NaN; the number of threads
// does not change a bit, and storage no more than rounding, unless some topics are noise: what is found of
// that hangs on rounding.
func TestOddDocuments(t *testing.T) {
	slow.Test(t)
	for seed := range uint64(50) {
		x, k, about := oddDocuments(seed)
		for _, momentsOnly := range []bool{true, false} {
			o := options(k)
			o.MomentsOnly, o.Threads = momentsOnly, 1
			d := survey(t, x)
			r, err := Find(t.Context(), d, o)
			if err != nil {
				t.Errorf("%s: %v", about, err)
				continue
			}
			if r.Shown < k {
				continue
			}
			checkTopics(t, about, r, x.N)
			if w := r.Doubts(d, momentsOnly, false); len(w) > 6 {
				t.Errorf("%s: %v", about, w)
			}
			o.Threads = 2
			again, err := Find(t.Context(), survey(t, x), o)
			if err != nil || !slices.Equal(again.Topics, r.Topics) || !slices.Equal(again.Weights, r.Weights) || again.Concentration != r.Concentration {
				t.Errorf("%s: other bits with two threads, %v", about, err)
			}
			again, err = Find(t.Context(), survey(t, sparseOf(x)), o)
			if err != nil {
				t.Errorf("%s: sparse: %v", about, err)
				continue
			}
			apart := 0.
			for i, v := range r.Topics {
				apart = math.Max(apart, math.Abs(v-again.Topics[i]))
			}
			if r.Above == k && apart > 1e-6 {
				t.Errorf("%s (moments only: %v): sparse topics differ by %.2g, concentration %g %g, iterations %d %d, shown %d above %d", about, momentsOnly, apart, r.Concentration, again.Concentration, r.Iterations, again.Iterations, r.Shown, r.Above)
			}
			m := &Model{N: x.N, Topics: r.Topics, Alpha: r.alpha()}
			shares, err := m.Shares(t.Context(), d, 1)
			for l := 0; l < len(shares) && err == nil; l += k {
				if s := sum(shares[l : l+k]); !(math.Abs(s-1) < 1e-9) {
					t.Errorf("%s: shares of document %d have sum %g", about, l/k, s)
					break
				}
			}
			if v, err := m.Perplexity(t.Context(), d, 1, 1); err != nil || !(v >= 1) || math.IsInf(v, 0) && !momentsOnly {
				t.Errorf("%s (moments only: %v): perplexity %g, %v", about, momentsOnly, v, err)
			}
		}
	}
}

func checkTopics(t *testing.T, about string, r *Result, n int) {
	t.Helper()
	for j := range r.Weights {
		mu := r.Topics[j*n : (j+1)*n]
		if s := sum(mu); !(math.Abs(s-1) < 1e-9) || !(slices.Min(mu) >= 0) {
			t.Errorf("%s: topic %d has sum %g, least %g", about, j, s, slices.Min(mu))
		}
	}
	if s := sum(r.Weights); !(math.Abs(s-1) < 1e-9) || !(slices.Min(r.Weights) >= 0) {
		t.Errorf("%s: weights %v", about, r.Weights)
	}
	if !(r.Concentration > 0) || math.IsInf(r.Concentration, 0) || math.IsNaN(r.Prior) || slices.ContainsFunc(r.Cut, math.IsNaN) {
		t.Errorf("%s: concentration %g, prior %g, cut %v", about, r.Concentration, r.Prior, r.Cut)
	}
}
