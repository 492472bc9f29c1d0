package fit

import (
	"context"
	"sync"
	"sync/atomic"

	"symmom/internal/moment"
	"symmom/internal/moment/norm"
)

// cache holds values that do not depend on form or options. Copies share it. What takes long is
// computed behind the gate, and changed there alone; mu guards the fields that others read
// without waiting for it.
type cache struct {
	gate
	mu     sync.Mutex
	span   float64      // largest norm of an observation
	survey *norm.Survey // from the pass that found span, nil for data not in memory
	unit   float64      // square root of the second moment's largest eigenvalue
	norm   *boundedNorm // of the observations divided by span
	seed   uint64       // seed of that norm, if it is an estimate
	held   *held
	exact  *boundedNorm // norm of what is held, for the explicit form alone
	room   sync.Once
	fits   bool    // the tensor's distinct entries, in the memory that was free
	shared float64 // multiply-adds of all pairs of sparse observations

	compressions map[compression]*compressed  // of sweeps
	space        atomic.Pointer[moment.Basis] // of sweeps: of the space of all observations
	debiased     map[int]*Moment              // by rank, if the noise is estimated
}

func newCache() *cache {
	return &cache{gate: newGate(), compressions: map[compression]*compressed{}, debiased: map[int]*Moment{}}
}

// set changes fields under the lock.
func (c *cache) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// gate lets in one computation at a time. Others wait, and can be interrupted as they do.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

// enter returns nil, after which leave must be called, or the error of ctx.
func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	default:
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }
