package moment

import (
	"errors"
	"math/rand/v2"
)

// errNumbers is returned for numbers that no Sample wrote.
var errNumbers = errors.New("damaged: its numbers do not add up")

// Numbers returns the sample for JoinSamples: 2 + n numbers an observation.
func (s *Sample) Numbers() []float64 {
	out := make([]float64, 0, s.m*(2+s.n))
	for i := range s.m {
		out = append(append(out, float64(s.from[i]), s.nu[i]), s.v[i*s.n:(i+1)*s.n]...)
	}
	return out
}

// JoinSamples makes one sample of m observations of n variables of those of the parts
// of a source, drawn as often as Shares says, in an order that depends on the seed.
// begin has the number of observations before each part, and their number at the end;
// total is the weight of all.
func JoinSamples(m, n int, parts [][]float64, begin []int, total float64, seed uint64) (*Sample, error) {
	s := NewSample(m, n, seed)
	s.seen, s.total = begin[len(begin)-1], total
	to := rand.New(rand.NewPCG(seed, 1)).Perm(m)
	for k, part := range parts {
		if len(part)%(2+n) != 0 || len(part)/(2+n) > len(to) {
			return nil, errNumbers
		}
		for ; len(part) > 0; part = part[2+n:] {
			i := to[0]
			to = to[1:]
			s.from[i], s.nu[i] = begin[k]+int(part[0]), part[1]
			copy(s.v[i*n:(i+1)*n], part[2:])
		}
	}
	if len(to) > 0 {
		return nil, errNumbers
	}
	return s, nil
}

// Shares draws how many of m observations come from each part, which has its weight's
// share of the probability.
func Shares(m int, weights []float64, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 2))
	var total float64
	for _, w := range weights {
		total += w
	}
	counts := make([]int, len(weights))
	for range m {
		at, k := rng.Float64()*total, 0
		for ; k < len(weights)-1 && at >= weights[k]; k++ {
			at -= weights[k]
		}
		counts[k]++
	}
	return counts
}
