package symmom

import (
	"math/rand/v2"
	"sync"

	"symmom/internal/moment"
)

// streamNormBytes bounds the observations that are taken into memory to
// compute ||X||^2 exactly.
const streamNormBytes = 64 << 20

// together is search for data that are slow to read: all n starts run at the
// same pace, and each pass over the data serves them all. It returns the
// passes that this took.
func (c *decomposition) together(n int, guess guesser) ([]outcome, int) {
	convoy := moment.NewConvoy(c.m.session.source(), c.m.order, c.r, n, c.o.Threads)
	outcomes := make([]outcome, n)
	var wg sync.WaitGroup
	for k := range n {
		o := moment.NewObjective(convoy, c.r, c.unit, 1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer convoy.Leave()
			outcomes[k] = c.run(k, o, guess)
		}()
	}
	wg.Wait()
	return outcomes, convoy.Passes()
}

// streamed solves from every start on the full problem, with shared passes.
func (c *decomposition) streamed() (outcome, error) {
	unit, passes, err := c.m.unit(c.ctx, c.o.Threads)
	if err != nil {
		return outcome{}, err
	}
	c.setUnit(unit)
	drawn := make([][]float64, c.o.Starts)
	if c.o.Init != InitGaussian && (c.o.Starts > 1 || c.o.InitialModel == nil) {
		rngs := make([]*rand.Rand, len(drawn))
		for k := range drawn {
			drawn[k] = make([]float64, c.r*c.fit.N)
			rngs[k] = rand.New(rand.NewPCG(c.o.Seed, uint64(k)))
		}
		if !moment.RangeFinders(c.ctx, c.m.session.source(), drawn, c.r, rngs, c.o.Threads) {
			return outcome{}, c.stopped()
		}
		passes++
	}
	outcomes, shared := c.together(c.o.Starts, func(k int, o *moment.Objective, x0 []float64) bool {
		if drawn[k] == nil || c.o.InitialModel != nil && k == 0 {
			return c.guess(k, o, x0)
		}
		copy(x0[c.r:], drawn[k])
		return c.settle(o, x0[:c.r], x0[c.r:])
	})
	c.fit.DataPasses = passes + shared
	best := c.record(outcomes)
	return best, c.none(best)
}

// stopped says why the run must end now, nil when it need not.
func (c *decomposition) stopped() error { return c.m.session.stopped(c.ctx) }
