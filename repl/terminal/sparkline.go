package terminal

import (
	"math"
	"slices"
	"time"

	"symmom/internal/text/words"
	"symmom/repl"
)

// curve is the lowest value of a call over time.
type curve struct {
	number  int // see repl.Progress
	elapsed time.Duration
	f       []float64 // the values, one per step
	step    time.Duration
}

// sparks is the maximum number of columns of a sparkline; twice as many values are
// kept.
const sparks = 16

// add adds the progress of a call; another one begins a new curve.
func (c *curve) add(p repl.Progress) {
	if p.Curve != c.number || p.Elapsed < c.elapsed || len(c.f) == 0 {
		*c = curve{number: p.Curve, step: time.Millisecond}
	}
	if len(c.f) > 0 && p.Elapsed-c.elapsed < c.step {
		if p.Value < c.f[len(c.f)-1] {
			c.f[len(c.f)-1] = p.Value
		}
		return
	}
	c.elapsed = p.Elapsed
	if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
		return
	}
	if c.f = append(c.f, p.Value); len(c.f) < 2*sparks {
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
