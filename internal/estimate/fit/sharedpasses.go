package fit

import (
	"sync"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// sharers is how many runs must be multiplied side by side at least to gain from it.
const sharers = 4

// solverBytes bounds the memory for vectors of the runs that proceed in parallel.
const solverBytes = 128 << 20

// shares reports whether n runs on observations share passes: those over data that are slow
// to read, and over what no second-level cache holds, which takes a third less time or more
// with the columns of all runs side by side. Sparse columns are gathered, and are faster few
// at a time.
func (c *search) shares(t *moment.Implicit, n int) bool {
	p, variables := t.Data.Shape()
	stored, bytes := float64(p)*float64(variables), 8.
	if _, coordinates := t.Data.(*block.Dense); !coordinates {
		if c.m.Table.Slow() {
			return n > 1
		}
		if c.m.Table.Stored() < stored {
			return false
		}
		if c.m.Table.Single() {
			bytes = 4
		}
	}
	return n > 1 && linalg.Far(int(bytes*stored)) && moment.Together(variables, c.r) >= sharers
}

// sharedPasses is like from: runs proceed at the same pace, and each pass over the data
// serves all of them, or as many at a time as memory allows; over data in memory, as many as
// gain from it, so that there is soon something to stop with.
func (c *search) sharedPasses(t *moment.Implicit, lo, hi int, guess starter) (outcomes []outcome) {
	vectors := 2*float64(c.o.Corrections) + 12 // per run: the pairs of L-BFGS, iterates, gradients, sums
	batch := max(1, int(solverBytes/(8*float64(c.r)*float64(t.N())*vectors)))
	if !c.m.Table.Slow() {
		batch = min(batch, moment.Together(t.N(), c.r))
	}
	outcomes = make([]outcome, hi-lo)
	batches, begun := (len(outcomes)+batch-1)/batch, 1
	for b := 0; b < batches && c.stopped() == nil; b++ {
		done := b * len(outcomes) / batches
		members := (b+1)*len(outcomes)/batches - done
		begun = done + members
		shared := moment.NewSharedPass(t, c.r, members, c.o.Threads)
		var wg sync.WaitGroup
		for i := done; i < done+members; i++ {
			o := moment.NewObjective(shared, c.r, c.unit, 1)
			wg.Add(1)
			go func() {
				defer wg.Done()
				shared.Join()
				defer shared.Leave()
				outcomes[i] = c.run(lo+i, o, guess)
			}()
		}
		wg.Wait()
	}
	return outcomes[:min(hi-lo, begun)]
}

// stopped returns the reason that the run must end now, or nil.
func (c *plan) stopped() error {
	if err := c.failed(); err != nil {
		return err
	}
	if c.m.Table.Forgotten() != nil {
		return c.ctx.Err() // such a run makes no pass
	}
	return c.m.Table.Stopped(c.ctx)
}
