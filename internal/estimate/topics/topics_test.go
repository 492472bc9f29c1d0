package topics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"symmom/internal/moment/block"
)

// drawn are documents of a topic model.
func drawn(rng *rand.Rand, k, docs, length, words int, a0, beta float64) (*block.SparseRows, []float64) {
	mu := make([]float64, k*words)
	dirichlet := func(x []float64, a float64) {
		g := distuv.Gamma{Alpha: a, Beta: 1, Src: rng}
		s := 0.
		for i := range x {
			x[i] = g.Rand()
			s += x[i]
		}
		for i := range x {
			x[i] /= s
		}
	}
	cum := make([][]float64, k)
	for j := range k {
		row := mu[j*words : (j+1)*words]
		dirichlet(row, beta)
		s := 0.
		for _, v := range row {
			s += v
			cum[j] = append(cum[j], s)
		}
	}
	pick := func(c []float64) int {
		u := rng.Float64() * c[len(c)-1]
		lo, hi := 0, len(c)-1
		for lo < hi {
			m := (lo + hi) / 2
			if c[m] < u {
				lo = m + 1
			} else {
				hi = m
			}
		}
		return lo
	}
	x := &block.Sparse{Start: []int{0}}
	theta, count := make([]float64, k), make([]int, words)
	for range docs {
		dirichlet(theta, a0/float64(k))
		ct := make([]float64, k)
		s := 0.
		for j, v := range theta {
			s += v
			ct[j] = s
		}
		clear(count)
		for range length {
			count[pick(cum[pick(ct)])]++
		}
		for i, c := range count {
			if c > 0 {
				x.Index, x.V = append(x.Index, int32(i)), append(x.V, float64(c))
			}
		}
		x.Start = append(x.Start, len(x.Index))
	}
	return &block.SparseRows{P: docs, N: words, Values: x}, mu
}

func distance(mu, est []float64, k, n int) (mean float64) {
	used := make([]bool, k)
	for j := range k {
		best, at := math.Inf(1), 0
		for i := range k {
			if used[i] {
				continue
			}
			d := 0.
			for w := range n {
				d += math.Abs(mu[j*n+w] - est[i*n+w])
			}
			if d < best {
				best, at = d, i
			}
		}
		used[at] = true
		mean += best / float64(k)
	}
	return mean
}

func TestTrial(t *testing.T) {
	for _, c := range []struct {
		k, docs, length, words int
		a0                     float64
	}{{10, 5000, 100, 2000, 1}, {20, 20000, 60, 2000, 2}, {10, 5000, 50, 2000, 5}, {10, 5000, 100, 2000, .2}} {
		x, mu := drawn(rand.New(rand.NewPCG(1, 2)), c.k, c.docs, c.length, c.words, c.a0, .05)
		for _, given := range []float64{c.a0, 0} {
			o := Options{Topics: c.k, Concentration: given, Starts: 5, Seed: 1, MaxIterations: 100, Tolerance: 1e-5, Threads: 1, MomentsOnly: true}
			began := time.Now()
			d, err := Survey(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			s := time.Since(began)
			r, err := Find(t.Context(), d, o)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(c, given, "survey", s, "moments", time.Since(began), distance(mu, r.Topics, c.k, c.words), r.Concentration, r.Explained)
			o.MomentsOnly = false
			began = time.Now()
			r, err = Find(t.Context(), d, o)
			fmt.Println("  polished", time.Since(began), err, distance(mu, r.Topics, c.k, c.words), r.Concentration, r.Prior, r.Iterations, r.Bound, r.Weights[0], r.Weights[c.k-1])
		}
	}
}
