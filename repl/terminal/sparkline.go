package terminal

import (
	"math"
	"slices"
	"time"

	"symmom/internal/text/words"
	"symmom/symmom"
)

// curve is the lowest f of a decomposition over time.
type curve struct {
	rank    int
	elapsed time.Duration
	f       []float64 // one per step
	step    time.Duration
}

// sparks is the maximum number of columns of a sparkline; twice as many values are
// kept.
const sparks = 16

// add adds the progress of a decomposition; another decomposition begins a new
// curve.
func (c *curve) add(p symmom.Progress) {
	if p.Rank != c.rank || p.Elapsed < c.elapsed || len(c.f) == 0 {
		*c = curve{rank: p.Rank, step: time.Millisecond}
	}
	if len(c.f) > 0 && p.Elapsed-c.elapsed < c.step {
		if p.Best < c.f[len(c.f)-1] {
			c.f[len(c.f)-1] = p.Best
		}
		return
	}
	c.elapsed = p.Elapsed
	if math.IsNaN(p.Best) || math.IsInf(p.Best, 0) {
		return
	}
	if c.f = append(c.f, p.Best); len(c.f) < 2*sparks {
		return
	}
	// Half as many values, each for twice the time: the curve spans the whole run.
	for i := range sparks {
		c.f[i] = c.f[2*i+1]
	}
	c.f, c.step = c.f[:sparks], 2*c.step
}

// sparkline draws the curve in the given number of columns. The square root makes the
// small steps at its end visible.
func (c *curve) sparkline(columns int) string {
	if len(c.f) == 0 || columns < 4 {
		return ""
	}
	lowest, shown := slices.Min(c.f), make([]float64, min(columns, len(c.f)))
	for i := range shown {
		shown[i] = math.Sqrt(c.f[(i+1)*len(c.f)/len(shown)-1] - lowest)
	}
	return words.Sparkline(shown)
}
