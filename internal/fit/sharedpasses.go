package fit

import (
	"sync"

	"symmom/internal/moment"
	"symmom/internal/progress"
)

// streamNormBytes bounds the observations that are read into memory to compute ||X||^2
// exactly.
const streamNormBytes = 64 << 20

// solverBytes bounds the memory for vectors of the runs that proceed in parallel.
const solverBytes = 128 << 20

// sharedPasses is like from, for data that are slow to read: all n starts run at the
// same pace, and each pass over the data serves all of them (as many at a time as
// memory allows).
func (c *search) sharedPasses(n int, guess starter) (outcomes []outcome) {
	vectors := 2*c.o.Memory + 12 // per run: the pairs of L-BFGS, iterates, gradients, sums
	batch := max(1, min(n, solverBytes/(8*c.r*c.n*vectors)))
	outcomes = make([]outcome, n)
	for lo := 0; lo < n && c.stopped() == nil; lo += batch {
		members := min(batch, n-lo)
		shared := moment.NewSharedPass(c.m.implicit(c.observations()), c.r, members, c.o.Threads)
		var wg sync.WaitGroup
		for k := lo; k < lo+members; k++ {
			o := moment.NewObjective(shared, c.r, c.unit, 1)
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer shared.Leave()
				outcomes[k] = c.run(k, o, guess)
			}()
		}
		wg.Wait()
	}
	return outcomes
}

// streamed solves from every start on the full problem, with shared passes.
func (c *plan) streamed(earlier *search) (*solution, error) {
	s, err := c.scaled(earlier)
	if err != nil {
		return nil, err
	}
	c.begin(progress.Search)
	draw := s.roundsOfStarts()
	outcomes := s.sharedPasses(c.o.Starts, func(k int, o *moment.Objective, x0 []float64) bool { return s.start(draw, k, o, x0) })
	found := s.record(outcomes)
	return &solution{found: found, search: s, form: Implicit}, c.errNoResult(found)
}

// stopped returns the reason that the run must end now, or nil.
func (c *plan) stopped() error {
	if c.m.Table.Forgotten() != nil {
		return c.ctx.Err() // such a run makes no pass
	}
	return c.m.Table.Stopped(c.ctx)
}
