package fit

import (
	"math/rand/v2"
	"sync"

	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/progress"
)

// drawing fills the columns of start k, from its stream. It returns false if interrupted.
type drawing func(k int, a []float64, rng *rand.Rand) bool

// stream returns the source of all randomness of start k.
func (c *plan) stream(k int) *rand.Rand { return rand.New(rand.NewPCG(c.o.Seed, uint64(k))) }

// rangeFinder draws columns from observations, in a pass over them.
func (c *plan) rangeFinder(x obs.Source) drawing {
	return func(_ int, a []float64, rng *rand.Rand) bool { return moment.RangeFinder(c.ctx, x, a, c.r, rng) }
}

// roundsOfStarts is like rangeFinder for data that are slow to read: all starts of a round
// are drawn in one pass, or as many as memory allows. They are the same bits.
func (c *plan) roundsOfStarts(x obs.Source) drawing {
	size := c.r * c.n
	round := max(1, min(c.o.Starts, solverBytes/(8*size)))
	var mu sync.Mutex
	var columns []float64 // of a round
	first := -round       // start in it
	return func(k int, a []float64, _ *rand.Rand) bool {
		mu.Lock()
		defer mu.Unlock()
		if k < first || k >= first+round {
			c.begin(progress.Starts)
			first = k / round * round
			columns = make([]float64, round*size)
			var starts [][]float64
			var rngs []*rand.Rand
			for i := range round {
				starts, rngs = append(starts, columns[i*size:(i+1)*size]), append(rngs, c.stream(first+i))
			}
			if !moment.RangeFinders(c.ctx, x, starts, c.r, rngs, c.o.Threads) {
				first = -round
				return false
			}
			c.begin(progress.Search)
		}
		copy(a, columns[(k-first)*size:])
		return true
	}
}
