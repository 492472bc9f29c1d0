package torture

import "context"

// Ending is a context that is canceled when it was asked often enough: it ends at each of the
// places at which code looks at its context, one after the other.
type Ending struct {
	context.Context
	Left  int // how often it may be asked before
	Asked int // how often it was
}

// Err counts.
func (c *Ending) Err() error {
	if c.Asked++; c.Asked > c.Left {
		return context.Canceled
	}
	return nil
}
