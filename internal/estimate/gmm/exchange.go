package gmm

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	"symmom/internal/moment/block"
)

var xBest, _ = strconv.Atoi(os.Getenv("XBEST"))
var xTimes, _ = strconv.Atoi(os.Getenv("XTIMES"))

// exchange
func (c *run) exchange(in *coordinates, some *block.Dense, all []candidate) []candidate {
	if c.r < 2 || len(all) == 0 || !c.determined(some) {
		return all
	}
	from := slices.Clone(all[:min(xBest, len(all))])
	for i, a := range from {
		if a.settled || !a.regular() || a.starts == c.out.Tried {
			continue
		}
		for round := range 20 {
			rng := rand.New(rand.NewPCG(c.o.Seed, 1<<61+uint64(i*100+round)))
			tried := c.ended(in, some, func(yield func(candidate) bool) {
				for range xTimes {
					for j := range c.r {
						if g := exchanged(some, a.g, j, rng); g != nil && !yield(candidate{name: a.name, g: g, starts: 0}) {
							return
						}
					}
				}
			})
			if len(tried) == 0 || !tried[0].above(&a, sameMixture*float64(some.P)) {
				break
			}
			starts := a.starts
			a = tried[0]
			a.starts = starts
		}
		a.settled = true
		from[i] = a
	}
	rest := all[len(from):]
	return joined(from[:0:0], append(from, rest...), some.P)
}

// exchanged returns a mixture without component j, and another one about an observation.
func exchanged(x *block.Dense, g *Mixture, j int, rng *rand.Rand) *Mixture {
	h := g.Clone()
	l := rng.IntN(x.P)
	n := g.N
	k := rng.IntN(g.R - 1)
	if k >= j {
		k++
	}
	v := x.V[l*n : (l+1)*n]
	// nearest
	best := -1
	var least float64
	for q := range g.R {
		if q == j {
			continue
		}
		d := 0.
		for i, m := range g.Means[q*n : (q+1)*n] {
			d += (v[i] - m) * (v[i] - m) / g.Variance(q, i)
		}
		if best < 0 || d < least {
			best, least = q, d
		}
	}
	k = best
	copy(h.Means[j*n:(j+1)*n], v)
	if size := len(g.Cov) / g.R; g.Shape != Tied {
		copy(h.Cov[j*size:(j+1)*size], g.Cov[k*size:(k+1)*size])
	}
	rest := h.Weights[j]
	h.Weights[j], h.Weights[k] = h.Weights[k]/2, h.Weights[k]/2
	for q := range h.Weights {
		h.Weights[q] /= 1 - rest
	}
	return h
}
