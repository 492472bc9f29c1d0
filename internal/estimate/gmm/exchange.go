package gmm

import (
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Exchanges of components. In 390 random tables other searches found a log-likelihood higher by .5 than starts alone did
// in 73, of which 46 had no doubt; for what exchanges leave, see settledStarts. Three from three mixtures take two thirds of the
// time, but ended below in 36.
const (
	exchangedBest   = 4       // mixtures of a round that exchanges begin from
	exchangesEach   = 4       // of each component at a time
	mostExchanges   = 20      // rounds from one mixture
	exchangeOps     = 4e10    // values of components that EM has computed with, which end those of the best; half of it those of the next, a third, a quarter
	exchangeStreams = 1 << 61 // where their streams begin
)

// exchange goes on from the best of some candidates, unless most starts agree on one, or enough where EM takes long: each component in turn gives way to one
// about an observation, until none of the mixtures that EM finds from there is better. What starts led to the mixture
// before count for the one after it. With few observations for each parameter it would find higher likelihoods by chance.
func (c *run) exchange(in *coordinates, some *block.Dense, all []candidate) []candidate {
	if c.r < 2 || c.o.Starts == 0 || len(all) == 0 || !c.determined(some) {
		return all
	}
	enough := 4*all[0].starts >= 3*c.out.Tried
	if c.t.P*c.n > smallTable {
		enough = !diag.FewFound(all[0].starts, c.out.Tried)
	}
	if enough {
		return all
	}
	best := slices.Clone(all[:min(exchangedBest, len(all))])
	upTo := cumulated(some)
	for i := range best {
		a, most := &best[i], exchangeOps/float64(i+1)
		for round := 0; !a.settled && a.regular() && round < mostExchanges && c.tried <= most && c.ctx.Err() == nil; round++ {
			c.exchanges++
			rng := rand.New(rand.NewPCG(c.o.Seed, exchangeStreams+c.exchanges))
			tried := c.ended(in, some, func(yield func(candidate) bool) {
				for j := range exchangesEach * c.r {
					if c.tried > most || !yield(candidate{name: a.name, g: in.exchanged(some, a.g, j%c.r, draw(upTo, rng)), logLikelihood: math.NaN()}) {
						return
					}
				}
			})
			if a.settled = len(tried) == 0 || !tried[0].above(a, sameMixture*float64(some.P)); !a.settled {
				tried[0].starts = a.starts
				*a = tried[0]
			}
		}
	}
	return joined(nil, append(best, all[len(best):]...), some.P)
}

// exchanged returns a mixture without component j, with another one in its place about observation l: it shares the weight of the
// nearest component, whose covariance it has.
func (in *coordinates) exchanged(x *block.Dense, g *Mixture, j, l int) *Mixture {
	n, v := g.N, x.V[l*x.N:(l+1)*x.N]
	nearest, least := 0, math.Inf(1)
	for k := range g.R {
		var d float64
		for i, m := range g.Means[k*n : (k+1)*n] {
			d += (v[i] - m) * (v[i] - m) / g.Variance(k, i)
		}
		if k != j && d < least {
			nearest, least = k, d
		}
	}
	h := g.Clone()
	copy(h.Means[j*n:(j+1)*n], v)
	if in.basis != nil {
		h.Means[(j+1)*n-1] = 0
	}
	if size := len(g.Cov) / g.R; g.Shape != Tied {
		copy(h.Cov[j*size:(j+1)*size], g.Cov[nearest*size:(nearest+1)*size])
	}
	h.Weights[nearest] /= 2
	h.Weights[j] = h.Weights[nearest]
	var sum float64
	for _, w := range h.Weights {
		sum += w
	}
	for k := range h.Weights {
		h.Weights[k] /= sum
	}
	return h
}

// cumulated returns the sums of the weights of the first observations.
func cumulated(x *block.Dense) []float64 {
	upTo, sum := make([]float64, x.P), 0.
	for l := range upTo {
		sum += x.Weight(l)
		upTo[l] = sum
	}
	return upTo
}

// draw returns an observation drawn with probabilities that are the weights.
func draw(upTo []float64, rng *rand.Rand) int {
	u := rng.Float64() * upTo[len(upTo)-1]
	l, _ := slices.BinarySearch(upTo, u)
	for l < len(upTo)-1 && upTo[l] <= u {
		l++
	}
	return l
}
