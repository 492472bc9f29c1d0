package block

import "context"

// Chain concatenates several sources into one. Weights count relative to the mean
// weight of the source they come from: an observation of a source without weights
// counts 1.
type Chain struct {
	Links []Source // at least one, of the same n, stored alike
}

// Shape returns the total number of observations, and n.
func (c *Chain) Shape() (p, n int) {
	for _, l := range c.Links {
		lp, ln := l.Shape()
		p, n = p+lp, ln
	}
	return p, n
}

// Share returns 1/p.
func (c *Chain) Share() float64 {
	p, _ := c.Shape()
	return 1 / float64(p)
}

// BlockRows returns the largest BlockRows of the links.
func (c *Chain) BlockRows() int {
	rows := 0
	for _, l := range c.Links {
		rows = max(rows, l.BlockRows())
	}
	return rows
}

// Pass reads the links in order.
func (c *Chain) Pass(ctx context.Context, do func(Block)) bool {
	var nu []float64
	for _, l := range c.Links {
		p, _ := l.Shape()
		mean := float64(p) * l.Share()
		ok := l.Pass(ctx, func(b Block) {
			if b.Nu != nil {
				nu = nu[:0]
				for _, w := range b.Nu {
					nu = append(nu, w*mean)
				}
				b.Nu = nu
			}
			do(b)
		})
		if !ok {
			return false
		}
	}
	return true
}

// Err returns the error of the first link that failed, or nil.
func (c *Chain) Err() error {
	for _, l := range c.Links {
		if err := l.Err(); err != nil {
			return err
		}
	}
	return nil
}
