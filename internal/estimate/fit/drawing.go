package fit

import (
	"math/rand/v2"
	"sync"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// drawing fills the columns of start k, from its stream. It returns false if interrupted.
type drawing func(k int, a []float64, rng *rand.Rand) bool

// stream returns the source of all randomness of start k.
func (c *plan) stream(k int) *rand.Rand { return rand.New(rand.NewPCG(c.o.Seed, uint64(k))) }

// rangeFinder draws columns from observations, in a pass over them.
func (c *plan) rangeFinder(x block.Source) drawing {
	return func(_ int, a []float64, rng *rand.Rand) bool { return moment.RangeFinder(c.ctx, x, a, c.r, rng) }
}

// drawn draws columns from the observations: for many starts in a pass if that is slow.
func (c *plan) drawn() drawing {
	if c.m.Table.Slow() {
		return c.roundsOfStarts(c.observations())
	}
	return c.rangeFinder(c.counted())
}

// longOrder is the order from which on one start is made of observations: below it, those
// from the range finder found fits as good (measured with mixtures, and data with outliers).
const longOrder = 6

// startsLong reports whether start k is made of the longest observations: the first one that
// is drawn.
func (c *plan) startsLong(k int) bool {
	first := 0
	if c.o.Initial != nil {
		first = 1
	}
	return k == first && c.m.Order >= longOrder && c.o.Init == Turned
}

// roundsOfStarts is like rangeFinder for data that are slow to read: all starts of a round
// are drawn in one pass, or as many as memory allows. They are the same bits.
func (c *plan) roundsOfStarts(x block.Source) drawing {
	size := c.r * c.n
	round := max(1, min(c.o.Starts, solverBytes/(8*size)))
	var mu sync.Mutex
	var columns []float64 // of a round
	first := -round       // start in it
	failed := false
	return func(k int, a []float64, _ *rand.Rand) bool {
		mu.Lock()
		defer mu.Unlock()
		if failed {
			return false
		}
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
				failed = true
				return false
			}
			c.begin(progress.Search)
		}
		copy(a, columns[(k-first)*size:])
		return true
	}
}
